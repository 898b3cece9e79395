"""Train the classifiers of a benchmark, record their decisions, and measure the time."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from joblib.externals.loky import get_reusable_executor
from numpy.typing import NDArray

from byline.attribution.author_scores import author_scores
from byline.corpus import Corpus
from byline.errors import TrainingError
from byline.experiments.benchmarks.methods import Classifier, Method, Setting
from byline.experiments.benchmarks.tasks import NamedFold, Task, join_consecutive_texts
from byline.experiments.decisions import Decision
from byline.progress import Progress

STEPS_PER_FIT = 100


@dataclass(slots=True)
class Cost:
    """Seconds that training and attribution took, over all folds.

    Attributes
    ----------
    training, attribution : float
        CPU seconds. Other processes only train, so that their time is counted as training. On
        Windows the time of other processes is unknown and left out.
    wall : float
        Elapsed seconds of both.
    """

    training: float = 0.0
    attribution: float = 0.0
    wall: float = 0.0

    @contextmanager
    def of(self, stage: str) -> Iterator[None]:
        """Add the time spent in the context to the stage ``"training"`` or ``"attribution"``."""
        cpu, wall = time.process_time(), time.perf_counter()
        yield
        setattr(self, stage, getattr(self, stage) + time.process_time() - cpu)
        self.wall += time.perf_counter() - wall

    @contextmanager
    def of_workers(self) -> Iterator[None]:
        """Add the time of processes started in the context, which are ended to measure it."""
        _end_workers()
        before = _seconds_of_ended_processes()
        yield
        _end_workers()
        self.training += _seconds_of_ended_processes() - before


def _end_workers() -> None:
    """End the idle processes of joblib."""
    get_reusable_executor(reuse=True).shutdown(wait=True)


def _seconds_of_ended_processes() -> float:
    if sys.platform == "win32":
        return 0.0
    from resource import RUSAGE_CHILDREN, getrusage

    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True, slots=True)
class MethodRun:
    """Attributions of all questioned texts of a task by one classifier.

    Attributes
    ----------
    method : str
    decisions : mapping of length to list of Decision
        For each length of the task, decisions in the same order for every classifier.
    cost : Cost
    """

    method: str
    decisions: Mapping[int | None, list[Decision]]
    cost: Cost


def run_method(
    task: Task, method: Method, setting: Setting, progress: Progress | None = None
) -> MethodRun:
    """Train a classifier on the known texts of each fold and attribute the questioned texts.

    Parameters
    ----------
    task : Task
    method : Method
    setting : Setting
    progress : Progress, optional
        Called for `STEPS_PER_FIT` steps per fold.

    Raises
    ------
    TrainingError
        The classifier cannot be trained, or a score is not a number.
    """
    cost = Cost()
    decisions: dict[int | None, list[Decision]] = {length: [] for length in task.lengths}
    with cost.of_workers():
        for number, fold in enumerate(task.folds):
            place = f"{method.name}, {fold.name}"
            report = _fit_progress(progress, number, len(task.folds), place)
            with cost.of("training"):
                fitted = _fit(method.make(setting), fold, report)
            if report is not None:
                report(1, 1, "attributing")
            texts_of = {length: texts_of_length(fold, length) for length in task.lengths}
            with cost.of("attribution"):
                scores = _scores(fitted, list(texts_of.values()), method.name)
            for (length, texts), of_texts in zip(texts_of.items(), scores, strict=True):
                decisions[length] += decisions_from_scores(
                    of_texts, fitted.classes_, texts, number, length
                )
    if progress is not None:
        total = STEPS_PER_FIT * len(task.folds)
        progress(total, total, method.name)
    return MethodRun(method.name, decisions, cost)


def texts_of_length(fold: NamedFold, length: int | None) -> Corpus:
    """Return a fold's questioned texts, or each ``length`` texts of an author joined to one."""
    return fold.questioned if length is None else join_consecutive_texts(fold.questioned, length)


def decisions_from_scores(
    scores: NDArray[np.float64],
    classes: NDArray[np.str_],
    questioned: Corpus,
    number: int,
    length: int | None,
) -> Iterator[Decision]:
    """Attribute each text to the author with the highest score.

    Parameters
    ----------
    scores : (n_questioned, n_authors) float64
    classes : (n_authors,) str
    questioned : Corpus
    number : int
        Number of the fold, from 0.
    length : int or None
        Length of the texts in sentences.
    """
    names = [str(author) for author in classes]
    orders = np.argsort(-scores, axis=1, kind="stable")  # (n_questioned, n_authors)
    for document, order in zip(questioned, orders.tolist(), strict=True):
        ranked = [names[place] for place in order]
        yield Decision(
            path=document.path,
            fold=number,
            sentences=length,
            author=document.author,
            predicted=ranked[0],
            rank=ranked.index(document.author) + 1,
            declined=False,
        )


def _fit(classifier: Classifier, fold: NamedFold, progress: Progress | None) -> Classifier:
    """Fit a classifier with those optional arguments that its ``fit`` has."""
    known = fold.known
    offered: dict[str, Any] = {"groups": known.works, "progress": progress}
    if fold.validation is not None:
        offered["validation"] = (fold.validation.texts, fold.validation.authors)
    accepted = inspect.signature(classifier.fit).parameters
    return classifier.fit(
        known.texts, known.authors, **{name: offered[name] for name in offered if name in accepted}
    )


def _scores(
    fitted: Classifier, corpora: Sequence[Corpus], method: str
) -> list[NDArray[np.float64]]:
    """Score texts of all lengths in one call, so that a sentence is scored only once."""
    documents = list(chain.from_iterable(corpora))
    if not documents:
        return [np.zeros((0, len(fitted.classes_)))] * len(corpora)
    texts = [document.text for document in documents]
    scores = author_scores(fitted, texts)
    if np.isnan(scores).any():
        path = documents[int(np.isnan(scores).any(axis=1).argmax())].path
        raise TrainingError(
            f"{method}: a score of {path} is not a number; check the text, or leave the method out"
        )
    return np.split(scores, np.cumsum(list(map(len, corpora)))[:-1])


def _fit_progress(
    progress: Progress | None, number: int, n_fits: int, place: str
) -> Progress | None:
    """Report training as all but the last of `STEPS_PER_FIT` steps; the last is attribution."""
    if progress is None:
        return None

    def report(done: int, total: int, what: str) -> None:
        within = (STEPS_PER_FIT - 1) * done // max(total, 1)
        progress(STEPS_PER_FIT * number + within, STEPS_PER_FIT * n_fits, f"{place}: {what}")

    return report
