"""The figures of the reports: each is drawn, has the labels of its chart, and can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from tests.report.collisions import colliding_labels

from byline.report.figures import Figure
from byline.report.figures.cases import case_figures, explanation_figures, verification_figures
from byline.report.figures.figure import drawable
from byline.report.figures.performance import evaluation_figures, open_set_figures
from byline.report.figures.studies import similarity_figures
from byline.report.figures.texts import book_figures, exploration_figures
from byline.report.figures.writing import draw, encoded
from byline.report.open_set import rate_name

Summary = dict[str, Any]


def _similarity(summary: Summary) -> list[Figure]:
    return similarity_figures(summary, summary["authors"])


def _open_set(summary: Summary) -> list[Figure]:
    return open_set_figures(summary, list(map(rate_name, summary["by_rate"])))


FIGURES: dict[str, Callable[[Summary], Iterable[Figure]]] = {
    "case": case_figures,
    "comparison": _similarity,
    "evaluation": evaluation_figures,
    "explanation": explanation_figures,
    "exploration": exploration_figures,
    "joint": verification_figures,
    "open_set": _open_set,
    "rolling": book_figures,
    "verification": verification_figures,
}
NAMES = {
    "case": {"candidates-1", "rolling-1", "lengths", "reliability", "simulated-tippett"},
    "comparison": {"crossed", "tree"},
    "evaluation": {"accuracy", "authors", "confusions", "reliability", "tippett-2-sentences"},
    "explanation": {"rolling"},
    "exploration": {"tree", "pca", "mds", "consensus", "network", "distances"},
    "joint": {"h1-tippett-1", "h2-reliability-2"},
    "open_set": {"open-set-errors"},
    "rolling": {"rolling"},
    "verification": {"tippett-1", "reliability-2"},
}


@pytest.mark.parametrize("kind", FIGURES)
def test_the_figures_of_a_report_show_the_labels_of_their_charts_and_none_collides(
    kind: str, summary_of: Callable[[str], Summary]
) -> None:
    figures = drawable(FIGURES[kind](summary_of(kind)))
    assert NAMES[kind] <= {figure.name for figure in figures}
    for figure in figures:
        canvas = draw(figure)
        names = [label.text for label in getattr(figure.chart, "labels", ())]
        names += [series.label for series in getattr(figure.chart, "legend", ())]
        assert set(names) <= set(canvas.texts)
        assert figure.caption and figure.units
        assert len(encoded(figure, canvas, "svg")) > 500
        assert colliding_labels(canvas) == []
