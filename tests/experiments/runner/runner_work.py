"""Work of experiments, in a module that the processes of a pool can import; not a test."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np
from pool_work import Task, Work  # type: ignore[import-not-found]

from byline.errors import DivergenceError
from byline.experiments.runner.plan import Job, JobResult

__all__ = ["JobWork", "Task", "Work", "result_of"]


class JobWork:
    """Work on jobs whose result depends on the author: most succeed. It notes each job.

    Parameters
    ----------
    notes : str
        Folder with a file per job, whose length is the number of attempts.
    """

    def __init__(self, notes: str, seconds: float = 0.0) -> None:
        self.notes = Path(notes)
        self.seconds = seconds

    def __call__(self, job: Job) -> JobResult:
        with (self.notes / job.name).open("a") as file:
            file.write("x")
        time.sleep(self.seconds)
        if job.author == "killer":
            os.kill(os.getpid(), signal.SIGKILL)
        if job.author == "diverging":
            raise DivergenceError(f"the cost of {job.name} is not a number")
        return result_of(job)


def result_of(job: Job) -> JobResult:
    """Make up the result of a job from its name."""
    cost = 3.0 + sum(job.name.encode()) % 97 / 97
    record = {
        "job": job.name,
        "split": job.split,
        "seed": job.seed,
        "model": job.model,
        "author": job.author,
        "trial": job.trial,
        "settings": dict(job.settings),
        "n_unk_types": 1,
        "measures": {},
        "history": [{"epoch": 1, "validation_cost": cost}],
    }
    arrays = {"log_prob": np.full(5, -cost), "n_counted": np.arange(5, dtype=np.int32)}
    return JobResult(record, {} if job.trial is not None else arrays, 0.1, 0.1)
