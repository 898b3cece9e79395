"""Processes on this machine that do tasks, and what becomes of them when one dies.

Each process has a pipe of its own. Whatever ends a process, and at whatever moment, closes its
pipe: it is known at once, it is known whose task it was, and no other process notices. (A queue
that processes share cannot tell: the executors of joblib and of the standard library wait for ever
on half of a result, when the process that was sending it is killed.)
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, Self

from byline.errors import ExperimentError
from byline.experiments.runner.attempts import Outcome, Task, Work, attempt, here

ONE_THREAD = dict.fromkeys(
    [
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
        *("BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"),
    ],
    "1",
)
MOST_FAILED_STARTS = 3
SECONDS_TO_END = 10.0
LOADED = "loaded"


class Pool(Protocol):
    """Processes, here or elsewhere, that do tasks. It is a context; leaving it ends all work."""

    @property
    def n_workers(self) -> int:
        """Tasks that are done at a time; it may change."""

    @property
    def capacity(self) -> int:
        """Tasks that it should hold at a time, so that no process waits."""

    def submit(self, task: Task) -> None:
        """Take a task."""

    def wait(self, seconds: float) -> list[tuple[Any, Outcome]]:
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
            worker.process.kill()
        for worker in self._workers:
            worker.end()

    def submit(self, task: Task) -> None:
        """Give a task to a process that has none; there must be one."""
        next(worker for worker in self._workers if worker.task is None).give(task)

    def wait(self, seconds: float) -> list[tuple[Any, Outcome]]:
        """Give the tasks that came to an end, once there are some or the time is over.

        Raises
        ------
        ExperimentError
            Processes end as they start.
        """
        ready = wait([worker.pipe for worker in self._workers], seconds)
        ended: list[tuple[Any, Outcome]] = []
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

    def _replace(self, worker: _Worker) -> list[tuple[Any, Outcome]]:
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
        return [(worker.task, Outcome(error=why, died=True, place=here()))]

    @property
    def pids(self) -> list[int]:
        """Processes that there are now."""
        return [worker.process.pid or 0 for worker in self._workers]


class _Worker:
    """Our side of one process: its pipe, and the task that it has, if any."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would share threads' locks
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(other,), daemon=True)
        self.task: Any = None
        self.loaded = False
        with _environment(ONE_THREAD), _no_interrupt():
            self.process.start()
        other.close()

    def send_work(self, payload: bytes) -> None:
        with contextlib.suppress(OSError):  # it is no more, which `wait` will see
            self.pipe.send_bytes(payload)

    def give(self, task: Task) -> None:
        self.task = task
        with contextlib.suppress(OSError):
            self.pipe.send(task)

    def end(self) -> str:
        """Kill the process, if it lives; say how it ended."""
        self.process.kill()
        self.process.join(SECONDS_TO_END)
        self.pipe.close()
        return _ending(self.process.exitcode)


def serve(pipe: Connection) -> None:
    """Do tasks, in a process of its own, until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        work: Work = pickle.loads(pipe.recv_bytes())  # noqa: S301
        pipe.send(LOADED)
        while True:
            pipe.send(attempt(work, pipe.recv()))


def _end_with_parent() -> None:
    """End this process when the one that started it is no more, be it in the midst of a task."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _ending(exit_code: int | None) -> str:
    if exit_code is None:
        return "its process cannot be ended"
    if exit_code >= 0:
        return f"its process ended with exit code {exit_code}"
    try:
        name = signal.Signals(-exit_code).name
    except ValueError:
        name = f"signal {-exit_code}"
    memory = "; out of memory?" if name == "SIGKILL" else ""
    return f"its process was killed ({name}{memory})"


@contextlib.contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Set variables that a process takes over as it starts."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Let a process that starts take over that Ctrl-C is not for it: who starts it decides."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows; there it ignores it a little later
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
