"""Figures of keywords."""

from __future__ import annotations

from typing import Any

import pytest

from byline.attribution.keyness import compare_groups
from byline.corpus import Corpus, Document
from byline.report.figures.texts import group_keywords_figures
from byline.report.figures.writing import draw
from byline.report.group_keywords import group_keywords_summary


@pytest.fixture
def summary() -> dict[str, Any]:
    sea = Corpus([Document("Ada", "the sea was calm " * 400, "1")], "Ada $x$")
    land = Corpus([Document("Ben", "the field was green " * 400, "2")], "Ben")
    return group_keywords_summary(compare_groups(sea, land))


@pytest.mark.parametrize("grey", [False, True])
def test_keywords_have_bars_and_scores(summary: dict[str, Any], grey: bool) -> None:
    [figure] = group_keywords_figures(summary)
    written = draw(figure, grey=grey).texts
    # Each word is in all slices of one group and in none of the other: Zeta is 1 or -1.
    assert written[:-1] == [
        *("Used more often by Ada $x$", "calm", "1.00", "sea", "1.00"),
        *("Used more often by Ben", "field", "−1.00", "green", "−1.00"),
    ]
    assert written[-1] == "Keywords of Ada $x$ and Ben"
    assert [bar.share for bar in figure.chart.first.bars] == [1.0, 1.0]


def test_without_keywords_there_is_no_figure(summary: dict[str, Any]) -> None:
    [figure] = group_keywords_figures(summary | {"preferred": [], "avoided": []})
    assert figure.chart is None
