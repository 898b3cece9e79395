"""Perplexities of held-out text; Table 2 of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from byline.experiments.paper.published import Perplexity, average_of, course_number
from byline.experiments.paper.results import Run, mean_of, n_infinite, perplexity

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
