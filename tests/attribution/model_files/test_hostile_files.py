"""Model files with valid checksums that would exhaust memory are rejected before they do.

`fuzz/model_store.py` tests many more.
"""

from __future__ import annotations

import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.attribution import AuthorshipAttributor, load_attributor, save_attributor
from byline.attribution.model_files.archive import open_archive, write_archive
from byline.attribution.model_files.saving import ATTRIBUTOR
from byline.errors import ModelFileError
from byline.lm import NgramLM

Entries = dict[str, bytes]
Change = Callable[[Entries], object]
ENCODER, MODEL, ARRAYS = "encoder-0.json", "model-0-0.json", "model-0-0.safetensors"
MEBIBYTES = 8  # that reading a file of some kibibytes may allocate


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> Entries:
    texts = [f"bababa bagode dedede. {word} lolo! " * 4 for word in ("fi", "ku")]
    model = NgramLM(order=2, smoothing="witten-bell")
    path = tmp_path_factory.mktemp("model") / "tiny.byline"
    save_attributor(AuthorshipAttributor(model, n_samples=1).fit(texts, ["alder", "brook"]), path)
    with open_archive(path, ATTRIBUTOR) as archive:
        return {name: archive.read(name) for name in sorted(archive.names)}


def put(entry: str, content: bytes) -> Change:
    return lambda entries: entries.update({entry: content})


def safetensors(head: Any, body: bytes = b"") -> bytes:
    text = head if isinstance(head, bytes) else json.dumps(head).encode()
    return len(text).to_bytes(8, "little") + text + body


def array(shape: list[int], end: int = 0, dtype: str = "F64") -> dict[str, Any]:
    return {"log_probs": {"dtype": dtype, "shape": shape, "data_offsets": [0, end]}}


def with_value(entry: str, path: list[Any], value: Any) -> Change:
    def change(entries: Entries) -> None:
        root = json.loads(entries[entry])
        at = root
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
        entries[entry] = json.dumps(root).encode()

    return change


HOSTILE: dict[str, tuple[Change, str]] = {
    "lists within lists": (put(ENCODER, b"[" * 10**6), ENCODER),
    "objects within objects": (put(MODEL, b'{"a":' * 10**5), MODEL),
    "a number of many digits": (put(MODEL, b'{"kind": ' + b"9" * 10**5 + b"}"), MODEL),
    "an array of a tebibyte": (put(ARRAYS, safetensors(array([2**37], 2**40))), ARRAYS),
    "an array larger than declared": (
        put(ARRAYS, safetensors(array([2**37], 8), bytes(8))),
        ARRAYS,
    ),
    "an empty array of endless rows": (put(ARRAYS, safetensors(array([0, 2**62]))), ARRAYS),
    "a shape beyond 64 bits": (put(ARRAYS, safetensors(array([2**32, 2**33]))), ARRAYS),
    "a head longer than the file": (put(ARRAYS, b"\xff" * 7 + b"\x0f{}"), ARRAYS),
    "a head nested too deep": (put(ARRAYS, safetensors(b"[" * 10**6)), ARRAYS),
    "numbers of eight bits": (put(ARRAYS, safetensors(array([8], 8, "F8_E4M3"), bytes(8))), ARRAYS),
    "endless orders": (with_value(MODEL, ["params", "order"], 10**12), ARRAYS),
    "an endless vocabulary": (with_value(MODEL, ["params", "vocabulary_size"], 10**12), ARRAYS),
    "endless models": (
        with_value("attributor.json", ["authors", 0, "n_models"], 10**12),
        "attributor.json",
    ),
    "an encoder far away": (
        with_value("attributor.json", ["authors", 0, "encoder"], 10**12),
        "attributor.json",
    ),
}


@pytest.mark.parametrize(("change", "at_fault"), HOSTILE.values(), ids=HOSTILE)
def test_no_entry_makes_a_reader_allocate_much_memory(
    change: Change, at_fault: str, contents: Entries, tmp_path: Path
) -> None:
    entries, path = dict(contents), tmp_path / "hostile.byline"
    change(entries)
    write_archive(path, ATTRIBUTOR, entries.items())
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError) as caught:
            load_attributor(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert f"{path}: {at_fault} cannot be used" in str(caught.value)
    assert len(str(caught.value)) < 1000
    assert peak < MEBIBYTES * 2**20


def test_an_entry_that_claims_ten_gibibytes(contents: Entries, tmp_path: Path) -> None:
    path = tmp_path / "hostile.byline"
    write_archive(path, ATTRIBUTOR, contents.items())
    content = bytearray(path.read_bytes())
    # In the central directory: sizes in an extra field, with 64-bit offsets.
    start = content.index(b"PK\x01\x02")
    n_name = struct.unpack_from("<H", content, start + 28)[0]
    struct.pack_into("<II", content, start + 20, 2**32 - 1, 2**32 - 1)
    struct.pack_into("<H", content, start + 30, 20)
    extra = struct.pack("<HHQQ", 1, 16, 10 * 2**30, 10 * 2**30)
    content[start + 46 + n_name : start + 46 + n_name] = extra
    end = content.rindex(b"PK\x05\x06")
    size = struct.unpack_from("<I", content, end + 12)[0]
    struct.pack_into("<I", content, end + 12, size + len(extra))
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"claim 10,737,\d{3},\d{3} bytes, but the file has"):
        load_attributor(path)


def test_entries_that_share_their_bytes(contents: Entries, tmp_path: Path) -> None:
    path = tmp_path / "hostile.byline"
    write_archive(path, ATTRIBUTOR, contents.items())
    content = bytearray(path.read_bytes())
    second = content.index(b"PK\x01\x02", content.index(b"PK\x01\x02") + 4)
    struct.pack_into("<I", content, second + 42, 0)  # the offset of the first entry
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match="there are other bytes before"):
        load_attributor(path)


@pytest.mark.parametrize("name", ["../outside", "/outside", "a/../../outside", "C:\\outside"])
def test_names_of_entries_are_not_used_as_paths(
    name: str, contents: Entries, tmp_path: Path
) -> None:
    path = tmp_path / "in" / "hostile.byline"
    path.parent.mkdir()
    write_archive(path, ATTRIBUTOR, [*contents.items(), (name, b"x")])
    with zipfile.ZipFile(path) as archive:
        assert name in archive.namelist()
    with pytest.raises(ModelFileError, match="outside"):
        load_attributor(path)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [path]
