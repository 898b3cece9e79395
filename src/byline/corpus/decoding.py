"""Bytes to text: the mark at the start, strict UTF-8, and only then a guess."""

from __future__ import annotations

import codecs
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import chardet

from byline.errors import CorpusError

MAX_TEXT_BYTES = 256 * 2**20
MAX_TABLE_BYTES = 2**30

# UTF-32 comes first: its little-endian mark begins with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DETECTOR_WINDOW = 200_000
# What may be written in bytes that are good ASCII too.
_ENCODINGS_WITHIN_ASCII = ("utf-16", "utf-32", "iso2022", "hz")
# They have controls where Windows-1252 has quotation marks, which may come after the window.
_WITHOUT_LETTERS_THERE = frozenset({"iso8859-1", "iso8859-15"})
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
# A text has a stray control character at most; a picture or a program is full of them.
_MAX_STRAY_CONTROLS = 5
_MAX_CONTROL_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A decoded text; ``guess`` is the encoding where it had to be guessed."""

    text: str
    guessed_encoding: str | None = None


def read_bytes(path: Path, name: str, limit: int = MAX_TEXT_BYTES) -> bytes:
    """Return the file's content.

    Raises
    ------
    CorpusError
        It cannot be opened or read, or is larger than ``limit`` bytes.
    """
    try:
        with path.open("rb") as file:
            data = _read_within(file, limit)
    except OSError as error:
        raise CorpusError(f"{name} cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a path with a NUL in it
        raise CorpusError(f"{name} cannot be opened: {error}") from error
    if data is None:
        raise CorpusError(
            f"{name} is larger than {limit / 2**20:,.0f} MiB, the most that is read from one file; "
            "cut it into several files"
        )
    return data


def _read_within(file: BinaryIO, limit: int) -> bytes | None:
    """Return the content, or None where it is larger than ``limit``; a pipe may never end."""
    status = os.fstat(file.fileno())
    if status.st_size > limit:
        return None
    data = file.read() if stat.S_ISREG(status.st_mode) else file.read(limit + 1)
    return data if len(data) <= limit else None


def decode(data: bytes, name: str) -> DecodedText:
    """Return the text that ``data`` encodes, without byte order marks.

    UTF-8, UTF-16 and UTF-32 with a byte order mark, UTF-8 without one; else what chardet
    recognises, unless the bytes are plainly UTF-8 with some damage.

    Raises
    ------
    CorpusError
        Nothing decodes them, or they are no text; it gives the offset of the first bad byte.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _checked(_strict(data, encoding, len(mark), name), encoding, None, name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _guess(data, error, name)
    if "\0" in text or "\x1b" in text:  # UTF-16 without a mark, or a seven-bit ISO 2022
        return _guess_seven_bit(data, text, name)
    return _checked(text, "utf-8", None, name)


def _strict(data: bytes, encoding: str, skip: int, name: str) -> str:
    try:
        return data[skip:].decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(
            data, skip + error.start, f"does not belong in {encoding}", name
        ) from error


def _guess(data: bytes, error: UnicodeDecodeError, name: str) -> DecodedText:
    if _is_damaged_utf8(data):
        raise _undecodable(data, error.start, "breaks a file that is UTF-8 elsewhere", name)
    # A mostly English text may show its first foreign byte late, so the window opens near it.
    start = data.rfind(b"\n", 0, max(0, error.start - _DETECTOR_WINDOW // 2)) + 1
    encoding = _detect(data[start : start + _DETECTOR_WINDOW])
    if encoding is None:
        raise _undecodable(data, error.start, "is not UTF-8, and no other encoding fits", name)
    if encoding in _WITHOUT_LETTERS_THERE and re.search(rb"[\x80-\x9f]", data):
        encoding = "cp1252"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as wrong:
        why = f"is neither UTF-8 nor {encoding}, which the file looks like"
        raise _undecodable(data, wrong.start, why, name) from wrong
    return _checked(text, encoding, encoding, name)


def _guess_seven_bit(data: bytes, text: str, name: str) -> DecodedText:
    encoding = _detect(data[:_DETECTOR_WINDOW])
    if encoding is None or not encoding.startswith(_ENCODINGS_WITHIN_ASCII):
        return _checked(text, "utf-8", None, name)
    try:
        return _checked(data.decode(encoding), encoding, encoding, name)
    except UnicodeDecodeError:
        return _checked(text, "utf-8", None, name)


def _detect(data: bytes) -> str | None:
    encoding = chardet.detect(data, prefer_superset=True)["encoding"]
    try:
        return encoding and codecs.lookup(encoding).name
    except LookupError:
        return None


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether more characters beyond ASCII are good UTF-8 than bad, as in no other encoding."""
    text = data.decode("utf-8", "replace")
    bad = text.count("�")
    foreign = sum(map(len, re.findall(r"[^\x00-\x7f]+", text)))
    return foreign - bad > bad


def _undecodable(data: bytes, offset: int, why: str, name: str) -> CorpusError:
    value = f"0x{data[offset]:02x} " if offset < len(data) else ""
    return CorpusError(
        f"{name} cannot be decoded: the byte {value}at offset {offset:,} {why}; "
        "save the file again as UTF-8"
    )


def _checked(text: str, encoding: str, guessed_encoding: str | None, name: str) -> DecodedText:
    """Refuse what decodes but is no text; take byte order marks out."""
    controls = _CONTROLS.findall(text)
    limit = max(_MAX_STRAY_CONTROLS, _MAX_CONTROL_SHARE * len(text))
    is_binary = "\0" in controls or len(controls) > limit
    if is_binary:
        wanted = "\0" if "\0" in controls else controls[0]
        # Not all that is read as ISO 2022 can be written so: there the place is not exact.
        offset = len(text[: text.index(wanted)].encode(encoding, "replace"))
        raise CorpusError(
            f"{name} is no text: it has the control character 0x{ord(wanted):02x} at byte offset "
            f"{offset:,}; export it as plain text in UTF-8, or take it out"
        )
    return DecodedText(text.replace("\ufeff", ""), guessed_encoding)
