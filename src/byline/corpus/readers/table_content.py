"""The content of a table: unpacked, decoded, and how its columns are separated."""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from collections.abc import Collection
from pathlib import Path

from byline.corpus.decoding import MAX_TABLE_BYTES, decode, read_bytes
from byline.corpus.document import Finding
from byline.corpus.readers.result import encoding_findings
from byline.errors import CorpusError
from byline.formatting import file_size

GZIP_SUFFIX = ".gz"
_GZIP_MAGIC = b"\x1f\x8b"
_DELIMITERS = (",", ";", "\t", "|")
# Excel reads and writes such a first line.
_STATED_DELIMITER = re.compile(r'"?sep=(.)"?[,;\t|]*\r?(?:\n|\Z)', re.IGNORECASE)


def decode_table(path: Path, name: str, needed: str) -> tuple[str, list[Finding]]:
    """Return the text of a table, and a warning if its encoding was guessed.

    Raises
    ------
    CorpusError
        The file cannot be read, unpacked or decoded, or is empty; ``needed`` is what it must
        contain.
    """
    data = read_bytes(path, name, MAX_TABLE_BYTES)
    decoded = decode(_unpacked(data, name) if data.startswith(_GZIP_MAGIC) else data, name)
    if not decoded.text.strip():
        raise CorpusError(f"{name} is empty. It must contain {needed}.")
    encoding = decoded.guessed_encoding
    return decoded.text, encoding_findings({name: encoding} if encoding else {})


def _unpacked(data: bytes, name: str) -> bytes:
    """Unpack what gzip packed, up to the largest size of a table."""
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        content = unpacker.decompress(data, MAX_TABLE_BYTES + 1)
        while unpacker.eof and unpacker.unused_data.startswith(_GZIP_MAGIC):  # a further member
            data, unpacker = unpacker.unused_data, zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
            content += unpacker.decompress(data, MAX_TABLE_BYTES + 1 - len(content))
    except (zlib.error, gzip.BadGzipFile, ValueError) as error:
        raise CorpusError(f"{name} cannot be unpacked: {error}. Pack it again.") from error
    if len(content) > MAX_TABLE_BYTES:
        raise CorpusError(
            f"{name} unpacks to more than {file_size(MAX_TABLE_BYTES)}, the most that Byline reads "
            "from one table. Divide it into several."
        )
    if not unpacker.eof:
        raise CorpusError(f"{name} is incomplete: its end is missing. Copy it again.")
    return content


def split_stated_delimiter(text: str) -> tuple[str, str | None]:
    r"""Split off a first line that states the delimiter.

    Examples
    --------
    >>> split_stated_delimiter("sep=;\nauthor;text\n")
    ('author;text\n', ';')
    """
    stated = _STATED_DELIMITER.match(text)
    return (text, None) if stated is None else (text[stated.end() :], stated[1])


def find_delimiter(text: str, wanted: Collection[str]) -> str:
    r"""Return the delimiter that divides the first line into the wanted columns.

    Parameters
    ----------
    text : str
    wanted : collection of str
        Names of columns in lower case. If no delimiter yields them, the one that yields most
        columns is returned.

    Examples
    --------
    >>> find_delimiter("author;text, with notes;text\n", {"author", "text"})
    ';'
    """
    head = text.lstrip("\r\n").splitlines()[0]
    for delimiter in _DELIMITERS:
        columns = {cell.strip().casefold() for cell in _cells(head, delimiter)}
        if columns.issuperset(wanted):
            return delimiter
    return max(_DELIMITERS, key=lambda delimiter: len(_cells(head, delimiter)))


def _cells(line: str, delimiter: str) -> list[str]:
    return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
