"""Fixtures for every test."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import typer.main

_DEFAULT = Path(__file__).resolve().parents[2] / "shared"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for `shared`; begin with what takes longest, so that no worker ends late."""
    items.sort(key=lambda item: item.path.name != "test_pages_run.py")
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker("corpora")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real corpora and oracles; where it is missing, skip the test."""
    folder = Path(os.environ.get("BYLINE_SHARED", _DEFAULT))
    if not (folder / "corpora").is_dir():
        pytest.skip(f"no corpora at {folder}; set BYLINE_SHARED to the folder that holds them")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _command_line_is_built_once() -> Iterator[None]:
    """Let Typer keep the commands that it builds, as if all tests ran one command line."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("typer.main.get_command", cache(typer.main.get_command))
        yield


@pytest.fixture(scope="session")
def programs() -> Iterator[Path]:
    """Return a folder of the programs ``python`` and ``byline``, which start without importing.

    They are described in ``preloaded_python.py``. On systems other than Linux they are the plain
    programs of the environment that is tested.
    """
    if sys.platform != "linux":
        yield Path(sys.executable).parent
        return
    # The address of a socket may have about 100 characters, which the folders of pytest exceed.
    with tempfile.TemporaryDirectory(prefix="byline-") as folder:
        command = [sys.executable, str(Path(__file__).with_name("preloaded_python.py")), folder]
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        with subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as server:
            assert server.stdin and server.stdout
            assert server.stdout.readline() == b"ready\n"
            yield Path(folder)
            server.stdin.close()


@pytest.fixture(scope="session")
def copy_of(programs: Path) -> Callable[[int], int]:
    """Return a function from a process of `programs` to the copy that works for it, if any."""

    def number(pid: int) -> int:
        record = programs / str(pid)
        return int(record.read_text()) if record.exists() else pid

    return number
