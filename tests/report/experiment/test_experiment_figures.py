"""The figures of the report on an experiment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from byline.report import experiment_summary
from byline.report.figures.figure import drawable
from byline.report.figures.studies import experiment_figures
from byline.report.figures.writing import draw, encoded


def test_the_figures_of_an_experiment_have_captions_and_one_of_each_kind_is_drawn(
    outcome_of: Callable[..., dict[str, Any]],
) -> None:
    figures = drawable(experiment_figures(experiment_summary(outcome_of(["Ann", "Ben", "Cy"]))))
    kinds = Counter(type(figure.chart).__name__ for figure in figures)
    assert kinds.keys() == {"BarChart", "LineChart", "LogHeatMap", "MarkChart"}
    names = [figure.name for figure in figures]
    assert {"vocabulary", "coverage", "search-1"} <= set(names)
    # of two splits and two rules
    assert sum(name.startswith("mean-") for name in names) == 4
    assert all(figure.title and figure.caption and figure.units for figure in figures)
    for figure in {type(figure.chart): figure for figure in figures}.values():
        canvas = draw(figure)
        assert f">{figure.title}<" in encoded(figure, canvas, "svg").decode("utf-8")
