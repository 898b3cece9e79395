"""The page's jobs: a bounded queue, workers that do them one after another, and what came of them.

Each worker is a process of its own with a thread here that feeds it. To stop a job its process is
killed: the pipe's end is what that thread waits for, so it takes no longer than the system needs.
"""

from __future__ import annotations

import contextlib
import itertools
import pickle
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from byline.errors import BylineError
from byline.experiments.runner.children import Child
from byline.web.folder import OwnFolder
from byline.web.jobs import Job, Kind, Result, State
from byline.web.tasks import Describe, ModelFile, Task
from byline.web.work.worker import READY, Described, Failure, Setup, Step, serve_tasks

MOST_WAITING = 32
MOST_WAITING_BYTES = 512 * 2**20
MOST_KEPT = 64
MOST_KEPT_BYTES = 128 * 2**20
SECONDS_KEPT = 6 * 3600.0
SECONDS_OF = {
    Kind.OPEN: 600.0,
    Kind.ASK: 900.0,
    Kind.ADD: 300.0,
    Kind.CHECK: 900.0,
    Kind.LEARN: 4 * 3600.0,
}
SECONDS_TO_START = 600.0
SECONDS_BETWEEN_STARTS = 2.0
MOST_FAILED_STARTS = 3

Settle = Callable[[Any], Result]


class BusyError(BylineError):
    """There are as many jobs waiting as there may be."""


class DefectError(BylineError):
    """Something is wrong in Byline itself."""

    exit_code = 70


class Gone(Exception):  # noqa: N818
    """The page is ending."""


@dataclass(slots=True)
class _Entry:
    """A job from when it is asked for until its result is no longer kept."""

    id: str
    kind: Kind
    title: str
    task: Task
    settle: Settle | None
    n_bytes: int
    asked: float
    state: State = State.WAITING
    step: Step = field(default_factory=lambda: Step(0, 0, ""))
    over: float | None = None
    failure: BylineError | None = None
    result: bytes | None = None  # as it was sent: its size is known, and it is small
    child: Child | None = None

    def end(self, state: State, failure: BylineError | None = None) -> None:
        self.state, self.failure, self.over = state, failure, time.monotonic()


class JobBoard:
    """Jobs that wait, that are under way, and that are over.

    Parameters
    ----------
    setup : Setup
        What each worker begins with.
    folder : OwnFolder
    n_workers : int
    on_defect : callable
        Takes the kind of a job that failed by a defect of Byline, and the error's name.
    """

    def __init__(
        self,
        setup: Setup,
        folder: OwnFolder,
        *,
        n_workers: int = 1,
        on_defect: Callable[[str, str], None] = lambda kind, name: None,
    ) -> None:
        self._setup = setup
        self._folder = folder
        self._on_defect = on_defect
        self._changed = threading.Condition()
        self._waiting: deque[_Entry] = deque()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._children: set[Child] = set()
        self._ending = False
        self._threads = [threading.Thread(target=self._work) for _ in range(n_workers)]
        for thread in self._threads:
            thread.start()

    def open_job(self) -> str:
        """Return the id of a job to come, once there is a folder for its files.

        Raises
        ------
        BusyError
            As many are waiting as may be.
        """
        self.check_room()
        job = secrets.token_urlsafe(16)
        self._folder.open_job(job)
        return job

    def drop_job(self, job: str) -> None:
        """Let a job that was opened never be."""
        self._folder.close_job(job)

    def check_room(self) -> None:
        """Refuse a job where as many are waiting as may be, or as large ones.

        Raises
        ------
        BusyError
        """
        with self._changed:
            n_bytes = sum(entry.n_bytes for entry in self._waiting)
            if len(self._waiting) >= MOST_WAITING or n_bytes > MOST_WAITING_BYTES:
                raise BusyError(
                    f"{len(self._waiting)} others are waiting, the most there may be; try again in "
                    "a minute"
                )

    def submit(
        self,
        job: str,
        kind: Kind,
        title: str,
        task: Task,
        *,
        settle: Settle | None = None,
        n_bytes: int = 0,
    ) -> None:
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
        entry = _Entry(job, kind, title, task, settle, n_bytes, time.monotonic())
        try:
            self.check_room()
        except BusyError:
            self.drop_job(job)
            raise
        with self._changed:
            self._forget_old()
            self._entries[job] = entry
            self._waiting.append(entry)
            self._changed.notify()

    def get(self, job: str, *, with_result: bool = True) -> Job | None:
        """Return a job as it stands, or None where there is none, or it is no longer kept."""
        with self._changed:
            self._forget_old()
            entry = self._entries.get(job)
            if entry is None:
                return None
            shown, result = self._shown(entry), entry.result
        return _with(shown, result) if with_result else shown

    def jobs(self, kind: Kind, at_most: int) -> list[Job]:
        """Return the newest jobs of a kind that are kept, newest first."""
        with self._changed:
            self._forget_old()
            found = [each for each in reversed(self._entries.values()) if each.kind is kind]
            shown = [(self._shown(each), each.result) for each in found[:at_most]]
        return [_with(job, result) for job, result in shown]

    def stop(self, job: str) -> None:
        """Stop a job, if it is not over; a process that is at it is killed."""
        with self._changed:
            entry = self._entries.get(job)
            if entry is None or entry.state.is_over:
                return
            if entry.state is State.WAITING:
                self._waiting.remove(entry)
                self._folder.close_job(job)
            entry.end(State.STOPPED)
            if entry.child is not None:
                entry.child.kill()

    def describe(self, model: ModelFile) -> Described:
        """Let a worker load a model, and wait until it has.

        Raises
        ------
        BylineError
            It cannot be loaded; of the given model also: its known texts cannot be read.
        """
        job = self.open_job()
        self.submit(job, Kind.OPEN, model.name, Describe(model))
        with self._changed:
            entry = self._entries[job]
            self._changed.wait_for(lambda: entry.state.is_over)
            del self._entries[job]
        if entry.failure is not None:
            raise entry.failure
        described: Described = pickle.loads(entry.result or b"")  # noqa: S301
        return described

    def close(self) -> None:
        """End all work and all processes."""
        with self._changed:
            self._ending = True
            self._waiting.clear()
            for child in self._children:
                child.kill()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _shown(self, entry: _Entry) -> Job:
        waits = entry.state is State.WAITING
        return Job(
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

    def _ahead(self, entry: _Entry) -> int:
        running = sum(each.state is State.RUNNING for each in self._entries.values())
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

    def _work(self) -> None:
        """Feed one worker, a new one whenever it has died, until the page ends."""
        with contextlib.suppress(Gone):
            while True:
                child = self._start()
                try:
                    self._feed(child)
                finally:
                    with self._changed:
                        self._children.discard(child)
                    child.end()

    def _start(self) -> Child:
        """Start a worker; where one dies as it starts, another one after a while."""
        for n_starts in itertools.count(1):
            child = Child(serve_tasks, self._setup)
            with self._changed:
                self._children.add(child)
                if self._ending:
                    child.kill()
            with contextlib.suppress(EOFError, OSError):
                if child.pipe.poll(SECONDS_TO_START) and child.pipe.recv() == READY:
                    return child
            with self._changed:
                self._children.discard(child)
                why = child.end()
                if self._ending:
                    break
                if n_starts >= MOST_FAILED_STARTS:
                    self._give_up(why)
                self._changed.wait(SECONDS_BETWEEN_STARTS)
        raise Gone

    def _give_up(self, why: str) -> None:
        """Fail the jobs that wait for a worker, as none can be started."""
        for entry in self._waiting:
            entry.end(State.FAILED, BylineError(f"no process for it could be started: {why}"))
            self._folder.close_job(entry.id)
        self._waiting.clear()
        self._changed.notify_all()

    def _feed(self, child: Child) -> None:
        """Give a worker one job after another, until it is no more."""
        while (entry := self._next(child)) is not None:
            try:
                self._follow(child, entry)
            finally:
                self._folder.close_job(entry.id)
                with self._changed:
                    entry.child = None
                    self._changed.notify_all()
            if entry.state is State.STOPPED:
                child.end()

    def _next(self, child: Child) -> _Entry | None:
        """Take the next job; None where the worker has died, `Gone` where there will be none."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ending)
            if self._ending:
                raise Gone
            if not child.process.is_alive():
                return None
            entry = self._waiting.popleft()
            entry.state, entry.child = State.RUNNING, child
            return entry

    def _follow(self, child: Child, entry: _Entry) -> None:
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
            self._end(entry, State.FAILED, BylineError(_too_long(entry.kind)))
            child.end()
        except (EOFError, OSError):
            why = BylineError(f"it could not be done: {child.end()}")
            self._end(entry, State.FAILED, why)

    def _take(self, entry: _Entry, answer: Any) -> None:
        """Take what a worker made of a job."""
        if isinstance(answer, Failure):
            self._fail(entry, answer)
            return
        try:
            result = entry.settle(answer) if entry.settle else answer
        except BylineError as error:
            self._fail(entry, Failure(error, ""))
            return
        entry.result = pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
        self._end(entry, State.DONE)

    def _fail(self, entry: _Entry, failure: Failure) -> None:
        error = failure.error
        if error is None:
            self._on_defect(entry.kind, failure.defect)
            error = DefectError(
                f"there is a defect in Byline ({failure.defect}); this cannot be done"
            )
        self._end(entry, State.FAILED, error)

    def _end(self, entry: _Entry, state: State, failure: BylineError | None = None) -> None:
        """Let a job be over, unless it was stopped."""
        with self._changed:
            if entry.state.is_over:
                entry.result = None
            else:
                entry.end(state, failure)


def _with(job: Job, result: bytes | None) -> Job:
    if result is None:
        return job
    return replace(job, result=pickle.loads(result))  # noqa: S301


def _too_long(kind: Kind) -> str:
    minutes = SECONDS_OF[kind] / 60
    return (
        f"it took longer than the {minutes:,.0f} minutes that the page allows; on the command line "
        "(`byline --help`) there is no limit"
    )
