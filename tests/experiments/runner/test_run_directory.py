"""The folder of a run: files are written completely or not at all."""

from __future__ import annotations

import errno
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from byline.errors import BylineWarning, OutputError, UsageError
from byline.experiments.runner.run_directory import RunDirectory
from byline.files import MAX_SECONDS_IN_USE

RUN_INFO: dict[str, Any] = {
    "title": "t",
    "quick": False,
    "configuration": {"a": 1},
    "authors": ["ann", "bob"],
    "corpora": {"c": {"digest": "0a1b", "n_tokens": 9}},
    "versions": {"byline": "1.0"},
    "machine": {"cores": 2},
}
PLACE = {"split": "s", "seed": 0, "model": "kn", "author": "ann", "trial": None}
RESULT = {"settings": {}, "n_unk_types": 3, "measures": {}, "history": []}
EXECUTION = {"seconds": 2.5, "cpu_seconds": 2}
ARRAYS = {"log_prob": np.array([-1.5, -2.25]), "n_counted": np.array([3, 4], dtype=np.int32)}


@pytest.fixture
def directory(tmp_path: Path) -> RunDirectory:
    directory = RunDirectory(tmp_path / "deep" / "run")
    directory.start(RUN_INFO)
    return directory


def save(directory: RunDirectory, name: str, **more: Any) -> dict[str, Any]:
    return directory.save({"job": name, **PLACE, **RESULT, **more}, ARRAYS, EXECUTION)


def test_saved_records_are_read_back(directory: RunDirectory) -> None:
    stored = save(directory, "s.0.kn.ann", cost=0.1, dims=(3, 4))
    assert stored["dims"] == [3, 4]
    assert stored["execution"]["seconds"] == 2.5
    assert RunDirectory(directory.path).read_records() == {"s.0.kn.ann": stored}
    arrays = load_file(directory.jobs / "s.0.kn.ann.safetensors")
    assert all((arrays[name] == array).all() for name, array in ARRAYS.items())
    assert directory.run_info() == RUN_INFO


def test_starting_again_keeps_the_run(directory: RunDirectory) -> None:
    directory.start({**RUN_INFO, "configuration": {"a": 2}})
    assert directory.run_info() == RUN_INFO


def test_another_run_can_replace_it(directory: RunDirectory) -> None:
    for name in ("splits/s.0.safetensors", "profile.json"):
        directory.write(name, b"old")
    other = {**RUN_INFO, "configuration": {"a": 2}}
    directory.start(other, replace=True)
    assert directory.run_info() == other
    assert [path.name for path in directory.path.rglob("*") if path.is_file()] == ["run.json"]


def test_a_replaced_run_cannot_save(directory: RunDirectory) -> None:
    other = RunDirectory(directory.path)
    other.start({**RUN_INFO, "started": "later", "machine": {"cores": 4}}, replace=True)
    save(directory, "s.0.kn.ann")  # the machine does not distinguish runs
    other.start({**RUN_INFO, "configuration": {"a": 2}}, replace=True)
    with pytest.raises(UsageError, match="has been taken over by another experiment"):
        save(directory, "s.0.kn.bob")
    assert directory.read_records().keys() == {"s.0.kn.ann"}


def test_records_are_sorted_and_without_machine(directory: RunDirectory) -> None:
    save(directory, "s.10.kn.bob")
    save(directory, "s.0.kn.bob")
    failed = {"job": "s.0.kn.ann", **PLACE, "failed": "why"}
    directory.save(failed, {}, {"seconds": 1.0})
    directory.write_records()
    lines = (directory.path / "records.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        failed,
        {"job": "s.0.kn.bob", **PLACE, **RESULT},
        {"job": "s.10.kn.bob", **PLACE, **RESULT},
    ]


def test_records_written_by_other_processes_are_included(
    directory: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(directory, "s.0.kn.ann")
    write, others = RunDirectory.write, ["s.0.kn.bob"]

    def write_while_others_save(self: RunDirectory, name: str, content: bytes) -> None:
        write(self, name, content)
        while name == "records.jsonl" and others:
            save(directory, others.pop())

    monkeypatch.setattr(RunDirectory, "write", write_while_others_save)
    directory.write_records()
    assert len((directory.path / "records.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda record, arrays: record.write_text('{"job": "s.0.kn'),
        lambda record, arrays: record.write_text('{"job": "another", "execution": {}}'),
        lambda record, arrays: record.write_text("[]"),
        lambda record, arrays: record.write_text('{"job": "s.0.kn.ann", "execution": {}}'),
        lambda record, arrays: record.write_text(record.read_text().replace("history", "story")),
        lambda record, arrays: record.write_text(record.read_text().replace('"kn"', "[]")),
        lambda record, arrays: record.write_bytes(b"\xff\xfe"),
        lambda record, arrays: arrays.write_bytes(arrays.read_bytes()[:-1]),
        lambda record, arrays: arrays.write_bytes(arrays.read_bytes()[:-1] + b"\x55"),
        lambda record, arrays: arrays.unlink(),
    ],
)
def test_a_damaged_job_counts_as_unfinished(directory: RunDirectory, damage: Any) -> None:
    save(directory, "s.0.kn.ann")
    save(directory, "s.0.kn.bob")
    damage(directory.jobs / "s.0.kn.ann.json", directory.jobs / "s.0.kn.ann.safetensors")
    with pytest.warns(BylineWarning, match=r"s\.0\.kn\.ann\.json or its arrays are damaged"):
        assert directory.read_records().keys() == {"s.0.kn.bob"}


def test_arrays_without_a_digest_count_as_damaged(directory: RunDirectory) -> None:
    stored = save(directory, "s.0.kn.ann")
    del stored["execution"]["arrays_sha256"]
    directory.write("jobs/s.0.kn.ann.json", json.dumps(stored).encode())
    assert directory.read_record("s.0.kn.ann") is None


def test_records_of_another_run_are_ignored(directory: RunDirectory) -> None:
    save(directory, "s.0.kn.ann")
    save(directory, "s.0.kn.eve", author="eve")
    with pytest.warns(BylineWarning, match=r"s\.0\.kn\.eve\.json belongs to no job of this run"):
        directory.write_records(lambda record: record["author"] == "ann")
    assert len((directory.path / "records.jsonl").read_text().splitlines()) == 1


def test_reproducible_files_are_restored(directory: RunDirectory) -> None:
    path = directory.path / "profile.json"
    directory.write_reproducible("profile.json", b"right")
    directory.write_reproducible("profile.json", b"right")
    path.write_bytes(b"wrong")
    with pytest.warns(BylineWarning, match="was damaged and has been written again"):
        directory.write_reproducible("profile.json", b"right")
    assert path.read_bytes() == b"right"
    path.unlink()
    path.mkdir()
    with pytest.raises(OutputError, match="cannot read"):
        directory.write_reproducible("profile.json", b"right")


@pytest.mark.parametrize("fails_at", [1, 2])
def test_a_full_disk_leaves_no_partial_job(
    directory: RunDirectory, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    calls = []

    def fsync(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == fails_at:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OutputError, match="No space left on device; correct this or make room"):
        save(directory, "s.0.kn.ann")
    assert directory.read_records() == {}
    assert not list(directory.path.rglob("*.tmp"))
    save(directory, "s.0.kn.ann")
    assert directory.read_records().keys() == {"s.0.kn.ann"}


def test_old_temporary_files_of_killed_runs_are_deleted(directory: RunDirectory) -> None:
    old, young = directory.jobs / ".byline-1a.tmp", directory.path / ".byline-2b.tmp"
    for path in (old, young):
        path.touch()
    hours_ago = time.time() - 2 * MAX_SECONDS_IN_USE
    os.utime(old, (hours_ago, hours_ago))
    directory.start(RUN_INFO)
    assert (old.exists(), young.exists()) == (False, True)
    assert directory.read_records() == {}


def test_a_run_killed_at_its_start_can_start_again(tmp_path: Path) -> None:
    (tmp_path / ".byline-3c.tmp").touch()
    assert RunDirectory(tmp_path).run_info() is None
    assert RunDirectory(tmp_path / "new").run_info() is None


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("letter.txt", "Dear all", "holds files that are not of a run"),
        ("run.json", "{", "cannot be read"),
        ("run.json", "[1]", "is damaged"),
        ("run.json", "{}", r"is damaged \(title: Field required\)"),
        ("run.json", json.dumps({**RUN_INFO, "authors": 3}), r"\(authors: Input should be"),
    ],
)
def test_a_folder_with_other_files_is_refused(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(UsageError, match=message):
        RunDirectory(tmp_path).run_info()


def test_a_folder_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="name another folder"):
        RunDirectory(tmp_path / "file" / "run").start(RUN_INFO)
    with pytest.raises(UsageError, match="cannot be read"):
        RunDirectory(tmp_path / "file").run_info()


def test_discarding_records(directory: RunDirectory) -> None:
    save(directory, "s.0.kn.ann")
    directory.discard(["s.0.kn.ann", "s.0.kn.bob"])
    assert directory.read_records() == {}
    (directory.jobs / "s.0.kn.bob.json").mkdir()
    with pytest.raises(OutputError, match="cannot delete"):
        directory.discard(["s.0.kn.bob"])
