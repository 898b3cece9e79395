"""The jobs of the page: a bounded queue, the running jobs, and the results that are kept."""

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
from byline.web.messages import Step, WorkerTask

MAX_WAITING = 32
MAX_WAITING_BYTES = 512 * 2**20
MAX_RESULTS = 64
MAX_RESULT_BYTES = 128 * 2**20
SECONDS_KEPT = 6 * 3600.0

Finish = Callable[[Any], Result]


class BusyError(BylineError):
    """As many jobs are waiting as are allowed."""


@dataclass(slots=True)
class QueuedJob:
    """A job, from its request until its result is deleted."""

    id: str
    kind: JobKind
    title: str
    task: WorkerTask
    finish: Finish | None
    n_bytes: int
    requested: float
    state: JobState = JobState.WAITING
    step: Step = field(default_factory=lambda: Step(0, 0, ""))
    ended: float | None = None
    failure: BylineError | None = None
    result: bytes | None = None  # pickled, so that its size is known and small
    child: ChildProcess | None = None

    def end(self, state: JobState, failure: BylineError | None = None) -> None:
        """Note that the job has ended, and how."""
        self.state, self.failure, self.ended = state, failure, time.monotonic()


class JobQueue:
    """Jobs that are waiting, running or over. Several threads may use it at once.

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
        """Make a folder for the files of a new job, and return the id of the job.

        Raises
        ------
        BusyError
            As many jobs are waiting as are allowed.
        """
        self._check_capacity()
        job = secrets.token_urlsafe(16)
        self.folder.open_job(job)
        return job

    def drop_job(self, job: str) -> None:
        """Give up a job that was opened but not submitted."""
        self.folder.close_job(job)

    def submit(
        self,
        job: str,
        kind: JobKind,
        title: str,
        task: WorkerTask,
        *,
        finish: Finish | None = None,
        n_bytes: int = 0,
    ) -> QueuedJob:
        """Add an opened job to the queue.

        Parameters
        ----------
        job : str
            As `open_job` returned it.
        kind : JobKind
        title : str
        task : WorkerTask
        finish : callable, optional
            Called with what the worker returned, before the job counts as done. It returns the
            result of the job, and may raise Byline's errors. The job's folder is deleted after it.
        n_bytes : int
            The size of the files in the job's folder.

        Raises
        ------
        BusyError
            As many jobs are waiting as are allowed; the job is given up.
        """
        entry = QueuedJob(job, kind, title, task, finish, n_bytes, time.monotonic())
        with self.changed:
            try:
                self._check_capacity()
            except BusyError:
                self.drop_job(job)
                raise
            self._delete_old()
            self._entries[job] = entry
            self._waiting.append(entry)
            self.changed.notify_all()
        return entry

    def get(self, job: str, *, with_result: bool = True) -> JobStatus | None:
        """Return the status of a job; None if it does not exist or is no longer kept."""
        with self.changed:
            self._delete_old()
            entry = self._entries.get(job)
            if entry is None:
                return None
            shown, result = self._status(entry), entry.result
        return _with(shown, result) if with_result else shown

    def jobs(self, kind: JobKind, at_most: int) -> list[JobStatus]:
        """Return the latest jobs of a kind that are still kept, newest first."""
        with self.changed:
            self._delete_old()
            found = [each for each in reversed(self._entries.values()) if each.kind is kind]
            shown = [(self._status(each), each.result) for each in found[:at_most]]
        return [_with(job, result) for job, result in shown]

    def stop(self, job: str) -> None:
        """Stop a job if it is not over; a process that is doing it is killed."""
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
        """Give a worker the job that has waited longest; None if no job is waiting."""
        with self.changed:
            if not self._waiting:
                return None
            entry = self._waiting.popleft()
            entry.state, entry.child = JobState.RUNNING, child
            return entry

    def end(self, entry: QueuedJob, state: JobState, failure: BylineError | None = None) -> None:
        """Note that a worker has ended a job, unless it was stopped meanwhile."""
        self.folder.close_job(entry.id)
        with self.changed:
            entry.child = None
            if entry.state.is_over:
                entry.result = None
            else:
                entry.end(state, failure)
            self.changed.notify_all()

    def fail_all(self, why: BylineError) -> None:
        """Let all waiting jobs fail."""
        with self.changed:
            for entry in self._waiting:
                entry.end(JobState.FAILED, why)
                self.folder.close_job(entry.id)
            self._waiting.clear()
            self.changed.notify_all()

    def wait(self, entry: QueuedJob) -> Any:
        """Wait until a job is over, remove it, and return its result.

        Returns
        -------
        Any
            Its result.

        Raises
        ------
        BylineError
            The reason why it failed.
        """
        with self.changed:
            self.changed.wait_for(lambda: entry.state.is_over)
            self._entries.pop(entry.id, None)
        if entry.failure is not None:
            raise entry.failure
        return pickle.loads(entry.result or b"")  # noqa: S301

    def _check_capacity(self) -> None:
        with self.changed:
            n_bytes = sum(entry.n_bytes for entry in self._waiting)
            if len(self._waiting) >= MAX_WAITING or n_bytes > MAX_WAITING_BYTES:
                raise BusyError(
                    f"{len(self._waiting)} other jobs are waiting, the largest number allowed; try "
                    "again in a minute"
                )

    def _status(self, entry: QueuedJob) -> JobStatus:
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
            seconds=(entry.ended or time.monotonic()) - entry.requested,
            error=None if entry.failure is None else str(entry.failure),
        )

    def _ahead(self, entry: QueuedJob) -> int:
        running = sum(each.state is JobState.RUNNING for each in self._entries.values())
        return running + self._waiting.index(entry)

    def _delete_old(self) -> None:
        """Delete results that are too old, or too many or too large together."""
        now = time.monotonic()
        over = [entry for entry in self._entries.values() if entry.ended is not None]
        n_bytes = sum(len(entry.result or b"") for entry in over)
        for place, entry in enumerate(over):
            is_old = now - (entry.ended or now) > SECONDS_KEPT
            if not (is_old or len(over) - place > MAX_RESULTS or n_bytes > MAX_RESULT_BYTES):
                break
            n_bytes -= len(entry.result or b"")
            del self._entries[entry.id]


def _with(job: JobStatus, result: bytes | None) -> JobStatus:
    if result is None:
        return job
    return replace(job, result=pickle.loads(result))  # noqa: S301
