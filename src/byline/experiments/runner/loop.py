"""The main loop of a run: hand jobs to processes and save their results until none is left."""

from __future__ import annotations

import functools
import hashlib
import re
import sys
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from byline.errors import ExperimentError, UsageError
from byline.experiments.runner.config import load_config
from byline.experiments.runner.job_execution import run_job
from byline.experiments.runner.plan import Job, JobPlan, JobResult, job_of_record
from byline.experiments.runner.preparation import prepare
from byline.experiments.runner.run_directory import RunDirectory
from byline.experiments.runner.status import JobDurations, ReportRunProgress, RunProgress, job_type
from byline.named_settings import setting
from byline.processes.dask_pool import DaskPool, check_cluster, scheduler_of
from byline.processes.pool import Pool, ProcessPool
from byline.processes.task import TaskOutcome

SECONDS_TO_WAIT = 1.0
SECONDS_BETWEEN_PLANS = 2.0
MAX_FAILURES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class JobShare:
    """One of several shares into which the jobs are divided by their names.

    Attributes
    ----------
    number, of : int
        Number of the share, from 1, and number of shares.
    """

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> JobShare:
        """Read a share such as ``"2/8"``.

        Raises
        ------
        UsageError
            The text is not a share.
        """
        match = re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", text)
        share = cls(*map(int, match.groups())) if match else None
        if share is None or share.number > share.of:
            raise UsageError(
                f"{text!r} is not a share of the jobs; write 1/8 for the first of eight shares"
            )
        return share

    def includes(self, job: Job) -> bool:
        """Whether a job belongs to this share; one share has all jobs of an author's search."""
        place = int.from_bytes(hashlib.sha256(job.share_key.encode()).digest()[:8])
        return place % self.of == self.number - 1


ALL_JOBS = JobShare()


class RunLoop:
    """Hands jobs to a pool of processes, and saves their results.

    A job whose process ended unexpectedly is a suspect. It is repeated once, after all other jobs
    and while no other job runs. If its process ends again, memory was not short because of other
    jobs, and the job has failed.

    Parameters
    ----------
    plan : JobPlan
    directory : RunDirectory
    share : JobShare
    progress : callable, optional

    Attributes
    ----------
    done : dict of name to record
        Records of finished and failed jobs, whichever process ran them.
    running : dict of name to Job
    suspects : deque of Job
    alone : Job or None
        The suspect that is running alone.
    """

    def __init__(
        self,
        plan: JobPlan,
        directory: RunDirectory,
        share: JobShare = ALL_JOBS,
        progress: ReportRunProgress | None = None,
    ) -> None:
        self.plan = plan
        self.directory = directory
        self.share = share
        self.progress = progress
        self.done: dict[str, dict[str, Any]] = directory.read_records(plan.includes)
        self.running: dict[str, Job] = {}
        self.suspects: deque[Job] = deque()
        self.alone: Job | None = None
        self.durations = JobDurations(self.done.values())
        self._count_done()
        self._update_queue()

    def is_work_left(self) -> bool:
        """Whether there are jobs to run."""
        return bool(self._queue)

    def max_concurrent_jobs(self) -> int:
        """Return the number of jobs that could run at a time; more processes would be idle."""
        search = self.plan.config.search
        if search is not None and search.settings is None:  # the number of trials is unknown
            return sys.maxsize
        return max(1, self.plan.n_total(self.done) - len(self.done))

    def run(self, pool: Pool) -> None:
        """Run all jobs; raises the errors of `Pool.wait` and `RunDirectory.save`."""
        self._hand_out(pool)
        while self.running:
            if self.progress is not None:
                self.progress(self._progress(pool.n_workers))
            ended = pool.wait(SECONDS_TO_WAIT)
            # Hand out new jobs before saving results, so that processes need not wait for the disk.
            self._hand_out(pool, len(ended))
            for job, outcome in ended:
                self._finish(job, outcome)
            self._hand_out(pool)

    def summary(self) -> RunProgress:
        """Return the progress at the end of the run.

        Raises
        ------
        ExperimentError
            Jobs failed; the message lists them.
        """
        self._update_queue()
        failed = {n: r["failed"] for n, r in self._own().items() if "failed" in r}
        if failed:
            raise ExperimentError(
                f"{len(failed)} of {self._n_total} jobs failed; all others are finished. "
                f"Run the experiment again with {setting('retry_failed', True)} to repeat them:"
                f"{_list_failures(failed)}"
            )
        return self._progress(1)

    def _hand_out(self, pool: Pool, n_ended: int = 0) -> None:
        """Fill the pool up to its capacity; ``n_ended`` of the running jobs have ended."""
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
        """Delete the records of failed jobs, and of jobs that depend on failed trials.

        Later trials were drawn from the results of earlier ones.
        """
        own = self._own()
        failed = {name: record for name, record in own.items() if "failed" in record}
        first: dict[str, int] = {}  # first failed trial per author
        for record in failed.values():
            if record["trial"] is not None:
                author, trial = record["author"], record["trial"]
                first[author] = min(trial, first.get(author, trial))
        dependent = [name for name, record in own.items() if self._depends_on(record, first)]
        names = dict.fromkeys([*dependent, *failed])
        self.directory.discard(names)
        for name in names:
            del self.done[name]
        self._count_done()
        self._update_queue()

    def _depends_on(self, record: Mapping[str, Any], first: Mapping[str, int]) -> bool:
        """Whether a job depends on the first failed trial of its author."""
        if record["author"] not in first:
            return False
        if record["trial"] is not None:
            return bool(record["trial"] > first[record["author"]])
        return self.plan.config.models[record["model"]].settings_from == "search"

    def _submit(self, pool: Pool, job: Job) -> None:
        self.running[job.name] = job
        pool.submit(job)

    def _next(self) -> Job | None:
        """Return the next job that no other process has finished in the same folder."""
        while (job := self._pop()) is not None:
            record = self.directory.read_record(job.name)
            if record is None or not self.plan.includes(record):
                return job
            self._add_record(record)
        return None

    def _pop(self) -> Job | None:
        seconds = time.monotonic() - self._planned
        if self._has_new_records and (not self._queue or seconds > SECONDS_BETWEEN_PLANS):
            self._update_queue()
        return self._queue.popleft() if self._queue else None

    def _update_queue(self) -> None:
        """Queue the jobs that can run now. This is slow if there are thousands of jobs."""
        left = [job for job in self.plan.ready(self.done) if self.share.includes(job)]
        out = {*self.running, *(job.name for job in self.suspects)}
        self._queue = deque(job for job in left if job.name not in out)
        n_later = 0  # unknown for a share of the jobs
        if self.share == ALL_JOBS:
            n_later = max(0, self.plan.n_total(self.done) - self._n_done - len(left))
        self._n_total = self._n_done + len(left) + n_later
        types = map(job_type, left)
        self._seconds_left, self._at_least = self.durations.seconds_left(types, n_later)
        self._planned, self._has_new_records = time.monotonic(), False

    def _count_done(self) -> None:
        own = self._own()
        self._n_done = len(own)
        self._n_failed = sum("failed" in record for record in own.values())

    def _own(self) -> dict[str, dict[str, Any]]:
        return {name: record for name, record in self.done.items() if self._is_own(record)}

    def _is_own(self, record: Mapping[str, Any]) -> bool:
        """Whether the job of a record belongs to this share."""
        if self.share == ALL_JOBS:
            return True
        return self.share.includes(job_of_record(record, self.plan.config))

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

    def _finish(self, job: Job, outcome: TaskOutcome) -> None:
        """Save the result of a job, or make it a suspect."""
        del self.running[job.name]
        was_alone, self.alone = self.alone is not None, None
        if outcome.died and not was_alone:
            self.suspects.append(job)
            return
        self._add_record(self._save(job, outcome))

    def _add_record(self, record: dict[str, Any]) -> None:
        """Count a job as finished or failed."""
        self.done[record["job"]] = record
        self.durations.add(record)
        self._n_done += 1
        self._n_failed += "failed" in record
        self._has_new_records = True

    def _save(self, job: Job, outcome: TaskOutcome) -> dict[str, Any]:
        if outcome.error is None:
            result = outcome.result
            return self.directory.save(result.record, result.arrays, _execution(result, outcome))
        record = {
            "job": job.name,
            "split": job.split,
            "seed": job.seed,
            "model": job.model,
            "author": job.author,
            "trial": job.trial,
            "failed": outcome.error,
        }
        execution = _execution(outcome, outcome) | {"trace": outcome.trace}
        return self.directory.save(record, {}, execution)


def _execution(timed: JobResult | TaskOutcome, outcome: TaskOutcome) -> dict[str, Any]:
    return {"seconds": timed.seconds, "cpu_seconds": timed.cpu_seconds, **outcome.environment}


def _list_failures(failed: Mapping[str, str]) -> str:
    """List failed jobs and their errors, one per line, up to a maximum."""
    lines = [f"{name}: {error}" for name, error in sorted(failed.items())]
    n_more = len(lines) - MAX_FAILURES_SHOWN
    shown = lines[:MAX_FAILURES_SHOWN] + ([f"and {n_more} more"] if n_more > 0 else [])
    return "".join(f"\n  {line}" for line in shown)


def run_experiment(
    config: Path,
    output: Path,
    *,
    data: Path,
    quick: bool = False,
    n_jobs: int = 1,
    cluster: str | None = None,
    share: JobShare = ALL_JOBS,
    retry_failed: bool = False,
    progress: ReportRunProgress | None = None,
) -> RunProgress:
    """Run all jobs of an experiment that are not finished yet.

    Parameters
    ----------
    config : path
        A TOML file.
    output : path
        Folder of the run. Jobs that are finished there are not repeated.
    data : path
        Folder from which the configuration's relative paths start.
    quick : bool
        Whether to apply the configuration's section ``[quick]``.
    n_jobs : int
        Number of processes on this machine; no more are started than there are jobs.
    cluster : str, optional
        Address of a Dask scheduler, ``tcp://HOST:PORT``, whose workers run the jobs instead; or
        ``local:N`` for a cluster of N workers on this machine.
    share : JobShare
        The share of the jobs that this call runs.
    retry_failed : bool
        Whether to repeat failed jobs, and the jobs that depend on them.
    progress : callable, optional
        Called about every second with the progress of the run.

    Returns
    -------
    RunProgress
        The progress at the end.

    Raises
    ------
    ExperimentError
        Jobs failed, and all others are finished; the message lists them. Or no process is left to
        run jobs.
    OutputError
        The folder cannot be written to. The same call resumes the run.
    CorpusError, TrainingError, UsageError
        See `prepare`.
    """
    if cluster is not None:
        check_cluster(cluster)
    directory = RunDirectory(output)
    plan, work = prepare(load_config(config, quick=quick), directory, data=data, quick=quick)
    loop = RunLoop(plan, directory, share, progress)
    if retry_failed:
        loop.discard_failed()
    if loop.is_work_left():
        run = functools.partial(run_job, work=work)
        if cluster is None:
            with ProcessPool(run, min(n_jobs, loop.max_concurrent_jobs())) as processes:
                loop.run(processes)
        else:
            with scheduler_of(cluster) as address, DaskPool(run, address) as workers:
                loop.run(workers)
    directory.write_records(plan.includes)
    return loop.summary()
