"""From a record back to its job, and whether a run has such a job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byline.experiments.runner.config import ExperimentConfig
from byline.experiments.runner.jobs import Job
from byline.experiments.runner.plan import Plan

Record = Mapping[str, Any]


def job_of_record(record: Record, config: ExperimentConfig) -> Job:
    """Tell the job of a record by what it is, not by its settings."""
    fields = ("split", "seed", "model", "author", "trial")
    waits = config.models[record["model"]].settings_from == "search"
    return Job(**{name: record[name] for name in fields}, depends_on_search=waits)


def is_of(plan: Plan, record: Record) -> bool:
    """Whether a record is of a job that the plan has, or may have once a search is over."""
    config = plan.config
    if record["split"] not in config.splits or record["author"] not in plan.authors:
        return False
    if record["model"] not in config.models:
        return False
    job = job_of_record(record, config)
    if job.name != record["job"]:
        return False
    search = config.search
    if job.trial is None:
        searched = not job.depends_on_search or (
            search is not None and job.author in search.authors
        )
        return searched and job.seed in config.seeds_of(job.model, job.split)
    place = (job.model, job.split, job.seed)
    return (
        search is not None
        and place == (search.model, search.split, search.seed)
        and job.author in search.authors
    )
