"""Read ZIP archives in memory, within limits; Word documents and EPUB e-books are archives too."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections import Counter
from pathlib import PurePosixPath

from byline.errors import CorpusError
from byline.formatting import file_size, printable

MAX_MEMBERS = 50_000
# Text is compressed to about a tenth of its size, and the most repetitive XML to a hundredth. A
# member that was made to exhaust memory (a ZIP bomb) is compressed to less than a thousandth.
_MAX_RATIO = 200
_MIN_BYTES_FOR_RATIO = 2**24
_MAX_NAME, _MAX_REASON = 1_000, 100  # characters
_ENTRY_SIGNATURE = b"PK\x01\x02"
_ENCRYPTED_FLAG, _UTF8_FLAG = 0x1, 0x800
_READABLE_COMPRESSION = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)


class Archive:
    """A ZIP archive whose members can be read until ``limit`` bytes have been unpacked.

    Parameters
    ----------
    data : bytes
        The content of the archive.
    name : str
        What messages call the archive.
    limit : int
        The number of bytes that may be unpacked in total.

    Attributes
    ----------
    repeated : list of str
        The names that several members share; only the last of these members can be read.

    Raises
    ------
    CorpusError
        The content is not an archive, is damaged, or has more than ``MAX_MEMBERS`` members.
    """

    def __init__(self, data: bytes, name: str, limit: int) -> None:
        self._name, self._limit, self._remaining = name, limit, limit
        if not data.startswith(b"PK"):
            raise self._error(
                "is not a ZIP archive, as a file with the suffix .docx, .epub or .zip must be. "
                "Rename it to the suffix of its format."
            )
        if data.count(_ENTRY_SIGNATURE) > 10 * MAX_MEMBERS:
            raise self._too_many_members()
        try:
            self._file = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGE as error:
            raise self._damaged(error) from error
        infos = [info for info in self._file.infolist() if not _is_folder(info)]
        if len(infos) > MAX_MEMBERS:
            raise self._too_many_members()
        names = [_decoded_name(info) for info in infos]
        self._members = dict(zip(names, infos, strict=True))
        self.repeated = sorted(name for name, n in Counter(names).items() if n > 1)
        if any(len(member) > _MAX_NAME for member in self._members):
            raise self._error(
                f"has a member with a name of more than {_MAX_NAME:,} characters. Shorten the name."
            )

    @property
    def members(self) -> list[str]:
        """The names of the files in the archive, with ``/`` after folders, in its order."""
        return list(self._members)

    @property
    def misdecoded(self) -> list[str]:
        """The names that are not UTF-8, so that they may be decoded wrongly."""
        return [
            member
            for member, info in self._members.items()
            if not member.isascii() and not info.flag_bits & _UTF8_FLAG and member == info.filename
        ]

    def __contains__(self, member: str) -> bool:
        return member in self._members

    def read(self, member: str) -> bytes:
        """Return the content of a member.

        Raises
        ------
        CorpusError
            The member is missing, encrypted or damaged; its compression is suspiciously strong;
            or it exceeds what remains of ``limit``.
        """
        if member not in self._members:
            raise self._error(
                f"lacks {_shortened(member)}. The file is damaged, or its suffix is wrong. Get it "
                "again, or rename it."
            )
        info = self._members[member]
        self._check(member, info)
        try:
            data = self._file.read(info)
        except _DAMAGE as error:
            raise self._damaged(error, member) from error
        self._remaining -= len(data)
        return data

    def _check(self, member: str, info: zipfile.ZipInfo) -> None:
        if info.flag_bits & _ENCRYPTED_FLAG:
            raise self._error(
                f"is encrypted (at {_shortened(member)}). Unpack it with its password."
            )
        if info.compress_type not in _READABLE_COMPRESSION:
            raise self._error(
                f"compresses {_shortened(member)} by a method that Byline does not read. Pack it "
                "again as an ordinary ZIP archive."
            )
        if info.file_size > max(_MIN_BYTES_FOR_RATIO, _MAX_RATIO * info.compress_size):
            raise self._error(
                f"contains {_shortened(member)}, which would unpack to "
                f"{file_size(info.file_size)}. This is more than {_MAX_RATIO} times its "
                "compressed size, which no text needs, so that Byline does not read it."
            )
        if info.file_size > self._remaining:
            raise self._error(
                f"unpacks to more than {file_size(self._limit)}, the most that Byline reads "
                "from one archive. Divide it into several."
            )

    def _too_many_members(self) -> CorpusError:
        return self._error(f"has more than {MAX_MEMBERS:,} members. Divide it into several.")

    def _damaged(self, error: Exception, member: str = "") -> CorpusError:
        where = f" at {_shortened(member)}" if member else ""
        reason = _shortened(str(error))  # it may quote the archive
        return self._error(f"is damaged or incomplete{where} ({reason}). Get the file again.")

    def _error(self, what: str) -> CorpusError:
        return CorpusError(f"{self._name} {what}")


def _shortened(text: str) -> str:
    return printable(text if len(text) <= _MAX_REASON else text[:_MAX_REASON] + "...")


def _is_folder(info: zipfile.ZipInfo) -> bool:
    return not info.filename or info.filename.endswith(("/", "\\"))


def _decoded_name(info: zipfile.ZipInfo) -> str:
    r"""Return the name of a member with ``/`` between folders.

    Many programs write UTF-8 without setting the flag for it.
    """
    name = info.filename
    if not name.isascii() and not info.flag_bits & _UTF8_FLAG:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = info.filename
    return name.replace("\\", "/")


def leads_outside(member: str) -> bool:
    """Return whether a member's path is absolute or leads out of the archive."""
    path = PurePosixPath(member)
    return path.is_absolute() or ".." in path.parts or member[1:2] == ":"
