"""From a task and a classifier to recorded decisions, and what they cost."""

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

from byline.corpus import Corpus
from byline.errors import TrainingError
from byline.experiments.benchmarks.methods import Classifier, Method, Setting
from byline.experiments.benchmarks.tasks import NamedFold, Task, join_consecutive_texts
from byline.experiments.decisions import Decision
from byline.progress import Progress


@dataclass(slots=True)
class Cost:
    """Seconds of all folds together.

    Attributes
    ----------
    learning, attributing : float
        CPU seconds. Those of other processes are counted as learning, which is all that they do; on
        Windows, which does not tell, they are left out.
    wall : float
        Seconds of both that went by.
    """

    learning: float = 0.0
    attributing: float = 0.0
    wall: float = 0.0

    @contextmanager
    def of(self, stage: str) -> Iterator[None]:
        """Add what is spent inside, in this process, to ``"learning"`` or ``"attributing"``."""
        cpu, wall = time.process_time(), time.perf_counter()
        yield
        setattr(self, stage, getattr(self, stage) + time.process_time() - cpu)
        self.wall += time.perf_counter() - wall

    @contextmanager
    def of_workers(self) -> Iterator[None]:
        """Add what processes spend that are started inside, which are ended to know it."""
        _end_workers()
        before = _seconds_of_ended_processes()
        yield
        _end_workers()
        self.learning += _seconds_of_ended_processes() - before


def _end_workers() -> None:
    """End the processes that wait for the next call of joblib."""
    get_reusable_executor(reuse=True).shutdown(wait=True)


def _seconds_of_ended_processes() -> float:
    if sys.platform == "win32":
        return 0.0
    from resource import RUSAGE_CHILDREN, getrusage

    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


STEPS_PER_FIT = 100


@dataclass(frozen=True, slots=True)
class MethodRun:
    """How one classifier answered all questions of a task.

    Attributes
    ----------
    method : str
    decisions : mapping of length to list of Decision
        Lengths as the task has them; decisions in the same order for every classifier.
    cost : Cost
    """

    method: str
    decisions: Mapping[int | None, list[Decision]]
    cost: Cost


def run_method(
    task: Task, method: Method, setting: Setting, progress: Progress | None = None
) -> MethodRun:
    """Learn from each fold's known texts and attribute its questioned ones.

    Parameters
    ----------
    task : Task
    method : Method
    setting : Setting
    progress : Progress, optional
        Told of `STEPS_PER_FIT` steps a fold.

    Raises
    ------
    TrainingError
        The classifier cannot learn, or gives a score that is no number.
    """
    cost = Cost()
    decisions: dict[int | None, list[Decision]] = {length: [] for length in task.lengths}
    with cost.of_workers():
        for number, fold in enumerate(task.folds):
            told = _within_fit(progress, number, len(task.folds), f"{method.name}, {fold.name}")
            with cost.of("learning"):
                fitted = _fit(method.make(setting), fold, told)
            if told is not None:
                told(1, 1, "attributing")
            asked = {length: questioned(fold, length) for length in task.lengths}
            with cost.of("attributing"):
                scores = _scores(fitted, list(asked.values()), method.name)
            for (length, texts), of_texts in zip(asked.items(), scores, strict=True):
                decisions[length] += decisions_from_scores(
                    of_texts, fitted.classes_, texts, number, length
                )
    if progress is not None:
        total = STEPS_PER_FIT * len(task.folds)
        progress(total, total, method.name)
    return MethodRun(method.name, decisions, cost)


def questioned(fold: NamedFold, length: int | None) -> Corpus:
    """Return a fold's questioned texts, or runs of ``length`` of one author joined to texts."""
    return fold.questioned if length is None else join_consecutive_texts(fold.questioned, length)


def decisions_from_scores(
    scores: NDArray[np.float64],
    classes: NDArray[np.str_],
    asked: Corpus,
    number: int,
    length: int | None,
) -> Iterator[Decision]:
    """Name the author with the highest score for each text.

    Parameters
    ----------
    scores : (n_asked, n_authors) float64
    classes : (n_authors,) str
    asked : Corpus
    number : int
        Of the fold, from 0.
    length : int or None
        Of the texts in sentences.
    """
    names = [str(author) for author in classes]
    orders = np.argsort(-scores, axis=1, kind="stable")  # (n_asked, n_authors)
    for document, order in zip(asked, orders.tolist(), strict=True):
        ranked = [names[place] for place in order]
        yield Decision(
            path=document.path,
            fold=number,
            sentences=length,
            author=document.author,
            named=ranked[0],
            rank=ranked.index(document.author) + 1,
            declined=False,
        )


def _fit(classifier: Classifier, fold: NamedFold, told: Progress | None) -> Classifier:
    known = fold.known
    offered: dict[str, Any] = {"works": known.works, "progress": told}
    if fold.validation is not None:
        offered["validation"] = (fold.validation.texts, fold.validation.authors)
    takes = inspect.signature(classifier.fit).parameters
    return classifier.fit(
        known.texts, known.authors, **{name: offered[name] for name in offered if name in takes}
    )


def _scores(fitted: Classifier, asked: Sequence[Corpus], method: str) -> list[NDArray[np.float64]]:
    """Score texts of all lengths in one call: language models score a sentence once a call."""
    documents = list(chain.from_iterable(asked))
    if not documents:
        return [np.zeros((0, len(fitted.classes_)))] * len(asked)
    texts = [document.text for document in documents]
    scores = np.asarray(fitted.decision_function(texts), dtype=np.float64)
    if scores.ndim == 1:  # scikit-learn's own classifiers give one column for two classes
        scores = np.stack([-scores, scores], axis=1)
    if np.isnan(scores).any():
        path = documents[int(np.isnan(scores).any(axis=1).argmax())].path
        raise TrainingError(f"{method} gives {path} a score that is no number")
    return np.split(scores, np.cumsum(list(map(len, asked)))[:-1])


def _within_fit(progress: Progress | None, number: int, n_fits: int, place: str) -> Progress | None:
    """Count the steps of one fit as all but the last of `STEPS_PER_FIT`; attributing is that."""
    if progress is None:
        return None

    def told(done: int, total: int, what: str) -> None:
        within = (STEPS_PER_FIT - 1) * done // max(total, 1)
        progress(STEPS_PER_FIT * number + within, STEPS_PER_FIT * n_fits, f"{place}: {what}")

    return told
