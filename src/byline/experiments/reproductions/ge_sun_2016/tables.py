"""Tables 1 and 2 of the paper: the texts, and perplexities of held-out text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, fields
from statistics import fmean, stdev
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from byline.experiments.reproductions.ge_sun_2016.finished_run import (
    ExperimentRun,
    mean_of,
    n_infinite,
    part_perplexity,
)
from byline.experiments.reproductions.ge_sun_2016.published import (
    Perplexity,
    ProfileRow,
    PublishedFigures,
    average_of,
    course_number,
)

COLUMNS = tuple(field.name for field in fields(ProfileRow))
MAX_DISTANCE = 0.1  # mean difference of the columns; about that of the two closest printed rows
NO_MATCH = 1e6

Figures = Mapping[int, Perplexity]


def profile_table(run: ExperimentRun) -> dict[str, Any] | None:
    """Return Table 1 as measured, with the printed row that describes each author."""
    rows = run.profile
    if rows is None:
        return None
    found = match_rows(rows, run.published) if run.published else {}
    return {"rows": [_profile_row(row, found.get(number), run) for number, row in enumerate(rows)]}


def _profile_row(row: Mapping[str, Any], printed: int | None, run: ExperimentRun) -> dict[str, Any]:
    published = run.published
    figures = None if printed is None or published is None else published.profile[printed]
    kept = {name: row[name] for name in ("author", *COLUMNS, "coverage", "unknown_share")}
    return {
        **kept,
        "published_row": None if printed is None else printed + 1,
        "published": None if figures is None else asdict(figures),
    }


def match_rows(rows: Sequence[Mapping[str, Any]], published: PublishedFigures) -> dict[int, int]:
    """Assign to each author the printed row that describes the author best; no row twice.

    The assignment minimises the sum of all differences, measured as logarithms of ratios, over all
    columns of Table 1. Authors whom no row describes are left out.

    Returns
    -------
    dict
        Number of the author's row -> number of the printed row, both from 0.
    """
    measured = np.array([[row[name] or np.nan for name in COLUMNS] for row in rows], dtype=float)
    printed = np.array([astuple(row) for row in published.profile], dtype=float)
    distance = np.abs(np.log(measured[:, None] / printed[None])).mean(axis=2)  # (authors, rows)
    pairs = zip(*linear_sum_assignment(np.nan_to_num(distance, nan=NO_MATCH)), strict=True)
    return {int(row): int(at) for row, at in pairs if distance[row, at] <= MAX_DISTANCE}


def perplexity_tables(run: ExperimentRun) -> list[dict[str, Any]]:
    """Compute Table 2: perplexities by split, model and author, with the published ones.

    If the perplexity on one seed is infinite, the mean is None, and "n_infinite" counts the seeds.
    """
    tables = [
        {
            "split": split,
            "columns": [c for model in run.config.models if (c := _column(run, split, model))],
        }
        for split in run.config.splits
    ]
    return [table for table in tables if table["columns"]]


def _column(run: ExperimentRun, split: str, model: str) -> dict[str, Any] | None:
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
    run: ExperimentRun, split: str, model: str, author: str, part: str, unknown: str
) -> dict[int, float]:
    return {
        seed: value
        for seed in run.config.seeds_of(model, split)
        if (record := run.record(split, seed, model, author)) is not None
        if (value := part_perplexity(record, part, unknown)) is not None
    }


def _published(run: ExperimentRun, split: str, model: str) -> tuple[Figures, Figures]:
    """Return the printed and the recorded perplexities of a model, both by course."""
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


def _average(run: ExperimentRun, rows: Sequence[Mapping[str, Any]], model: str) -> dict[str, Any]:
    """Average the rows, and the published figures over the same rows.

    "n_infinite" counts authors with at least one infinite perplexity. If all printed rows are
    there, the printed average is used, because it was computed from unrounded figures.
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


def counting(run: ExperimentRun) -> list[dict[str, Any]]:
    """Compute the mean perplexity by part and by treatment of unknown words.

    The mean is over the seeds on which all authors have the model.
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
    run: ExperimentRun, split: str, model: str, seeds: Sequence[int], part: str, unknown: str
) -> list[float]:
    """Return the perplexities of all authors on all seeds; an empty list if one is missing."""
    values = [
        part_perplexity(run.records[name], part, unknown)
        for seed in seeds
        for name in run.names_of(split, seed, model)
    ]
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else []
