"""Which of the records on disk belong to the experiment, and have all that a report looks up."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from byline.errors import BylineWarning, UsageError
from byline.experiments.runner.config import ExperimentConfig
from byline.experiments.runner.jobs import Job

Record = Mapping[str, Any]
Check = Callable[[Any], bool]

NAMED_AT_MOST = 3
DELETE = "; delete such a file, and `byline experiment run` does its job again"
OF_A_RUN: Mapping[str, Check] = {
    "configuration": lambda found: isinstance(found, dict),
    "quick": lambda found: isinstance(found, bool),
    "authors": lambda found: isinstance(found, list) and all(isinstance(a, str) for a in found),
    "corpora": lambda found: isinstance(found, dict) and all(map(_has_digest, found.values())),
    "versions": lambda found: isinstance(found, dict),
    "machine": lambda found: isinstance(found, dict),
}


def check_run(made_by: Record, path: Path) -> None:
    """Refuse a `run.json` that lacks what a report is made from.

    Raises
    ------
    UsageError
        With what is missing.
    """
    lacking = [name for name, is_sound in OF_A_RUN.items() if not is_sound(made_by.get(name))]
    if lacking:
        raise UsageError(
            f"{path} is damaged: it lacks {', '.join(lacking)}; copy it from where it is whole, "
            "or run the experiment in a new folder"
        )


def sound_records(
    done: Mapping[str, dict[str, Any]], config: ExperimentConfig, authors: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Leave out records that are damaged or of no job of the experiment, with a warning each.

    Parameters
    ----------
    done : mapping of job's name to record
    config : ExperimentConfig
    authors : sequence of str

    Returns
    -------
    dict
    """
    jobs, trials = _jobs(config, authors), _trials(config, authors)
    mine = {n: r for n, r in done.items() if n in jobs or _is_trial(n, trials)}
    _warn("of no job that the configuration has", done.keys() - mine.keys())
    kept = {n: r for n, r in mine.items() if _is_sound(r, jobs.get(n))}
    _warn("damaged", mine.keys() - kept.keys(), DELETE)
    return kept


def _jobs(config: ExperimentConfig, authors: Sequence[str]) -> dict[str, bool]:
    """Say of the name of every job but trials whether its model names authors."""
    return {
        Job(split=split, seed=seed, model=model, author=author).name: section.attributes
        for model, section in config.models.items()
        for split in config.splits
        for seed in config.seeds_of(model, split)
        for author in authors
    }


def _trials(config: ExperimentConfig, authors: Sequence[str]) -> set[str]:
    """Give the names of trials, without their numbers."""
    search = config.search
    if search is None:
        return set()
    jobs = (
        Job(split=search.split, seed=search.seed, model=search.model, author=author, trial=0)
        for author in search.authors
        if author in authors
    )
    return {job.name.rpartition(".")[0] for job in jobs}


def _is_trial(name: str, trials: set[str]) -> bool:
    start, _, number = name.rpartition(".")
    return start in trials and number.isascii() and number.isdigit()


def _is_sound(record: Record, attributes: bool | None) -> bool:
    """Whether a record has what is looked up; ``attributes`` is None of a trial."""
    if "failed" in record:
        return isinstance(record["failed"], str)
    try:
        parts = ["validation"] if attributes is None else ["validation", "test"]
        measures = [m for part in parts for m in record["measures"][part].values()]
        costs = [epoch["validation_cost"] for epoch in record["history"]]
        return (
            all(map(_is_measure, measures))
            and (attributes is not None or ("stopped" in record and all(map(_is_number, costs))))
            and (not attributes or _is_number(record["n_lacking"]))
            and _is_number(record.get("made", {}).get("cpu_seconds", 0.0))
        )
    except (KeyError, TypeError, AttributeError):
        return False


def _is_measure(found: Any) -> bool:
    log_prob = found["log_prob"]
    return (
        found.keys() == {"log_prob", "n_tokens", "n_oov"}
        and (log_prob is None or _is_number(log_prob))
        and isinstance(found["n_tokens"], int)
    )


def _is_number(found: Any) -> bool:
    return isinstance(found, int | float) and not isinstance(found, bool)


def _has_digest(corpus: Any) -> bool:
    return isinstance(corpus, dict) and isinstance(corpus.get("digest"), str)


def _warn(flaw: str, names: Iterable[str], mend: str = "") -> None:
    found = sorted(names)
    if found:
        named = ", ".join(found[:NAMED_AT_MOST])
        more = f" and {len(found) - NAMED_AT_MOST} more" if len(found) > NAMED_AT_MOST else ""
        message = f"{len(found)} of the records in jobs left out as {flaw}: {named}{more}{mend}"
        warnings.warn(message, BylineWarning, stacklevel=4)
