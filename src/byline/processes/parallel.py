"""Independent calls of one function, done by this process, by several, or by a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from typing import Any

from joblib import Parallel, delayed

from byline.errors import BylineError, TrainingError
from byline.processes.dask_pool import DaskPool, scheduler_of
from byline.processes.worker_count import note_workers

ALL_WORKERS = -1  # the number of processes that lets a cluster do the calls
_SECONDS_TO_WAIT = 1.0

_cluster: ContextVar[str | None] = ContextVar("cluster", default=None)  # the scheduler's address


@contextmanager
def on_cluster(cluster: str) -> Iterator[None]:
    """Let the workers of a Dask cluster do the calls of `run_parallel`, if it may use processes.

    Parameters
    ----------
    cluster : str
        The address of its scheduler, such as ``tcp://10.0.0.1:8786``; or ``local:N`` for a cluster
        of N workers on this machine, which ends with the context.

    Raises
    ------
    MissingExtraError
        Dask is not installed.
    UsageError
        It is no such address.
    """
    with scheduler_of(cluster) as scheduler:
        token = _cluster.set(scheduler)
        try:
            yield
        finally:
            _cluster.reset(token)


def run_parallel(
    function: Callable[..., Any], calls: Iterable[tuple[Any, ...]], n_jobs: int | None
) -> Iterator[Any]:
    """Call a function many times, in several processes.

    The processes are joblib's, as scikit-learn's are: they stay for later calls, they accept
    functions and classes of a script or notebook, and a user can choose another backend with
    `joblib.parallel_config`. `byline.processes.pool.ProcessPool` is for long jobs instead, each of
    which may fail by itself. Within `on_cluster`, the workers of the cluster make the calls. If a
    worker dies, only the calls that it had are repeated.

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
    ExperimentError
        The cluster is gone, or its workers cannot make the calls.

    Examples
    --------
    >>> list(run_parallel(divmod, [(7, 2), (9, 4)], n_jobs=1))
    [(3, 1), (2, 1)]
    """
    scheduler = _cluster.get()
    if scheduler is not None and n_jobs not in (None, 1):
        yield from _run_on(scheduler, function, calls)
        return
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    try:
        yield from parallel(delayed(function)(*call) for call in calls)
    except BrokenProcessPool as error:
        raise TrainingError(
            "a training process was killed, most often because memory ran out; "
            f"use fewer processes than n_jobs={n_jobs}"
        ) from error


@dataclass(frozen=True, slots=True)
class _Call:
    """One call, with a name as tasks of a pool have."""

    name: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Work:
    """Make a call in a worker; an error of Byline is returned, to be raised as it is."""

    function: Callable[..., Any]

    def __call__(self, call: _Call) -> tuple[Any, BylineError | None]:
        try:
            return self.function(*call.arguments), None
        except BylineError as error:
            return None, error


def _run_on(
    scheduler: str, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
) -> Iterator[Any]:
    waiting = zip(count(1), calls)
    n_running, is_through = 0, False
    with DaskPool(_Work(function), scheduler) as pool, ExitStack() as at_end:
        at_end.callback(note_workers, None)
        while n_running or not is_through:
            note_workers(pool.n_workers)
            while not is_through and n_running < pool.capacity:
                number, arguments = next(waiting, (None, ()))
                if number is None:
                    is_through = True
                else:
                    pool.submit(_Call(f"call-{number}", arguments))
                    n_running += 1
            for _, outcome in pool.wait(_SECONDS_TO_WAIT):
                n_running -= 1
                if outcome.error is not None:
                    raise TrainingError(f"a worker of the cluster failed: {outcome.error}")
                result, error = outcome.result
                if error is not None:
                    raise error
                yield result
