"""The figures of the reports: each is written, says what its report says, and can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from byline.report.figures import Figure, write_figures
from byline.report.figures.cases import case_figures, verification_figures
from byline.report.figures.figure import drawable
from byline.report.figures.performance import evaluation_figures
from byline.report.figures.studies import similarity_figures
from byline.report.figures.writing import draw

Summary = dict[str, Any]


def _similarity(summary: Summary) -> list[Figure]:
    return similarity_figures(summary, summary["authors"])


FIGURES: dict[str, Callable[[Summary], Iterable[Figure]]] = {
    "case": case_figures,
    "comparison": _similarity,
    "evaluation": evaluation_figures,
    "verification": verification_figures,
}
NAMES = {
    "case": {"candidates-1", "rolling-1", "lengths", "reliability", "simulated-tippett"},
    "comparison": {"crossed", "tree"},
    "evaluation": {"accuracy", "authors", "confusions", "reliability", "tippett-2-sentences"},
    "verification": {"tippett-1", "reliability-2"},
}


@pytest.mark.parametrize("kind", FIGURES)
def test_the_figures_of_a_report_are_written(
    kind: str, summary_of: Callable[[str], Summary], tmp_path: Path
) -> None:
    figures = drawable(FIGURES[kind](summary_of(kind)))
    assert NAMES[kind] <= {figure.name for figure in figures}
    paths = write_figures(figures, tmp_path)
    assert len(paths) == 3 * len(figures) + 1
    assert min(path.stat().st_size for path in paths) > 500


@pytest.mark.parametrize("kind", FIGURES)
def test_figures_show_the_labels_of_their_charts_and_none_collides(
    kind: str, summary_of: Callable[[str], Summary]
) -> None:
    for figure in drawable(FIGURES[kind](summary_of(kind))):
        canvas = draw(figure)
        names = [label.text for label in getattr(figure.chart, "labels", ())]
        names += [series.label for series in getattr(figure.chart, "legend", ())]
        assert set(names) <= set(canvas.texts)
        assert figure.caption and figure.units
        for (first, a), (second, b) in combinations(canvas.boxes(), 2):
            assert not a.shrunk(0.9, 0.7).overlaps(b.shrunk(0.9, 0.7)), (first, second)
