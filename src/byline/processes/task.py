"""One attempt at a task, in whatever process: what came of it, as data."""

from __future__ import annotations

import functools
import os
import platform
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from byline.errors import BylineError

VERSIONS_OF = ("byline", "numpy", "scipy")


class NamedTask(Protocol):
    """Anything that has a name; it is sent to another process."""

    @property
    def name(self) -> str:
        """Unique among all tasks."""


Work = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TaskOutcome:
    """What came of an attempt.

    Attributes
    ----------
    result : Any
        What the work returned; None where it failed.
    error : str or None
        Why it failed.
    died : bool
        Whether its process ended under it; that may be the task's fault or not.
    seconds, cpu_seconds : float
        Of the whole attempt; zero where the process ended.
    place : mapping
        "versions" and "machine" of the process that did it.
    trace : str or None
        Where in Byline the error is, if it is a defect of its own.
    """

    result: Any = None
    error: str | None = None
    died: bool = False
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    place: Mapping[str, Any]
    trace: str | None = None


def run_task(work: Work, task: NamedTask) -> TaskOutcome:
    """Do a task; an error is part of the outcome, so that it need not survive being sent."""
    started, cpu_started = time.perf_counter(), time.thread_time()
    result, error, trace = None, None, None
    try:
        result = work(task)
    except BylineError as failure:
        error = str(failure)
    except MemoryError:
        error = "out of memory"
    except Exception as failure:
        error = f"a defect in Byline ({type(failure).__name__}: {failure})"
        trace = traceback.format_exc()
    return TaskOutcome(
        result=result,
        error=error,
        seconds=time.perf_counter() - started,
        cpu_seconds=time.thread_time() - cpu_started,
        place=execution_environment(),
        trace=trace,
    )


@functools.cache
def execution_environment() -> dict[str, Any]:
    """Say what runs here: versions, and the machine."""
    return {"versions": library_versions(), "machine": describe_machine()}


def library_versions() -> dict[str, str]:
    """Versions of what results hang on."""
    own = {name: version(name) for name in VERSIONS_OF}
    return own | {"python": platform.python_version()}


def describe_machine() -> dict[str, Any]:
    """System, processor and number of cores; no name by which anyone could find the machine."""
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
    }


def _processor() -> str:
    """Name the processor; Linux alone keeps its name in a file."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
