"""ZIP archives, which Word documents and e-books are too: in memory, and only so much of them."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections import Counter
from pathlib import PurePosixPath

from byline.errors import CorpusError
from byline.formatting import printable

MAX_MEMBERS = 50_000
# A text is packed to a tenth or so, the most repetitive XML to a hundredth; what is made to
# explode, to less than a thousandth.
_MAX_RATIO = 200
_SMALL = 2**24
_LONGEST_NAME, _LONGEST_REASON = 1_000, 100
_ENTRY = b"PK\x01\x02"
_ENCRYPTED, _UTF8 = 0x1, 0x800
_READABLE = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, OverflowError, RuntimeError,
    ValueError,
)  # fmt: skip


class Archive:
    """A ZIP archive whose members can be read until ``limit`` bytes in all are unpacked.

    Parameters
    ----------
    data : bytes
    name : str
        What messages call it.
    limit : int

    Attributes
    ----------
    repeated : list of str
        Names that several members have, of which the last can be read.

    Raises
    ------
    CorpusError
        It is no archive, or is damaged, or has more than ``MAX_MEMBERS``.
    """

    def __init__(self, data: bytes, name: str, limit: int) -> None:
        self._name, self._limit, self._left = name, limit, limit
        if not data.startswith(b"PK"):
            raise self._error(
                "is no ZIP archive, which .docx, .epub and .zip are inside; give it the ending "
                "that its format has"
            )
        if data.count(_ENTRY) > 10 * MAX_MEMBERS:
            raise self._error(f"has more than {MAX_MEMBERS:,} members; divide it")
        try:
            self._file = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGE as error:
            raise self._damaged(error) from error
        infos = [info for info in self._file.infolist() if not _is_folder(info)]
        if len(infos) > MAX_MEMBERS:
            raise self._error(f"has more than {MAX_MEMBERS:,} members; divide it")
        names = [_decoded_name(info) for info in infos]
        self._members = dict(zip(names, infos, strict=True))
        self.repeated = sorted(name for name, n in Counter(names).items() if n > 1)
        if any(len(member) > _LONGEST_NAME for member in self._members):
            raise self._error(f"has a name of more than {_LONGEST_NAME:,} characters; shorten it")

    @property
    def members(self) -> list[str]:
        """The names of the files in it, folders with ``/``, in the archive's order."""
        return list(self._members)

    @property
    def misspelled(self) -> list[str]:
        """The names that are not UTF-8, and may be read wrongly."""
        return [
            member
            for member, info in self._members.items()
            if not member.isascii() and not info.flag_bits & _UTF8 and member == info.filename
        ]

    def __contains__(self, member: str) -> bool:
        return member in self._members

    def read(self, member: str) -> bytes:
        """Return the content of one member.

        Raises
        ------
        CorpusError
            It is missing, encrypted, damaged, packed so tightly that it is made to explode, or
            larger than what is left of ``limit``.
        """
        if member not in self._members:
            raise self._error(f"lacks {_shown(member)}: it is damaged, or not what it is called")
        info = self._members[member]
        self._check(member, info)
        try:
            data = self._file.read(info)
        except _DAMAGE as error:
            raise self._damaged(error, member) from error
        self._left -= len(data)
        return data

    def _check(self, member: str, info: zipfile.ZipInfo) -> None:
        if info.flag_bits & _ENCRYPTED:
            raise self._error(f"is encrypted ({_shown(member)}); unpack it with its password")
        if info.compress_type not in _READABLE:
            raise self._error(
                f"packs {_shown(member)} in an unusual way; pack it anew as an ordinary ZIP"
            )
        if info.file_size > max(_SMALL, _MAX_RATIO * info.compress_size):
            raise self._error(
                f"has {_shown(member)}, which would unpack to {info.file_size / 2**20:,.0f} MiB, "
                f"more than {_MAX_RATIO} times its size, as no text does; it is not read"
            )
        if info.file_size > self._left:
            raise self._error(
                f"unpacks to more than {self._limit / 2**20:,.0f} MiB, the most that is read of "
                "one; divide it"
            )

    def _damaged(self, error: Exception, member: str = "") -> CorpusError:
        where = f" at {_shown(member)}" if member else ""
        said = _shown(str(error))  # it may quote the archive
        return self._error(f"is damaged or cut short{where} ({said}); get it again")

    def _error(self, what: str) -> CorpusError:
        return CorpusError(f"{self._name} {what}")


def _shown(text: str) -> str:
    return printable(text if len(text) <= _LONGEST_REASON else text[:_LONGEST_REASON] + "...")


def _is_folder(info: zipfile.ZipInfo) -> bool:
    return not info.filename or info.filename.endswith(("/", "\\"))


def _decoded_name(info: zipfile.ZipInfo) -> str:
    r"""Return the name with ``/`` between folders; many programs write UTF-8 and do not say so."""
    name = info.filename
    if not name.isascii() and not info.flag_bits & _UTF8:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = info.filename
    return name.replace("\\", "/")


def leads_outside(member: str) -> bool:
    """Whether a member's name is an absolute path, or goes up out of the archive."""
    path = PurePosixPath(member)
    return path.is_absolute() or ".." in path.parts or member[1:2] == ":"
