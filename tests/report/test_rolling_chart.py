"""The figure, the table and the finding of a rolling attribution with chapters."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest
from rich.console import Console

from byline.attribution import Candidate
from byline.attribution.rolling import (
    ChangePoint,
    RollingAttribution,
    RollingChapter,
    Segment,
    Window,
)
from byline.report.charts.axes import NARROW, WIDE
from byline.report.charts.rolling import LETTER, rolling_chart, short_chapter_name
from byline.report.displays.texts import rolling_display
from byline.report.rolling import rolling_summary

N = 60  # chapters


def candidate(author: str, probability: float | None) -> Candidate:
    return Candidate(author, 0.0, -1.0, -1.0, 2.0, probability, None, 0.5)


def chapter(number: int, author: str | None, probability: float | None = 0.9) -> RollingChapter:
    other = "Ben" if author == "Ada" else "Ada"
    ranking = (candidate(author, probability), candidate(other, 0.1)) if author else ()
    start = 10 * number
    declined = None if author else "fewer than 100 words"
    name = f"BOOK I, CHAPTER {number + 1}"
    return RollingChapter(name, "", start, start + 10, 200, ranking, declined)


def book(authors: list[str | None]) -> RollingAttribution:
    n = 10 * len(authors)
    return RollingAttribution(
        authors=("Ada", "Ben"),
        sentences=tuple(f"Sentence {number}. " for number in range(n)),
        window=10,
        step=10,
        windows=tuple(Window(i, i + 10, (1.0, -1.0), (0.8, 0.2)) for i in range(0, n, 10)),
        segments=(Segment(0, 300, "Ada", (9.0, -9.0)), Segment(300, n, "Ben", (-9.0, 9.0))),
        change_points=(ChangePoint(300, "Ada", "Ben", 12.0, 298, 304),),
        chapters=tuple(chapter(number, author) for number, author in enumerate(authors)),
    )


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_names_of_chapters_do_not_collide(width: float) -> None:
    chart = rolling_chart(rolling_summary(book(["Ada"] * N)), width=width)
    assert len(chart.x_ticks) > 2
    for left, right in pairwise(chart.x_ticks):
        assert right.at - left.at > LETTER * (len(left.text) + len(right.text)) / 2
    assert len(chart.chapters) == N
    assert chart.chapters[-1].x + chart.chapters[-1].width == pytest.approx(chart.frame.right)


def test_numbers_of_change_points_do_not_collide() -> None:
    found = book(["Ada"] * N)
    near = [ChangePoint(at, "Ada", "Ben", 5.0, at, at) for at in (300, 301, 302, 590)]
    summary = rolling_summary(found) | {
        "change_points": [
            {
                "sentence": point.sentence + 1,
                "earliest": point.earliest + 1,
                "latest": point.latest + 1,
                "before": "Ada",
                "after": "Ben",
                "log_lr": 5.0,
            }
            for point in near
        ]
    }
    numbers = [point.number for point in rolling_chart(summary).change_points]
    assert numbers == ["301", "", "", "591"]


def test_an_interval_covers_its_change_point() -> None:
    [point] = rolling_chart(rolling_summary(book(["Ada"] * N))).change_points
    # Sentences 299 to 305 of 600 on 946 units from 46 on, each with half a sentence around it:
    # 46 + 297.5 / 600 * 946 = 515.06 and 46 + 304.5 / 600 * 946 = 526.10.
    assert (point.left, point.right) == pytest.approx((515.06, 526.10), abs=0.01)
    assert point.left < point.x < point.right


def test_colours_are_those_of_the_authors() -> None:
    chart = rolling_chart(rolling_summary(book(["Ada", "Ben", None] * 20)))
    assert [strip.css for strip in chart.chapters[:3]] == ["author-0", "author-1", "declined"]
    assert [strip.css for strip in chart.strips] == ["author-0", "author-1"]


def test_the_finding_names_the_chapters_by_another_author() -> None:
    def finding(*authors: str | None) -> str | None:
        found: str | None = rolling_summary(book([*authors, *["Ada"] * 30]))["finding"]
        return found

    assert finding("Ada") == "All 31 chapters are attributed to Ada."
    assert finding("Ada", "Ben", None) == (
        "BOOK I, CHAPTER 2 is attributed to Ben (90.0 %), and 31 other chapters are attributed to "
        "Ada."
    )
    assert str(finding(*["Ben"] * 8)).endswith("and 3 more to authors other than Ada.")


def test_the_finding_names_each_chapter_if_no_two_have_the_same_author() -> None:
    found = rolling_summary(book(["Ada", "Ben", None, "Cleo", *[None] * 29]))["finding"]
    assert found == (
        "BOOK I, CHAPTER 1 is attributed to Ada (90.0 %), BOOK I, CHAPTER 2 to Ben (90.0 %) and "
        "BOOK I, CHAPTER 4 to Cleo (90.0 %)."
    )


def test_the_table_states_probabilities_and_why_a_chapter_is_declined() -> None:
    console = Console(file=io.StringIO(), width=100)
    display = rolling_display(book(["Ada", None, "Ben", *["Ada"] * 30]))
    display.write(console)
    printed = " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]
    assert "BOOK I, CHAPTER 1 200 Ada 90.0 % Ben 10.0 %" in printed
    assert "declined: fewer than 100 words" in printed
    assert "299 to 305" in printed
    page = display.page()
    assert "BOOK I, CHAPTER 3 is attributed to Ben" in page
    assert len([*display.tables["chapters"]().rows]) == 33


@pytest.mark.parametrize(
    ("name", "short"),
    [("VOLUME II, CHAPTER XIV", "XIV"), ("EPILOGUE", "EPILOGUE"), ("", ""), ("I", "I")],
)
def test_short_names(name: str, short: str) -> None:
    assert short_chapter_name(name) == short
