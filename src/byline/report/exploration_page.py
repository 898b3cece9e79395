"""The report on an exploration of texts as one HTML file."""

from __future__ import annotations

from byline.report.charts.distance_map import LEVELS, MOST_WITH_TITLES
from byline.report.charts.text_points import text_styles
from byline.report.exploration import (
    DISTANCE_NAMES,
    QUESTIONED_TEXT,
    Summary,
    heading,
    quality_sentences,
    strongest_loadings,
)
from byline.report.exploration_charts import exploration_charts
from byline.report.html import render

_N_LOADINGS = 15


def exploration_html(summary: Summary) -> str:
    """Return the report on an exploration of texts as one HTML file.

    Parameters
    ----------
    summary : dict
        As `exploration_summary` returns it.
    """
    return render("exploration.html.j2", exploration_values(summary))


def exploration_section(summary: Summary) -> str:
    """Return the main part of the report in HTML, for a notebook.

    Parameters
    ----------
    summary : dict
        As `exploration_summary` returns it.
    """
    return render("notebook_exploration.html.j2", exploration_values(summary))


def exploration_values(summary: Summary) -> Summary:
    """Return what the templates of the report need.

    Parameters
    ----------
    summary : dict
        As `exploration_summary` returns it.
    """
    styles = text_styles(text["author"] for text in summary["texts"])
    return {
        "exploration": summary,
        "heading": heading(summary),
        "sentences": quality_sentences(summary),
        "distance_name": DISTANCE_NAMES.get(summary["distance"], summary["distance"]),
        "legend": [
            {"style": style, "label": author or QUESTIONED_TEXT} for author, style in styles.items()
        ],
        "charts": exploration_charts(summary),
        "loadings": _loadings(summary),
        "levels": list(range(LEVELS)),
        "has_cell_titles": len(summary["texts"]) <= MOST_WITH_TITLES,
    }


def _loadings(summary: Summary) -> list[Summary]:
    """Return the features at both ends of each axis of a map."""
    found = []
    for each in summary["maps"]:
        for axis in range(len(each["shares"]) if each["loadings"] else 0):
            low, high = strongest_loadings(each["loadings"], axis, _N_LOADINGS)
            found.append({"method": each["method"], "axis": axis + 1, "low": low, "high": high})
    return found
