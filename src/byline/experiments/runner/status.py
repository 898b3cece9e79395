"""The progress of a run: jobs finished, failed and left, and the time that is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from byline.errors import UsageError
from byline.experiments.runner.config import ExperimentConfig
from byline.experiments.runner.plan import Job, JobPlan
from byline.experiments.runner.preparation import configuration_of
from byline.experiments.runner.run_directory import RunDirectory

STATUS_SCHEMA = 1

JobType = tuple[str, bool]  # the model, and whether the job is a trial


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """The progress of a run.

    Attributes
    ----------
    done : int
        Jobs that have ended, failed ones included.
    failed : int
    running : int
    total : int
        All jobs. If a search ends early, the run has fewer.
    seconds_left : float or None
        Estimated time; None if no job of any type that is left has finished yet.
    at_least : bool
        Whether the estimate leaves out job types of which no job has finished yet.
    """

    done: int
    failed: int
    running: int
    total: int
    seconds_left: float | None
    at_least: bool


ReportRunProgress = Callable[[RunProgress], None]


def job_type(job: Job) -> JobType:
    """Return the type of a job; jobs of one type take about the same time."""
    return job.model, job.trial is not None


class JobDurations:
    """Mean durations of finished jobs by type; a network takes 1,000 times as long as n-grams.

    Parameters
    ----------
    records : iterable of mapping
        Records of the run; those of failed jobs are not counted.
    """

    def __init__(self, records: Iterable[Mapping[str, Any]]) -> None:
        self._n: Counter[JobType] = Counter()
        self._seconds: Counter[JobType] = Counter()
        for record in records:
            self.add(record)

    def add(self, record: Mapping[str, Any]) -> None:
        """Add the duration of a job."""
        if "failed" not in record:
            kind = _record_type(record)
            self._n[kind] += 1
            self._seconds[kind] += record["execution"]["seconds"]

    def mean(self, kind: JobType) -> float | None:
        """Return the mean seconds of a job; None if no such job has finished."""
        return self._seconds[kind] / self._n[kind] if self._n[kind] else None

    def seconds_left(self, left: Iterable[JobType], n_later: int = 0) -> tuple[float | None, bool]:
        """Estimate the seconds that jobs would take one after the other.

        Parameters
        ----------
        left : iterable of JobType
            Types of the jobs that are left.
        n_later : int
            Number of further jobs, which are assumed to be trials.

        Returns
        -------
        seconds : float or None
            Sum over jobs of known types; None if there are only jobs of other types.
        at_least : bool
            Whether there are jobs of types of which none has finished.
        """
        counts = Counter(left)
        counts[next((kind for kind in self._n if kind[1]), ("", True))] += n_later
        means = {kind: self.mean(kind) for kind, n in counts.items() if n}
        known = [counts[kind] * mean for kind, mean in means.items() if mean is not None]
        at_least = len(known) < len(means)
        return (None if at_least and not known else sum(known)), at_least


def run_status(path: Path) -> dict[str, Any]:
    """Summarise the progress of a run from its folder.

    Parameters
    ----------
    path : path
        The run's folder.

    Returns
    -------
    dict
        JSON values: "schema", "title", "quick"; "jobs" (total, done, failed, left); "seconds_left"
        with one process (None if unknown); "at_least", whether jobs of unknown duration are left
        out of it; "models", each with jobs and mean seconds; "failures".

    Raises
    ------
    UsageError
        The folder holds no run.
    """
    directory = RunDirectory(path)
    run_info = directory.run_info()
    if run_info is None:
        raise UsageError(
            f"{path} is not the folder of an experiment; "
            "name the folder that was given to `byline experiment run` as -o"
        )
    config = configuration_of(run_info, path)
    plan = JobPlan(config, run_info["authors"])
    done = directory.read_records(plan.includes)
    failed = {name: record["failed"] for name, record in done.items() if "failed" in record}
    left = Counter(map(job_type, plan.ready(done))) + plan.waiting(done)
    durations = JobDurations(done.values())
    seconds, at_least = durations.seconds_left(left.elements())
    return {
        "schema": STATUS_SCHEMA,
        "title": config.title,
        "quick": run_info["quick"],
        "jobs": {
            "total": len(done) + left.total(),
            "done": len(done) - len(failed),
            "failed": len(failed),
            "left": left.total(),
        },
        "seconds_left": seconds,
        "at_least": at_least,
        "models": _rows(config, done.values(), left, durations),
        "failures": [{"job": name, "error": why} for name, why in sorted(failed.items())],
    }


def _rows(
    config: ExperimentConfig,
    records: Collection[Mapping[str, Any]],
    left: Counter[JobType],
    durations: JobDurations,
) -> list[dict[str, Any]]:
    """Count the jobs per model; trials have rows of their own."""
    failed = Counter(_record_type(record) for record in records if "failed" in record)
    done = Counter(map(_record_type, records))
    kinds = [(model, is_trial) for model in config.models for is_trial in (False, True)]
    return [
        {
            "model": kind[0],
            "label": config.models[kind[0]].label,
            "trials": kind[1],
            "done": done[kind] - failed[kind],
            "failed": failed[kind],
            "left": left[kind],
            "mean_seconds": durations.mean(kind),
        }
        for kind in kinds
        if done[kind] or left[kind]
    ]


def _record_type(record: Mapping[str, Any]) -> JobType:
    return record["model"], record["trial"] is not None
