"""Decode bytes to text: by the byte order mark, as strict UTF-8, or by a guess."""

from __future__ import annotations

import codecs
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import chardet

from byline.corpus.single_bytes import choose_encoding, is_single_byte
from byline.errors import CorpusError
from byline.formatting import file_size

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
# Encodings whose bytes may all be valid ASCII.
_ENCODINGS_WITHIN_ASCII = ("utf-16", "utf-32", "iso2022", "hz")
# These have control characters where Windows-1252 has quotation marks, which may come after the
# window of the detector.
_LATIN_ENCODINGS = frozenset({"iso8859-1", "iso8859-15"})
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
# A text may contain a stray control character; a picture or a program is full of them.
_MAX_STRAY_CONTROLS = 5
_MAX_CONTROL_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A decoded text.

    Attributes
    ----------
    text : str
    guessed_encoding : str or None
        The encoding, if it had to be guessed.
    """

    text: str
    guessed_encoding: str | None = None


def read_bytes(path: Path, name: str, limit: int = MAX_TEXT_BYTES) -> bytes:
    """Return the content of a file.

    Raises
    ------
    CorpusError
        The file cannot be opened or read, or is larger than ``limit`` bytes.
    """
    try:
        with path.open("rb") as file:
            data = _read_within(file, limit)
    except OSError as error:
        raise CorpusError(f"{name} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:  # the path contains NUL
        raise CorpusError(f"{name} cannot be opened: {error}.") from error
    if data is None:
        raise CorpusError(
            f"{name} is larger than {file_size(limit)}, the most that Byline reads from one file. "
            "Divide it into several files."
        )
    return data


def _read_within(file: BinaryIO, limit: int) -> bytes | None:
    """Return the content, or None if it is larger than ``limit``; a pipe may never end."""
    status = os.fstat(file.fileno())
    if status.st_size > limit:
        return None
    data = file.read() if stat.S_ISREG(status.st_mode) else file.read(limit + 1)
    return data if len(data) <= limit else None


def decode(data: bytes, name: str) -> DecodedText:
    """Decode the content of a file; byte order marks are removed.

    UTF-8, UTF-16 and UTF-32 are recognised by their byte order mark, and UTF-8 also without one.
    Otherwise chardet detects the encoding, unless the bytes are clearly UTF-8 with some damage.

    Parameters
    ----------
    data : bytes
    name : str
        What messages call the content.

    Raises
    ------
    CorpusError
        No encoding fits, or the content is not text; the message states the offset of the first
        invalid byte.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _checked(_strict(data, encoding, len(mark), name), encoding, None, name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _guess(data, error, name)
    if "\0" in text or "\x1b" in text:  # UTF-16 without a mark, or ISO 2022 in seven bits
        return _guess_seven_bit(data, text, name)
    return _checked(text, "utf-8", None, name)


def _strict(data: bytes, encoding: str, skip: int, name: str) -> str:
    try:
        return data[skip:].decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(data, skip + error.start, f"is not valid {encoding}", name) from error


def _guess(data: bytes, error: UnicodeDecodeError, name: str) -> DecodedText:
    if _is_damaged_utf8(data):
        why = "is invalid in a file that is UTF-8 elsewhere"
        raise _undecodable(data, error.start, why, name)
    # In a mainly English text the first other byte may come late, so the window begins near it.
    start = data.rfind(b"\n", 0, max(0, error.start - _DETECTOR_WINDOW // 2)) + 1
    sample = data[start : start + _DETECTOR_WINDOW]
    encoding = _detect(sample)
    if encoding is None:
        raise _undecodable(data, error.start, "is not UTF-8, and no other encoding fits", name)
    if is_single_byte(encoding):
        encoding = choose_encoding(data, sample, encoding)
    if encoding in _LATIN_ENCODINGS and re.search(rb"[\x80-\x9f]", data):
        encoding = "cp1252"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as wrong:
        why = f"is neither UTF-8 nor {encoding}, the likely encoding of the file"
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
    """Return whether more characters beyond ASCII are valid UTF-8 than not.

    This is the case in no other encoding.
    """
    text = data.decode("utf-8", "replace")
    n_invalid = text.count("\ufffd")
    n_foreign = sum(map(len, re.findall(r"[^\x00-\x7f]+", text)))
    return n_foreign - n_invalid > n_invalid


def _undecodable(data: bytes, offset: int, why: str, name: str) -> CorpusError:
    value = f"0x{data[offset]:02x} " if offset < len(data) else ""
    return CorpusError(
        f"{name} cannot be decoded: the byte {value}at offset {offset:,} {why}. "
        "Save the file again as UTF-8."
    )


def _checked(text: str, encoding: str, guessed_encoding: str | None, name: str) -> DecodedText:
    """Refuse a content that can be decoded but is not text, and remove byte order marks."""
    controls = _CONTROLS.findall(text)
    limit = max(_MAX_STRAY_CONTROLS, _MAX_CONTROL_SHARE * len(text))
    is_binary = "\0" in controls or len(controls) > limit
    if is_binary:
        wanted = "\0" if "\0" in controls else controls[0]
        # Not everything that decodes as ISO 2022 can be encoded again; the offset is then inexact.
        offset = len(text[: text.index(wanted)].encode(encoding, "replace"))
        raise CorpusError(
            f"{name} is not a text: it contains the control character 0x{ord(wanted):02x} at byte "
            f"offset {offset:,}. Export it as plain text in UTF-8, or remove it from the corpus."
        )
    return DecodedText(text.replace("\ufeff", ""), guessed_encoding)
