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


@pytest.mark.parametrize("kind", HTML)
def test_a_report_has_no_faults_in_a_browser(
    kind: str,
    faults_in_browser: Callable[[str], list[str]],
    summary_of: Callable[[str], Summary],
) -> None:
    assert faults_in_browser(HTML[kind](summary_of(kind))) == []
