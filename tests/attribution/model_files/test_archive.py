"""Hostile archives are rejected with an error that names them, and no other error is raised."""

from __future__ import annotations

import json
import os
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import byline
from byline.attribution.model_files.archive import (
    FORMAT_VERSION,
    MANIFEST,
    ArchiveFolder,
    from_json,
    open_archive,
    to_json,
    write_archive,
)
from byline.errors import ModelFileError, OutputError

ENTRIES = {"one.json": b'{"a": 1}', "two.bin": bytes(range(64))}
Entries = list[tuple[str, bytes]]


def read_all(path: Path) -> dict[str, bytes]:
    with open_archive(path, "test") as archive:
        return {name: archive.read(name) for name in sorted(archive.names)}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "test.byline"
    write_archive(path, "test", ENTRIES.items())
    return path


def entries_of(path: Path) -> Entries:
    with zipfile.ZipFile(path) as archive:
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


def rewrite(path: Path, entries: Entries, **options: Any) -> None:
    """Write an archive without checks."""
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w", **options) as archive:
        warnings.simplefilter("ignore")  # about a duplicate name
        for name, data in entries:
            archive.writestr(name, data)


def with_manifest(change: Callable[[dict[str, Any]], object]) -> Callable[[Entries], Entries]:
    def changed(entries: Entries) -> Entries:
        manifest = json.loads(dict(entries)[MANIFEST])
        change(manifest)
        return [*entries[:-1], (MANIFEST, json.dumps(manifest).encode())]

    return changed


def test_reading_returns_what_was_written(model: Path) -> None:
    assert read_all(model) == ENTRIES
    manifest = json.loads(dict(entries_of(model))[MANIFEST])
    assert manifest["format"] == "byline-model"
    assert manifest["version"] == FORMAT_VERSION == 9
    assert manifest["byline"] == byline.__version__
    assert set(manifest["sha256"]) == set(ENTRIES)


def test_entries_with_the_same_content_are_stored_once(tmp_path: Path) -> None:
    entries = {"a": b"1" * 999, "b": b"2", "in/a": b"1" * 999, "in/c": b"1" * 999}
    path = tmp_path / "model"
    write_archive(path, "test", entries.items())
    assert [name for name, _ in entries_of(path)] == ["a", "b", MANIFEST]
    assert read_all(path) == entries
    with open_archive(path, "test") as archive:
        assert ArchiveFolder(archive, "in/").names == {"a", "c"}
    rewrite(path, entries_of(path)[1:])  # without the content of three entries
    with pytest.raises(ModelFileError, match="does not list the entries of the archive, such as"):
        read_all(path)


def test_equal_entries_give_equal_bytes(tmp_path: Path, model: Path) -> None:
    os.utime(model, (0, 0))
    write_archive(tmp_path / "again", "test", ENTRIES.items())
    assert (tmp_path / "again").read_bytes() == model.read_bytes()
    with zipfile.ZipFile(model) as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_an_existing_file_is_replaced_and_nothing_else_is_left(model: Path) -> None:
    write_archive(model, "test", [("new", b"1")])
    assert read_all(model) == {"new": b"1"}
    assert [path.name for path in model.parent.iterdir()] == ["test.byline"]
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(model.stat().st_mode) == 0o666 & ~umask


def test_a_failed_write_leaves_the_old_file(model: Path) -> None:
    def entries() -> Any:
        yield "one", b"1"
        raise MemoryError

    with pytest.raises(MemoryError):
        write_archive(model, "test", entries())
    assert read_all(model) == ENTRIES
    assert [path.name for path in model.parent.iterdir()] == ["test.byline"]


def test_a_link_remains_a_link(tmp_path: Path, model: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(model)
    write_archive(link, "test", [("new", b"1")])
    assert link.is_symlink()
    assert read_all(model) == {"new": b"1"}


def test_targets_that_cannot_be_written(tmp_path: Path, model: Path) -> None:
    for target, reason in (
        (tmp_path, "is a folder"),
        (tmp_path / "missing" / "model", "No such file"),
        (model / "inside a file", "Not a directory"),
        (Path(os.devnull), "not a regular file"),
        (tmp_path / ("x" * 300), "too long"),
        (tmp_path / "nul\0", "null"),
    ):
        with pytest.raises(OutputError, match=reason) as caught:
            write_archive(target, "test", ENTRIES.items())
        assert str(target) in str(caught.value)


def test_sources_that_cannot_be_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for source, reason in (
        (tmp_path, "is not a file"),
        (tmp_path / "pipe", "is not a file"),
        (tmp_path / "missing", "No such file"),
        (tmp_path / "nul\0", "null"),
    ):
        with pytest.raises(ModelFileError, match=reason) as caught:
            read_all(source)
        assert str(source) in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"not a model at all", b"\0" * 1000])
def test_other_files_are_rejected(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"other is not a Byline model.*put the MODEL first"):
        read_all(path)


def test_a_truncated_archive_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(b"PK")
    with pytest.raises(ModelFileError, match=r"other: the archive cannot be used: BadZipFile"):
        read_all(path)


def test_bytes_around_the_entries_are_rejected(model: Path) -> None:
    content = model.read_bytes()
    for damaged in (content + b"x", content[:-2] + b"\1\0x", b"PK" + content):
        model.write_bytes(damaged)
        with pytest.raises(ModelFileError, match=r"more than its entries|other bytes before one"):
            read_all(model)


def test_bytes_between_the_entries_are_rejected(model: Path) -> None:
    with zipfile.ZipFile(model, "w") as archive:
        for name, data in ENTRIES.items():
            info = zipfile.ZipInfo(name)
            info.extra = struct.pack("<HH20s", 0x7777, 20, b"hidden")
            archive.writestr(info, data)
        archive.writestr(MANIFEST, b"{}")
    with pytest.raises(ModelFileError, match=r"other bytes before one\.json"):
        read_all(model)


@pytest.mark.parametrize("limit", [0, 40, 200])
def test_files_too_large_for_a_simple_archive(
    limit: int, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = model.stat().st_size
    monkeypatch.setattr("zipfile.ZIP64_LIMIT", limit)
    write_archive(model, "test", ENTRIES.items())
    assert model.stat().st_size > plain
    assert read_all(model) == ENTRIES


def test_more_entries_than_a_simple_archive_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zipfile.ZIP_FILECOUNT_LIMIT", 2)
    write_archive(tmp_path / "many", "test", ENTRIES.items())
    assert read_all(tmp_path / "many") == ENTRIES


@pytest.mark.parametrize(
    ("change", "at_fault"),
    [
        (lambda e: e[:-1], f"no {MANIFEST}"),
        (lambda e: e[1:], "one.json"),
        (lambda e: [*e, ("extra", b"")], "extra"),
        (lambda e: [*e, ("../../outside", b"")], "outside"),
        (lambda e: [*e, ("/etc/absolute", b"")], "absolute"),
        (lambda e: [*e, e[0]], "the same name"),
        (lambda e: [*e, e[-1]], "the same name"),
        (lambda e: [("one.json", b'{"a": 2}'), *e[1:]], "one.json cannot be used: its checksum"),
        (lambda e: [*e[:-1], (MANIFEST, b"[]")], f"{MANIFEST} cannot be used: it contains a list"),
        (lambda e: [*e[:-1], (MANIFEST, b"{")], MANIFEST),
        (lambda e: [*e[:-1], (MANIFEST, b"\xff")], MANIFEST),
        (lambda e: [*e[:-1], (MANIFEST, b"[" * 10**6)], MANIFEST),
        (lambda e: [*e[:-1], (MANIFEST, b'{"version": NaN}')], "NaN is not a JSON number"),
        (lambda e: [*e[:-1], (MANIFEST, b'{"version": ' + b"9" * 10**5 + b"}")], MANIFEST),
        (with_manifest(lambda e: e.pop("format")), MANIFEST),
        (with_manifest(lambda e: e.update(format="other")), "not declare a Byline model"),
        (with_manifest(lambda e: e.update(version="1")), "not declare a Byline model"),
        (with_manifest(lambda e: e.update(version=True)), "not declare a Byline model"),
        (with_manifest(lambda e: e.update(version=0)), "not declare a Byline model"),
        (with_manifest(lambda e: e.update(kind=["test"])), "kind"),
        (with_manifest(lambda e: e.update(kind="other")), "of kind 'other', but 'test' is needed"),
        (with_manifest(lambda e: e.update(sha256=None)), "no table of checksums"),
        (with_manifest(lambda e: e["sha256"].pop("one.json")), "one.json"),
        (with_manifest(lambda e: e["sha256"].update({"one.json": None})), "one.json"),
    ],
)
def test_hostile_archives(change: Callable[[Entries], Entries], at_fault: str, model: Path) -> None:
    rewrite(model, change(entries_of(model)))
    with pytest.raises(ModelFileError, match=at_fault) as caught:
        read_all(model)
    assert str(model) in str(caught.value)


@pytest.mark.parametrize(
    ("version", "cure"), [(8, "train the model again"), (10, "install a newer Byline")]
)
def test_other_formats_say_what_to_do(version: int, cure: str, model: Path) -> None:
    change = with_manifest(
        lambda e: e.update(version=version, byline="7.0", sha256="in another form")
    )
    rewrite(model, change(entries_of(model)))
    expected = (
        rf"has model format {version}, written by Byline 7\.0; this .* reads format 9: {cure}"
    )
    with pytest.raises(ModelFileError, match=expected):
        read_all(model)


def test_compressed_entries_are_rejected_before_reading(model: Path) -> None:
    bomb = [("bomb", bytes(10**7)), *entries_of(model)]
    rewrite(model, bomb, compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(ModelFileError, match="bomb is compressed"):
        read_all(model)


def test_claimed_sizes_are_checked_before_reading(model: Path) -> None:
    """The central directory's entry: signature, 16 bytes on the CRC, then the two sizes."""
    content = bytearray(model.read_bytes())
    place = content.index(b"PK\x01\x02") + 20
    struct.pack_into("<II", content, place, 2**31, 2**31)
    model.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"claim 2,147,483,\d+ bytes, but the file has"):
        read_all(model)
    struct.pack_into("<II", content, place, 8, 2**31)
    model.write_bytes(content)
    with pytest.raises(ModelFileError, match="two sizes, 2147483648 and 8"):
        read_all(model)


def test_encrypted_entries_are_rejected(model: Path) -> None:
    content = bytearray(model.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    model.write_bytes(content)
    with pytest.raises(ModelFileError, match="encrypted"):
        read_all(model)


def test_one_of_several_kinds_is_required(model: Path) -> None:
    with open_archive(model, "other", "test") as archive:
        assert archive.kind == "test"
    expected = "of kind 'test', but 'one' or 'other' is needed here"
    with pytest.raises(ModelFileError, match=expected), open_archive(model, "one", "other"):
        pass


def test_entries_in_a_folder(tmp_path: Path) -> None:
    entries = {"a": b"1", "in/a": b"2", "in/b": b"3", "inner": b"4"}
    write_archive(tmp_path / "model", "test", entries.items())
    with open_archive(tmp_path / "model", "test") as archive:
        assert ArchiveFolder(archive).names == set(entries)
        folder = ArchiveFolder(archive, "in/")
        assert {name: folder.read(name) for name in folder.names} == {"a": b"2", "b": b"3"}
        with pytest.raises(ModelFileError, match=r"in/c cannot be used: it is missing"):
            folder.read("c")
        with (
            pytest.raises(ModelFileError, match=r"model: in/a cannot be used: KeyError"),
            folder.reading("a"),
        ):
            raise KeyError


def test_a_missing_entry(model: Path) -> None:
    with (
        open_archive(model, "test") as archive,
        pytest.raises(ModelFileError, match=r"three\.json cannot be used: it is missing"),
    ):
        archive.read("three.json")


@settings(
    deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data(), limit=st.sampled_from([zipfile.ZIP64_LIMIT, 40]))
def test_any_damage_is_rejected_or_harmless(data: st.DataObject, limit: int, model: Path) -> None:
    with patch("zipfile.ZIP64_LIMIT", limit):
        write_archive(model, "test", ENTRIES.items())
    content = bytearray(model.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1), label="place")
    if data.draw(st.booleans(), label="cut"):
        length = data.draw(st.integers(1, len(content)), label="length")
        del content[place : place + length]
    else:
        content[place] ^= data.draw(st.integers(1, 255), label="bits")
    model.write_bytes(content)
    try:
        assert read_all(model) == ENTRIES
    except ModelFileError as error:
        assert str(model) in str(error)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), json_values, max_size=4))
def test_json_is_restored(value: Mapping[str, Any]) -> None:
    assert from_json(to_json(value)) == value
    shuffled = dict(reversed(list(value.items())))
    assert to_json(shuffled) == to_json(value)


def test_json_allows_lone_surrogates_but_not_nan() -> None:
    assert from_json(to_json({"\udcff": 1})) == {"\udcff": 1}
    with pytest.raises(ValueError, match="Out of range"):
        to_json({"a": float("nan")})
