"""What the run has cost, and what is left of it would."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from byline.experiments.paper.results import Run

SECONDS_AN_HOUR = 3600


def costs(run: Run) -> list[dict[str, Any]]:
    """CPU hours by model and split: spent on finished jobs, and left at their mean."""
    return [
        cost
        for split in run.config.splits
        for model in run.config.models
        if (cost := _cost(run, split, model))
    ]


def _cost(run: Run, split: str, model: str) -> dict[str, Any] | None:
    seeds = run.config.seeds_of(model, split)
    names = [name for seed in seeds for name in run.names_of(split, seed, model)]
    if not names:
        return None
    seconds = [run.cpu_seconds(name) for name in names if name in run.records]
    n_left = sum(name not in run.done for name in names)
    mean = fmean(seconds) if seconds else None
    return {
        "model": model,
        "label": run.config.models[model].label,
        "split": split,
        "jobs_done": len(seconds),
        "jobs_failed": sum(name in run.done for name in names) - len(seconds),
        "jobs_left": n_left,
        "mean_cpu_seconds": mean,
        "spent_hours": sum(seconds) / SECONDS_AN_HOUR,
        "left_hours": _left_hours(n_left, mean),
    }


def _left_hours(n_jobs: int, mean_seconds: float | None) -> float | None:
    """Hours that jobs would take; None where not one like them is finished."""
    if n_jobs and mean_seconds is None:
        return None
    return n_jobs * (mean_seconds or 0.0) / SECONDS_AN_HOUR


def search_costs(run: Run) -> list[dict[str, Any]]:
    """CPU hours of each author's search so far."""
    names = {author: run.trials(author) for author in run.authors}
    return [
        {
            "author": author,
            "trials": len(trials),
            "hours": sum(map(run.cpu_seconds, trials)) / SECONDS_AN_HOUR,
        }
        for author, trials in names.items()
        if trials
    ]
