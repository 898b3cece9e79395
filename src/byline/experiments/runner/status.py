"""What is done of a run, what failed, what is left and how long that will take."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from byline.errors import UsageError
from byline.experiments.runner.config import ExperimentConfig
from byline.experiments.runner.jobs import Job
from byline.experiments.runner.plan import Plan
from byline.experiments.runner.preparation import configuration_of
from byline.experiments.runner.recorded import is_of
from byline.experiments.runner.run_directory import RunDirectory

Kind = tuple[str, bool]  # the model, and whether it is a trial


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """Where a run stands.

    Attributes
    ----------
    done, failed : int
        Jobs that came to an end, with those that failed among them, and these alone.
    running : int
        Jobs under way.
    total : int
        All jobs; fewer, where a search ends early.
    seconds_left : float or None
        None where no job of any kind that is left has been done yet.
    at_least : bool
        Whether there are also jobs of a kind of which none has been done yet.
    """

    done: int
    failed: int
    running: int
    total: int
    seconds_left: float | None
    at_least: bool


ReportRunProgress = Callable[[RunProgress], None]


def kind_of(job: Job) -> Kind:
    """Tell what jobs a job takes about as long as."""
    return job.model, job.trial is not None


class Pace:
    """Mean seconds of jobs that are done, by kind: networks take a thousand times what n-grams do.

    Parameters
    ----------
    records : iterable of mapping
        As in the run's folder; those of failed jobs say nothing.
    """

    def __init__(self, records: Iterable[Mapping[str, Any]]) -> None:
        self._n: Counter[Kind] = Counter()
        self._seconds: Counter[Kind] = Counter()
        for record in records:
            self.add(record)

    def add(self, record: Mapping[str, Any]) -> None:
        """Take note of a job."""
        if "failed" not in record:
            kind = record["model"], record["trial"] is not None
            self._n[kind] += 1
            self._seconds[kind] += record["made"]["seconds"]

    def mean(self, kind: Kind) -> float | None:
        """Mean seconds of a job; None where none has been done."""
        return self._seconds[kind] / self._n[kind] if self._n[kind] else None

    def left(self, kinds: Iterable[Kind], n_later: int = 0) -> tuple[float | None, bool]:
        """Estimate the seconds that jobs would take one after the other.

        Parameters
        ----------
        kinds : iterable of Kind
            Those of the jobs that are left.
        n_later : int
            How many more there will be; they are taken to be trials.

        Returns
        -------
        seconds : float or None
            Of jobs of the kinds that have been done; None where there are no such jobs.
        at_least : bool
            Whether there are jobs of other kinds.
        """
        counts = Counter(kinds)
        counts[next((kind for kind in self._n if kind[1]), ("", True))] += n_later
        means = {kind: self.mean(kind) for kind, n in counts.items() if n}
        known = [counts[kind] * mean for kind, mean in means.items() if mean is not None]
        at_least = len(known) < len(means)
        return (None if at_least and not known else sum(known)), at_least


SCHEMA = 1


def run_status(path: Path) -> dict[str, Any]:
    """Say where a run stands; only its folder is read.

    Parameters
    ----------
    path : path
        The folder.

    Returns
    -------
    dict
        JSON values: "schema", "title", "quick"; "jobs" (total, done, failed, left); "seconds_left"
        of one process, None where it cannot be told, and "at_least", whether it is of a part of
        what is left; "models", each with jobs and seconds; "failures".

    Raises
    ------
    UsageError
        The folder is of no run.
    """
    directory = RunDirectory(path)
    made_by = directory.made_by()
    if made_by is None:
        raise UsageError(
            f"{path} is no run of an experiment; name what `byline experiment run` was given as -o"
        )
    config = configuration_of(made_by, path)
    plan = Plan(config, made_by["authors"])
    done = directory.done(functools.partial(is_of, plan))
    failed = {name: record["failed"] for name, record in done.items() if "failed" in record}
    left = Counter(map(kind_of, plan.ready(done))) + plan.later(done)
    pace = Pace(done.values())
    seconds, at_least = pace.left(left.elements())
    return {
        "schema": SCHEMA,
        "title": config.title,
        "quick": made_by["quick"],
        "jobs": {
            "total": len(done) + left.total(),
            "done": len(done) - len(failed),
            "failed": len(failed),
            "left": left.total(),
        },
        "seconds_left": seconds,
        "at_least": at_least,
        "models": _rows(config, done.values(), left, pace),
        "failures": [{"job": name, "error": why} for name, why in sorted(failed.items())],
    }


def _rows(
    config: ExperimentConfig,
    records: Collection[Mapping[str, Any]],
    left: Counter[Kind],
    pace: Pace,
) -> list[dict[str, Any]]:
    """Count jobs by model; trials of a search apart."""
    failed = Counter(_kind(record) for record in records if "failed" in record)
    done = Counter(map(_kind, records))
    kinds = [(model, is_trial) for model in config.models for is_trial in (False, True)]
    return [
        {
            "model": kind[0],
            "label": config.models[kind[0]].label,
            "trials": kind[1],
            "done": done[kind] - failed[kind],
            "failed": failed[kind],
            "left": left[kind],
            "mean_seconds": pace.mean(kind),
        }
        for kind in kinds
        if done[kind] or left[kind]
    ]


def _kind(record: Mapping[str, Any]) -> Kind:
    return record["model"], record["trial"] is not None
