"""Figures of reports on explorations, keywords and books."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byline.report.charts.keyness import group_keywords_chart
from byline.report.exploration import DISTANCE_NAMES
from byline.report.exploration_charts import exploration_charts
from byline.report.figures.cases import rolling_figure
from byline.report.figures.figure import Figure
from byline.report.rolling import rolling_part

Summary = Mapping[str, Any]


def exploration_figures(summary: dict[str, Any]) -> list[Figure]:
    """List the figures of an exploration of texts: trees, maps, a network and distances.

    Parameters
    ----------
    summary : dict
        As `byline.report.exploration.exploration_summary` returns it.
    """
    distance = DISTANCE_NAMES.get(summary["distance"], summary["distance"])
    units = {
        "tree": f"height of joins, from the {distance}",
        "pca": "scores on the components, without units",
        "mds": distance,
        "umap": "none",
        "consensus": "none",
        "network": "none",
        "distances": distance,
    }
    return [
        Figure(each["name"], each["title"], _caption(each), each["wide"], units[each["name"]])
        for each in exploration_charts(summary)
    ]


def _caption(drawn: Mapping[str, Any]) -> str:
    """Return the caption of a figure, with the texts for whose labels there is no space."""
    missing = "" if drawn["kind"] == "heat" else drawn["wide"].unlabelled
    return f"{drawn['caption']} {missing}".rstrip()


def group_keywords_figures(summary: Summary) -> list[Figure]:
    """List the figure of the keywords of two groups of texts.

    Parameters
    ----------
    summary : mapping
        As `byline.report.group_keywords.group_keywords_summary` returns it.
    """
    chart = group_keywords_chart(summary) if summary["preferred"] or summary["avoided"] else None
    first, second = (group["name"] for group in summary["groups"])
    return [
        Figure(
            "keywords",
            f"Keywords of {first} and {second}",
            f"The length of a bar is the absolute score ({summary['measure_name']}).",
            chart,
            summary["measure_name"],
        )
    ]


def book_figures(summary: dict[str, Any]) -> list[Figure]:
    """List the figure of the rolling attribution of a book.

    Parameters
    ----------
    summary : dict
        As `byline.report.rolling.rolling_summary` returns it.
    """
    return [rolling_figure(rolling_part(summary))]
