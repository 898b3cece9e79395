"""What learning and attributing cost, in this process and in those that it starts."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from joblib.externals.loky import get_reusable_executor


@dataclass(slots=True)
class Cost:
    """Seconds of all folds together.

    Attributes
    ----------
    learning, attributing : float
        CPU seconds. Those of other processes are counted as learning, which is all that they do; on
        Windows, which does not tell, they are left out.
    wall : float
        Seconds of both that went by.
    """

    learning: float = 0.0
    attributing: float = 0.0
    wall: float = 0.0

    @contextmanager
    def of(self, stage: str) -> Iterator[None]:
        """Add what is spent inside, in this process, to ``"learning"`` or ``"attributing"``."""
        cpu, wall = time.process_time(), time.perf_counter()
        yield
        setattr(self, stage, getattr(self, stage) + time.process_time() - cpu)
        self.wall += time.perf_counter() - wall

    @contextmanager
    def of_workers(self) -> Iterator[None]:
        """Add what processes spend that are started inside, which are ended to know it."""
        _end_workers()
        before = _seconds_of_ended_processes()
        yield
        _end_workers()
        self.learning += _seconds_of_ended_processes() - before


def _end_workers() -> None:
    """End the processes that wait for the next call of joblib."""
    get_reusable_executor(reuse=True).shutdown(wait=True)


def _seconds_of_ended_processes() -> float:
    if sys.platform == "win32":
        return 0.0
    from resource import RUSAGE_CHILDREN, getrusage

    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
