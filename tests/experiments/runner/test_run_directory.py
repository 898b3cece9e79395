"""The folder of a run: whole files or none, and nothing that is not a run's."""

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
from byline.files import SECONDS_IN_USE

MADE_BY: dict[str, Any] = {
    "title": "t",
    "quick": False,
    "configuration": {"a": 1},
    "authors": ["ann", "bob"],
    "corpora": {"c": {"digest": "0a1b", "n_tokens": 9}},
    "versions": {"byline": "1.0"},
    "machine": {"cores": 2},
}
PLACE = {"split": "s", "seed": 0, "model": "kn", "author": "ann", "trial": None}
RESULT = {"settings": {}, "n_lacking": 3, "measures": {}, "history": []}
MADE = {"seconds": 2.5, "cpu_seconds": 2}
ARRAYS = {"log_prob": np.array([-1.5, -2.25]), "n_counted": np.array([3, 4], dtype=np.int32)}


@pytest.fixture
def directory(tmp_path: Path) -> RunDirectory:
    directory = RunDirectory(tmp_path / "deep" / "run")
    directory.begin(MADE_BY)
    return directory


def save(directory: RunDirectory, name: str, **more: Any) -> dict[str, Any]:
    return directory.save({"job": name, **PLACE, **RESULT, **more}, ARRAYS, MADE)


def test_what_is_saved_is_read(directory: RunDirectory) -> None:
    stored = save(directory, "s.0.kn.ann", cost=0.1, dims=(3, 4))
    assert stored["dims"] == [3, 4]
    assert stored["made"]["seconds"] == 2.5
    assert RunDirectory(directory.path).done() == {"s.0.kn.ann": stored}
    arrays = load_file(directory.jobs / "s.0.kn.ann.safetensors")
    assert all((arrays[name] == array).all() for name, array in ARRAYS.items())
    assert directory.made_by() == MADE_BY


def test_a_run_that_began_stays_as_it_is(directory: RunDirectory) -> None:
    directory.begin({**MADE_BY, "configuration": {"a": 2}})
    assert directory.made_by() == MADE_BY


def test_another_run_can_take_its_place(directory: RunDirectory) -> None:
    for name in ("splits/s.0.safetensors", "profile.json"):
        directory.write(name, b"old")
    other = {**MADE_BY, "configuration": {"a": 2}}
    directory.begin(other, anew=True)
    assert directory.made_by() == other
    assert [path.name for path in directory.path.rglob("*") if path.is_file()] == ["run.json"]


def test_a_run_whose_place_another_takes_ends(directory: RunDirectory) -> None:
    other = RunDirectory(directory.path)
    other.begin({**MADE_BY, "begun": "later", "machine": {"cores": 4}}, anew=True)
    save(directory, "s.0.kn.ann")  # it is the same on another machine
    other.begin({**MADE_BY, "configuration": {"a": 2}}, anew=True)
    with pytest.raises(UsageError, match="is of another experiment by now"):
        save(directory, "s.0.kn.bob")
    assert directory.done().keys() == {"s.0.kn.ann"}


def test_records_are_sorted_and_say_nothing_of_the_machine(directory: RunDirectory) -> None:
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


def test_records_of_others_who_end_meanwhile(
    directory: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(directory, "s.0.kn.ann")
    write, others = RunDirectory.write, ["s.0.kn.bob"]

    def write_beside_others(self: RunDirectory, name: str, content: bytes) -> None:
        write(self, name, content)
        while name == "records.jsonl" and others:
            save(directory, others.pop())

    monkeypatch.setattr(RunDirectory, "write", write_beside_others)
    directory.write_records()
    assert len((directory.path / "records.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda record, arrays: record.write_text('{"job": "s.0.kn'),
        lambda record, arrays: record.write_text('{"job": "another", "made": {}}'),
        lambda record, arrays: record.write_text("[]"),
        lambda record, arrays: record.write_text('{"job": "s.0.kn.ann", "made": {}}'),
        lambda record, arrays: record.write_text(record.read_text().replace("history", "story")),
        lambda record, arrays: record.write_text(record.read_text().replace('"kn"', "[]")),
        lambda record, arrays: record.write_bytes(b"\xff\xfe"),
        lambda record, arrays: arrays.write_bytes(arrays.read_bytes()[:-1]),
        lambda record, arrays: arrays.write_bytes(arrays.read_bytes()[:-1] + b"\x55"),
        lambda record, arrays: arrays.unlink(),
    ],
)
def test_a_damaged_job_counts_as_not_done(directory: RunDirectory, damage: Any) -> None:
    save(directory, "s.0.kn.ann")
    save(directory, "s.0.kn.bob")
    damage(directory.jobs / "s.0.kn.ann.json", directory.jobs / "s.0.kn.ann.safetensors")
    with pytest.warns(BylineWarning, match=r"s\.0\.kn\.ann\.json or its arrays are damaged"):
        assert directory.done().keys() == {"s.0.kn.bob"}


def test_arrays_of_which_only_the_size_is_known(directory: RunDirectory) -> None:
    stored = save(directory, "s.0.kn.ann")
    del stored["made"]["arrays_sha256"]
    directory.write("jobs/s.0.kn.ann.json", json.dumps(stored).encode())
    assert directory.done() == {"s.0.kn.ann": stored}
    arrays = directory.jobs / "s.0.kn.ann.safetensors"
    arrays.write_bytes(arrays.read_bytes()[:-1])
    assert directory.job("s.0.kn.ann") is None


def test_what_is_of_another_run_is_left_out(directory: RunDirectory) -> None:
    save(directory, "s.0.kn.ann")
    save(directory, "s.0.kn.eve", author="eve")
    with pytest.warns(BylineWarning, match=r"s\.0\.kn\.eve\.json is of no job of this run"):
        directory.write_records(lambda record: record["author"] == "ann")
    assert len((directory.path / "records.jsonl").read_text().splitlines()) == 1


def test_what_can_be_made_at_any_time_is_restored(directory: RunDirectory) -> None:
    path = directory.path / "profile.json"
    directory.restore("profile.json", b"right")
    directory.restore("profile.json", b"right")
    path.write_bytes(b"wrong")
    with pytest.warns(BylineWarning, match="was damaged; it is written again"):
        directory.restore("profile.json", b"right")
    assert path.read_bytes() == b"right"
    path.unlink()
    path.mkdir()
    with pytest.raises(OutputError, match="cannot read"):
        directory.restore("profile.json", b"right")


@pytest.mark.parametrize("fails_at", [1, 2])
def test_a_full_disk_leaves_no_job_half_done(
    directory: RunDirectory, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    calls = []

    def fsync(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == fails_at:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OutputError, match="No space left on device; make room"):
        save(directory, "s.0.kn.ann")
    assert directory.done() == {}
    assert not list(directory.path.rglob("*.tmp"))
    save(directory, "s.0.kn.ann")
    assert directory.done().keys() == {"s.0.kn.ann"}


def test_what_a_killed_run_was_writing_is_deleted_when_it_is_old(directory: RunDirectory) -> None:
    old, young = directory.jobs / ".byline-1a.tmp", directory.path / ".byline-2b.tmp"
    for path in (old, young):
        path.touch()
    hours_ago = time.time() - 2 * SECONDS_IN_USE
    os.utime(old, (hours_ago, hours_ago))
    directory.begin(MADE_BY)
    assert (old.exists(), young.exists()) == (False, True)
    assert directory.done() == {}


def test_a_run_killed_as_it_began_can_begin(tmp_path: Path) -> None:
    (tmp_path / ".byline-3c.tmp").touch()
    assert RunDirectory(tmp_path).made_by() is None
    assert RunDirectory(tmp_path / "new").made_by() is None


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("letter.txt", "Dear all", "holds something else than a run"),
        ("run.json", "{", "cannot be read"),
        ("run.json", "[1]", "does not say what made the run"),
        ("run.json", "{}", r"does not say what made the run \(title: Field required\)"),
        ("run.json", json.dumps({**MADE_BY, "authors": 3}), r"\(authors: Input should be"),
    ],
)
def test_a_folder_of_something_else(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(UsageError, match=message):
        RunDirectory(tmp_path).made_by()


def test_where_no_folder_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="name another folder"):
        RunDirectory(tmp_path / "file" / "run").begin(MADE_BY)
    with pytest.raises(UsageError, match="cannot be read"):
        RunDirectory(tmp_path / "file").made_by()


def test_forgetting(directory: RunDirectory) -> None:
    save(directory, "s.0.kn.ann")
    directory.forget(["s.0.kn.ann", "s.0.kn.bob"])
    assert directory.done() == {}
    (directory.jobs / "s.0.kn.bob.json").mkdir()
    with pytest.raises(OutputError, match="cannot delete"):
        directory.forget(["s.0.kn.bob"])
