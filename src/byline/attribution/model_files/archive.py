"""The container of a model file: an uncompressed ZIP archive whose manifest has every checksum.

Nothing in a file is trusted: what is not listed, not stored as it is, larger than the file or
other than its checksum is refused, and each refusal names the file and the member.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import struct
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from safetensors import SafetensorError

from byline import __version__
from byline.errors import BylineError, ModelFileError
from byline.files import atomic_write

FORMAT = "byline-model"
FORMAT_VERSION = 2
MANIFEST = "manifest.json"
ArchiveEntry = tuple[str, bytes]  # its name and content
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_ENCRYPTED = 0x1
# Bytes of what the ZIP format has beside names and contents, where nothing is compressed.
_LOCAL_HEADER, _CENTRAL_HEADER, _END_RECORD = 30, 46, 22
# And what it has where a size or a place is above 2 GiB, or members are more than 65,535.
_LOCAL_EXTRA, _CENTRAL_EXTRA, _END_EXTRA = 20, 28, 76

_UNREADABLE = (
    BylineError,
    SafetensorError,
    zipfile.BadZipFile,
    struct.error,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


@contextlib.contextmanager
def reading(path: Path, member: str) -> Iterator[None]:
    """Turn whatever goes wrong while a member is read into a `ModelFileError` that names it."""
    try:
        yield
    except _UNREADABLE as error:
        reason = error if isinstance(error, BylineError) else f"{type(error).__name__} {error}"
        raise ModelFileError(
            f"{path}: {member} cannot be used: {reason}. "
            "The file is damaged or was altered; get it again, or train the model again"
        ) from error


def to_json(value: Any) -> bytes:
    """JSON in ASCII, keys sorted: the same bytes for the same value.

    Raises
    ------
    ValueError, TypeError
        A value that JSON does not have.
    """
    return json.dumps(value, sort_keys=True, allow_nan=False).encode("ascii")


def from_json(data: bytes) -> dict[str, Any]:
    """Return the JSON object in ``data``.

    Raises
    ------
    ModelFileError
        Another JSON value, or a number that JSON does not have.
    ValueError
        No JSON.
    """
    value = json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    if not isinstance(value, dict):
        raise ModelFileError(f"it holds a {type(value).__name__}, not a JSON object")
    return value


def _refuse_constant(name: str) -> None:
    raise ModelFileError(f"{name} is no JSON number")


def write_archive(path: str | os.PathLike[str], kind: str, members: Iterable[ArchiveEntry]) -> None:
    """Write a model file whole or not at all; same members, same bytes.

    Parameters
    ----------
    path : path
        An existing file is replaced.
    kind : str
        What the file holds; a reader asks for it.
    members : iterable of (name, content)
        Taken one by one, so that they need not all be in memory.

    Raises
    ------
    OutputError
        The file cannot be written there.
    """
    with atomic_write(path) as stream:
        _write_members(stream, kind, members)


def _write_members(stream: BinaryIO, kind: str, members: Iterable[ArchiveEntry]) -> None:
    checksums = {}
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members:
            checksums[name] = _sha256(data)
            archive.writestr(_member_info(name), data)
        manifest = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "byline": __version__,
            "kind": kind,
            "sha256": checksums,
        }
        archive.writestr(_member_info(MANIFEST), to_json(manifest))


def _member_info(name: str) -> zipfile.ZipInfo:
    """Describe a stored member with no clock and no platform in it."""
    info = zipfile.ZipInfo(name, _FIRST_DAY)
    info.create_system = _UNIX
    info.external_attr = 0o644 << 16
    return info


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class ModelArchive:
    """A model file open for reading; each member is checked as it is read.

    Attributes
    ----------
    path : Path
    kind : str
        What the file holds.
    names : frozenset of str
        The members, but for the manifest.
    """

    def __init__(
        self, path: Path, archive: zipfile.ZipFile, stream: BinaryIO, kinds: Sequence[str]
    ) -> None:
        self.path = path
        self._archive = archive
        with reading(path, "the archive"):
            size = stream.seek(0, os.SEEK_END)
            self._infos = _check_members(archive.infolist(), size)
            _check_layout(archive, stream, size)
        with reading(path, MANIFEST):
            manifest = from_json(archive.read(self._infos.pop(MANIFEST)))
        _check_manifest(path, manifest, kinds)
        self.kind: str = manifest["kind"]
        with reading(path, MANIFEST):
            self._checksums = _check_listing(manifest, set(self._infos))
        self.names = frozenset(self._infos)

    def read(self, name: str) -> bytes:
        """Return a member's content.

        Raises
        ------
        ModelFileError
            There is no such member, or it does not have its checksum.
        """
        with reading(self.path, name):
            if name not in self.names:
                raise ModelFileError("it is missing")
            data = self._archive.read(self._infos[name])
            if _sha256(data) != self._checksums[name]:
                raise ModelFileError("its checksum is not the manifest's")
        return data


class ArchiveFolder:
    """Members of a model file whose names begin alike, under what is left of their names.

    Attributes
    ----------
    names : frozenset of str
    """

    def __init__(self, archive: ModelArchive, prefix: str = "") -> None:
        self._archive, self._prefix = archive, prefix
        self.names = frozenset(
            name.removeprefix(prefix) for name in archive.names if name.startswith(prefix)
        )

    def read(self, name: str) -> bytes:
        """Return a member's content; errors as those of `ModelArchive.read`."""
        return self._archive.read(self._prefix + name)

    def reading(self, name: str) -> contextlib.AbstractContextManager[None]:
        """Turn whatever goes wrong while a member is used into a `ModelFileError` naming it."""
        return reading(self._archive.path, self._prefix + name)


@contextlib.contextmanager
def open_archive(path: str | os.PathLike[str], *kinds: str) -> Iterator[ModelArchive]:
    """Open a model file of one of the kinds.

    Raises
    ------
    ModelFileError
        No such file, no model file, one of another kind or of a newer format, or one that is
        truncated, altered or hostile; names the file, and the member at fault.
    """
    source = Path(path)
    try:
        if source.exists() and not source.is_file():
            raise ModelFileError(f"{source} is no file, so it is no model; name a model file")
        stream = source.open("rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(f"cannot read the model {source}: {reason}; check its name") from error
    with stream:
        if stream.read(2) != b"PK":
            raise ModelFileError(f"{source} is no model of Byline; is it a text? MODEL comes first")
        with reading(source, "the archive"):
            archive = zipfile.ZipFile(stream)
        with archive:
            yield ModelArchive(source, archive, stream, kinds)


def _check_members(infos: list[zipfile.ZipInfo], size: int) -> dict[str, zipfile.ZipInfo]:
    """Refuse what a model file never has, before anything is read."""
    members = {info.filename: info for info in infos}
    if len(members) != len(infos):
        raise ModelFileError("a member is there twice")
    if MANIFEST not in members:
        raise ModelFileError(f"it has no {MANIFEST}, so it is no model of Byline")
    for name, info in members.items():
        if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & _ENCRYPTED:
            raise ModelFileError(f"{name} is compressed or encrypted; a model's members never are")
        if info.file_size != info.compress_size:
            raise ModelFileError(f"{name} has two sizes, {info.file_size} and {info.compress_size}")
    total = sum(info.file_size for info in infos)
    if total > size:
        raise ModelFileError(f"its members claim {total:,} bytes, but the file has {size:,}")
    return members


def _check_layout(archive: zipfile.ZipFile, stream: BinaryIO, size: int) -> None:
    """Refuse bytes before, between and after the members."""
    place, listing = 0, 0
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        stream.seek(info.header_offset)
        n_name, n_extra = struct.unpack("<26x2H", stream.read(_LOCAL_HEADER))
        if info.header_offset != place or n_extra not in (0, _LOCAL_EXTRA):
            raise ModelFileError(f"there are other bytes before {info.filename}")
        if len(info.extra) > _CENTRAL_EXTRA:
            raise ModelFileError(f"the archive says more of {info.filename} than where it is")
        place += _LOCAL_HEADER + n_name + n_extra + info.file_size
        listing += _CENTRAL_HEADER + n_name + len(info.extra)
    ends = [place + listing + _END_RECORD + extra for extra in (0, _END_EXTRA)]
    if archive.start_dir != place or size not in ends:
        raise ModelFileError("it holds more than its members")


def _check_manifest(path: Path, manifest: dict[str, Any], kinds: Sequence[str]) -> None:
    """Refuse another format, a newer version or another kind: no damage, so no advice on that."""
    version = manifest.get("version")
    if manifest.get("format") != FORMAT or type(version) is not int or version < 1:
        raise ModelFileError(f"{path}: {MANIFEST} does not say that this is a model of Byline")
    if version > FORMAT_VERSION:
        raise ModelFileError(
            f"{path} has model format {version}, written by Byline {manifest.get('byline')}; this "
            f"Byline {__version__} reads formats up to {FORMAT_VERSION}: install a newer Byline"
        )
    if version < FORMAT_VERSION:
        raise ModelFileError(
            f"{path} has model format {version}, which this Byline {__version__} does not read; "
            "train the model again"
        )
    if manifest.get("kind") not in kinds:
        raise ModelFileError(
            f"{path} holds a model of kind {manifest.get('kind')!r}, "
            f"but {' or '.join(map(repr, kinds))} is needed here"
        )


def _check_listing(manifest: dict[str, Any], names: set[str]) -> dict[str, str]:
    """Return the checksums, which must be those of the archive's members and of no other."""
    checksums = manifest.get("sha256")
    if not isinstance(checksums, dict):
        raise ModelFileError("it has no table of checksums")
    odd = sorted(names ^ set(checksums))
    if odd:
        raise ModelFileError(f"it and the archive do not list the same members: {odd[0]!r}")
    return checksums
