"""Reports in a browser: labels do not collide, and nothing lies outside of a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from byline.report import case_html, evaluation_html
from byline.report.exploration_page import exploration_html
from byline.report.group_keywords import group_keywords_html
from byline.report.similarity import similarity_html
from byline.report.verification_case import verification_case_html

Summary = dict[str, Any]
HTML: dict[str, Callable[[Summary], str]] = {
    "case": case_html,
    "comparison": similarity_html,
    "evaluation": evaluation_html,
    "exploration": exploration_html,
    "keywords": group_keywords_html,
    "verification": verification_case_html,
}
# Where the last letter and the space after it are drawn, for each text before a keyword.
_ENDS_OF_CONTEXTS = """() => [...document.querySelectorAll('.kwic-text bdi')]
  .filter(before => /\\S $/.test(before.textContent))
  .map(before => [2, 1].map(place => {
    const text = before.firstChild, range = document.createRange();
    range.setStart(text, text.length - place);
    range.setEnd(text, text.length - place + 1);
    return range.getBoundingClientRect().left;
  }))"""


@pytest.mark.parametrize("kind", HTML)
def test_a_report_has_no_faults_in_a_browser(
    kind: str,
    faults_in_browser: Callable[[str], list[str]],
    summary_of: Callable[[str], Summary],
) -> None:
    assert faults_in_browser(HTML[kind](summary_of(kind))) == []


def test_the_space_before_a_keyword_is_drawn_beside_it(
    browser: Any, summary_of: Callable[[str], Summary]
) -> None:
    page = browser.new_page(offline=True, viewport={"width": 1280, "height": 900})
    page.set_content(group_keywords_html(summary_of("keywords")))
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    places = page.evaluate(_ENDS_OF_CONTEXTS)
    page.close()
    assert places
    assert all(space >= letter for letter, space in places)
