"""Files that are written whole or not at all, and what is left where writing was cut off."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from byline.errors import OutputError
from byline.files import TEMPORARY, atomic_write, delete_stale_files, find_temporary_files


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def leave_behind(path: Path) -> Path:
    """Leave what a process leaves that is killed while it writes a file."""
    with atomic_write(path) as stream:
        temporary = Path(stream.name)
    path.unlink()
    temporary.write_bytes(b"half of")
    return temporary


def test_a_file_is_written_completely_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    with atomic_write(path) as stream:
        stream.write(b"one")
        assert not path.exists()
    with pytest.raises(KeyboardInterrupt), atomic_write(path) as stream:
        stream.write(b"two")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"one"
    assert names(tmp_path) == ["a.bin"]


def test_leftovers_of_a_killed_process_are_deleted_after_an_hour(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    left = leave_behind(path)
    other = leave_behind(tmp_path / "b.bin")
    assert left.match(TEMPORARY)
    assert list(find_temporary_files(path)) == [left]
    delete_stale_files(find_temporary_files(path))
    assert left.exists()  # it may be being written
    for each in (left, other):
        os.utime(each, (time.time() - 3700,) * 2)
    delete_stale_files(find_temporary_files(path))
    assert names(tmp_path) == [other.name]
    delete_stale_files([tmp_path / "gone.tmp"])


def test_a_file_name_of_the_maximum_length_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 250)
    with atomic_write(path) as stream:
        stream.write(b"whole")
    assert path.read_bytes() == b"whole"


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="it is a folder"), atomic_write(tmp_path):
        pass
