"""A case report in a real browser; skipped where playwright or a Chromium is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from byline.report.case import case_html

IS_SEEN = """id => { const box = document.getElementById(id).getBoundingClientRect();
  return box.height > 0 && box.top < innerHeight && box.bottom > 0 }"""


@pytest.fixture
def one(case: dict[str, Any]) -> str:
    """Return the report on one text."""
    return case_html(case | {"questioned": case["questioned"][:1]})


def test_a_report_fits_its_window(
    case: dict[str, Any], one: str, faults_in_browser: Callable[[str], list[str]]
) -> None:
    assert faults_in_browser(one) == []
    assert faults_in_browser(case_html(case)) == []


def test_the_first_screen_shows_answer_accuracy_caveats_and_figure(
    browser: Any, case: dict[str, Any]
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_content(case_html(case | {"questioned": case["questioned"][1:2]}))  # with a caveat
    for part in (".verdict", ".measured", ".first-screen .note", ".ranking li:last-child"):
        box = page.locator(part).first.bounding_box()
        assert box["height"] > 0 and box["y"] + box["height"] < 800, part
    page.close()


def test_the_table_of_contents_remains_visible_or_is_closed(browser: Any, one: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_content(one)
    links = page.locator(".toc a")
    page.evaluate("scrollTo(0, 2000)")
    box = links.first.bounding_box()
    assert 0 <= box["y"] < 100 and box["width"] > 50
    page.set_viewport_size({"width": 400, "height": 800})
    assert not links.first.is_visible()
    page.locator(".toc summary").click()
    assert links.first.is_visible()
    page.emulate_media(media="print")
    assert not page.locator(".toc").is_visible()
    page.close()


def test_a_link_opens_its_section_and_paper_has_all_sections(browser: Any, one: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_content(one)
    assert not page.locator("#terms dl").is_visible()
    page.locator(".toc a[href='#terms']").click()
    assert page.locator("#terms dl").is_visible()
    assert page.evaluate(IS_SEEN, "terms-title")
    assert not page.locator("#method pre").is_visible()
    page.emulate_media(media="print")
    assert page.evaluate("document.querySelector('#method pre').getBoundingClientRect().height") > 0
    assert page.locator("#method pre").is_visible()
    page.close()
