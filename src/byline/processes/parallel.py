"""Independent calls of one function, done by this process or by several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from joblib import Parallel, delayed

from byline.errors import TrainingError


def run_parallel(
    function: Callable[..., Any], calls: Iterable[tuple[Any, ...]], n_jobs: int | None
) -> Iterator[Any]:
    """Call a function many times, in several processes.

    The processes are joblib's, as scikit-learn's are: they stay for later calls, they accept
    functions and classes of a script or notebook, and a user can choose another backend with
    `joblib.parallel_config`. `byline.processes.pool.ProcessPool` is for long jobs instead, each of
    which may fail by itself.

    Parameters
    ----------
    function : callable
    calls : iterable of tuple
        The arguments of each call. They are consumed only as fast as processes become free.
    n_jobs : int or None
        Number of processes; -1 for all cores. With None or 1, this process makes all calls.

    Yields
    ------
    Any
        The results, in the order in which the calls end.

    Raises
    ------
    TrainingError
        A process was killed.

    Examples
    --------
    >>> list(run_parallel(divmod, [(7, 2), (9, 4)], n_jobs=1))
    [(3, 1), (2, 1)]
    """
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    try:
        yield from parallel(delayed(function)(*call) for call in calls)
    except BrokenProcessPool as error:
        raise TrainingError(
            "a training process was killed, most often because memory ran out; "
            f"use fewer processes than n_jobs={n_jobs}"
        ) from error
