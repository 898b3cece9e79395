"""CSV, by whichever of comma, semicolon, tab and bar its head is divided."""

from __future__ import annotations

import csv
import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from byline.corpus.decoding import MAX_TABLE_BYTES, decode, read_bytes
from byline.corpus.readers.result import ReadResult, about_guesses
from byline.corpus.readers.table import REQUIRED, Row, canonical_columns, read_rows
from byline.errors import CorpusError
from byline.formatting import quantity

_DELIMITERS = (",", ";", "\t", "|")
# The limit is the csv module's, for the whole process, and a chapter is longer than its default.
_NO_LIMIT = min(sys.maxsize, 2**31 - 1)
_limit_lock = threading.Lock()


def read_csv(path: Path, name: str) -> ReadResult:
    """Read a table with a head; rows are numbered as a spreadsheet does, the head being row 1.

    Raises
    ------
    CorpusError
        It cannot be decoded or divided into columns, or a column is missing.
    """
    decoded = decode(read_bytes(path, name, MAX_TABLE_BYTES), name)
    if not decoded.text.strip():
        raise CorpusError(f"{name} is empty; it needs a head with author and text, and rows")
    with _no_field_limit():
        reading = read_rows(_rows(decoded.text, name))
    guesses = {name: decoded.guessed_encoding} if decoded.guessed_encoding else {}
    return ReadResult(reading.documents, reading.findings + about_guesses(guesses))


def _rows(text: str, name: str) -> Iterator[Row]:
    delimiter = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = canonical_columns(next(reader), name)
        for number, cells in enumerate(reader, start=2):
            if not any(cells):
                continue
            if len(cells) != len(columns):
                raise CorpusError(
                    f"{name}, row {number} (line {reader.line_num}) has "
                    f"{quantity(len(cells), 'cell')} where the head has {len(columns)}; "
                    "put a text with a delimiter in quotation marks"
                )
            yield f"{name}, row {number}", dict(zip(columns, cells, strict=True))
    except csv.Error as error:
        raise CorpusError(
            f"{name}, line {reader.line_num}: {error}; is a quotation mark missing, or not doubled?"
        ) from error


def _delimiter(text: str) -> str:
    """Return what divides the first line into columns that include those required."""
    head = text.lstrip("\r\n").splitlines()[0]
    for delimiter in _DELIMITERS:
        columns = {cell.strip(' "').casefold() for cell in head.split(delimiter)}
        if columns.issuperset(REQUIRED):
            return delimiter
    return max(_DELIMITERS, key=head.count)


@contextmanager
def _no_field_limit() -> Iterator[None]:
    with _limit_lock:
        before = csv.field_size_limit(_NO_LIMIT)
        try:
            yield
        finally:
            csv.field_size_limit(before)
