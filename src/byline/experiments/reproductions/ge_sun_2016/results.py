"""All results of a run as one dictionary, from which reports are made."""

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
from byline.experiments.reproductions.ge_sun_2016.confusion import confusion_matrices, pair_claims
from byline.experiments.reproductions.ge_sun_2016.decisions import decisions_of_run
from byline.experiments.reproductions.ge_sun_2016.errata import errata
from byline.experiments.reproductions.ge_sun_2016.finished_run import (
    ExperimentRun,
    mean_of,
    part_perplexity,
)
from byline.experiments.reproductions.ge_sun_2016.tables import (
    counting,
    perplexity_tables,
    profile_table,
)
from byline.experiments.runner.config_sections import SearchSection
from byline.experiments.runner.models import language_model
from byline.experiments.runner.plan import AuthorSearch, JobPlan, Record
from byline.experiments.runner.search import Trial, TrialResults, best_trial, trials
from byline.lm.inputs import parameter_values

PRODUCTION = 0  # the trial with the model's own setting


def searches(run: ExperimentRun) -> list[dict[str, Any]]:
    """List all trials of every author's search, and the test perplexity of the best setting."""
    section = run.config.search
    authors = () if section is None else section.authors
    return [
        _search(run, section, author)
        for author in authors
        if section is not None and run.trials(author)
    ]


def _search(run: ExperimentRun, section: SearchSection, author: str) -> dict[str, Any]:
    search = AuthorSearch(run.config, author)
    results = search.results(run.done)
    leader = best_trial(search.search, results)
    return {
        "author": author,
        "model": section.model,
        "split": section.split,
        "seed": section.seed,
        "budget": {
            "settings": section.settings,
            "minutes": section.minutes,
            "rounds": section.rounds,
        },
        "trials": [
            _trial(run, search, trial, results)
            for trial in trials(search.search, results)
            if trial.number in results
        ],
        "best": None if leader is None else leader.number,
        "production": PRODUCTION,
        "tuned": _tuned(run, section, author),
    }


def _trial(
    run: ExperimentRun, search: AuthorSearch, trial: Trial, results: TrialResults
) -> dict[str, Any]:
    name, costs = search.job(trial).name, results[trial.number].costs
    record = run.records.get(name)
    unknown = run.config.models[search.section.model].unknown[0]
    return {
        "trial": trial.number,
        "round": trial.round,
        "settings": trial.setting,
        "cost": min(costs, default=None),
        "perplexity": None if record is None else _validation_perplexity(record, unknown),
        "epochs": len(costs),
        "stopped": "failed" if record is None else record["stopped"],
        "seconds": results[trial.number].cpu_seconds,
    }


def _validation_perplexity(record: Record, unknown: str) -> float | None:
    value = part_perplexity(record, "validation", unknown)
    return None if value is None else mean_of([value])


def _tuned(run: ExperimentRun, section: SearchSection, author: str) -> dict[str, Any] | None:
    """Compare the test perplexity of the production and the best setting on common seeds."""
    unknown = run.config.models[section.model].unknown[0]
    for tuned in (n for n, model in run.config.models.items() if model.settings_from == "search"):
        found = {
            seed: values
            for seed in run.config.seeds_of(tuned, section.split)
            if (values := _both(run, section, tuned, seed, author, unknown))
        }
        if found:
            production, best_setting = zip(*found.values(), strict=True)
            return {
                "model": tuned,
                "seeds": list(found),
                "production_mean": mean_of(production),
                "tuned_mean": mean_of(best_setting),
            }
    return None


def _both(
    run: ExperimentRun, section: SearchSection, tuned: str, seed: int, author: str, unknown: str
) -> tuple[float, float] | None:
    records = [run.record(section.split, seed, name, author) for name in (section.model, tuned)]
    values = [part_perplexity(record, "test", unknown) for record in records if record is not None]
    known = [value for value in values if value is not None]
    return (known[0], known[1]) if len(known) == 2 else None


SCHEMA = 2
SECONDS_PER_HOUR = 3600
Results = dict[str, Any]


def experiment_results(path: str | Path) -> Results:
    """Compute every table and figure from the folder of a run, finished or not.

    What the run does not have yet is left out. Each table lists the seeds it was made from.

    Parameters
    ----------
    path : path
        The folder of the run.

    Returns
    -------
    dict
        JSON values: perplexities; accuracies and confusions as shares (0 to 1), and differences in
        accuracy in percentage points; 95 % intervals; CPU hours.

    Raises
    ------
    UsageError
        The folder holds no run.
    """
    run = ExperimentRun(path)
    decided = decisions_of_run(run)
    found: Results = {
        "schema": SCHEMA,
        **_origin(run),
        "jobs": _jobs(run),
        "profile": profile_table(run),
        "perplexity": perplexity_tables(run),
        "counting": counting(run),
        "accuracy": accuracies(run, decided),
        "too_short": too_short(run, decided),
        "comparisons": comparisons(run, decided),
        "exchanges": exchanges(run, decided),
        "confusion": confusion_matrices(run, decided),
        "pair_claim": pair_claims(run, decided),
        "search": searches(run),
        "costs": costs(run),
        "search_costs": search_costs(run),
    }
    return {**found, "errata": errata(found, run.published)}


def _origin(run: ExperimentRun) -> dict[str, Any]:
    run_info, config = run.run_info, run.config
    return {
        "title": config.title,
        **{key: run_info[key] for key in ("quick", "corpora", "versions", "machine")},
        "authors": list(run.authors),
        "seed": config.seed,
        "splits": [
            {"split": name, **split.model_dump(mode="json")}
            for name, split in config.splits.items()
        ],
        "config": run_info["configuration"],
        "models": [_model(run, name) for name in config.models],
    }


def _model(run: ExperimentRun, name: str) -> dict[str, Any]:
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


def _jobs(run: ExperimentRun) -> dict[str, Any]:
    failures = {name: record["failed"] for name, record in run.done.items() if "failed" in record}
    return {
        "total": JobPlan(run.config, run.authors).n_total(run.done),
        "done": len(run.records),
        "failed": len(failures),
        "failures": [{"job": name, "error": error} for name, error in sorted(failures.items())],
    }


def costs(run: ExperimentRun) -> list[dict[str, Any]]:
    """Compute the CPU hours per model and split: spent, and estimated for the jobs left."""
    return [
        cost
        for split in run.config.splits
        for model in run.config.models
        if (cost := _cost(run, split, model))
    ]


def _cost(run: ExperimentRun, split: str, model: str) -> dict[str, Any] | None:
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
    """Estimate the hours of jobs; None if no such job is finished."""
    if n_jobs and mean_seconds is None:
        return None
    return n_jobs * (mean_seconds or 0.0) / SECONDS_PER_HOUR


def search_costs(run: ExperimentRun) -> list[dict[str, Any]]:
    """Compute the CPU hours of each author's search so far."""
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
