"""The worker processes that do the jobs of the page, and the threads that supply them with jobs.

A job is stopped by killing its process. The thread waits for the end of the pipe to the process, so
it notices at once.
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
from byline.web.messages import (
    READY,
    Describe,
    Failure,
    ModelDescription,
    ModelFile,
    Step,
    WorkerSettings,
)
from byline.web.worker.process import serve_tasks

MAX_SECONDS = {
    JobKind.OPEN: 600.0,
    JobKind.ASK: 1_800.0,
    JobKind.ADD: 600.0,
    JobKind.CHECK: 1_800.0,
    JobKind.TRAIN: 4 * 3600.0,
    JobKind.EXPLORE: 1_800.0,
    JobKind.ROLL: 1_800.0,
    JobKind.VERIFY: 1_800.0,
}
SECONDS_TO_START = 600.0
SECONDS_BETWEEN_STARTS = 2.0
MAX_FAILED_STARTS = 3


class DefectError(BylineError):
    """There is a defect in Byline itself."""

    exit_code = 70


class Workers:
    """Processes that do the jobs of a queue, one job at a time each.

    Parameters
    ----------
    settings : WorkerSettings
        What each process needs to start.
    queue : JobQueue
    n_workers : int
    on_defect : callable
        Called with the kind of a job that failed because of a defect, and the error's name.
    """

    def __init__(
        self,
        settings: WorkerSettings,
        queue: JobQueue,
        n_workers: int,
        on_defect: Callable[[str, str], None],
    ) -> None:
        self._settings = settings
        self._queue = queue
        self._on_defect = on_defect
        self._children: set[ChildProcess] = set()
        self._ending = False
        self._threads = [threading.Thread(target=self._work) for _ in range(n_workers)]
        for thread in self._threads:
            thread.start()

    def describe(self, model: ModelFile) -> ModelDescription:
        """Load a model in a worker, and wait for its description.

        Raises
        ------
        BylineError
            The model cannot be loaded, or the known texts of the given model cannot be read.
        """
        job = self._queue.open_job()
        entry = self._queue.submit(job, JobKind.OPEN, model.name, Describe(model))
        description: ModelDescription = self._queue.wait(entry)
        return description

    def close(self) -> None:
        """End all jobs and all processes."""
        with self._queue.changed:
            self._ending = True
            for child in self._children:
                child.kill()
            self._queue.changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        """Supply one worker with jobs, and replace it whenever it has died, until the end."""
        while (child := self._start()) is not None:
            try:
                while (entry := self._next_job(child)) is not None:
                    self._follow(child, entry)
                    if entry.state is JobState.STOPPED:  # it was killed, even if the job was done
                        break
            finally:
                with self._queue.changed:
                    self._children.discard(child)
                child.end()

    def _start(self) -> ChildProcess | None:
        """Start a worker, and another one if it dies while it starts; None if the server ends."""
        for n_starts in itertools.count(1):
            child = ChildProcess(serve_tasks, self._settings, silent=not self._settings.debug)
            with self._queue.changed:
                self._children.add(child)
                if self._ending:
                    child.kill()
            with contextlib.suppress(EOFError, OSError):
                if child.pipe.poll(SECONDS_TO_START) and child.pipe.recv() == READY:
                    return child
            with self._queue.changed:
                self._children.discard(child)
                why = child.end()
                if self._ending:
                    break
                if n_starts >= MAX_FAILED_STARTS:
                    self._queue.fail_all(BylineError(f"no process could be started: {why}"))
                self._queue.changed.wait(SECONDS_BETWEEN_STARTS)
        return None

    def _next_job(self, child: ChildProcess) -> QueuedJob | None:
        """Wait for a job; None if the worker has died or the server ends."""
        with self._queue.changed:
            while not self._ending and child.is_alive:
                if (entry := self._queue.take(child)) is not None:
                    return entry
                self._queue.changed.wait()
        return None

    def _follow(self, child: ChildProcess, entry: QueuedJob) -> None:
        """Give a job to a worker, and note its progress and its result."""
        deadline = time.monotonic() + MAX_SECONDS[entry.kind]
        try:
            child.pipe.send(entry.task)
            while child.pipe.poll(max(0.0, deadline - time.monotonic())):
                answer = pickle.loads(child.pipe.recv_bytes())  # noqa: S301
                if not isinstance(answer, Step):
                    self._end(entry, answer)
                    return
                entry.step = answer
            child.end()
            self._queue.end(entry, JobState.FAILED, BylineError(_too_long(entry.kind)))
        except (EOFError, OSError):
            why = child.end()
            self._queue.end(entry, JobState.FAILED, BylineError(f"it could not be done: {why}"))

    def _end(self, entry: QueuedJob, answer: Any) -> None:
        """End a job with the answer of its worker."""
        failure = answer.error if isinstance(answer, Failure) else None
        if isinstance(answer, Failure) and failure is None:
            self._on_defect(entry.kind, answer.defect)
            message = f"there is a defect in Byline ({answer.defect}); this cannot be done"
            failure = DefectError(message)
        if failure is None and not entry.state.is_over:
            failure = self._finish(entry, answer)
        self._queue.end(entry, JobState.DONE if failure is None else JobState.FAILED, failure)

    def _finish(self, entry: QueuedJob, answer: Any) -> BylineError | None:
        """Keep the result of a job; return an error if that is not possible."""
        try:
            result = entry.finish(answer) if entry.finish else answer
        except BylineError as error:
            return error
        except OSError as error:  # for example, the disk is full
            return BylineError(f"the folder of the page cannot be written to: {error.strerror}")
        entry.result = pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
        return None


def _too_long(kind: JobKind) -> str:
    minutes = MAX_SECONDS[kind] / 60
    return (
        f"it took longer than the {minutes:,.0f} minutes that the page allows; the command line "
        "(`byline --help`) has no such limit"
    )
