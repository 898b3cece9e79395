"""A lack of memory or of disk space is no defect, in whatever way a library reports it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from byline.cli.main import main
from byline.processes.task import run_task
from byline.shortages import is_disk_shortage, is_memory_shortage, min_memory

LACKS = (
    MemoryError(),
    OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)),
    ImportError("libgfortran.so: failed to map segment from shared object"),
    ImportError("libgfortran.so: cannot allocate memory in static TLS block"),
    ImportError("DLL load failed: The paging file is too small for this operation to complete."),
    RuntimeError("can't start new thread"),
    RuntimeError("std::bad_alloc"),
)
DEFECTS = (
    ValueError("she was out of memory"),
    RuntimeError("dictionary changed size during iteration"),
    ImportError("cannot import name 'loom'"),
    KeyError("cannot allocate memory"),
)


@pytest.mark.parametrize("error", LACKS, ids=str)
def test_lacks_of_memory_end_commands_with_advice(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(sys.modules["byline.cli.main"], "_run", fail)
    with pytest.raises(SystemExit) as ended:
        main(["demo"])
    printed = capsys.readouterr().err
    assert ended.value.code == 1
    assert printed.startswith("error: there is not enough memory: close other programs")
    assert "ulimit -v" in printed


class Task:
    name = "task"


@pytest.mark.parametrize("error", LACKS, ids=str)
def test_lacks_of_memory_end_tasks_of_other_processes(error: Exception) -> None:
    def fail(_: object) -> None:
        raise error

    outcome = run_task(fail, Task())
    assert outcome.error == "out of memory"
    assert outcome.trace is None


@pytest.mark.parametrize("error", DEFECTS, ids=str)
def test_other_errors_are_no_lack_of_memory(error: Exception) -> None:
    assert not is_memory_shortage(error)
    assert not is_disk_shortage(error)


def test_causes_count() -> None:
    try:
        try:
            raise MemoryError
        except MemoryError:
            raise ValueError("the rest is missing") from None
    except ValueError as error:
        assert is_memory_shortage(error)
    full = OSError(errno.ENOSPC, "No space left on device")
    assert is_disk_shortage(full)
    assert not is_memory_shortage(full)


def test_libraries_need_memory_for_each_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    one = min_memory()
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "8")
    assert min_memory() > one
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "all")
    assert min_memory() >= one


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited by a shell")
@pytest.mark.parametrize("command", ["train letters -o m.byline", "corpus check letters"])
def test_a_low_memory_limit_is_explained(command: str, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    limited = f"ulimit -v 280000; exec {sys.executable} -m byline {command}"
    ended = subprocess.run(
        ["/bin/sh", "-c", limited], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("error: the memory limit of 287 MB is too low for Byline")
    assert ended.stderr.count("\n") == 1
