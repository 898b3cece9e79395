"""Work for the tests of pools, in a module that the processes of a pool can import; not a test."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from byline.errors import DivergenceError
from byline.processes.child import ChildProcess


@dataclass(frozen=True)
class Task:
    """A task; its name up to a hyphen is the method of `Work` that does it."""

    name: str
    value: Any = None


class Work:
    """Work that adds, fails or dies, as the task demands."""

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

    def wait_for(self, path: str) -> int:
        while not Path(path).exists():
            time.sleep(0.01)
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
        """Die unless the file exists, which it does the second time."""
        if Path(path).exists():
            return "alive"
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
        return "dead"


class Unloadable:
    """Work that ends the process that unpickles it."""

    def __call__(self, task: Task) -> None:
        return None

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (7,)


def answer(pipe: Connection, name: str, value: Any) -> None:
    """Do one task and send its result."""
    pipe.send(Work(0)(Task(name, value)))


def answer_by_a_child(pipe: Connection, name: str, value: Any) -> None:
    """Let a child of this child do one task, and send its result."""
    child = ChildProcess(answer, name, value)
    pipe.send(child.pipe.recv())
    child.end()


def shout(pipe: Connection) -> None:
    """Print to both outputs."""
    sys.stdout.write("shouted\n")
    sys.stdout.flush()
    sys.stderr.write("complained\n")


def wait_for_ever(pipe: Connection) -> None:
    """Report that this process runs, and then work without reading the pipe."""
    pipe.send("ready")
    time.sleep(600)


def die_once(path: str, value: int) -> int:
    """Return the value; for 3, end the process first, the first time."""
    if value == 3 and not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return value


def diverge(message: str) -> None:
    """Fail as training does."""
    raise DivergenceError(message)
