"""The results of a run as they are stored: all file access of this package."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import inf, isfinite, isinf
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from byline.errors import BylineWarning, UsageError
from byline.experiments.reproductions.ge_sun_2016.published import PUBLISHED, PublishedFigures
from byline.experiments.reproductions.ge_sun_2016.scoring_rules import SentenceScores
from byline.experiments.runner.config import ExperimentConfig, parse_config
from byline.experiments.runner.plan import Job, JobPlan, Record
from byline.experiments.runner.run_directory import RunDirectory
from byline.experiments.runner.schemas import error_in_profile, read_document
from byline.lm.measurement import Measurement

Records = dict[str, dict[str, Any]]


def complete_records(done: Records, config: ExperimentConfig) -> Records:
    """Leave out, with a warning for each, records that lack values which the tables need.

    Parameters
    ----------
    done : dict of job name to record
    config : ExperimentConfig
    """
    complete = {}
    for name, record in done.items():
        if _is_complete(record, config):
            complete[name] = record
        else:
            warnings.warn(
                f"the record {name}.json is damaged and is ignored; delete it, and run "
                "`byline experiment run` again to repeat its job",
                BylineWarning,
                stacklevel=3,
            )
    return complete


def _is_complete(record: Record, config: ExperimentConfig) -> bool:
    if "failed" in record:
        return True
    trial = record["trial"] is not None
    return (not trial or "stopped" in record) and all(
        unknown in record["measures"].get(part, {})
        for part in (["validation"] if trial else ["validation", "test"])
        for unknown in config.models[record["model"]].unknown
    )


class ExperimentRun:
    """The results of a run so far, finished or not.

    Parameters
    ----------
    path : path
        The run directory.

    Attributes
    ----------
    run_info : dict
        `run.json`: configuration, authors, corpora, versions, machine.
    config : ExperimentConfig
    authors : tuple of str
        Candidates, in the order of all arrays.
    done : dict of job name to record
        Records of finished and failed jobs; "execution" has durations and machine.

    Raises
    ------
    UsageError
        The folder holds no run, or its `run.json` is damaged.

    Warns
    -----
    BylineWarning
        Records are damaged, or belong to no job of the experiment; they are left out.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        directory = RunDirectory(self.path)
        run_info = directory.run_info()
        if run_info is None:
            raise UsageError(
                f"{self.path} is not the folder of an experiment; "
                "name the folder that was given to `byline experiment run` as -o"
            )
        self.run_info: Record = run_info
        where = str(self.path / "run.json")
        self.config: ExperimentConfig = parse_config(run_info["configuration"], where)
        self.authors: tuple[str, ...] = tuple(run_info["authors"])
        plan = JobPlan(self.config, self.authors)
        self.done = complete_records(directory.read_records(plan.includes), self.config)

    @cached_property
    def records(self) -> dict[str, Record]:
        """Records of the jobs that did not fail."""
        return {name: record for name, record in self.done.items() if "failed" not in record}

    def cpu_seconds(self, name: str) -> float:
        """Return the CPU seconds of a job; 0 if its process ended before it could report them."""
        return float(self.done[name].get("execution", {}).get("cpu_seconds", 0.0))

    @property
    def published(self) -> PublishedFigures | None:
        """The published figures with which the measured ones are compared."""
        section = self.config.published
        return None if section is None else PUBLISHED[section.source]

    @cached_property
    def profile(self) -> list[dict[str, Any]] | None:
        """Rows of Table 1, one per author; None if there is no table."""
        path = self.path / "profile.json"
        if not path.exists():
            return None
        try:
            found = read_document(path.read_bytes())
            if problem := error_in_profile(found):
                raise ValueError(problem)
        except (OSError, ValueError) as error:
            raise UsageError(
                f"{path} cannot be read ({error}); delete it and run `byline experiment run` again"
            ) from error
        rows: list[dict[str, Any]] = found["rows"]
        return rows

    def authors_of(self, model: str) -> tuple[str, ...]:
        """Return the authors who have a model: all, or those whose setting was searched."""
        if self.config.models[model].settings_from is None or self.config.search is None:
            return self.authors
        return tuple(author for author in self.authors if author in self.config.search.authors)

    def names_of(self, split: str, seed: int, model: str) -> list[str]:
        """Return the names of the jobs of a model on one split and seed, one per author."""
        return [job_name(split, seed, model, author) for author in self.authors_of(model)]

    def record(self, split: str, seed: int, model: str, author: str) -> Record | None:
        """Return the record of an author's model; None if it is missing or failed."""
        return self.records.get(job_name(split, seed, model, author))

    def complete_seeds(self, split: str, model: str) -> tuple[int, ...]:
        """Return the seeds on which the jobs of a model are finished for all its authors."""
        return tuple(
            seed
            for seed in self.config.seeds_of(model, split)
            if all(name in self.records for name in self.names_of(split, seed, model))
        )

    def trials(self, author: str) -> list[str]:
        """Return the names of the finished or failed trials of an author's search, in order."""
        search = self.config.search
        if search is None:
            return []
        start = trial_name(search.split, search.seed, search.model, author, 0).rpartition(".")[0]
        return sorted(name for name in self.done if name.rpartition(".")[0] == start)

    def test_parts(self, split: str, seed: int) -> list[NDArray[np.int32]]:
        """Return the numbers of each author's test sentences in the whole corpus."""
        return _load_arrays(
            self.path / "splits" / f"{split}.{seed}.safetensors",
            [f"{author}.test" for author in range(len(self.authors))],
            "run the same `byline experiment run` command again to restore it",
        )

    def scores(self, split: str, seed: int, model: str) -> SentenceScores:
        """Return the scores of all test sentences under all authors' models."""
        parts = self.test_parts(split, seed)
        names = self.names_of(split, seed, model)
        arrays = [self._scores(name, sum(map(len, parts))) for name in names]
        log_prob, n_counted, n_unknown = (np.stack(of_all) for of_all in zip(*arrays, strict=True))
        return SentenceScores(
            log_prob=log_prob,
            n_counted=n_counted.astype(np.int64),
            n_unknown=n_unknown.astype(np.int64),
            n_unk_types=np.array([self.records[name]["n_unk_types"] for name in names]),
            author=np.repeat(np.arange(len(parts)), list(map(len, parts))),
            sentence=np.concatenate(parts).astype(np.int64),
        )

    def _scores(self, name: str, n_sentences: int) -> list[NDArray[Any]]:
        path = self.path / "jobs" / f"{name}.safetensors"
        advice = f"delete {path.with_suffix('.json')} and run `byline experiment run` again"
        arrays = _load_arrays(path, ("log_prob", "n_counted", "n_unknown"), advice)
        if any(array.shape != (n_sentences,) for array in arrays):
            raise UsageError(
                f"{path} does not have one value for each of the split's {n_sentences} test "
                f"sentences; {advice}"
            )
        if not _are_scores(*arrays):
            raise UsageError(f"{path} has an invalid score or count; {advice}")
        return arrays


def _are_scores(log_prob: NDArray[Any], *counts: NDArray[Any]) -> bool:
    """Whether log-probabilities are finite or minus infinity, and counts are not negative."""
    return (
        log_prob.dtype == np.float64
        and bool((log_prob < np.inf).all())
        and all(n.dtype == np.int32 and bool((n >= 0).all()) for n in counts)
    )


def _load_arrays(path: Path, names: Sequence[str], advice: str) -> list[NDArray[Any]]:
    """Load arrays of a file by their names; ``advice`` ends the error message."""
    try:
        arrays: dict[str, NDArray[Any]] = load_file(path)
        return [arrays[name] for name in names]
    except (OSError, SafetensorError, KeyError) as error:
        raise UsageError(f"{path} cannot be read ({error}); {advice}") from error


def job_name(split: str, seed: int, model: str, author: str) -> str:
    """Return the name of the job of an author's model on one split."""
    return Job(split=split, seed=seed, model=model, author=author).name


def trial_name(split: str, seed: int, model: str, author: str, trial: int) -> str:
    """Return the name of a trial of an author's search."""
    return Job(split=split, seed=seed, model=model, author=author, trial=trial).name


def part_perplexity(record: Record, part: str, unknown: str) -> float | None:
    """Return the perplexity of a part, with unknown words counted in one way.

    None if it was not measured. Infinite if the model gives a word of the part probability zero;
    the record has no log-probability then.
    """
    measure = record["measures"].get(part, {}).get(unknown)
    if measure is None or not measure["n_tokens"]:
        return None
    if measure["log_prob"] is None:
        return inf
    with np.errstate(over="ignore"):
        return Measurement(**measure).perplexity


def mean_of(values: Iterable[float]) -> float | None:
    """Return the mean; None, for JSON, if it is infinite because one of the values is."""
    mean = fmean(values)
    return mean if isfinite(mean) else None


def n_infinite(values: Iterable[float]) -> int:
    """Count the infinite values."""
    return sum(map(isinf, values))


def numbers_of(names: Sequence[str], chosen: Sequence[str]) -> list[int]:
    """Return the positions of the chosen names, in the order of ``names``."""
    return [number for number, name in enumerate(names) if name in chosen]
