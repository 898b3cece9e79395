"""All that a run has come to, as one plain dict: what reports are made of."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import Any

from byline.experiments.reproductions.ge_sun_2016.accuracy import (
    accuracies,
    comparisons,
    exchanges,
    too_short,
)
from byline.experiments.reproductions.ge_sun_2016.confusion import confusions, pair_claims
from byline.experiments.reproductions.ge_sun_2016.decisions import decisions_of_run
from byline.experiments.reproductions.ge_sun_2016.errata import errata
from byline.experiments.reproductions.ge_sun_2016.finished_run import Run
from byline.experiments.reproductions.ge_sun_2016.searches import searches
from byline.experiments.reproductions.ge_sun_2016.tables import counting, perplexity_tables, profile
from byline.experiments.runner.models import language_model
from byline.experiments.runner.plan import Plan
from byline.lm.networks.network_lm import parameter_values

SCHEMA = 1
Outcome = dict[str, Any]


def outcome(path: str | Path) -> Outcome:
    """Work out every table and figure from a run directory, finished or not.

    Whatever a run lacks is left out, and each table says which seeds it is made from.

    Parameters
    ----------
    path : path
        The run directory.

    Returns
    -------
    dict
        JSON values: perplexities; accuracies and confusions as shares (0 to 1), with differences
        in accuracy alone in percentage points; intervals of 95 %; hours of CPU.

    Raises
    ------
    UsageError
        The folder holds no run.
    """
    run = Run(path)
    decided = decisions_of_run(run)
    found: Outcome = {
        "schema": SCHEMA,
        **_origin(run),
        "jobs": _jobs(run),
        "profile": profile(run),
        "perplexity": perplexity_tables(run),
        "counting": counting(run),
        "accuracy": accuracies(run, decided),
        "too_short": too_short(run, decided),
        "comparisons": comparisons(run, decided),
        "exchanges": exchanges(run, decided),
        "confusion": confusions(run, decided),
        "pair_claim": pair_claims(run, decided),
        "search": searches(run),
        "costs": costs(run),
        "search_costs": search_costs(run),
    }
    return {**found, "errata": errata(found, run.published)}


def _origin(run: Run) -> dict[str, Any]:
    made_by, config = run.made_by, run.config
    return {
        "title": config.title,
        **{key: made_by[key] for key in ("quick", "corpora", "versions", "machine")},
        "authors": list(run.authors),
        "seed": config.seed,
        "splits": [
            {"split": name, **split.model_dump(mode="json")}
            for name, split in config.splits.items()
        ],
        "config": made_by["configuration"],
        "models": [_model(run, name) for name in config.models],
    }


def _model(run: Run, name: str) -> dict[str, Any]:
    section = run.config.models[name]
    model = language_model(section.kind, section.preset, section.settings)
    return {
        "model": name,
        "label": section.label,
        "kind": section.kind,
        "words": section.words,
        "published": section.published,
        "settings": parameter_values(model),
    }


def _jobs(run: Run) -> dict[str, Any]:
    failures = {name: record["failed"] for name, record in run.done.items() if "failed" in record}
    return {
        "total": Plan(run.config, run.authors).n_total(run.done),
        "done": len(run.records),
        "failed": len(failures),
        "failures": [{"job": name, "error": error} for name, error in sorted(failures.items())],
    }


SECONDS_PER_HOUR = 3600


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
        "spent_hours": sum(seconds) / SECONDS_PER_HOUR,
        "left_hours": _left_hours(n_left, mean),
    }


def _left_hours(n_jobs: int, mean_seconds: float | None) -> float | None:
    """Hours that jobs would take; None where not one like them is finished."""
    if n_jobs and mean_seconds is None:
        return None
    return n_jobs * (mean_seconds or 0.0) / SECONDS_PER_HOUR


def search_costs(run: Run) -> list[dict[str, Any]]:
    """CPU hours of each author's search so far."""
    names = {author: run.trials(author) for author in run.authors}
    return [
        {
            "author": author,
            "trials": len(trials),
            "hours": sum(map(run.cpu_seconds, trials)) / SECONDS_PER_HOUR,
        }
        for author, trials in names.items()
        if trials
    ]
