"""The report on a rolling attribution as one HTML file."""

from __future__ import annotations

from byline.report.html import render
from byline.report.rolling import Summary, rolling_part


def rolling_html(summary: Summary) -> str:
    """Return the report on a rolling attribution as one HTML file.

    Parameters
    ----------
    summary : dict
        As `rolling_summary` returns it.
    """
    return render("rolling_page.html.j2", {"part": rolling_part(summary), "path": summary["path"]})
