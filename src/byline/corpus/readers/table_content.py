"""The content of a table: unpacked, decoded, and how its columns are separated."""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from collections.abc import Collection, Iterator, Set
from pathlib import Path

from byline.corpus.decoding import MAX_TABLE_BYTES, decode, read_bytes
from byline.corpus.document import Finding
from byline.corpus.readers.result import encoding_findings
from byline.errors import CorpusError
from byline.formatting import file_size, printable

GZIP_SUFFIX = ".gz"
GZIP_MAGIC = b"\x1f\x8b"
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
    decoded = decode(_unpacked(data, name) if data.startswith(GZIP_MAGIC) else data, name)
    if not decoded.text.strip():
        raise CorpusError(f"{name} is empty. It must contain {needed}.")
    encoding = decoded.guessed_encoding
    return decoded.text, encoding_findings({name: encoding} if encoding else {})


def _unpacked(data: bytes, name: str) -> bytes:
    """Unpack what gzip packed, up to the largest size of a table."""
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        content = unpacker.decompress(data, MAX_TABLE_BYTES + 1)
        while unpacker.eof and unpacker.unused_data.startswith(GZIP_MAGIC):  # a further member
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


def rows_of_texts(path: Path, needed: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the header of a table, and one row per text, whose name is in the first column.

    Parameters
    ----------
    path : Path
    needed : str
        What the table must contain, for messages.

    Yields
    ------
    place : str
        The file and the number of the row, for messages.
    cells : list of str

    Raises
    ------
    CorpusError
        As in `decode_table`; or a row is not CSV, has no name, or has that of another row.
    """
    name = printable(path)
    content, stated = split_stated_delimiter(decode_table(path, name, needed)[0])
    if not content.strip():
        raise CorpusError(f"{name} is empty. It must contain {needed}.")
    delimiter = stated or find_delimiter(content, {"\0"})  # the one with the most columns
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
    first = 1 if stated is None else 2
    seen: set[str] = set()
    try:
        for number, row in enumerate(reader, start=first):
            place, cells = f"{name}, row {number}", [printable(cell).strip() for cell in row]
            if number > first and any(cells):
                _check_name(cells[0], seen, place)
                seen.add(cells[0])
            if number == first or any(cells):
                yield place, cells
    except csv.Error as error:
        raise CorpusError(
            f"{name}, line {reader.line_num}: {error}. Check for a quotation mark that is missing "
            "or not doubled."
        ) from error


def _check_name(text: str, seen: Set[str], place: str) -> None:
    if not text or text in seen:
        wrong = f"the text {text!r} has a row already" if text else "the name is empty"
        raise CorpusError(f"{place}: {wrong}. Each text has exactly one row, with its name.")


def _cells(line: str, delimiter: str) -> list[str]:
    return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
