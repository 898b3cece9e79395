"""Work for the pools' tests, as the processes of a pool import it; no test itself."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from byline.errors import DivergenceError
from byline.experiments.runner.jobs import Job, JobResult


@dataclass(frozen=True)
class Task:
    """Its name says which method of `Work` does it, up to a hyphen."""

    name: str
    value: Any = None


class Work:
    """Adds, fails, dies."""

    def __init__(self, base: int) -> None:
        self.base = base
        self.n_done = 0

    def __call__(self, task: Task) -> Any:
        return getattr(self, task.name.partition("-")[0])(task.value)

    def add(self, value: int) -> tuple[int, int]:
        self.n_done += 1
        return self.base + value, self.n_done

    def sleep(self, seconds: float) -> int:
        time.sleep(seconds)
        return os.getpid()

    def environment(self, names: list[str]) -> list[str | None]:
        return [os.environ.get(name) for name in names]

    def send(self, n_bytes: int) -> bytes:
        return bytes(n_bytes)

    def diverge(self, message: str) -> None:
        raise DivergenceError(message)

    def err(self, message: str) -> None:
        raise KeyError(message)

    def hoard(self, message: None) -> None:
        raise MemoryError

    def leave(self, code: int) -> None:
        os._exit(code)

    def die(self, value: None) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def die_once(self, path: str) -> str:
        """Die unless the file is there; it is, the second time."""
        if Path(path).exists():
            return "alive"
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
        return "dead"


class Unloadable:
    """Work that ends the process which loads it."""

    def __call__(self, task: Task) -> None:
        return None

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (7,)


class JobWork:
    """What comes of jobs, by their author: most succeed; notes each job it is given.

    Parameters
    ----------
    notes : str
        Folder with a file a job, as long as there were attempts.
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
            raise DivergenceError(f"the cost of {job.name} is no number")
        return result_of(job)


def result_of(job: Job) -> JobResult:
    """Make up what a job comes to, from its name alone."""
    cost = 3.0 + sum(job.name.encode()) % 97 / 97
    record = {
        "job": job.name,
        "split": job.split,
        "seed": job.seed,
        "model": job.model,
        "author": job.author,
        "trial": job.trial,
        "settings": dict(job.settings),
        "n_lacking": 1,
        "measures": {},
        "history": [{"epoch": 1, "validation_cost": cost}],
    }
    arrays = {"log_prob": np.full(5, -cost), "n_counted": np.arange(5, dtype=np.int32)}
    return JobResult(record, {} if job.trial is not None else arrays, 0.1, 0.1)
