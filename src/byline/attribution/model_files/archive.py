"""`ModelArchive`: the container of a model, an uncompressed ZIP file with a manifest of checksums.

Nothing in a file is trusted. An entry that is not listed, compressed, larger than the file, or
different from its checksum is rejected, with an error that names the file and the entry.
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
from byline.errors import BylineError, MissingBaseError, ModelFileError, PluginError
from byline.files import atomic_write
from byline.shortages import is_memory_shortage

FORMAT = "byline-model"
FORMAT_VERSION = 9
MANIFEST = "manifest.json"
ArchiveEntry = tuple[str, bytes]  # name and content
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_ENCRYPTED = 0x1
# Sizes in bytes of the ZIP format's records, without names and contents, if nothing is compressed.
_LOCAL_HEADER, _CENTRAL_HEADER, _END_RECORD = 30, 46, 22
# Additional sizes for offsets or sizes above 2 GiB, and for more than 65,535 entries.
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
def reading(path: Path, entry: str) -> Iterator[None]:
    """Convert any error while an entry is read to a `ModelFileError` that names the entry.

    A `PluginError` or `MissingBaseError` gets the path; its advice is not to replace the file.
    """
    try:
        yield
    except (PluginError, MissingBaseError) as error:  # the file is not damaged
        raise type(error)(f"{path}: {error}") from error
    except _UNREADABLE as error:
        if is_memory_shortage(error):
            raise ModelFileError(
                f"{path}: there is not enough memory to load {entry}. Close other programs or "
                "raise the memory limit; if that does not help, the file is damaged"
            ) from error
        reason = f"{error}" if isinstance(error, BylineError) else f"{type(error).__name__} {error}"
        raise ModelFileError(
            f"{path}: {entry} cannot be used: {reason.removesuffix('.')}. "
            "The file is damaged or was altered; copy it again, or train the model again"
        ) from error


def to_json(value: Any) -> bytes:
    """Return JSON in ASCII with sorted keys, so that equal values give equal bytes.

    Raises
    ------
    ValueError, TypeError
        If JSON cannot represent the value.
    """
    return json.dumps(value, sort_keys=True, allow_nan=False).encode("ascii")


def from_json(data: bytes) -> dict[str, Any]:
    """Return the JSON object in ``data``.

    Raises
    ------
    ModelFileError
        If it is another JSON value, or has a number that JSON does not allow.
    ValueError
        If it is not JSON.
    """
    value = json.loads(data.decode("utf-8"), parse_constant=_reject_constant)
    if not isinstance(value, dict):
        raise ModelFileError(f"it contains a {type(value).__name__} instead of a JSON object")
    return value


def _reject_constant(name: str) -> None:
    raise ModelFileError(f"{name} is not a JSON number")


def write_archive(path: str | os.PathLike[str], kind: str, entries: Iterable[ArchiveEntry]) -> None:
    """Write a complete model file or none; equal entries give equal bytes.

    Of entries with the same content, only the first is stored. The manifest lists them all.

    Parameters
    ----------
    path : path
        An existing file is replaced.
    kind : str
        The kind of model; a reader asks for it.
    entries : iterable of (name, content)
        Consumed one by one, so that they need not all be in memory.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    with atomic_write(path) as stream:
        _write_entries(stream, kind, entries)


def _write_entries(stream: BinaryIO, kind: str, entries: Iterable[ArchiveEntry]) -> None:
    checksums: dict[str, str] = {}
    stored: set[str] = set()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in entries:
            checksums[name] = _sha256(data)
            if checksums[name] not in stored:
                stored.add(checksums[name])
                archive.writestr(_entry_info(name), data)
        manifest = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "byline": __version__,
            "kind": kind,
            "sha256": checksums,
        }
        archive.writestr(_entry_info(MANIFEST), to_json(manifest))


def _entry_info(name: str) -> zipfile.ZipInfo:
    """Return the description of an entry, independent of the time and the platform."""
    info = zipfile.ZipInfo(name, _FIRST_DAY)
    info.create_system = _UNIX
    info.external_attr = 0o644 << 16
    return info


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class ModelArchive:
    """A model file that is open for reading; each entry is checked when it is read.

    Attributes
    ----------
    path : Path
    kind : str
        The kind of model.
    names : frozenset of str
        The entries without the manifest.
    """

    def __init__(
        self, path: Path, archive: zipfile.ZipFile, stream: BinaryIO, kinds: Sequence[str]
    ) -> None:
        self.path = path
        self._archive = archive
        with reading(path, "the archive"):
            size = stream.seek(0, os.SEEK_END)
            self._infos = _check_entries(archive.infolist(), size)
            _check_layout(archive, stream, size)
        with reading(path, MANIFEST):
            manifest = from_json(archive.read(self._infos.pop(MANIFEST)))
        _check_manifest(path, manifest, kinds)
        self.kind: str = manifest["kind"]
        with reading(path, MANIFEST):
            self._checksums = _check_listing(manifest, set(self._infos))
        self._stored_as = {self._checksums[name]: name for name in self._infos}
        self.names = frozenset(self._checksums)

    def read(self, name: str) -> bytes:
        """Return the content of an entry.

        Raises
        ------
        ModelFileError
            If there is no such entry, or its checksum is wrong.
        """
        with reading(self.path, name):
            if name not in self.names:
                raise ModelFileError("it is missing")
            stored = name if name in self._infos else self._stored_as[self._checksums[name]]
            data = self._archive.read(self._infos[stored])
            if _sha256(data) != self._checksums[name]:
                raise ModelFileError("its checksum differs from the manifest")
        return data


class ArchiveFolder:
    """The entries of a model file with a common prefix, under the rest of their names.

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
        """Return the content of an entry; errors as in `ModelArchive.read`."""
        return self._archive.read(self._prefix + name)

    def reading(self, name: str) -> contextlib.AbstractContextManager[None]:
        """Convert any error while an entry is used to a `ModelFileError` that names the entry."""
        return reading(self._archive.path, self._prefix + name)


@contextlib.contextmanager
def open_archive(path: str | os.PathLike[str], *kinds: str) -> Iterator[ModelArchive]:
    """Open a model file of one of the kinds.

    Raises
    ------
    ModelFileError
        If the file does not exist, is not a model file, has another kind or format, or is
        truncated, altered or hostile. The message names the file and the entry.
    """
    source = Path(path)
    try:
        if source.exists() and not source.is_file():
            raise ModelFileError(f"{source} is not a file; give the name of a model file")
        stream = source.open("rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(f"cannot read the model {source}: {reason}; check its name") from error
    with stream:
        if stream.read(2) != b"PK":
            raise ModelFileError(
                f"{source} is not a Byline model; if it is a text, put the MODEL first"
            )
        with reading(source, "the archive"):
            archive = zipfile.ZipFile(stream)
        with archive:
            yield ModelArchive(source, archive, stream, kinds)


def _check_entries(infos: list[zipfile.ZipInfo], size: int) -> dict[str, zipfile.ZipInfo]:
    """Reject what a model file never contains, before anything is read."""
    entries = {info.filename: info for info in infos}
    if len(entries) != len(infos):
        raise ModelFileError("two entries have the same name")
    if MANIFEST not in entries:
        raise ModelFileError(f"it has no {MANIFEST}, so it is not a Byline model")
    for name, info in entries.items():
        if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & _ENCRYPTED:
            raise ModelFileError(
                f"{name} is compressed or encrypted, which model entries never are"
            )
        if info.file_size != info.compress_size:
            raise ModelFileError(f"{name} has two sizes, {info.file_size} and {info.compress_size}")
    total = sum(info.file_size for info in infos)
    if total > size:
        raise ModelFileError(f"its entries claim {total:,} bytes, but the file has {size:,}")
    return entries


def _check_layout(archive: zipfile.ZipFile, stream: BinaryIO, size: int) -> None:
    """Reject bytes before, between and after the entries."""
    place, listing = 0, 0
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        stream.seek(info.header_offset)
        n_name, n_extra = struct.unpack("<26x2H", stream.read(_LOCAL_HEADER))
        if info.header_offset != place or n_extra not in (0, _LOCAL_EXTRA):
            raise ModelFileError(f"there are other bytes before {info.filename}")
        if len(info.extra) > _CENTRAL_EXTRA:
            raise ModelFileError(f"the archive has extra data for {info.filename}")
        place += _LOCAL_HEADER + n_name + n_extra + info.file_size
        listing += _CENTRAL_HEADER + n_name + len(info.extra)
    ends = [place + listing + _END_RECORD + extra for extra in (0, _END_EXTRA)]
    if archive.start_dir != place or size not in ends:
        raise ModelFileError("it contains more than its entries")


def _check_manifest(path: Path, manifest: dict[str, Any], kinds: Sequence[str]) -> None:
    """Reject other formats, versions and kinds, which are not damage and need other advice."""
    version = manifest.get("version")
    if manifest.get("format") != FORMAT or type(version) is not int or version < 1:
        raise ModelFileError(f"{path}: {MANIFEST} does not declare a Byline model")
    if version != FORMAT_VERSION:
        cure = "install a newer Byline" if version > FORMAT_VERSION else "train the model again"
        raise ModelFileError(
            f"{path} has model format {version}, written by Byline {manifest.get('byline')}; this "
            f"Byline {__version__} reads format {FORMAT_VERSION}: {cure}"
        )
    if manifest.get("kind") not in kinds:
        raise ModelFileError(
            f"{path} contains a model of kind {manifest.get('kind')!r}, "
            f"but {' or '.join(map(repr, kinds))} is needed here"
        )


def _check_listing(manifest: dict[str, Any], stored: set[str]) -> dict[str, str]:
    """Return the checksums of the entries, of which at least one of each content is stored."""
    checksums = manifest.get("sha256")
    if not isinstance(checksums, dict):
        raise ModelFileError("it has no table of checksums")
    contents = {checksum for name, checksum in checksums.items() if name in stored}
    known = {name for name, checksum in checksums.items() if checksum in contents}
    odd = sorted((known | stored) ^ set(checksums))
    if odd:
        raise ModelFileError(f"it does not list the entries of the archive, such as {odd[0]!r}")
    return checksums
