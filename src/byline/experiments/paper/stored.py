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
    return (not trial or "stopped" in record) and all(
        unknown in record["measures"].get(part, {})
        for part in (["validation"] if trial else ["validation", "test"])
        for unknown in config.models[record["model"]].unknown
    )
