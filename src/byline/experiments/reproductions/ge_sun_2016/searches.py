"""Results of the search for each author's best setting."""

from __future__ import annotations

from typing import Any

from byline.experiments.reproductions.ge_sun_2016.finished_run import (
    ExperimentRun,
    mean_of,
    part_perplexity,
)
from byline.experiments.runner.config_sections import SearchSection
from byline.experiments.runner.plan import AuthorSearch, Record
from byline.experiments.runner.search import Trial, TrialResults, best_trial, trials

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
