"""Members learn and score as independent jobs, in this process or in several."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from byline.array_types import Floats
from byline.attribution.classifiers import TextClassifier
from byline.attribution.classifiers.kernels import HeldOutSplit
from byline.attribution.stacking.base_classifiers import BaseClassifier
from byline.errors import BylineWarning, TrainingError
from byline.processes.parallel import run_parallel
from byline.progress import Progress

_STEPS = 100  # of progress, a job


@dataclass(frozen=True, slots=True)
class Learnt:
    """Members, and what they scored in trials.

    Attributes
    ----------
    members : dict of name to fitted member
    scores : list of (n_members, n_questioned, n_authors) float64
        One a trial.
    """

    members: dict[str, BaseClassifier]
    scores: list[Floats]


def fit_base_classifiers(
    members: Sequence[tuple[str, BaseClassifier]],
    texts: Sequence[str],
    authors: Sequence[Any],
    trials: Sequence[HeldOutSplit],
    *,
    n_jobs: int | None,
    progress: Progress | None,
) -> Learnt:
    """Learn members from known texts; before that, try them on those of each trial.

    Parameters
    ----------
    members : sequence of (name, prototype)
    texts, authors : sequences, (n_known,)
    trials : sequence of Trial
        Where a trial holds nothing out (no entry in ``held_out``), its texts are no known ones, and
        the members that learnt from all texts score them.
    n_jobs : int or None
        Processes, one thread each; -1 for all cores. The results are the same for any number.
        In one process the members may start processes of their own.
    progress : Progress, optional

    Raises
    ------
    TrainingError
        A process died; and what members raise.

    Warns
    -----
    BylineWarning
        What members that are kept warn of; of those that are forgotten nothing is told.
    """
    holding = [trial for trial in trials if trial.held_out.size]
    plans = [_jobs(name, member, texts, authors, holding) for name, member in members]
    results = iter(_run([job for plan in plans for job in plan], n_jobs, progress))
    fitted: dict[str, Any] = {}
    scores: list[list[Floats]] = []
    for (name, _), plan in zip(members, plans, strict=True):
        *alone, (fitted[name], in_one) = [next(results) for _ in plan]
        tried = iter([*(found for _, found in alone), *in_one])
        scores.append(
            [
                next(tried)
                if trial.held_out.size
                else fitted[name].decision_function(trial.questioned)
                for trial in trials
            ]
        )
    return Learnt(fitted, [np.stack(of_trial) for of_trial in zip(*scores, strict=True)])


@dataclass(frozen=True, slots=True)
class _Job:
    """One member to learn from some texts, and what it is asked then.

    Attributes
    ----------
    name : str
        What progress calls it.
    member : Member
        The prototype.
    texts, authors : sequences, (n_known,)
    questioned : sequence of str, or None
        Texts to score, after which the member is forgotten; None: the member itself is wanted.
    trials : sequence of Trial
        What a classifier of texts tries as it learns.
    classes : sequence, (n_authors,)
        All authors, whom scores have columns of; without known text an author scores as low as any.
    """

    name: str
    member: BaseClassifier
    texts: Sequence[str]
    authors: Sequence[Any]
    classes: Sequence[Any]
    questioned: Sequence[str] | None = None
    trials: Sequence[HeldOutSplit] = ()


def _jobs(
    name: str,
    member: BaseClassifier,
    texts: Sequence[str],
    authors: Sequence[Any],
    trials: Sequence[HeldOutSplit],
) -> list[_Job]:
    """Return a member's jobs; the last one is to learn from all texts."""
    classes = sorted(set(authors))
    if isinstance(member, TextClassifier):
        return [_Job(name, member, texts, authors, classes, trials=trials)]
    jobs = []
    for number, trial in enumerate(trials, start=1):
        known = np.flatnonzero(~trial.held_out).tolist()
        jobs.append(
            _Job(
                f"{name} without part {number}",
                member,
                [texts[place] for place in known],
                [authors[place] for place in known],
                classes,
                trial.questioned,
            )
        )
    return [*jobs, _Job(name, member, texts, authors, classes)]


Result = tuple[BaseClassifier | None, Any]  # a member, or what it scored


def _run(jobs: Sequence[_Job], n_jobs: int | None, progress: Progress | None) -> list[Result]:
    """Do all jobs; the results are in their order."""
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


Finished = tuple[int, Result, list[warnings.WarningMessage]]


def _finished(
    jobs: Sequence[_Job], n_jobs: int | None, progress: Progress | None
) -> Iterator[Finished]:
    if n_jobs in (None, 1):
        for place, job in enumerate(jobs):
            yield _do(place, job, job.member, _within(progress, place, len(jobs), job.name))
        return
    # Classifiers do all their folds in one long job. It starts first, so that it does not end last.
    places = reversed(range(len(jobs)))
    calls = ((place, jobs[place], _alone(jobs[place].member)) for place in places)
    yield from run_parallel(_do, calls, n_jobs)


def _alone(member: BaseClassifier) -> BaseClassifier:
    """Return a member that starts no processes."""
    params = clone(member).get_params(deep=True)
    own = {name: 1 for name in params if name.split("__")[-1] == "n_jobs"}
    alone: BaseClassifier = clone(member).set_params(**own)
    return alone


def _do(
    place: int, job: _Job, member: BaseClassifier, progress: Progress | None = None
) -> Finished:
    """Fit with one thread, so that numbers are the same in any process."""
    fitted: Any = clone(member)
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1):
        warnings.simplefilter("always")
        try:
            scores = _learn(fitted, job, progress)
        except TrainingError as error:
            raise TrainingError(
                f"{job.name} of the stack cannot learn: {error}. Language models alone need less "
                "text (--method language-models; AuthorshipAttributor)"
            ) from error
        if job.questioned is not None:
            found = fitted.decision_function(job.questioned)
            return place, (None, _of_all(job.classes, fitted.classes_, found)), caught
    fitted.set_params(**_processes(job.member))
    return place, (fitted, scores), caught


def _learn(fitted: Any, job: _Job, progress: Progress | None) -> list[Floats]:
    if not job.trials:
        fitted.fit(job.texts, job.authors, progress=progress)
        return []
    scores: list[Floats] = fitted.fit_with_held_out_scores(
        job.texts, job.authors, job.trials, progress=progress
    )
    return scores


def _of_all(classes: Sequence[Any], known: NDArray[Any], scores: Floats) -> Floats:
    """Return scores of all authors, where some had no known text."""
    if len(known) == len(classes):
        return scores
    lowest = scores.min(axis=1, keepdims=True)
    of_all: Floats = np.repeat(lowest, len(classes), axis=1)
    of_all[:, np.searchsorted(classes, known)] = scores
    return of_all


def _processes(member: BaseClassifier) -> dict[str, Any]:
    """Numbers of processes as they were asked for."""
    params = member.get_params(deep=True)
    return {name: value for name, value in params.items() if name.split("__")[-1] == "n_jobs"}


def _within(progress: Progress | None, place: int, total: int, name: str) -> Callable[..., None]:
    """Count the steps of one job as a part of all jobs'."""

    def told(done: int, of: int, what: str) -> None:
        if progress is not None:
            steps = (_STEPS - 1) * done // max(of, 1)
            progress(_STEPS * place + steps, _STEPS * total, f"{name}, {what}")

    return told
