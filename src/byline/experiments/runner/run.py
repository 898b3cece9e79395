"""Run an experiment: from a configuration to a folder with the results of all jobs."""

from __future__ import annotations

import functools
from pathlib import Path

from byline.experiments.runner.config import load_config
from byline.experiments.runner.job_execution import run_job
from byline.experiments.runner.loop import ALL_JOBS, JobShare, RunLoop
from byline.experiments.runner.preparation import prepare
from byline.experiments.runner.run_directory import RunDirectory
from byline.experiments.runner.status import ReportRunProgress, RunProgress
from byline.processes.dask_pool import DaskPool, check_address
from byline.processes.pool import ProcessPool


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
        Address of a Dask scheduler, ``tcp://HOST:PORT``, whose workers run the jobs instead.
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
        check_address(cluster)
    directory = RunDirectory(output)
    plan, work = prepare(load_config(config, quick=quick), directory, data=data, quick=quick)
    loop = RunLoop(plan, directory, share, progress)
    if retry_failed:
        loop.discard_failed()
    if loop.is_work_left():
        run = functools.partial(run_job, work=work)
        with (
            DaskPool(run, cluster)
            if cluster is not None
            else ProcessPool(run, min(n_jobs, loop.max_concurrent_jobs()))
        ) as pool:
            loop.run(pool)
    directory.write_records(plan.includes)
    return loop.summary()
