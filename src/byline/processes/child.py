"""A child process on this machine: started afresh, connected by a pipe, watched and killed."""

from __future__ import annotations

import contextlib
import multiprocessing.connection
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

from byline.processes.threads import thread_environment

SECONDS_TO_END = 10.0
_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[2:]; "
    "from byline.processes.child import _main; _main(int(sys.argv[1]))"
)
_cleanups: list[Callable[[], object]] = []  # of this process, if it is a child


class ChildProcess:
    """A process that works for this one, with one thread for linear algebra.

    The child does not inherit this process's memory, its open files or its main module, so a script
    may start children without the ``if __name__ == "__main__"`` that `multiprocessing` requires.
    It ignores Ctrl-C, which is for this process to handle, and it ends when this process ends, for
    whatever reason. However the child ends, the end of its pipe here reports it at once.

    Parameters
    ----------
    target : callable
        A function of a module. The child calls it with its end of the pipe and ``args``.
    *args : Any
        Sent to the child by pickle.
    silent : bool
        Whether everything that the child prints is discarded.

    Attributes
    ----------
    pipe : multiprocessing.connection.Connection
        This process's end of the pipe.

    See Also
    --------
    byline.processes.pool.ProcessPool : Several children that work through a list of tasks.

    Examples
    --------
    >>> from multiprocessing.connection import Connection
    >>> child = ChildProcess(Connection.send, "hello")
    >>> child.pipe.recv()
    'hello'
    >>> child.wait(10)
    >>> child.end()
    'its process ended with exit code 0'
    """

    def __init__(self, target: Callable[..., None], *args: Any, silent: bool = False) -> None:
        self.pipe, other = multiprocessing.connection.Pipe()
        output = subprocess.DEVNULL if silent else None
        with other, _interrupts_blocked():
            self._process = _start(
                other,
                stdin=subprocess.PIPE,  # closed when this process ends, which the child waits for
                stdout=output,
                stderr=output,
                env=os.environ | thread_environment(),
            )
        with contextlib.suppress(OSError):  # it has ended already, and the pipe reports that
            self.pipe.send((target, args))

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process is still running."""
        return self._process.poll() is None

    def wait(self, seconds: float) -> None:
        """Wait until the process has ended by itself, but not longer than ``seconds``."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def kill(self) -> None:
        """Kill the process if it is running; its pipe then reports the end."""
        self._process.kill()

    def end(self) -> str:
        """Kill the process if it is running, release its resources, and describe how it ended."""
        self.kill()
        self.wait(SECONDS_TO_END)
        self.pipe.close()
        if self._process.stdin is not None:
            self._process.stdin.close()
        return _describe_end(self._process.returncode)


def at_parent_end(clean_up: Callable[[], object]) -> None:
    """Register what a child process does when the process that started it ends.

    Parameters
    ----------
    clean_up : callable
        Called in the child, even in the midst of its work, just before the child ends too.
    """
    _cleanups.append(clean_up)


def _start(other: Connection, **options: Any) -> subprocess.Popen[bytes]:
    """Start Python on `_main`, with ``other`` as the only file that it inherits."""
    handle = other.fileno()
    command = [sys.executable, "-c", _PROGRAM, str(handle), *sys.path]
    if sys.platform != "win32":
        return subprocess.Popen(command, pass_fds=[handle], **options)  # noqa: S603
    os.set_handle_inheritable(handle, True)
    startup = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})
    return subprocess.Popen(command, startupinfo=startup, **options)  # noqa: S603


def _main(handle: int) -> None:
    """Run the target that the parent process sends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    watch = threading.Thread(target=_end_with_parent, daemon=True)
    watch.start()
    pipe: Any
    if sys.platform == "win32":
        pipe = multiprocessing.connection.PipeConnection(handle)
    else:
        pipe = Connection(handle)
    try:
        target, args = pipe.recv()
        target(pipe, *args)
    except (EOFError, ConnectionError):
        watch.join()  # the parent has closed the pipe by ending; the clean-up comes first


def _end_with_parent() -> None:
    """Wait for the end of the parent process, clean up, and end this process."""
    while os.read(0, 1):
        pass
    try:
        for clean_up in _cleanups:
            clean_up()
    finally:
        os._exit(1)


def _describe_end(exit_code: int | None) -> str:
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
def _interrupts_blocked() -> Iterator[None]:
    """Let a process that starts inherit that Ctrl-C is blocked, before it can ignore it itself."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows, where it is ignored a little later
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
