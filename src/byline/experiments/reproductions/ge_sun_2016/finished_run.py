"""A run as it lies on disk; all that this package knows of files."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import inf, isfinite, isinf
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from byline.errors import BylineWarning, UsageError
from byline.experiments.reproductions.ge_sun_2016.published import PUBLISHED, Published
from byline.experiments.reproductions.ge_sun_2016.scoring_rules import SentenceScores
from byline.experiments.runner.config import ExperimentConfig, parse_config
from byline.experiments.runner.jobs import Job
from byline.experiments.runner.plan import Plan
from byline.experiments.runner.recorded import is_of
from byline.experiments.runner.run_directory import RunDirectory
from byline.experiments.runner.schemas import error_in_profile, read_document
from byline.lm.base import Measurement

Records = dict[str, dict[str, Any]]


def complete_records(done: Records, config: ExperimentConfig) -> Records:
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


Record = Mapping[str, Any]


class Run:
    """What a run has left so far.

    Parameters
    ----------
    path : path
        The run directory.

    Attributes
    ----------
    made_by : dict
        `run.json`: configuration, authors, corpora, versions, machine.
    config : ExperimentConfig
    authors : tuple of str
        Candidates, in the order of all arrays.
    done : dict of job's name to record
        Of finished and of failed jobs; "made" says what they took.

    Raises
    ------
    UsageError
        The folder holds no run, or what made it is damaged.

    Warns
    -----
    BylineWarning
        Records are damaged, or of no job of the experiment; they are left out.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        directory = RunDirectory(self.path)
        made_by = directory.made_by()
        if made_by is None:
            raise UsageError(
                f"{self.path} holds no run of an experiment; name the folder that "
                "`byline experiment run` was given as -o"
            )
        self.made_by: Record = made_by
        where = str(self.path / "run.json")
        self.config: ExperimentConfig = parse_config(made_by["configuration"], where)
        self.authors: tuple[str, ...] = tuple(made_by["authors"])
        belongs = partial(is_of, Plan(self.config, self.authors))
        self.done = complete_records(directory.done(belongs), self.config)

    @cached_property
    def records(self) -> dict[str, Record]:
        """Records of the jobs that did not fail."""
        return {name: record for name, record in self.done.items() if "failed" not in record}

    def cpu_seconds(self, name: str) -> float:
        """CPU seconds that a job took; nothing of one that failed without saying so."""
        return float(self.done[name].get("made", {}).get("cpu_seconds", 0.0))

    @property
    def published(self) -> Published | None:
        """The figures that stand beside the measured ones."""
        section = self.config.published
        return None if section is None else PUBLISHED[section.source]

    @cached_property
    def profile(self) -> list[dict[str, Any]] | None:
        """Rows of Table 1, one an author; None where there are none."""
        path = self.path / "profile.json"
        if not path.exists():
            return None
        try:
            found = read_document(path.read_bytes())
            if fault := error_in_profile(found):
                raise ValueError(fault)
        except (OSError, ValueError) as error:
            raise UsageError(
                f"{path}: cannot be read ({error}); delete it, and call `byline experiment run` "
                "again"
            ) from error
        rows: list[dict[str, Any]] = found["rows"]
        return rows

    def authors_of(self, model: str) -> tuple[str, ...]:
        """Who has such a model: everyone, or those for whom its setting was searched."""
        if self.config.models[model].settings_from is None or self.config.search is None:
            return self.authors
        return tuple(author for author in self.authors if author in self.config.search.authors)

    def names_of(self, split: str, seed: int, model: str) -> list[str]:
        """Names of the jobs of one model on one split and seed, by author."""
        return [job_name(split, seed, model, author) for author in self.authors_of(model)]

    def record(self, split: str, seed: int, model: str, author: str) -> Record | None:
        """Return what an author's model came to; None where it is not there."""
        return self.records.get(job_name(split, seed, model, author))

    def complete_seeds(self, split: str, model: str) -> tuple[int, ...]:
        """Seeds on which every author who is to have such a model has it."""
        return tuple(
            seed
            for seed in self.config.seeds_of(model, split)
            if all(name in self.records for name in self.names_of(split, seed, model))
        )

    def trials(self, author: str) -> list[str]:
        """Names of the jobs of an author's search that are finished or failed, in their order."""
        search = self.config.search
        if search is None:
            return []
        start = trial_name(search.split, search.seed, search.model, author, 0).rpartition(".")[0]
        return sorted(name for name in self.done if name.rpartition(".")[0] == start)

    def test_parts(self, split: str, seed: int) -> list[NDArray[np.int32]]:
        """Numbers of each author's test sentences in the whole corpus."""
        return read_arrays(
            self.path / "splits" / f"{split}.{seed}.safetensors",
            [f"{author}.test" for author in range(len(self.authors))],
            "the `byline experiment run` command that made the run writes it anew",
        )

    def scores(self, split: str, seed: int, model: str) -> SentenceScores:
        """Gather what every author's model says of every test sentence; all must be there."""
        parts = self.test_parts(split, seed)
        names = self.names_of(split, seed, model)
        arrays = [self._scores(name, sum(map(len, parts))) for name in names]
        log_prob, n_counted, n_unknown = (np.stack(of_all) for of_all in zip(*arrays, strict=True))
        return SentenceScores(
            log_prob=log_prob,
            n_counted=n_counted.astype(np.int64),
            n_unknown=n_unknown.astype(np.int64),
            n_lacking=np.array([self.records[name]["n_lacking"] for name in names]),
            author=np.repeat(np.arange(len(parts)), list(map(len, parts))),
            sentence=np.concatenate(parts).astype(np.int64),
        )

    def _scores(self, name: str, n_sentences: int) -> list[NDArray[Any]]:
        path = self.path / "jobs" / f"{name}.safetensors"
        mend = f"delete {path.with_suffix('.json')}, and call `byline experiment run` again"
        arrays = read_arrays(path, ("log_prob", "n_counted", "n_unknown"), mend)
        if any(array.shape != (n_sentences,) for array in arrays):
            raise UsageError(f"{path}: not of the split's {n_sentences} test sentences; {mend}")
        if not _are_scores(*arrays):
            raise UsageError(f"{path}: a score or a count is none; {mend}")
        return arrays


def _are_scores(log_prob: NDArray[Any], *counts: NDArray[Any]) -> bool:
    """Whether log-probabilities are numbers or minus infinity, and counts are counts."""
    return (
        log_prob.dtype == np.float64
        and bool((log_prob < np.inf).all())
        and all(n.dtype == np.int32 and bool((n >= 0).all()) for n in counts)
    )


def read_arrays(path: Path, names: Sequence[str], mend: str) -> list[NDArray[Any]]:
    """Read arrays of a file by their names.

    Raises
    ------
    UsageError
        It is not there, or is damaged; ``mend`` says what to do.
    """
    try:
        arrays: dict[str, NDArray[Any]] = load_file(path)
        return [arrays[name] for name in names]
    except (OSError, SafetensorError, KeyError) as error:
        raise UsageError(f"{path}: cannot be read ({error}); {mend}") from error


def job_name(split: str, seed: int, model: str, author: str) -> str:
    """Name the job of an author's model on one split."""
    return Job(split=split, seed=seed, model=model, author=author).name


def trial_name(split: str, seed: int, model: str, author: str, trial: int) -> str:
    """Name a trial of an author's search."""
    return Job(split=split, seed=seed, model=model, author=author, trial=trial).name


def perplexity(record: Record, part: str, unknown: str) -> float | None:
    """Perplexity of a part, unknown words counted in one way; None where it was not measured.

    Infinite where the model holds a word of the part impossible; a record has no log-probability
    then.
    """
    measure = record["measures"].get(part, {}).get(unknown)
    if measure is None or not measure["n_tokens"]:
        return None
    if measure["log_prob"] is None:
        return inf
    with np.errstate(over="ignore"):
        return Measurement(**measure).perplexity


def mean_of(values: Iterable[float]) -> float | None:
    """Average; None, as JSON has it, where one of them is infinite, and so is their mean."""
    mean = fmean(values)
    return mean if isfinite(mean) else None


def n_infinite(values: Iterable[float]) -> int:
    """Count the infinite ones."""
    return sum(map(isinf, values))


def numbers_of(names: Sequence[str], chosen: Sequence[str]) -> list[int]:
    """Find places of the chosen names that there are, in the order of ``names``."""
    return [place for place, name in enumerate(names) if name in chosen]
