"""The page's jobs: a bounded queue, those under way, and what came of those that are over."""

from __future__ import annotations

import pickle
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from byline.errors import BylineError
from byline.processes.child import ChildProcess
from byline.web.data_folder import DataFolder
from byline.web.jobs import JobKind, JobState, JobStatus, Result
from byline.web.messages import WorkerTask
from byline.web.worker.process import Step

MOST_WAITING = 32
MOST_WAITING_BYTES = 512 * 2**20
MOST_KEPT = 64
MOST_KEPT_BYTES = 128 * 2**20
SECONDS_KEPT = 6 * 3600.0

Settle = Callable[[Any], Result]


class BusyError(BylineError):
    """There are as many jobs waiting as there may be."""


@dataclass(slots=True)
class QueuedJob:
    """A job from when it is asked for until its result is no longer kept."""

    id: str
    kind: JobKind
    title: str
    task: WorkerTask
    settle: Settle | None
    n_bytes: int
    asked: float
    state: JobState = JobState.WAITING
    step: Step = field(default_factory=lambda: Step(0, 0, ""))
    over: float | None = None
    failure: BylineError | None = None
    result: bytes | None = None  # as it was sent: its size is known, and it is small
    child: ChildProcess | None = None

    def end(self, state: JobState, failure: BylineError | None = None) -> None:
        """Let it be over."""
        self.state, self.failure, self.over = state, failure, time.monotonic()


class JobQueue:
    """Jobs that wait, that are under way, and that are over; for threads to share.

    Parameters
    ----------
    folder : DataFolder
        Each job has a folder in it until it is over.
    """

    def __init__(self, folder: DataFolder) -> None:
        self.folder = folder
        self.changed = threading.Condition()
        self._waiting: deque[QueuedJob] = deque()
        self._entries: OrderedDict[str, QueuedJob] = OrderedDict()

    def open_job(self) -> str:
        """Return the id of a job to come, once there is a folder for its files.

        Raises
        ------
        BusyError
            As many are waiting as may be.
        """
        self._check_room()
        job = secrets.token_urlsafe(16)
        self.folder.open_job(job)
        return job

    def drop_job(self, job: str) -> None:
        """Let a job that was opened never be."""
        self.folder.close_job(job)

    def submit(
        self,
        job: str,
        kind: JobKind,
        title: str,
        task: WorkerTask,
        *,
        settle: Settle | None = None,
        n_bytes: int = 0,
    ) -> QueuedJob:
        """Let an opened job wait for a worker.

        Parameters
        ----------
        job : str
            As `open_job` returned it.
        kind : Kind
        title : str
        task : Task
        settle : callable, optional
            Called with what the worker made, before the job counts as done; returns its result, and
            may raise our errors. What is made in the job's folder is gone afterwards.
        n_bytes : int
            Of the files in the job's folder.

        Raises
        ------
        BusyError
            As many are waiting as may be; the job is dropped.
        """
        entry = QueuedJob(job, kind, title, task, settle, n_bytes, time.monotonic())
        with self.changed:
            try:
                self._check_room()
            except BusyError:
                self.drop_job(job)
                raise
            self._forget_old()
            self._entries[job] = entry
            self._waiting.append(entry)
            self.changed.notify_all()
        return entry

    def get(self, job: str, *, with_result: bool = True) -> JobStatus | None:
        """Return a job as it stands, or None where there is none, or it is no longer kept."""
        with self.changed:
            self._forget_old()
            entry = self._entries.get(job)
            if entry is None:
                return None
            shown, result = self._shown(entry), entry.result
        return _with(shown, result) if with_result else shown

    def jobs(self, kind: JobKind, at_most: int) -> list[JobStatus]:
        """Return the newest jobs of a kind that are kept, newest first."""
        with self.changed:
            self._forget_old()
            found = [each for each in reversed(self._entries.values()) if each.kind is kind]
            shown = [(self._shown(each), each.result) for each in found[:at_most]]
        return [_with(job, result) for job, result in shown]

    def stop(self, job: str) -> None:
        """Stop a job, if it is not over; a process that is at it is killed."""
        with self.changed:
            entry = self._entries.get(job)
            if entry is None or entry.state.is_over:
                return
            if entry.state is JobState.WAITING:
                self._waiting.remove(entry)
                self.folder.close_job(job)
            entry.end(JobState.STOPPED)
            if entry.child is not None:
                entry.child.kill()
            self.changed.notify_all()

    def take(self, child: ChildProcess) -> QueuedJob | None:
        """Give the job that has waited longest to a worker; None where none waits."""
        with self.changed:
            if not self._waiting:
                return None
            entry = self._waiting.popleft()
            entry.state, entry.child = JobState.RUNNING, child
            return entry

    def end(self, entry: QueuedJob, state: JobState, failure: BylineError | None = None) -> None:
        """Let a job that a worker has had be over, if it was not stopped meanwhile."""
        self.folder.close_job(entry.id)
        with self.changed:
            entry.child = None
            if entry.state.is_over:
                entry.result = None
            else:
                entry.end(state, failure)
            self.changed.notify_all()

    def give_up(self, why: BylineError) -> None:
        """Let all jobs that wait fail."""
        with self.changed:
            for entry in self._waiting:
                entry.end(JobState.FAILED, why)
                self.folder.close_job(entry.id)
            self._waiting.clear()
            self.changed.notify_all()

    def wait(self, entry: QueuedJob) -> Any:
        """Wait until a job is over, and forget it.

        Returns
        -------
        Any
            What came of it.

        Raises
        ------
        BylineError
            Why it failed.
        """
        with self.changed:
            self.changed.wait_for(lambda: entry.state.is_over)
            self._entries.pop(entry.id, None)
        if entry.failure is not None:
            raise entry.failure
        return pickle.loads(entry.result or b"")  # noqa: S301

    def _check_room(self) -> None:
        with self.changed:
            n_bytes = sum(entry.n_bytes for entry in self._waiting)
            if len(self._waiting) >= MOST_WAITING or n_bytes > MOST_WAITING_BYTES:
                raise BusyError(
                    f"{len(self._waiting)} others are waiting, the most there may be; try again in "
                    "a minute"
                )

    def _shown(self, entry: QueuedJob) -> JobStatus:
        waits = entry.state is JobState.WAITING
        return JobStatus(
            id=entry.id,
            kind=entry.kind,
            state=entry.state,
            title=entry.title,
            done=entry.step.done,
            total=entry.step.total,
            what=entry.step.what,
            ahead=self._ahead(entry) if waits else 0,
            seconds=(entry.over or time.monotonic()) - entry.asked,
            error=None if entry.failure is None else str(entry.failure),
        )

    def _ahead(self, entry: QueuedJob) -> int:
        running = sum(each.state is JobState.RUNNING for each in self._entries.values())
        return running + self._waiting.index(entry)

    def _forget_old(self) -> None:
        """Let go of results that are too many, too old, or too large together."""
        now = time.monotonic()
        over = [entry for entry in self._entries.values() if entry.over is not None]
        n_bytes = sum(len(entry.result or b"") for entry in over)
        for place, entry in enumerate(over):
            is_old = now - (entry.over or now) > SECONDS_KEPT
            if not (is_old or len(over) - place > MOST_KEPT or n_bytes > MOST_KEPT_BYTES):
                break
            n_bytes -= len(entry.result or b"")
            del self._entries[entry.id]


def _with(job: JobStatus, result: bytes | None) -> JobStatus:
    if result is None:
        return job
    return replace(job, result=pickle.loads(result))  # noqa: S301
