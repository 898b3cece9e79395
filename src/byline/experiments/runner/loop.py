"""The loop of a run: from the plan to processes, from them to disk, until nothing is left."""

from __future__ import annotations

import functools
import hashlib
import re
import sys
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from byline.errors import ExperimentError, UsageError
from byline.experiments.runner.jobs import Job
from byline.experiments.runner.plan import Plan
from byline.experiments.runner.recorded import is_of, job_of_record
from byline.experiments.runner.run_directory import RunDirectory
from byline.experiments.runner.status import Pace, ReportRunProgress, RunProgress, kind_of
from byline.processes.pool import Pool
from byline.processes.task import TaskOutcome


@dataclass(frozen=True, slots=True)
class Share:
    """One of several shares that all jobs are divided into by their names.

    Attributes
    ----------
    number, of : int
        Which, from 1, and of how many.
    """

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Share:
        """Read ``"2/8"``.

        Raises
        ------
        UsageError
            It is no such thing.
        """
        match = re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", text)
        share = cls(*map(int, match.groups())) if match else None
        if share is None or share.number > share.of:
            raise UsageError(f"{text!r} is no share; write 1/8, 2/8 and so on to 8/8")
        return share

    def takes(self, job: Job) -> bool:
        """Whether a job falls to this share; what hangs on one search falls to one share."""
        place = int.from_bytes(hashlib.sha256(job.share.encode()).digest()[:8])
        return place % self.of == self.number - 1


WHOLE = Share()


SECONDS_TO_WAIT = 1.0
SECONDS_BETWEEN_PLANS = 2.0
MOST_NAMED = 10


class Loop:
    """Hands jobs out, and writes down what they come to.

    A job whose process died under it is suspect. It is tried once more, when nothing else is left
    and while nothing else runs: then there was memory enough, and the fault is its own.

    Parameters
    ----------
    plan : Plan
    directory : RunDirectory
    share : Share
    progress : callable, optional

    Attributes
    ----------
    done : dict of name to record
        Of finished and failed jobs, whoever has done them.
    running : dict of name to Job
    suspects : deque of Job
    alone : Job or None
        The suspect that is being tried.
    """

    def __init__(
        self,
        plan: Plan,
        directory: RunDirectory,
        share: Share = WHOLE,
        progress: ReportRunProgress | None = None,
    ) -> None:
        self.plan = plan
        self.directory = directory
        self.share = share
        self.progress = progress
        self.is_own_run = functools.partial(is_of, plan)
        self.done: dict[str, dict[str, Any]] = directory.done(self.is_own_run)
        self.running: dict[str, Job] = {}
        self.suspects: deque[Job] = deque()
        self.alone: Job | None = None
        self.pace = Pace(self.done.values())
        self._count_done()
        self._plan_anew()

    def is_work_left(self) -> bool:
        """Whether there are jobs to hand out."""
        return bool(self._queue)

    def max_concurrent_jobs(self) -> int:
        """Count the jobs that could run side by side, at most; more processes would be idle."""
        search = self.plan.config.search
        if search is not None and search.settings is None:  # how many there will be, time decides
            return sys.maxsize
        return max(1, self.plan.n_total(self.done) - len(self.done))

    def run(self, pool: Pool) -> None:
        """Do all jobs; errors as those of `Pool.wait` and `RunDirectory.save`."""
        self._hand_out(pool)
        while self.running:
            self._tell(pool.n_workers)
            ended = pool.wait(SECONDS_TO_WAIT)
            # More work before what was done is written: processes need not wait for the disk.
            self._hand_out(pool, len(ended))
            for job, outcome in ended:
                self._take(job, outcome)
            self._hand_out(pool)

    def summary(self) -> RunProgress:
        """Say where the run stands at its end.

        Raises
        ------
        ExperimentError
            Jobs failed; they are named.
        """
        self._plan_anew()
        failed = {n: r["failed"] for n, r in self._own().items() if "failed" in r}
        if failed:
            raise ExperimentError(
                f"{len(failed)} of {self._n_total} jobs failed, and all others are done; "
                f"--retry-failed tries these again:{named(failed)}"
            )
        return self._progress(1)

    def _hand_out(self, pool: Pool, n_ended: int = 0) -> None:
        """Give the pool as many jobs as it should have; ``n_ended`` it has no more."""
        if self.alone is not None:
            return
        room = pool.capacity - len(self.running) + n_ended
        while room > 0 and (job := self._next()) is not None:
            self._submit(pool, job)
            room -= 1
        if not self.running and self.suspects:
            self.alone = self.suspects.popleft()
            self._submit(pool, self.alone)

    def discard_failed(self) -> None:
        """Forget the jobs that failed, and what hangs on those that were trials.

        Later trials were drawn around what earlier ones came to.
        """
        own = self._own()
        failed = {name: record for name, record in own.items() if "failed" in record}
        first: dict[str, int] = {}  # trial that failed, by author
        for record in failed.values():
            if record["trial"] is not None:
                author, trial = record["author"], record["trial"]
                first[author] = min(trial, first.get(author, trial))
        hanging = [name for name, record in own.items() if self._hangs_on(record, first)]
        names = dict.fromkeys([*hanging, *failed])
        self.directory.forget(names)
        for name in names:
            del self.done[name]
        self._count_done()
        self._plan_anew()

    def _hangs_on(self, record: Mapping[str, Any], first: Mapping[str, int]) -> bool:
        """Whether a job hangs on such a trial of its author."""
        if record["author"] not in first:
            return False
        if record["trial"] is not None:
            return bool(record["trial"] > first[record["author"]])
        return self.plan.config.models[record["model"]].settings_from == "search"

    def _submit(self, pool: Pool, job: Job) -> None:
        self.running[job.name] = job
        pool.submit(job)

    def _next(self) -> Job | None:
        """Take the next job that nobody else, at work in the same folder, has done by now."""
        while (job := self._pop()) is not None:
            record = self.directory.job(job.name)
            if record is None or not self.is_own_run(record):
                return job
            self._note(record)
        return None

    def _pop(self) -> Job | None:
        seconds = time.monotonic() - self._planned
        if self._news and (not self._queue or seconds > SECONDS_BETWEEN_PLANS):
            self._plan_anew()
        return self._queue.popleft() if self._queue else None

    def _plan_anew(self) -> None:
        """Find what can be done now; seldom, as a plan of thousands of jobs takes its time."""
        left = [job for job in self.plan.ready(self.done) if self.share.takes(job)]
        out = {*self.running, *(job.name for job in self.suspects)}
        self._queue = deque(job for job in left if job.name not in out)
        n_later = 0  # of a share they are not known
        if self.share == WHOLE:
            n_later = max(0, self.plan.n_total(self.done) - self._n_done - len(left))
        self._n_total = self._n_done + len(left) + n_later
        self._seconds_left, self._at_least = self.pace.left(map(kind_of, left), n_later)
        self._planned, self._news = time.monotonic(), False

    def _count_done(self) -> None:
        own = self._own()
        self._n_done = len(own)
        self._n_failed = sum("failed" in record for record in own.values())

    def _own(self) -> dict[str, dict[str, Any]]:
        return {name: record for name, record in self.done.items() if self._is_own(record)}

    def _is_own(self, record: Mapping[str, Any]) -> bool:
        """Whether the job of a record falls to this share."""
        return self.share == WHOLE or self.share.takes(job_of_record(record, self.plan.config))

    def _tell(self, n_workers: int) -> None:
        if self.progress is not None:
            self.progress(self._progress(n_workers))

    def _progress(self, n_workers: int) -> RunProgress:
        seconds = self._seconds_left
        return RunProgress(
            done=self._n_done,
            failed=self._n_failed,
            running=min(len(self.running), n_workers),
            total=self._n_total,
            seconds_left=None if seconds is None else seconds / max(1, n_workers),
            at_least=self._at_least,
        )

    def _take(self, job: Job, outcome: TaskOutcome) -> None:
        """Write down what a job came to, or suspect it."""
        del self.running[job.name]
        was_alone, self.alone = self.alone is not None, None
        if outcome.died and not was_alone:
            self.suspects.append(job)
            return
        self._note(self._save(job, outcome))

    def _note(self, stored: dict[str, Any]) -> None:
        """Count a job as done."""
        self.done[stored["job"]] = stored
        self.pace.add(stored)
        self._n_done += 1
        self._n_failed += "failed" in stored
        self._news = True

    def _save(self, job: Job, outcome: TaskOutcome) -> dict[str, Any]:
        if outcome.error is None:
            result = outcome.result
            made = {
                "seconds": result.seconds,
                "cpu_seconds": result.cpu_seconds,
                **outcome.environment,
            }
            return self.directory.save(result.record, result.arrays, made)
        record = {
            "job": job.name,
            "split": job.split,
            "seed": job.seed,
            "model": job.model,
            "author": job.author,
            "trial": job.trial,
            "failed": outcome.error,
        }
        made = {
            "seconds": outcome.seconds,
            "cpu_seconds": outcome.cpu_seconds,
            **outcome.environment,
        }
        return self.directory.save(record, {}, made | {"trace": outcome.trace})


def named(failed: Mapping[str, str]) -> str:
    """List failed jobs and why, a line each; of many, the first."""
    lines = [f"{name}: {why}" for name, why in sorted(failed.items())]
    more = len(lines) - MOST_NAMED
    shown = lines[:MOST_NAMED] + ([f"and {more} more"] if more > 0 else [])
    return "".join(f"\n  {line}" for line in shown)
