"""A pool of child processes on this machine that work through tasks, and survive their deaths.

Each process has a pipe of its own. Whatever ends a process, at whatever moment, closes its pipe:
the end is known at once, it is known which task was lost, and no other process is affected. (A
queue shared by the processes cannot provide that: the executors of joblib and of the standard
library wait for ever for the rest of a result if the process that was sending it is killed.)
"""

from __future__ import annotations

import contextlib
import pickle
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, Self

from byline.errors import ExperimentError
from byline.processes.child import SECONDS_TO_END, ChildProcess
from byline.processes.task import NamedTask, TaskOutcome, Work, execution_environment, run_task

MAX_FAILED_STARTS = 3
LOADED = "loaded"


class Pool(Protocol):
    """Processes, here or elsewhere, that do tasks; a context manager that ends all work.

    See Also
    --------
    ProcessPool : Processes on this machine.
    byline.processes.dask_pool.DaskPool : Workers of a Dask cluster.
    """

    @property
    def n_workers(self) -> int:
        """Number of tasks that are done at a time; it may change."""

    @property
    def capacity(self) -> int:
        """Number of tasks that the pool should hold so that no process has to wait."""

    def submit(self, task: NamedTask) -> None:
        """Accept a task."""

    def wait(self, seconds: float) -> list[tuple[Any, TaskOutcome]]:
        """Return the tasks that have ended, as soon as there are any or the time is over.

        Raises
        ------
        ExperimentError
            Nothing is left that could do tasks.
        """

    def __enter__(self) -> Self:
        """Start the processes."""

    def __exit__(self, *error: object) -> None:
        """End the processes and whatever they are doing."""


class ProcessPool:
    """Processes on this machine, each with one thread.

    Parameters
    ----------
    work : callable
        Called with a task. It is sent to each process once, with all the data that it holds.
    n_workers : int
        Number of processes.

    See Also
    --------
    byline.processes.dask_pool.DaskPool : The same on the machines of a Dask cluster.

    Examples
    --------
    >>> from operator import attrgetter
    >>> from types import SimpleNamespace
    >>> with ProcessPool(attrgetter("value"), n_workers=1) as pool:
    ...     pool.submit(SimpleNamespace(name="first", value=3))
    ...     ended = []
    ...     while not ended:
    ...         ended = pool.wait(seconds=10)
    >>> [(task.name, outcome.result) for task, outcome in ended]
    [('first', 3)]
    """

    def __init__(self, work: Work, n_workers: int) -> None:
        self.n_workers = n_workers
        self._payload = pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)
        self._workers: list[_Worker] = []
        self._failed_starts = 0

    @property
    def capacity(self) -> int:
        """One task per process: another one would wait behind it while a process may be idle."""
        return self.n_workers

    def __enter__(self) -> Self:
        self._workers = [_Worker() for _ in range(self.n_workers)]
        for worker in self._workers:  # only now, so that all processes start at the same time
            worker.send_work(self._payload)
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.end()

    def submit(self, task: NamedTask) -> None:
        """Give a task to an idle process; there must be one."""
        next(worker for worker in self._workers if worker.task is None).give(task)

    def wait(self, seconds: float) -> list[tuple[Any, TaskOutcome]]:
        """Return the tasks that have ended, as soon as there are any or the time is over.

        Raises
        ------
        ExperimentError
            Processes end while they start.
        """
        ready = wait([worker.pipe for worker in self._workers], seconds)
        ended: list[tuple[Any, TaskOutcome]] = []
        for worker in [worker for worker in self._workers if worker.pipe in ready]:
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                ended += self._replace(worker)
                continue
            if answer == LOADED:
                worker.loaded, self._failed_starts = True, 0
            else:
                ended.append((worker.task, answer))
                worker.task = None
        return ended

    def _replace(self, worker: _Worker) -> list[tuple[Any, TaskOutcome]]:
        """Start a new process in place of one that has ended, and return the task that it had."""
        worker.wait(SECONDS_TO_END)
        why = worker.end()
        self._failed_starts += not worker.loaded
        if self._failed_starts >= MAX_FAILED_STARTS:
            raise ExperimentError(
                f"the processes end while they start ({why}); use fewer at a time (-j), or a "
                "machine with more memory"
            )
        self._workers[self._workers.index(worker)] = new = _Worker()
        new.send_work(self._payload)
        if worker.task is None:
            return []
        if not worker.loaded:  # the task was never begun
            new.give(worker.task)
            return []
        outcome = TaskOutcome(error=why, died=True, environment=execution_environment())
        return [(worker.task, outcome)]

    @property
    def pids(self) -> list[int]:
        """The numbers of the current processes."""
        return [worker.pid for worker in self._workers]


class _Worker(ChildProcess):
    """One process of a pool, and the task that it has, if any."""

    def __init__(self) -> None:
        super().__init__(_serve)
        self.task: Any = None
        self.loaded = False

    def send_work(self, payload: bytes) -> None:
        with contextlib.suppress(OSError):  # the process has ended, which `wait` will notice
            self.pipe.send_bytes(payload)

    def give(self, task: NamedTask) -> None:
        self.task = task
        with contextlib.suppress(OSError):
            self.pipe.send(task)


def _serve(pipe: Connection) -> None:
    """Do tasks in a child process until the pipe is closed."""
    work: Work = pickle.loads(pipe.recv_bytes())  # noqa: S301
    pipe.send(LOADED)
    while True:
        pipe.send(run_task(work, pipe.recv()))
