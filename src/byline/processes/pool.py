"""Processes on this machine that do tasks, and what becomes of them when one dies.

Each process has a pipe of its own. Whatever ends a process, and at whatever moment, closes its
pipe: it is known at once, it is known whose task it was, and no other process notices. (A queue
that processes share cannot tell: the executors of joblib and of the standard library wait for ever
on half of a result, when the process that was sending it is killed.)
"""

from __future__ import annotations

import contextlib
import pickle
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, Self

from byline.errors import ExperimentError
from byline.processes.child import SECONDS_TO_END, ChildProcess, set_up_child
from byline.processes.task import NamedTask, TaskOutcome, Work, execution_environment, run_task

MOST_FAILED_STARTS = 3
LOADED = "loaded"


class Pool(Protocol):
    """Processes, here or elsewhere, that do tasks. It is a context; leaving it ends all work."""

    @property
    def n_workers(self) -> int:
        """Tasks that are done at a time; it may change."""

    @property
    def capacity(self) -> int:
        """Tasks that it should hold at a time, so that no process waits."""

    def submit(self, task: NamedTask) -> None:
        """Take a task."""

    def wait(self, seconds: float) -> list[tuple[Any, TaskOutcome]]:
        """Give the tasks that came to an end, once there are some or the time is over.

        Raises
        ------
        ExperimentError
            There is nothing any more that could do tasks.
        """

    def __enter__(self) -> Self:
        """Start."""

    def __exit__(self, *error: object) -> None:
        """End, whatever is under way."""


class ProcessPool:
    """Processes on this machine, one thread each.

    Parameters
    ----------
    work : callable
        Takes a task; it is sent to each process once, with all that it holds.
    n_workers : int
    """

    def __init__(self, work: Work, n_workers: int) -> None:
        self.n_workers = n_workers
        self._payload = pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)
        self._workers: list[_Worker] = []
        self._failed_starts = 0

    @property
    def capacity(self) -> int:
        """One task a process: another would wait behind it, though a process may be idle."""
        return self.n_workers

    def __enter__(self) -> Self:
        self._workers = [_Worker() for _ in range(self.n_workers)]
        for worker in self._workers:  # only now, so that all of them start at the same time
            worker.send_work(self._payload)
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.end()

    def submit(self, task: NamedTask) -> None:
        """Give a task to a process that has none; there must be one."""
        next(worker for worker in self._workers if worker.task is None).give(task)

    def wait(self, seconds: float) -> list[tuple[Any, TaskOutcome]]:
        """Give the tasks that came to an end, once there are some or the time is over.

        Raises
        ------
        ExperimentError
            Processes end as they start.
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
        """Put a new process in the place of one that ended; give the task that it was at."""
        worker.process.join(SECONDS_TO_END)
        why = worker.end()
        self._failed_starts += not worker.loaded
        if self._failed_starts >= MOST_FAILED_STARTS:
            raise ExperimentError(
                f"processes end as they start ({why}); try fewer at a time (-j), or a machine with "
                "more memory"
            )
        self._workers[self._workers.index(worker)] = new = _Worker()
        new.send_work(self._payload)
        if worker.task is None:
            return []
        if not worker.loaded:  # the task never began
            new.give(worker.task)
            return []
        return [(worker.task, TaskOutcome(error=why, died=True, place=execution_environment()))]

    @property
    def pids(self) -> list[int]:
        """Processes that there are now."""
        return [worker.process.pid or 0 for worker in self._workers]


class _Worker(ChildProcess):
    """Our side of one process: its pipe, and the task that it has, if any."""

    def __init__(self) -> None:
        super().__init__(serve)
        self.task: Any = None
        self.loaded = False

    def send_work(self, payload: bytes) -> None:
        with contextlib.suppress(OSError):  # it is no more, which `wait` will see
            self.pipe.send_bytes(payload)

    def give(self, task: NamedTask) -> None:
        self.task = task
        with contextlib.suppress(OSError):
            self.pipe.send(task)


def serve(pipe: Connection) -> None:
    """Do tasks, in a process of its own, until the other end of the pipe is closed."""
    set_up_child()
    with contextlib.suppress(EOFError, OSError):
        work: Work = pickle.loads(pipe.recv_bytes())  # noqa: S301
        pipe.send(LOADED)
        while True:
            pipe.send(run_task(work, pipe.recv()))
