"""What each author's text is made of, beside Table 1 of the paper; and which row of it is whose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, fields
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from byline.experiments.paper.published import ProfileRow, Published
from byline.experiments.paper.results import Run

COLUMNS = tuple(field.name for field in fields(ProfileRow))
FARTHEST = 0.1  # mean of the columns' differences; the like of two printed rows' that are closest
IMPOSSIBLE = 1e6


def profile(run: Run) -> dict[str, Any] | None:
    """Table 1 as it was measured, each author with the printed row that describes it."""
    rows = run.profile
    if rows is None:
        return None
    found = match_rows(rows, run.published) if run.published else {}
    return {"rows": [_row(row, found.get(place), run) for place, row in enumerate(rows)]}


def _row(row: Mapping[str, Any], printed: int | None, run: Run) -> dict[str, Any]:
    published = run.published
    figures = None if printed is None or published is None else published.profile[printed]
    kept = {name: row[name] for name in ("author", *COLUMNS, "coverage", "unknown_share")}
    return {
        **kept,
        "published_row": None if printed is None else printed + 1,
        "published": None if figures is None else asdict(figures),
    }


def match_rows(rows: Sequence[Mapping[str, Any]], published: Published) -> dict[int, int]:
    """Find the printed row that describes each author best, no row twice.

    The sum of all differences is the least there is, each as the logarithm of a ratio, over all
    columns of Table 1. An author whom no row describes has none.

    Returns
    -------
    dict
        Number of the author's row -> number of the printed one, both from 0.
    """
    measured = np.array([[row[name] or np.nan for name in COLUMNS] for row in rows], dtype=float)
    printed = np.array([astuple(row) for row in published.profile], dtype=float)
    distance = np.abs(np.log(measured[:, None] / printed[None])).mean(axis=2)  # (authors, rows)
    pairs = zip(*linear_sum_assignment(np.nan_to_num(distance, nan=IMPOSSIBLE)), strict=True)
    return {int(row): int(at) for row, at in pairs if distance[row, at] <= FARTHEST}
