"""Perplexities of held-out text; Table 2 of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, fields
from statistics import fmean, stdev
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from byline.experiments.reproductions.ge_sun_2016.finished_run import (
    Run,
    mean_of,
    n_infinite,
    perplexity,
)
from byline.experiments.reproductions.ge_sun_2016.published import (
    Perplexity,
    ProfileRow,
    Published,
    average_of,
    course_number,
)

COLUMNS = tuple(field.name for field in fields(ProfileRow))
FARTHEST = 0.1  # mean of the columns' differences; the like of two printed rows' that are closest
IMPOSSIBLE = 1e6


def profile(run: Run) -> dict[str, Any] | None:
    """Table 1 as it was measured, each author with the printed row that describes it."""
    rows = run.profile
    if rows is None:
        return None
    found = match_rows(rows, run.published) if run.published else {}
    return {"rows": [_profile_row(row, found.get(place), run) for place, row in enumerate(rows)]}


def _profile_row(row: Mapping[str, Any], printed: int | None, run: Run) -> dict[str, Any]:
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


Figures = Mapping[int, Perplexity]


def perplexity_tables(run: Run) -> list[dict[str, Any]]:
    """Perplexities by split, model and author, beside what was published.

    Where one seed's is infinite, so is the mean, which is None; "n_infinite" says of how many.
    """
    tables = [
        {
            "split": split,
            "columns": [c for model in run.config.models if (c := _column(run, split, model))],
        }
        for split in run.config.splits
    ]
    return [table for table in tables if table["columns"]]


def _column(run: Run, split: str, model: str) -> dict[str, Any] | None:
    section = run.config.models[model]
    part, unknown = section.part, section.unknown[0]
    found = {
        author: values
        for author in run.authors_of(model)
        if (values := _by_seed(run, split, model, author, part, unknown))
    }
    if not found:
        return None
    printed, recorded = _published(run, split, model)
    rows = [
        _row(author, list(values.values()), printed, recorded) for author, values in found.items()
    ]
    return {
        "model": model,
        "label": section.label,
        "part": part,
        "unknown": unknown,
        "seeds": sorted({seed for values in found.values() for seed in values}),
        "rows": rows,
        "average": _average(run, rows, model),
    }


def _by_seed(
    run: Run, split: str, model: str, author: str, part: str, unknown: str
) -> dict[int, float]:
    return {
        seed: value
        for seed in run.config.seeds_of(model, split)
        if (record := run.record(split, seed, model, author)) is not None
        if (value := perplexity(record, part, unknown)) is not None
    }


def _published(run: Run, split: str, model: str) -> tuple[Figures, Figures]:
    """Find what was printed of a model, and what its authors recorded; both by course."""
    published, column = run.published, run.config.models[model].published
    if published is None or column is None or run.config.splits[split].unit != "sentence":
        return {}, {}
    return published.perplexity.get(column, {}), published.recorded.get(column, {})


def _row(
    author: str, values: Sequence[float], printed: Figures, recorded: Figures
) -> dict[str, Any]:
    course = course_number(author)
    figure = None if course is None else printed.get(course)
    stored = None if course is None else recorded.get(course)
    mean = mean_of(values)
    return {
        "author": author,
        "mean": mean,
        "sd": stdev(values) if mean is not None and len(values) > 1 else None,
        "n": len(values),
        "n_infinite": n_infinite(values),
        "published": _plain(figure),
        "recorded": _plain(stored),
        "difference": _difference(mean, figure),
    }


def _difference(mean: float | None, printed: Perplexity | None) -> float | None:
    return None if mean is None or printed is None else mean - printed.mean


def _plain(figure: Perplexity | None) -> dict[str, float] | None:
    return None if figure is None else {"mean": figure.mean, "sd": figure.sd}


def _average(run: Run, rows: Sequence[Mapping[str, Any]], model: str) -> dict[str, Any]:
    """Average the rows; what was published is averaged over the same ones.

    Its "n_infinite" counts authors, of whose rows one infinite perplexity is enough.
    The printed average is taken where all printed rows are there: it was made from longer figures.
    """
    known = [row["mean"] for row in rows if row["mean"] is not None]
    mean = fmean(known) if len(known) == len(rows) else None
    deviations = [row["sd"] for row in rows if row["sd"] is not None]
    printed = _average_of([row["published"] for row in rows])
    published, column = run.published, run.config.models[model].published
    if printed and published and column and len(rows) == len(published.perplexity[column]):
        printed = published.average[column]
    return {
        "mean": mean,
        "sd": fmean(deviations) if len(deviations) == len(rows) else None,
        "n": len(rows),
        "n_infinite": len(rows) - len(known),
        "published": _plain(printed),
        "recorded": _plain(_average_of([row["recorded"] for row in rows])),
        "difference": _difference(mean, printed),
    }


def _average_of(figures: Sequence[Mapping[str, float] | None]) -> Perplexity | None:
    known = [Perplexity(**figure) for figure in figures if figure is not None]
    return average_of(known) if len(known) == len(figures) else None


def counting(run: Run) -> list[dict[str, Any]]:
    """Mean perplexity by part and by how unknown words are counted, as far as it was measured.

    Over the seeds on which all authors have the model.
    """
    return [
        {
            "split": split,
            "model": model,
            "label": section.label,
            "part": part,
            "unknown": unknown,
            "mean": mean_of(values),
            "n_infinite": n_infinite(values),
            "n_seeds": len(seeds),
            "n_authors": len(run.authors_of(model)),
        }
        for split in run.config.splits
        for model, section in run.config.models.items()
        if (seeds := run.complete_seeds(split, model))
        for part in ("validation", "test")
        for unknown in section.unknown
        if (values := _measured(run, split, model, seeds, part, unknown))
    ]


def _measured(
    run: Run, split: str, model: str, seeds: Sequence[int], part: str, unknown: str
) -> list[float]:
    """Gather the perplexities of all authors on all seeds; none where one lacks."""
    values = [
        perplexity(run.records[name], part, unknown)
        for seed in seeds
        for name in run.names_of(split, seed, model)
    ]
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else []
