"""Rolling attribution as text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from byline.formatting import bounded_percent, number, signed
from byline.report.charts.rolling import chapter_name
from byline.report.rolling import MISMATCH_CAVEAT
from byline.report.terminal import empty_table, plain, shorten_name

LONGEST_TITLE = 34  # characters of the name and title of a chapter

Summary = dict[str, Any]


def print_rolling(console: Console, rolling: Summary) -> None:
    """Print the chapters of a text, its segments and the change points between them.

    Parameters
    ----------
    console : rich.console.Console
    rolling : dict
        As `byline.report.rolling.rolling_summary` returns it.
    """
    console.print("Rolling attribution", style="bold")
    if rolling["declined"]:
        console.print(plain(f"  no result: {rolling['declined']}"))
        return
    if rolling["chapters"]:
        _print_chapters(console, rolling["chapters"])
        console.print(plain(rolling["finding"] or "No chapter is long enough."), style="bold")
        console.print(MISMATCH_CAVEAT)
        console.print()
    table = empty_table(
        "sentences", "attributed to", "change, nats", "90 % interval", "first sentence", texts=2
    )
    table.columns[4].justify = "left"
    for segment, point in zip(rolling["segments"], [None, *rolling["change_points"]], strict=True):
        table.add_row(
            f"{segment['start']:,} to {segment['end']:,}",
            shorten_name(segment["author"]),
            signed(point["log_lr"], 1) if point else "",
            f"{point['earliest']:,} to {point['latest']:,}" if point else "",
            plain(_opening(point)) if point else "",
        )
    console.print(table)
    console.print(
        "At a change point, the sentences before and after it favour different candidates. A "
        "change of subject or genre, or a long quotation, can have the same effect."
        if rolling["change_points"]
        else "No change of author was detected."
    )


def _opening(point: Summary) -> str:
    """Return the first sentence after a change, after the chapter that it is in."""
    return f"{point['chapter']}: {point['opening']}" if point["chapter"] else point["opening"]


def _print_chapters(console: Console, chapters: Sequence[Summary]) -> None:
    table = empty_table("chapter", "words", "attributed to", "", "runner-up", "", texts=1)
    for place in (2, 4):
        table.columns[place].justify = "left"
    for chapter in chapters:
        name = chapter_name(chapter)
        cut = name if len(name) <= LONGEST_TITLE else name[: LONGEST_TITLE - 1] + "…"
        if chapter["author"] is None:
            table.add_row(
                plain(cut), number(chapter["n_words"], 0), plain(f"declined: {chapter['declined']}")
            )
            continue
        table.add_row(
            plain(cut),
            number(chapter["n_words"], 0),
            shorten_name(chapter["author"]),
            _probability(chapter["probability"]),
            shorten_name(chapter["runner_up"]),
            _probability(chapter["runner_up_probability"]),
        )
    console.print(table)
    for reason in dict.fromkeys(each["calibration_unavailable_reason"] for each in chapters):
        if reason:
            console.print(plain(f"  uncalibrated: {reason}"))
    console.print()


def _probability(value: float | None) -> str:
    return "" if value is None else bounded_percent(value)
