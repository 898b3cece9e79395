"""What is done of a run, what failed, what is left and how long that will take."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from byline.errors import UsageError
from byline.experiments.runner.config import ExperimentConfig
from byline.experiments.runner.directory import RunDirectory
from byline.experiments.runner.pace import Kind, Pace, kind_of
from byline.experiments.runner.plan import Plan
from byline.experiments.runner.preparing import configuration_of
from byline.experiments.runner.recorded import is_of

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
