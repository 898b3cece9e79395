"""Read a table with columns ``author`` and ``text``: CSV, JSON Lines or Parquet."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from byline.corpus.decoding import MAX_TABLE_BYTES, decode, read_bytes
from byline.corpus.document import Document, Finding
from byline.corpus.readers.plain_text import read_lines
from byline.corpus.readers.result import ReadResult, encoding_findings
from byline.errors import CorpusError, MissingExtraError
from byline.formatting import file_size, has_unprintable, join_names, printable, quantity

REQUIRED = ("author", "text")
_FIELDS = frozenset({"author", "text", "work", "topic"})
_MAX_SHOWN_COLUMNS = 8
_MAX_SHOWN_NAME, _MAX_AUTHOR = 30, 1000  # characters
_NOT_TEXT = re.compile(r"[\0\ud800-\udfff]")
_DELIMITERS = (",", ";", "\t", "|")
# The csv module has one limit per process, and a chapter of a book exceeds its default.
_NO_FIELD_LIMIT = min(sys.maxsize, 2**31 - 1)
_field_limit_lock = threading.Lock()
_PARQUET_BATCH = 64  # rows

# The place of a row in messages ("known.csv, row 7"), and its cells by the names of the columns.
Row = tuple[str, Mapping[str, object]]


def read_csv(path: Path, name: str) -> ReadResult:
    """Read a table whose columns are separated by commas, semicolons, tabs or bars.

    Rows are numbered as in a spreadsheet: the header is row 1.

    Raises
    ------
    CorpusError
        The file cannot be decoded or divided into columns, or a column is missing.
    """
    text, findings = _decode_table(path, name, "a header with author and text, and rows")
    with _without_field_limit():
        result = read_rows(_csv_rows(text, name))
    return replace(result, findings=result.findings + findings)


def read_json_lines(path: Path, name: str) -> ReadResult:
    """Read a table with one JSON object per line; blank lines are ignored.

    Raises
    ------
    CorpusError
        The file cannot be read or decoded, or is empty. A line without such an object is a
        finding.
    """
    text, findings = _decode_table(path, name, "one object with author and text per line")
    errors: list[Finding] = []
    result = read_rows(_json_rows(text, name, errors))
    return replace(result, findings=errors + result.findings + findings)


def read_parquet(path: Path, name: str) -> ReadResult:
    """Read a Parquet table batch by batch; the first row is row 1.

    Raises
    ------
    MissingExtraError
        pyarrow is not installed.
    CorpusError
        The file is not Parquet, a column is missing, or the table unpacks to more than Byline
        reads.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError(
            f'Reading {name} requires pyarrow. Install it: python -m pip install "byline[parquet]"'
        ) from error
    try:
        with parquet.ParquetFile(path) as table:
            return read_rows(_parquet_rows(table, name))
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise CorpusError(
            f"{name} cannot be read as Parquet: {reason}. Write it again, or as .csv or .jsonl."
        ) from error


TABLE_READERS: Mapping[str, Callable[[Path, str], ReadResult]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".parquet": read_parquet,
}


def canonical_columns(columns: Sequence[str], name: str) -> list[str]:
    """Return the names of the columns in lower case, without surrounding white space.

    Raises
    ------
    CorpusError
        ``author`` or ``text`` is missing, or two columns have the same name.
    """
    canonical = [column.strip().casefold() for column in columns]
    missing = [column for column in REQUIRED if column not in canonical]
    if missing:
        raise CorpusError(
            f"{name} has no column {' and no column '.join(missing)}. It has the columns: "
            f"{_shown(columns) or 'none'}. Rename the columns of authors and texts to author and "
            "text."
        )
    repeated = [column for column, number in Counter(canonical).items() if column and number > 1]
    if repeated:
        raise CorpusError(f"{name} has several columns named {_shown(repeated)}. Keep one of them.")
    return canonical


def _shown(columns: Sequence[str]) -> str:
    """Name columns in a message; a text in place of a header is shortened."""
    names = [printable(column).strip() for column in columns]
    short = [
        name if len(name) <= _MAX_SHOWN_NAME else name[:_MAX_SHOWN_NAME] + "..." for name in names
    ]
    return join_names(short, _MAX_SHOWN_COLUMNS)


def read_rows(rows: Iterable[Row]) -> ReadResult:
    """Turn each row into a document; every row that cannot be one is an error.

    Parameters
    ----------
    rows : iterable of (str, mapping of str to object)
        The place of each row in messages, and its cells by the names of the columns.
    """
    documents: list[Document] = []
    findings: list[Finding] = []
    places: dict[str, list[str]] = {}
    escaped: list[str] = []
    for place, cells in rows:
        try:
            document = _read_row(place, cells)
        except CorpusError as error:
            findings.append(Finding("error", "invalid-row", f"{place}: {error}", (place,)))
            continue
        documents.append(document)
        if "id" in document.metadata:
            places.setdefault(document.metadata["id"], []).append(place)
        if has_unprintable(str(cells["author"])):
            escaped.append(place)
    findings += _duplicate_id_findings(places) + _escaped_name_findings(escaped)
    return ReadResult(documents, findings, frozenset(range(len(documents))))


def _read_row(place: str, cells: Mapping[str, object]) -> Document:
    for column in REQUIRED:
        if cells.get(column) is None:
            raise CorpusError(f"the cell of {column} is missing. Fill it in or delete the row.")
    text = cells["text"]
    if not isinstance(text, str):
        raise CorpusError(f"the text is not a string but {_type_of(text)}. Write a string.")
    if found := _NOT_TEXT.search(text):
        what = "NUL" if found[0] == "\0" else "an unpaired surrogate"
        raise CorpusError(f"the text contains {what} at character {found.start():,}. Remove it.")
    author = " ".join(printable(_label("author", cells)).split())
    if not author:
        raise CorpusError("the author is empty. Fill it in or delete the row.")
    if len(author) > _MAX_AUTHOR:
        raise CorpusError(
            f"the author has {len(author):,} characters ({author[:_MAX_SHOWN_NAME]}...), but a "
            f"name has at most {_MAX_AUTHOR:,}. Check whether the cell contains a text."
        )
    metadata = {
        printable(column): _label(column, cells)
        for column, cell in cells.items()
        if column and column not in _FIELDS and cell is not None and cell != ""
    }
    work, topic = (_label(column, cells).strip() for column in ("work", "topic"))
    return Document(author, read_lines(text), place, work, topic or None, metadata)


def _label(column: str, cells: Mapping[str, object]) -> str:
    cell = cells.get(column)
    if cell is None:
        return ""
    if column in ("author", "work", "topic", "id") and (
        isinstance(cell, bool) or not isinstance(cell, str | int)
    ):
        raise CorpusError(
            f"{column} is neither a string nor a whole number but {_type_of(cell)}. Write one."
        )
    return printable(str(cell))


def _type_of(cell: object) -> str:
    return f"{type(cell).__name__} ({printable(repr(cell)[:40])})"


def _duplicate_id_findings(places: Mapping[str, Sequence[str]]) -> list[Finding]:
    return [
        Finding(
            "error",
            "duplicate-id",
            f"The id {identifier} occurs in {quantity(len(where), 'row')}: {join_names(where)}. "
            "Give each document its own id.",
            tuple(where),
        )
        for identifier, where in places.items()
        if len(where) > 1
    ]


def _escaped_name_findings(places: list[str]) -> list[Finding]:
    if not places:
        return []
    message = (
        f"{quantity(len(places), 'author name contains', 'author names contain')} characters that "
        f"cannot be printed. They are shown as escapes: {join_names(places)}. Correct the names."
    )
    return [Finding("warning", "escaped-name", message, tuple(places))]


def _decode_table(path: Path, name: str, needed: str) -> tuple[str, list[Finding]]:
    """Return the text of a table, and a warning if its encoding was guessed."""
    decoded = decode(read_bytes(path, name, MAX_TABLE_BYTES), name)
    if not decoded.text.strip():
        raise CorpusError(f"{name} is empty. It must contain {needed}.")
    encoding = decoded.guessed_encoding
    return decoded.text, encoding_findings({name: encoding} if encoding else {})


def _csv_rows(text: str, name: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        columns = canonical_columns(next(reader), name)
        for number, cells in enumerate(reader, start=2):
            if not any(cells):
                continue
            if len(cells) != len(columns):
                raise CorpusError(
                    f"{name}, row {number} (line {reader.line_num}) has "
                    f"{quantity(len(cells), 'cell')}, but the header has {len(columns)}. "
                    "Put a text that contains the delimiter in quotation marks."
                )
            yield f"{name}, row {number}", dict(zip(columns, cells, strict=True))
    except csv.Error as error:
        raise CorpusError(
            f"{name}, line {reader.line_num}: {error}. Check for a quotation mark that is missing "
            "or not doubled."
        ) from error


def _delimiter(text: str) -> str:
    """Return the delimiter that divides the first line into the required columns."""
    head = text.lstrip("\r\n").splitlines()[0]
    for delimiter in _DELIMITERS:
        columns = {cell.strip(' "').casefold() for cell in head.split(delimiter)}
        if columns.issuperset(REQUIRED):
            return delimiter
    return max(_DELIMITERS, key=head.count)


@contextmanager
def _without_field_limit() -> Iterator[None]:
    with _field_limit_lock:
        before = csv.field_size_limit(_NO_FIELD_LIMIT)
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _json_rows(text: str, name: str, errors: list[Finding]) -> Iterator[Row]:
    # splitlines() would also split at U+2028, which JSON allows within a string.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{name}, line {number}"
        try:
            yield place, _parse_object(line, place)
        except CorpusError as error:
            errors.append(Finding("error", "invalid-row", str(error), (place,)))


def _parse_object(line: str, place: str) -> dict[str, object]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise CorpusError(
            f"{place} is not valid JSON: {error.msg} at character {error.pos + 1}. Correct the "
            "line or delete it."
        ) from error
    except (ValueError, RecursionError) as error:
        raise CorpusError(
            f"{place} cannot be read as JSON: {error}. Correct the line or delete it."
        ) from error
    if not isinstance(record, dict):
        raise CorpusError(
            f"{place} is not a JSON object. Write an object with author and text, or delete the "
            "line."
        )
    return dict(zip(canonical_columns(list(record), place), record.values(), strict=True))


def _parquet_rows(table: Any, name: str) -> Iterator[Row]:
    columns = canonical_columns(table.schema_arrow.names, name)
    number, remaining = 0, MAX_TABLE_BYTES
    for batch in table.iter_batches(batch_size=_PARQUET_BATCH):
        remaining -= batch.nbytes
        for scalars in zip(*batch.columns, strict=True):
            number += 1
            cells = [scalar.as_py() for scalar in scalars]
            # A dictionary column stores a text once, however many rows refer to it.
            remaining -= sum(len(cell) for cell in cells if isinstance(cell, str))
            if remaining < 0:
                raise CorpusError(
                    f"{name} unpacks to more than {file_size(MAX_TABLE_BYTES)}, the most "
                    "that Byline reads from one table. Divide it into several."
                )
            yield f"{name}, row {number}", dict(zip(columns, cells, strict=True))
