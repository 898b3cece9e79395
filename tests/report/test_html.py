from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

from byline.experiments import Evaluation
from byline.report import (
    case_html,
    evaluation_html,
    evaluation_summary,
)
from byline.report.html import SCRIPT_ELEMENT

VOID = {"meta"}
LOADING = {"src", "href", "srcset", "data", "action", "poster", "xlink:href"}


class Page(HTMLParser):
    """What a browser would make of a page: its elements, its text, and whether tags match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def count(self, tag: str) -> int:
        return Counter(name for name, _ in self.elements)[tag]

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.elements if name == tag]


@pytest.fixture(params=["case", "evaluation"])
def html(
    request: pytest.FixtureRequest,
    case: dict[str, Any],
    evaluation: Evaluation,
) -> str:
    made: dict[str, Callable[[], str]] = {
        "case": lambda: case_html(case),
        "evaluation": lambda: evaluation_html(evaluation_summary(evaluation)),
    }
    return made[request.param]()


def test_hostile_names_are_escaped(html: str) -> None:
    page = Page(html.replace(SCRIPT_ELEMENT, ""))
    assert "<script>alert('&')</script>\"'" in page.text
    assert {"script", "i", "u", "em"} & {tag for tag, _ in page.elements} == set()
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]


def test_a_report_loads_nothing(html: str) -> None:
    page = Page(html)
    assert not re.search(r"https?:|//\w|@import|url\(", html)
    assert {"link", "img", "iframe", "object", "base"} & {tag for tag, _ in page.elements} == set()
    loading = [attrs[name] for _, attrs in page.elements for name in LOADING & set(attrs)]
    assert not [target for target in loading if not str(target).startswith("#")]


def test_a_report_can_be_written_whatever_its_file_names(html: str) -> None:
    html.encode("utf-8")


def test_a_report_is_accessible_to_screen_readers(html: str) -> None:
    page = Page(html)
    assert page.attributes("html") == [{"lang": "en"}]
    assert page.count("h1") == page.count("main") == 1
    assert page.count("table") == page.count("caption") > 0
    assert all(attrs.get("scope") in ("col", "row") for attrs in page.attributes("th"))
    for attrs in page.attributes("svg"):
        named = attrs.get("aria-label") or attrs.get("aria-labelledby")
        assert attrs.get("role") != "img" or named
    scrolling = [attrs for attrs in page.attributes("div") if attrs.get("class") == "scroll"]
    assert len(scrolling) >= page.count("table")
    assert all(attrs.get("tabindex") == "0" and attrs.get("aria-label") for attrs in scrolling)


def test_headings_skip_no_level(html: str) -> None:
    levels = [int(tag[1]) for tag, _ in Page(html).elements if re.fullmatch(r"h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_rows_are_as_long_as_their_heading(html: str) -> None:
    for table in re.findall(r"<table>.*?</table>", html, re.DOTALL):
        lengths = {len(re.findall(r"<t[hd][ >]", row)) for row in table.split("<tr")[1:]}
        assert len(lengths) == 1


def test_reports_have_a_light_a_dark_and_a_print_style(html: str) -> None:
    for condition in ("prefers-color-scheme: dark", "@media print", "max-width: 34rem"):
        assert condition in html


def test_bars_and_cells_are_as_large_as_their_numbers(evaluation: Evaluation) -> None:
    html = evaluation_html(evaluation_summary(evaluation))
    # Recall: 1 of 1 for the name that sorts first, 1 of 2 for Ada.
    assert re.findall(r'class="fill" width="([\d.]+)"', html) == ["100.0", "50.0"]
    # Accuracy 2 of 3 twice, then the baseline's 1 of 3.
    assert re.findall(r'class="fill held" width="([\d.]+)"', html) == ["66.67", "66.67", "33.33"]
    # Cells of Ada's row hold half its texts each: 0.1 + 0.9 / 2, of two maps.
    assert (
        re.findall(r'cell (\w+)" fill-opacity="([\d.]+)"', html)
        == [
            ("right", "0.55"),
            ("wrong", "0.55"),
            ("right", "1.0"),
        ]
        * 2
    )
