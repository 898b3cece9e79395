"""Fit base classifiers and score held-out texts as independent jobs, in one process or several."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from byline.array_types import Floats
from byline.attribution.author_scores import author_scores
from byline.attribution.classifiers import TextClassifier
from byline.attribution.classifiers.base import HeldOutSplit
from byline.attribution.stacking.base_classifiers import BaseClassifier
from byline.errors import BylineWarning, TrainingError
from byline.processes.parallel import run_parallel
from byline.processes.threads import limited_threads
from byline.progress import PartialProgress, Progress, Stage, announce

_STEPS = 100  # of progress, per job

Result = tuple[BaseClassifier | None, Any]  # a fitted base classifier, or None; and scores
Finished = tuple[int, Result, list[warnings.WarningMessage]]


@dataclass(frozen=True, slots=True)
class FittedBaseClassifiers:
    """Fitted base classifiers, and their scores of held-out texts.

    Attributes
    ----------
    base_classifiers : dict of name to fitted base classifier
    scores : list of (n_base_classifiers, n_questioned, n_authors) float64
        One array per split.
    """

    base_classifiers: dict[str, BaseClassifier]
    scores: list[Floats]


def fit_base_classifiers(
    base_classifiers: Sequence[tuple[str, BaseClassifier]],
    texts: Sequence[str],
    authors: Sequence[Any],
    splits: Sequence[HeldOutSplit],
    *,
    n_jobs: int | None,
    progress: Progress | None,
) -> FittedBaseClassifiers:
    """Fit base classifiers to all known texts, and score the texts of each split without them.

    Parameters
    ----------
    base_classifiers : sequence of (name, prototype)
    texts, authors : sequences, (n_known,)
    splits : sequence of HeldOutSplit
        If a split holds out nothing (``held_out`` is empty), its texts are not known texts, and
        the base classifiers that are fitted to all known texts score them.
    n_jobs : int or None
        Number of processes, with one thread each; -1 uses all cores. It does not change the
        results. If it is 1, the base classifiers may start processes of their own.
    progress : Progress, optional

    Raises
    ------
    TrainingError
        If a process died, or a base classifier cannot be fitted.

    Warns
    -----
    BylineWarning
        The warnings of base classifiers that are fitted to all known texts.
    """
    plans = plan_jobs(base_classifiers, texts, authors, splits)
    results = iter(_run([job for plan in plans for job in plan], n_jobs, progress))
    fitted: dict[str, Any] = {}
    scores: list[list[Floats]] = []
    for (name, _), plan in zip(base_classifiers, plans, strict=True):
        *of_folds, (fitted[name], of_splits) = [next(results) for _ in plan]
        held_out_scores = iter([*(found for _, found in of_folds), *of_splits])
        scores.append(
            [
                next(held_out_scores)
                if split.held_out.size
                else author_scores(fitted[name], split.questioned)
                for split in splits
            ]
        )
    return FittedBaseClassifiers(
        fitted, [np.stack(of_split) for of_split in zip(*scores, strict=True)]
    )


@dataclass(frozen=True, slots=True)
class _Job:
    """Fit one base classifier to some texts, and score others with it.

    Attributes
    ----------
    kind : str
        The name of the base classifier.
    name : str
        What progress calls the job.
    prototype : BaseClassifier
    texts, authors : sequences, (n_known,)
    classes : sequence, (n_authors,)
        All authors, one column of scores each. An author without known texts has the lowest score.
    questioned : sequence of str, or None
        Texts to score, after which the base classifier is discarded; None to keep it.
    splits : sequence of HeldOutSplit
        What a text classifier scores while it is fitted.
    """

    kind: str
    name: str
    prototype: BaseClassifier
    texts: Sequence[str]
    authors: Sequence[Any]
    classes: Sequence[Any]
    questioned: Sequence[str] | None = None
    splits: Sequence[HeldOutSplit] = ()


def plan_jobs(
    base_classifiers: Sequence[tuple[str, BaseClassifier]],
    texts: Sequence[str],
    authors: Sequence[Any],
    splits: Sequence[HeldOutSplit],
) -> list[list[_Job]]:
    """Return the jobs of each base classifier."""
    holding_out = [split for split in splits if split.held_out.size]
    return [_jobs(name, each, texts, authors, holding_out) for name, each in base_classifiers]


def _jobs(
    name: str,
    prototype: BaseClassifier,
    texts: Sequence[str],
    authors: Sequence[Any],
    splits: Sequence[HeldOutSplit],
) -> list[_Job]:
    """Return the jobs of a base classifier; the last one fits it to all texts."""
    classes = sorted(set(authors))
    if isinstance(prototype, TextClassifier):
        return [_Job(name, name, prototype, texts, authors, classes, splits=splits)]
    jobs = []
    for number, split in enumerate(splits, start=1):
        known = np.flatnonzero(~split.held_out).tolist()
        jobs.append(
            _Job(
                name,
                f"{name}, inner fold {number}",
                prototype,
                [texts[place] for place in known],
                [authors[place] for place in known],
                classes,
                split.questioned,
            )
        )
    return [*jobs, _Job(name, name, prototype, texts, authors, classes)]


def _run(jobs: Sequence[_Job], n_jobs: int | None, progress: Progress | None) -> list[Result]:
    """Run all jobs, and return their results in the order of the jobs."""
    results: list[Any] = [None] * len(jobs)
    for done, (place, result, caught) in enumerate(_finished(jobs, n_jobs, progress), start=1):
        results[place] = result
        if jobs[place].questioned is None:
            for warning in caught:
                if issubclass(warning.category, BylineWarning):
                    warnings.warn(str(warning.message), warning.category, stacklevel=4)
        if progress is not None:
            progress(_STEPS * done, _STEPS * len(jobs), jobs[place].name)
    return results


def _finished(
    jobs: Sequence[_Job], n_jobs: int | None, progress: Progress | None
) -> Iterator[Finished]:
    if n_jobs in (None, 1):
        for place, job in enumerate(jobs):
            yield _do(place, job, job.prototype, _within(progress, place, len(jobs), job.name))
        return
    # Text classifiers process all folds in one long job. It starts first, so that it does not run
    # alone at the end.
    places = reversed(range(len(jobs)))
    calls = ((place, jobs[place], in_one_process(jobs[place].prototype)) for place in places)
    yield from run_parallel(_do, calls, n_jobs)


def _do(
    place: int, job: _Job, prototype: BaseClassifier, progress: Progress | None = None
) -> Finished:
    """Run one job with one thread, so that its numbers are the same in any process."""
    fitted: Any = clone(prototype)
    with warnings.catch_warnings(record=True) as caught, limited_threads():
        warnings.simplefilter("always")
        try:
            scores = _fit(fitted, job, progress)
        except TrainingError as error:
            raise TrainingError(
                f"the base classifier {job.name} cannot be trained: {error}. Train language models "
                "alone, which need less text: use the method language-models, or the class "
                "AuthorshipAttributor"
            ) from error
        if job.questioned is not None:
            found = author_scores(fitted, job.questioned)
            return place, (None, _of_all_authors(job.classes, fitted.classes_, found)), caught
    fitted.set_params(**_process_counts(job.prototype))
    return place, (fitted, scores), caught


def _fit(fitted: Any, job: _Job, progress: Progress | None) -> list[Floats]:
    if not job.splits:
        # A pipeline of scikit-learn, for example, does not report its progress.
        options = {"progress": progress} if has_fit_parameter(fitted, "progress") else {}
        fitted.fit(job.texts, job.authors, **options)
        return []
    scores: list[Floats] = fitted.fit_with_held_out_scores(
        job.texts, job.authors, job.splits, progress=progress
    )
    return scores


def _of_all_authors(classes: Sequence[Any], known: NDArray[Any], scores: Floats) -> Floats:
    """Add columns with the lowest score for authors without known texts."""
    if len(known) == len(classes):
        return scores
    lowest = scores.min(axis=1, keepdims=True)
    of_all: Floats = np.repeat(lowest, len(classes), axis=1)
    of_all[:, np.searchsorted(classes, known)] = scores
    return of_all


def _process_counts(classifier: BaseClassifier) -> dict[str, Any]:
    """Return all ``n_jobs`` parameters of a base classifier."""
    params = classifier.get_params(deep=True)
    return {name: value for name, value in params.items() if name.split("__")[-1] == "n_jobs"}


def in_one_process(prototype: BaseClassifier) -> BaseClassifier:
    """Return a copy of a base classifier that starts no processes."""
    copy: BaseClassifier = clone(prototype)
    return copy.set_params(**dict.fromkeys(_process_counts(copy), 1))


def _within(progress: Progress | None, place: int, total: int, name: str) -> Callable[..., None]:
    """Report the steps of one job as a share of the steps of all jobs."""

    def report(done: int, of: int, what: str) -> None:
        if progress is not None:
            steps = (_STEPS - 1) * done // max(of, 1)
            progress(_STEPS * place + steps, _STEPS * total, f"{name}, {what}")

    return report


def progress_of_stages(
    progress: Progress | None,
    plans: Sequence[Sequence[_Job]],
    n_jobs: int | None,
    *,
    n_cases: int = 0,
) -> tuple[Progress | None, Progress | None, Progress | None]:
    """Announce the stages of fitting a stack, and return the progress of its three parts.

    These are the simulated cases, the base classifiers and the calibration. The jobs of several
    processes end in any order, so that they are one stage.
    """
    if progress is None:
        return None, None, None
    stages = [Stage(job.kind, _STEPS) for plan in plans for job in plan]
    n_steps = _STEPS * len(stages)
    if n_jobs not in (None, 1):
        stages = [Stage("base-classifiers", n_steps)]
    of_cases = [Stage("simulated-cases", 1)] * n_cases
    tenths = [Stage("calibration", _STEPS // 10)] * 10
    announce(progress, [*of_cases, *stages, *tenths])
    total = n_cases + n_steps + _STEPS
    return (
        PartialProgress(progress, 0, total),
        PartialProgress(progress, n_cases, total),
        PartialProgress(progress, n_cases + n_steps, total),
    )
