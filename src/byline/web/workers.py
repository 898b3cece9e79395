"""The workers that do the page's jobs, each a process with a thread here that feeds it.

To stop a job its process is killed: the end of the pipe is what the thread waits for, so that takes
no longer than the system needs.
"""

from __future__ import annotations

import contextlib
import itertools
import pickle
import threading
import time
from collections.abc import Callable
from typing import Any

from byline.errors import BylineError
from byline.processes.child import ChildProcess
from byline.web.job_queue import JobQueue, QueuedJob
from byline.web.jobs import JobKind, JobState
from byline.web.messages import Describe, ModelFile
from byline.web.worker.process import READY, Described, Failure, Setup, Step, serve_tasks

SECONDS_OF = {
    JobKind.OPEN: 600.0,
    JobKind.ASK: 1_800.0,
    JobKind.ADD: 600.0,
    JobKind.CHECK: 1_800.0,
    JobKind.LEARN: 4 * 3600.0,
}
SECONDS_TO_START = 600.0
SECONDS_BETWEEN_STARTS = 2.0
MOST_FAILED_STARTS = 3


class DefectError(BylineError):
    """Something is wrong in Byline itself."""

    exit_code = 70


class Workers:
    """Processes that do the jobs of a board one after another.

    Parameters
    ----------
    setup : Setup
        What each begins with.
    board : JobQueue
    n_workers : int
    on_defect : callable
        Takes the kind of a job that failed by a defect of Byline, and the error's name.
    """

    def __init__(
        self, setup: Setup, board: JobQueue, n_workers: int, on_defect: Callable[[str, str], None]
    ) -> None:
        self._setup = setup
        self._board = board
        self._on_defect = on_defect
        self._children: set[ChildProcess] = set()
        self._ending = False
        self._threads = [threading.Thread(target=self._work) for _ in range(n_workers)]
        for thread in self._threads:
            thread.start()

    def describe(self, model: ModelFile) -> Described:
        """Let a worker load a model, and wait until it has.

        Raises
        ------
        BylineError
            It cannot be loaded; of the given model also: its known texts cannot be read.
        """
        job = self._board.open_job()
        entry = self._board.submit(job, JobKind.OPEN, model.name, Describe(model))
        described: Described = self._board.wait(entry)
        return described

    def close(self) -> None:
        """End all work and all processes."""
        with self._board.changed:
            self._ending = True
            for child in self._children:
                child.kill()
            self._board.changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        """Feed one worker, a new one whenever it has died, until the page ends."""
        while (child := self._start()) is not None:
            try:
                while (entry := self._next(child)) is not None:
                    self._follow(child, entry)
                    if entry.state is JobState.STOPPED:  # and so it was killed, even if it was done
                        break
            finally:
                with self._board.changed:
                    self._children.discard(child)
                child.end()

    def _start(self) -> ChildProcess | None:
        """Start a worker; where one dies as it starts, another one; None where the page ends."""
        for n_starts in itertools.count(1):
            child = ChildProcess(serve_tasks, self._setup)
            with self._board.changed:
                self._children.add(child)
                if self._ending:
                    child.kill()
            with contextlib.suppress(EOFError, OSError):
                if child.pipe.poll(SECONDS_TO_START) and child.pipe.recv() == READY:
                    return child
            with self._board.changed:
                self._children.discard(child)
                why = child.end()
                if self._ending:
                    break
                if n_starts >= MOST_FAILED_STARTS:
                    self._board.give_up(BylineError(f"no process for it could be started: {why}"))
                self._board.changed.wait(SECONDS_BETWEEN_STARTS)
        return None

    def _next(self, child: ChildProcess) -> QueuedJob | None:
        """Wait for a job; None where the worker has died, or the page ends."""
        with self._board.changed:
            while not self._ending and child.process.is_alive():
                if (entry := self._board.take(child)) is not None:
                    return entry
                self._board.changed.wait()
        return None

    def _follow(self, child: ChildProcess, entry: QueuedJob) -> None:
        """Give a job to a worker, and take note of what comes of it."""
        until = time.monotonic() + SECONDS_OF[entry.kind]
        try:
            child.pipe.send(entry.task)
            while child.pipe.poll(max(0.0, until - time.monotonic())):
                answer = pickle.loads(child.pipe.recv_bytes())  # noqa: S301
                if not isinstance(answer, Step):
                    self._take(entry, answer)
                    return
                entry.step = answer
            child.end()
            self._board.end(entry, JobState.FAILED, BylineError(_too_long(entry.kind)))
        except (EOFError, OSError):
            why = child.end()
            self._board.end(entry, JobState.FAILED, BylineError(f"it could not be done: {why}"))

    def _take(self, entry: QueuedJob, answer: Any) -> None:
        """Take what a worker made of a job."""
        failure = answer.error if isinstance(answer, Failure) else None
        if isinstance(answer, Failure) and failure is None:
            self._on_defect(entry.kind, answer.defect)
            what = f"there is a defect in Byline ({answer.defect}); this cannot be done"
            failure = DefectError(what)
        if failure is None and not entry.state.is_over:
            failure = self._settle(entry, answer)
        self._board.end(entry, JobState.DONE if failure is None else JobState.FAILED, failure)

    def _settle(self, entry: QueuedJob, answer: Any) -> BylineError | None:
        """Keep what came of a job; return why that cannot be."""
        try:
            result = entry.settle(answer) if entry.settle else answer
        except BylineError as error:
            return error
        except OSError as error:  # the disk is full
            return BylineError(f"the page's folder cannot be written to: {error.strerror}")
        entry.result = pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
        return None


def _too_long(kind: JobKind) -> str:
    minutes = SECONDS_OF[kind] / 60
    return (
        f"it took longer than the {minutes:,.0f} minutes that the page allows; on the command line "
        "(`byline --help`) there is no limit"
    )
