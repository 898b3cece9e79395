"""Change the members of model files, and update the checksums."""

from __future__ import annotations

import hashlib
import io
import json
import random
import struct
import warnings
import zipfile
from typing import Any

import atheris
from documents import change_json, change_value

MANIFEST = "manifest.json"
Members = list[tuple[str, bytes]]
SHAPES: list[list[int]] = [
    [],
    [0],
    [1],
    [0, 2**62],
    [2**32, 2**32],
    [10**10],
    [1, 1],
    [-1],
    [2**64],
]
TYPES = ["F64", "F32", "F16", "BF16", "I64", "I32", "U8", "U64", "BOOL", "F8_E4M3", "X"]
NUMBERS = [
    *(struct.pack("<d", value) for value in (0.0, -1.0, 1e308, -1e308, float("inf"), float("nan"))),
    *(struct.pack("<q", value) for value in (0, -1, 1, 2**31, 2**63 - 1, -(2**63))),
    *(struct.pack("<f", value) for value in (0.0, 3e38, float("inf"), float("nan"))),
    *(struct.pack("<i", value) for value in (0, -1, 1, 2**31 - 1, -(2**31))),
]


def mutate_members(data: bytes, longest: int, seed: int) -> bytes:
    """Change a member of a model file or of an archived folder, or sometimes the archive."""
    chance = random.Random(seed)  # noqa: S311
    if chance.random() < 0.1:
        return bytes(atheris.Mutate(data, longest))
    try:
        members = unpack(data)
        changed = pack(_changed(members, chance))
    except Exception:  # it is damaged already
        return bytes(atheris.Mutate(data, longest))
    return changed if len(changed) <= longest else data


def unpack(data: bytes) -> Members:
    """Return the members of an archive; in a model file the manifest is the last one."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


def pack(members: Members) -> bytes:
    """Write an archive as Byline does, with updated checksums in its manifest."""
    checksums = {name: hashlib.sha256(data).hexdigest() for name, data in members[:-1]}
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
        warnings.simplefilter("ignore")  # about a repeated name
        for name, data in members:
            content = _certified(data, checksums) if name == MANIFEST else data
            archive.writestr(zipfile.ZipInfo(name), content)
    return file.getvalue()


def _certified(manifest: bytes, checksums: dict[str, str]) -> bytes:
    content = json.loads(manifest)
    if isinstance(content, dict) and isinstance(content.get("sha256"), dict):
        content["sha256"] = checksums
    return json.dumps(content).encode()


def _changed(members: Members, chance: random.Random) -> Members:
    place = chance.randrange(len(members))
    name, data = members[place]
    how = chance.random()
    if how < 0.03 and place < len(members) - 1:  # a missing member
        return members[:place] + members[place + 1 :]
    if how < 0.06:  # the content of another member
        return _with(members, place, name, chance.choice(members)[1])
    if how < 0.08:
        return [(chance.choice(["x", name, "../x", "/x", name + "/x"]), data), *members]
    if name.endswith(".json"):
        return _with(members, place, name, change_json(data, chance))
    return _with(members, place, name, _change_arrays(data, chance))


def _with(members: Members, place: int, name: str, data: bytes) -> Members:
    return [*members[:place], (name, data), *members[place + 1 :]]


def _change_arrays(data: bytes, chance: random.Random) -> bytes:
    """Change the numbers or the header of a safetensors file."""
    size = int.from_bytes(data[:8], "little")
    head, body = json.loads(data[8 : 8 + size]), bytearray(data[8 + size :])
    how = chance.random()
    if how < 0.5 and body:
        number = chance.choice(NUMBERS)
        start = chance.randrange(len(body)) // len(number) * len(number)
        body[start : start + len(number)] = number[: len(body) - start]
    elif how < 0.6:
        body = bytearray(atheris.Mutate(bytes(body), len(body) + 8))
    elif how < 0.7 and head:
        name = chance.choice(sorted(head))
        head[name]["shape" if chance.random() < 0.5 else "dtype"] = None
        head[name] = {
            "dtype": head[name]["dtype"] or chance.choice(TYPES),
            "shape": head[name]["shape"] or chance.choice(SHAPES),
            "data_offsets": head[name]["data_offsets"],
        }
    elif how < 0.9 and head:
        return _resized(head, bytes(body), chance)
    else:
        change_value(head, chance)
    return _safetensors(head, bytes(body))


def _resized(head: dict[str, Any], body: bytes, chance: random.Random) -> bytes:
    """Change the shape of an array, and add or remove the bytes for it."""
    changed = chance.choice(sorted(head))
    arrays, content = {}, b""
    for name, array in sorted(head.items(), key=lambda item: item[1]["data_offsets"]):
        start, end = array["data_offsets"]
        data, shape = body[start:end], list(array["shape"])
        if name == changed and shape:
            axis, n_items = chance.randrange(len(shape)), shape[0]
            shape[axis] = max(0, shape[axis] + chance.choice((-1, 1, -shape[axis], shape[axis])))
            item = len(data) // max(n_items, 1)
            wanted = len(data) * shape[axis] // max(array["shape"][axis], 1)
            data = (data * 3 + bytes(item))[:wanted]
        offsets = [len(content), len(content) + len(data)]
        arrays[name] = {"dtype": array["dtype"], "shape": shape, "data_offsets": offsets}
        content += data
    return _safetensors(arrays, content)


def _safetensors(head: Any, body: bytes) -> bytes:
    text = json.dumps(head).encode()
    return len(text).to_bytes(8, "little") + text + body
