"""One task: what a process receives, how the task is done, and its outcome as data."""

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
from byline.shortages import is_memory_shortage

RECORDED_LIBRARIES = ("byline", "numpy", "scipy")


class NamedTask(Protocol):
    """A task with a name, which can be sent to another process."""

    @property
    def name(self) -> str:
        """A name that no other task has."""


Work = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TaskOutcome:
    """The result of a task, or the reason why there is none.

    Attributes
    ----------
    result : Any
        What the work returned; None if it failed.
    error : str or None
        Why it failed.
    died : bool
        Whether the process ended while it was doing the task, which may be the task's fault or not.
    seconds, cpu_seconds : float
        Time that the whole task took; zero if the process ended.
    environment : mapping
        "versions" and "machine" of the process that did the task.
    trace : str or None
        The traceback, if the error is a defect of Byline.

    See Also
    --------
    run_task : Makes one.
    """

    result: Any = None
    error: str | None = None
    died: bool = False
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    environment: Mapping[str, Any]
    trace: str | None = None


def run_task(work: Work, task: NamedTask) -> TaskOutcome:
    """Do a task. An error becomes a part of the outcome, so that it need not be picklable.

    Parameters
    ----------
    work : callable
        Called with the task.
    task : NamedTask

    Returns
    -------
    TaskOutcome

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> task = SimpleNamespace(name="division", value=0)
    >>> run_task(lambda task: 1 / task.value, task).error
    'a defect in Byline (ZeroDivisionError: division by zero)'
    """
    started, cpu_started = time.perf_counter(), time.thread_time()
    result, error, trace = None, None, None
    try:
        result = work(task)
    except BylineError as failure:
        error = str(failure)
    except Exception as failure:
        if is_memory_shortage(failure):
            error = "out of memory"
        else:
            error = f"a defect in Byline ({type(failure).__name__}: {failure})"
            trace = traceback.format_exc()
    return TaskOutcome(
        result=result,
        error=error,
        seconds=time.perf_counter() - started,
        cpu_seconds=time.thread_time() - cpu_started,
        environment=execution_environment(),
        trace=trace,
    )


@functools.cache
def execution_environment() -> dict[str, Any]:
    """Return the versions and the machine that this process runs with."""
    return {"versions": library_versions(), "machine": describe_machine()}


def library_versions() -> dict[str, str]:
    """Return the versions of the libraries that results depend on.

    Examples
    --------
    >>> sorted(library_versions())
    ['byline', 'numpy', 'python', 'scipy']
    """
    own = {name: version(name) for name in RECORDED_LIBRARIES}
    return own | {"python": platform.python_version()}


def describe_machine() -> dict[str, Any]:
    """Return the system, processor and number of cores, and nothing that identifies the machine."""
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
    }


def _processor() -> str:
    """Name the processor; only Linux keeps its name in a file."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
