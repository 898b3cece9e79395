"""A run: from a configuration to a folder in which every job is done."""

from __future__ import annotations

import functools
from pathlib import Path

from byline.experiments.runner.config import load_config
from byline.experiments.runner.job_execution import run_job
from byline.experiments.runner.loop import WHOLE, Loop, Share
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
    share: Share = WHOLE,
    retry_failed: bool = False,
    progress: ReportRunProgress | None = None,
) -> RunProgress:
    """Do all jobs of an experiment that are not done yet.

    Parameters
    ----------
    config : path
        A TOML file.
    output : path
        Folder of the run; what is done there is not done again.
    data : path
        Where the configuration's relative paths start.
    quick : bool
        Whether the configuration's section ``[quick]`` counts.
    n_jobs : int
        Processes on this machine; no more are started than there are jobs.
    cluster : str, optional
        Address of a Dask scheduler, ``tcp://HOST:PORT``, whose workers do the jobs instead.
    share : Share
        Jobs that this call is to do.
    retry_failed : bool
        Whether jobs that failed are done again, and what hangs on them.
    progress : callable, optional
        Is told where the run stands, every second or so.

    Returns
    -------
    RunProgress
        Where the run stands at the end.

    Raises
    ------
    ExperimentError
        Jobs failed, which are named; all others are done. Or nothing is there to do them.
    OutputError
        The folder cannot be written to; the same call goes on from there.
    CorpusError, TrainingError, UsageError
        As `prepare` has it.
    """
    if cluster is not None:
        check_address(cluster)
    directory = RunDirectory(output)
    plan, work = prepare(load_config(config, quick=quick), directory, data=data, quick=quick)
    loop = Loop(plan, directory, share, progress)
    if retry_failed:
        loop.discard_failed()
    if loop.is_work_left():
        do = functools.partial(run_job, work=work)
        with (
            DaskPool(do, cluster)
            if cluster is not None
            else ProcessPool(do, min(n_jobs, loop.max_concurrent_jobs()))
        ) as pool:
            loop.run(pool)
    directory.write_records(loop.is_own_run)
    return loop.summary()
