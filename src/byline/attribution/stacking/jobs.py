"""Members learn and score as independent jobs, in this process or in several."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from byline.attribution.stacking.member import Member
from byline.errors import LearningError
from byline.progress import Progress

Floats = NDArray[np.float64]
_STEPS = 100  # of progress, a job


@dataclass(frozen=True, slots=True)
class Job:
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
    """

    name: str
    member: Member
    texts: Sequence[str]
    authors: Sequence[Any]
    questioned: Sequence[str] | None = None


def run(jobs: Sequence[Job], n_jobs: int | None, progress: Progress | None) -> list[Any]:
    """Do all jobs.

    Parameters
    ----------
    jobs : sequence of Job
    n_jobs : int or None
        Processes, one thread each; -1 for all cores. The results are the same for any number.
        In one process the members may start processes of their own.
    progress : Progress, optional

    Returns
    -------
    list of (n_questioned, n_authors) float64, or of fitted members
        In the order of the jobs.

    Raises
    ------
    LearningError
        A process died; and what members raise.

    Warns
    -----
    BylineWarning
        What members that are kept warn of; of those that are forgotten nothing is told.
    """
    results: list[Any] = [None] * len(jobs)
    for done, (place, result, caught) in enumerate(_finished(jobs, n_jobs, progress), start=1):
        results[place] = result
        if jobs[place].questioned is None:
            for warning in caught:
                warnings.warn(str(warning.message), warning.category, stacklevel=3)
        if progress is not None:
            progress(_STEPS * done, _STEPS * len(jobs), jobs[place].name)
    return results


Finished = tuple[int, Any, list[warnings.WarningMessage]]


def _finished(
    jobs: Sequence[Job], n_jobs: int | None, progress: Progress | None
) -> Iterator[Finished]:
    if n_jobs in (None, 1):
        for place, job in enumerate(jobs):
            yield _do(place, job, job.member, _within(progress, place, len(jobs), job.name))
        return
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    try:
        yield from parallel(
            delayed(_do)(place, job, _alone(job.member)) for place, job in enumerate(jobs)
        )
    except BrokenProcessPool as error:
        raise LearningError(
            "a learning process was killed, most often because memory ran out; "
            f"use fewer processes than n_jobs={n_jobs}"
        ) from error


def _alone(member: Member) -> Member:
    """Return a member that starts no processes."""
    params = clone(member).get_params(deep=True)
    own = {name: 1 for name in params if name.split("__")[-1] == "n_jobs"}
    alone: Member = clone(member).set_params(**own)
    return alone


def _do(place: int, job: Job, member: Member, progress: Progress | None = None) -> Finished:
    """Fit with one thread, so that numbers are the same in any process."""
    fitted = clone(member)
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1):
        warnings.simplefilter("always")
        fitted.fit(job.texts, job.authors, progress=progress)
        if job.questioned is not None:
            return place, fitted.decision_function(job.questioned), caught
    fitted.set_params(**_processes(job.member))
    return place, fitted, caught


def _processes(member: Member) -> dict[str, Any]:
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
