"""Child processes: how they start, what they inherit, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from byline.processes.child import ChildProcess
from byline.processes.threads import thread_environment

pytestmark = pytest.mark.processes
SECONDS = 60


def test_a_child_has_one_thread_and_this_process_keeps_its_own(work: Any) -> None:
    before = dict(os.environ)
    child = ChildProcess(work.answer, "environment", list(thread_environment()))
    try:
        assert child.pipe.poll(SECONDS)
        assert child.pipe.recv() == ["1"] * len(thread_environment())
    finally:
        child.end()
    assert dict(os.environ) == before


def test_a_child_may_have_children(work: Any) -> None:
    child = ChildProcess(work.answer_by_a_child, "add", 1)
    try:
        assert child.pipe.poll(SECONDS)
        assert child.pipe.recv() == (1, 1)
    finally:
        child.end()


@pytest.mark.parametrize("silent", [True, False])
def test_what_a_silent_child_prints_is_discarded(tmp_path: Path, silent: bool) -> None:
    program = (
        "from byline.processes.child import ChildProcess\n"
        "import pool_work\n"
        f"child = ChildProcess(pool_work.shout, silent={silent})\n"
        f"child.wait({SECONDS})\n"
        "print(child.end())\n"
    )
    script = tmp_path / "script.py"
    script.write_text(program)
    folders = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": folders},
    )
    assert done.stdout.splitlines()[-1] == "its process ended with exit code 0"
    assert ("shouted" in done.stdout) is not silent
    assert ("complained" in done.stderr) is not silent


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_the_end_of_a_child_is_described(work: Any) -> None:
    child = ChildProcess(work.answer, "leave", 3)
    child.wait(SECONDS)
    assert not child.is_alive
    assert child.end() == "its process ended with exit code 3"
    child = ChildProcess(work.answer, "die", None)
    child.wait(SECONDS)
    assert child.end() == "its process was killed (SIGKILL; out of memory?)"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_child_ignores_an_interrupt_and_is_killed_at_once(work: Any) -> None:
    child = ChildProcess(work.wait_for_ever)
    assert child.pipe.recv() == "ready"
    os.kill(child.pid, signal.SIGINT)
    time.sleep(0.1)
    assert child.is_alive
    started = time.monotonic()
    child.kill()
    with pytest.raises(EOFError):
        child.pipe.recv()
    assert time.monotonic() - started < 1
    child.end()


def test_a_child_that_cannot_be_imported_ends() -> None:
    child = ChildProcess(_fail_to_load, _Unloadable(), silent=True)
    with pytest.raises(EOFError):
        child.pipe.recv()
    child.wait(SECONDS)
    assert child.end() == "its process ended with exit code 1"


def _fail_to_load(pipe: Connection, value: object) -> None:
    pipe.send(value)


class _Unloadable:
    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("no number",)
