"""Processes of this machine that work for this one: each begins new, has a pipe, ends with it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

ONE_THREAD = dict.fromkeys(
    [
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
        *("BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"),
    ],
    "1",
)
SECONDS_TO_END = 10.0
_starting = threading.Lock()  # the environment is all threads'


class ChildProcess:
    """A process of one thread, and our end of its pipe.

    Parameters
    ----------
    target : callable
        What it does: takes the pipe's other end, and ``args``. It begins with `begin`.
    *args : Any
        Are sent to it.
    """

    def __init__(self, target: Callable[..., None], *args: Any) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would share threads' locks
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=target, args=(other, *args), daemon=True)
        with _starting, _environment(ONE_THREAD), _no_interrupt():
            self.process.start()
        other.close()

    def kill(self) -> None:
        """End the process now, if it lives; the pipe tells."""
        self.process.kill()

    def end(self) -> str:
        """Kill the process, if it lives; say how it ended."""
        self.process.kill()
        self.process.join(SECONDS_TO_END)
        self.pipe.close()
        return _ending(self.process.exitcode)


def set_up_child(at_orphaning: Callable[[], None] | None = None) -> threading.Thread:
    """Begin a child: Ctrl-C is not for it, and it ends with the process that started it.

    Parameters
    ----------
    at_orphaning : callable, optional
        Called when that one is no more, be it in the midst of work, before this one ends.

    Returns
    -------
    threading.Thread
        What waits for that. A child that sees its pipe closed, and would end by itself, joins it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    watch = threading.Thread(target=_end_with_parent, args=(at_orphaning,), daemon=True)
    watch.start()
    return watch


def _end_with_parent(at_orphaning: Callable[[], None] | None) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        try:
            if at_orphaning is not None:
                at_orphaning()
        finally:
            os._exit(1)


def _ending(exit_code: int | None) -> str:
    if exit_code is None:
        return "its process cannot be ended"
    if exit_code >= 0:
        return f"its process ended with exit code {exit_code}"
    try:
        name = signal.Signals(-exit_code).name
    except ValueError:
        name = f"signal {-exit_code}"
    memory = "; out of memory?" if name == "SIGKILL" else ""
    return f"its process was killed ({name}{memory})"


@contextlib.contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Set variables that a process takes over as it starts."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Let a process that starts take over that Ctrl-C is not for it: who starts it decides."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows; there it ignores it a little later
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
