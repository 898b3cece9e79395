"""Measure the overhead of the experiment runner per job: planning, sending, receiving, writing.

Jobs sleep or compute for a given time and return the scores of 13,100 test sentences, as jobs of
the paper's experiment do. The plan is that of the paper, which starts with n-gram models.

    python benchmarks/runner.py --jobs 500 --seconds 0.2 -j 2
    python benchmarks/runner.py --jobs 500 --seconds 0.2 -j 2 --compute
"""

from __future__ import annotations

import argparse
import importlib
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.experiments.runner.config import find_config, load_config
from byline.experiments.runner.loop import RunLoop
from byline.experiments.runner.plan import Job, JobPlan, JobResult
from byline.experiments.runner.run_directory import RunDirectory
from byline.processes.pool import ProcessPool

AUTHORS = tuple(f"course-{number:02}" for number in range(1, 17))
N_SENTENCES = 13_100
N_TOKENS = 4_800_000  # of two corpora, which are sent to each process


class Work:
    """Work whose jobs take a given time.

    Parameters
    ----------
    seconds : float
    compute : bool
        Whether a job keeps its core busy for that time, or sleeps.
    """

    def __init__(self, seconds: float, *, compute: bool) -> None:
        self.seconds = seconds
        self.compute = compute
        self.tokens = np.zeros(N_TOKENS, dtype=np.int32)

    def __call__(self, job: Job) -> JobResult:
        """Spend the time and return scores."""
        started, cpu_started = time.perf_counter(), time.process_time()
        if self.compute:
            while time.process_time() - cpu_started < self.seconds:
                np.sort(self.tokens[:10_000])
        else:
            time.sleep(self.seconds)
        arrays: dict[str, NDArray[Any]] = {
            "log_prob": np.zeros(N_SENTENCES),
            "n_counted": np.zeros(N_SENTENCES, dtype=np.int32),
            "n_unknown": np.zeros(N_SENTENCES, dtype=np.int32),
        }
        record = {
            "job": job.name,
            "split": job.split,
            "seed": job.seed,
            "model": job.model,
            "author": job.author,
            "trial": job.trial,
            "history": [{"epoch": epoch, "validation_cost": 4.0} for epoch in range(1, 9)],
        }
        return JobResult(
            record, arrays, time.perf_counter() - started, time.process_time() - cpu_started
        )


class FirstJobs(JobPlan):
    """The first jobs of a plan.

    Parameters
    ----------
    n : int
    """

    def __init__(self, n: int) -> None:
        super().__init__(load_config(find_config(Path("ge_sun_2016.toml"))[0]), AUTHORS)
        self.independent_jobs = dict(list(self.independent_jobs.items())[:n])
        self.searches = ()


def main() -> None:
    """Run jobs, and print the time of the models and the overhead of the runner."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("-j", type=int, default=2, help="processes")
    parser.add_argument("--compute", action="store_true", help="keep the cores busy")
    parser.add_argument("--folder", type=Path, help="folder on the disk that is measured")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        directory = RunDirectory(Path(folder))
        directory.start({"configuration": {}})
        loop = RunLoop(FirstJobs(options.jobs), directory)
        own_cpu, started = time.process_time(), time.perf_counter()
        with ProcessPool(Work(options.seconds, compute=options.compute), options.j) as pool:
            running = time.perf_counter()
            loop.run(pool)
            ended = time.perf_counter()
        own_cpu = time.process_time() - own_cpu
    in_models = sum(record["execution"]["seconds"] for record in loop.done.values())
    n, overhead = len(loop.done), (ended - running) * options.j - in_models
    print(
        f"{n} jobs by {options.j} processes: {ended - running:.1f} s, {in_models:.1f} s in models"
    )
    print(f"overhead: {1000 * overhead / n:.2f} ms per job, {overhead / in_models:.2%}")
    print(f"CPU time of the runner: {1000 * own_cpu / n:.2f} ms per job")
    print(f"start of the processes: {running - started:.1f} s, once")


if __name__ == "__main__":
    # The processes of the pool import this module by name, so `Work` must not be in __main__.
    importlib.import_module(Path(__file__).stem).main()
