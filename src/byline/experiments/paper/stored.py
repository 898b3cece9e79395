"""Which records have all that a report looks up."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from byline.errors import BylineWarning
from byline.experiments.runner.config import ExperimentConfig

Record = Mapping[str, Any]
Records = dict[str, dict[str, Any]]


def whole_records(done: Records, config: ExperimentConfig) -> Records:
    """Leave out, with a warning each, records of the run that lack what tables are made from.

    Parameters
    ----------
    done : dict of job's name to record
    config : ExperimentConfig
    """
    whole = {}
    for name, record in done.items():
        if _is_whole(record, config):
            whole[name] = record
        else:
            warnings.warn(
                f"the record {name}.json is damaged, and left out; delete it, and `byline "
                "experiment run` does its job again",
                BylineWarning,
                stacklevel=3,
            )
    return whole


def _is_whole(record: Record, config: ExperimentConfig) -> bool:
    if "failed" in record:
        return True
    trial = record["trial"] is not None
    try:
        measures = [
            record["measures"][part][unknown]
            for part in (["validation"] if trial else ["validation", "test"])
            for unknown in config.models[record["model"]].unknown
        ]
        costs = [epoch["validation_cost"] for epoch in record["history"]] if trial else []
        return (
            all(map(_is_measure, measures))
            and all(map(_is_number, costs))
            and (not trial or "stopped" in record)
        )
    except (KeyError, TypeError, AttributeError):
        return False


def _is_measure(found: Any) -> bool:
    return (
        found.keys() == {"log_prob", "n_tokens", "n_oov"}
        and (found["log_prob"] is None or _is_number(found["log_prob"]))
        and _is_number(found["n_tokens"])
    )


def _is_number(found: Any) -> bool:
    return isinstance(found, int | float) and not isinstance(found, bool)
