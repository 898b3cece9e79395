"""A Python that has imported Byline already, and is copied for each command instead of started.

Importing Byline, scikit-learn and SciPy takes about two seconds of computing time, which every
process started by a test would pay. This program imports them once. It then waits at a socket for
requests of the programs ``python`` and ``byline`` that it writes into a folder: each of them sends
its arguments, folder, environment and open files, and a copy of this process (``os.fork``) does
what Python would have done. Signals are passed on, the exit code comes back, and a program that is
killed takes its copy with it. Processes that a copy starts with ``sys.executable`` are copies too.
The file FOLDER/PID, where PID is the number of a program's process, holds that of its copy.

What this cannot replace is a test of how a process starts and ends: resource limits, and files that
are closed at the start, are not passed on.

Usage: ``python preloaded_python.py FOLDER``; it ends when its standard input is closed.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import sys
import tempfile
import threading
import traceback
import types
from pathlib import Path
from typing import Any

PROGRAM = """\
#!{python} -IS
import array, json, os, signal, socket, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
PREFIX = {prefix}


def is_inherited(descriptor):
    try:
        return os.get_inheritable(descriptor)
    except OSError:
        return False


arguments = PREFIX + sys.argv[1:]
descriptors = [d for d in map(int, os.listdir("/proc/self/fd")) if d < 3 or is_inherited(d)]
can_be_copied = "".join(arguments[:1]).endswith(("-m", "-c", ".py"))
if not can_be_copied or not {{0, 1, 2}} <= set(descriptors):
    os.execv({python!r}, [{python!r}, *arguments])
server = socket.socket(socket.AF_UNIX)
server.connect(FOLDER + "/socket")
signals = {{signal.SIGINT, signal.SIGTERM, signal.SIGHUP}}
blocked = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
request = json.dumps(
    {{
        "arguments": arguments,
        "executable": FOLDER + "/python",
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "descriptors": descriptors,
        "blocked": sorted(blocked),
        "ignored": [s for s in signals if signal.getsignal(s) == signal.SIG_IGN],
    }}
).encode()
rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))
server.sendmsg([len(request).to_bytes(8, "big")], [rights])
server.sendall(request)
answers = server.makefile("r")
pid = int(answers.readline())
record = FOLDER + "/" + str(os.getpid())
with open(record + ".new", "w") as stream:
    stream.write(str(pid))
os.replace(record + ".new", record)
os.closerange(0, 3)
for number in signals:
    signal.signal(number, lambda number, frame: os.kill(pid, number))
signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
code = int(answers.readline() or -signal.SIGKILL)
if code < 0:
    signal.signal(-code, signal.SIG_DFL) if -code not in (9, 19) else None
    os.kill(os.getpid(), -code)
os._exit(code)
"""


def _write_programs(folder: Path) -> None:
    for name, prefix in {"python": [], "byline": ["-m", "byline"]}.items():
        program = folder / name
        program.write_text(PROGRAM.format(python=sys.executable, prefix=prefix))
        program.chmod(0o755)


def _import_everything() -> None:
    """Import all modules of Byline that can be imported here."""
    import byline

    for module in pkgutil.walk_packages(byline.__path__, "byline."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # of an optional library
                importlib.import_module(module.name)


def _receive(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Return a request, and the files that came with it."""
    descriptors = array.array("i")
    size, ancillary, *_ = connection.recvmsg(8, socket.CMSG_SPACE(64 * descriptors.itemsize))
    for _level, _kind, data in ancillary:
        descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
    content = b""
    while len(content) < int.from_bytes(size, "big"):
        content += connection.recv(1 << 20)
    return json.loads(content), list(descriptors)


class Server:
    """Waits for requests, and for the ends of the copies that do them."""

    def __init__(self, folder: Path) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / "socket"))
        self._listener.listen(64)
        self._connections: dict[int, socket.socket] = {}  # by process
        self._woken, self._wake = socket.socketpair()
        self._wake.setblocking(False)
        self._selector = selectors.DefaultSelector()
        for watched in (0, self._listener, self._woken):
            self._selector.register(watched, selectors.EVENT_READ)

    def serve(self) -> None:
        """Do requests until standard input is closed; in a copy, return after its request."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj == 0:
                    for pid in self._connections:
                        os.kill(pid, signal.SIGKILL)
                    return
                if key.fileobj is self._listener:
                    self._begin(self._listener.accept()[0])
                elif key.fileobj is self._woken:
                    self._woken.recv(1 << 10)
                    self._report_ends()
                elif key.data in self._connections:  # the program was killed
                    self._selector.unregister(key.fileobj)
                    os.kill(key.data, signal.SIGKILL)

    def _begin(self, connection: socket.socket) -> None:
        request, files = _receive(connection)
        pid = os.fork()
        if not pid:
            self._selector.close()
            for own in (self._listener, self._woken, self._wake, connection):
                own.close()
            for other in self._connections.values():
                other.close()
            _become(request, files)
        for file in files:
            os.close(file)
        self._connections[pid] = connection
        self._selector.register(connection, selectors.EVENT_READ, pid)
        connection.sendall(f"{pid}\n".encode())

    def _report_ends(self) -> None:
        while self._connections:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            connection = self._connections.pop(pid)
            with contextlib.suppress(KeyError):
                self._selector.unregister(connection)
            with contextlib.suppress(OSError):  # the program was killed
                connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
            connection.close()


def _become(request: dict[str, Any], files: list[int]) -> None:
    """Do in this copy what Python would have done in a process of its own."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in request["ignored"]:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, request["blocked"])
    wanted = request["descriptors"]
    moved = [_above(file, max(wanted)) for file in files]
    for file, descriptor in zip(moved, wanted, strict=True):
        os.dup2(file, descriptor)
        os.close(file)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    added = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[1:1] = [path for path in added if path and path not in sys.path]
    sys.executable = request["executable"]
    tempfile.tempdir = None  # found again, from the environment
    _open_standard_files()
    code = _exit_code_of(request["arguments"])
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError:
        code = 120
    os._exit(code)


def _above(file: int, lowest: int) -> int:
    """Move an open file to a number above all that are wanted."""
    import fcntl

    moved = fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, lowest + 1)
    os.close(file)
    return int(moved)


def _open_standard_files() -> None:
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    encoding, _, errors = os.environ.get("PYTHONIOENCODING", "utf-8").partition(":")
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    for number, name in enumerate(["stdout", "stderr"], start=1):
        stream = io.TextIOWrapper(
            open(number, "wb", -1, closefd=False),  # noqa: SIM115
            encoding=encoding,
            errors="backslashreplace" if number == 2 else errors or "strict",
            line_buffering=number == 2 or os.isatty(number),
            write_through=unbuffered,
        )
        if unbuffered:
            stream.reconfigure(line_buffering=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _exit_code_of(arguments: list[str]) -> int:
    """Run ``-m MODULE``, ``-c PROGRAM`` or ``FILE``, and return the exit code of Python."""
    option, *rest = arguments
    try:
        if option.endswith(".py"):
            sys.argv = arguments
            sys.path[0] = str(Path(option).parent.resolve())
            runpy.run_path(option, run_name="__main__")
            return 0
        program, *rest = rest
        if option == "-m":
            sys.argv = [program, *rest]
            sys.path[0] = str(Path.cwd())
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        else:
            sys.argv = ["-c", *rest]
            sys.path[0] = ""
            main = sys.modules["__main__"] = types.ModuleType("__main__")
            exec(compile(program, "<string>", "exec"), main.__dict__)  # noqa: S102
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        sys.stderr.write(f"{end.code}\n")
        return 1
    except KeyboardInterrupt:
        traceback.print_exc()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    where = Path(sys.argv[1])
    _write_programs(where)
    _import_everything()
    server = Server(where)
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    server.serve()
