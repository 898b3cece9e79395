"""Read a table with authors and texts: CSV, JSON, JSON Lines or Parquet."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path, PurePath
from typing import Any

from byline.corpus.decoding import MAX_TABLE_BYTES
from byline.corpus.document import Document, Finding
from byline.corpus.readers.added_formats import documents_reader
from byline.corpus.readers.columns import REQUIRED, canonical_columns
from byline.corpus.readers.data_set import data_set_parts
from byline.corpus.readers.plain_text import read_lines
from byline.corpus.readers.result import ReadResult
from byline.corpus.readers.table_content import (
    GZIP_SUFFIX,
    decode_table,
    find_delimiter,
    split_stated_delimiter,
)
from byline.errors import CorpusError, MissingExtraError
from byline.formatting import file_size, has_unprintable, join_names, printable, quantity

_FIELDS = frozenset({"author", "text", "work", "topic"})
_MAX_SHOWN_NAME, _MAX_AUTHOR = 30, 1000  # characters
_MAX_EXAMPLES = 2  # after the first one
_ARRAY_OF_OBJECTS = re.compile(r"\s*+\[\s*+[{\]]")
_NOT_TEXT = re.compile(r"[\0\ud800-\udfff]")
# The csv module has one limit per process, and a chapter of a book exceeds its default.
_NO_FIELD_LIMIT = min(sys.maxsize, 2**31 - 1)
_field_limit_lock = threading.Lock()
_PARQUET_BATCH = 64  # rows

# The place of a row in messages ("known.csv, row 7"), and its cells by the names of the columns.
Row = tuple[str, Mapping[str, object]]
# The field that each named column contains, as `parse_columns` returns it.
Columns = Mapping[str, str]
TableReader = Callable[[Path, str, Columns], "ReadResult"]


def read_csv(path: Path, name: str, columns: Columns) -> ReadResult:
    """Read a table whose columns are separated by commas, semicolons, tabs or bars.

    Rows are numbered as in a spreadsheet: the header is row 1.

    Raises
    ------
    CorpusError
        The file cannot be decoded or divided into columns, or a column is missing.
    """
    text, findings = decode_table(path, name, "a header with author and text, and rows")
    with without_field_limit():
        result = read_rows(_csv_rows(text, name, columns))
    return replace(result, findings=result.findings + findings)


def read_json(path: Path, name: str, columns: Columns) -> ReadResult:
    """Read an array of JSON objects, or one object per line; blank lines are ignored.

    Raises
    ------
    CorpusError
        The file cannot be read or decoded, or is empty. A line without such an object is a
        finding.
    """
    text, findings = decode_table(path, name, "objects with author and text")
    errors: list[Finding] = []
    _check_not_one_object(text, name)
    result = read_rows(_json_rows(text, name, columns, errors))
    return replace(result, findings=_merge_equal(errors) + result.findings + findings)


def read_parquet(path: Path, name: str, columns: Columns) -> ReadResult:
    """Read a Parquet table, or a data set of such tables, batch by batch; the first row is row 1.

    Raises
    ------
    MissingExtraError
        pyarrow is not installed.
    CorpusError
        The file is not Parquet, a column is missing, or the table unpacks to more than Byline
        reads.
    """
    parts = [(part, f"{name}/{part.name}") for part in data_set_parts(path)] or [(path, name)]
    return read_rows(chain.from_iterable(_rows_of_part(*part, columns) for part in parts))


def _rows_of_part(path: Path, name: str, columns: Columns) -> Iterator[Row]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError(
            f'Reading {name} requires pyarrow. Install it: python -m pip install "byline[parquet]"'
        ) from error
    try:
        with parquet.ParquetFile(path) as table:
            yield from _parquet_rows(table, name, columns)
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise CorpusError(
            f"{name} cannot be read as Parquet: {reason}. Write it again, or as .csv or .jsonl."
        ) from error


_TEXT_READERS: Mapping[str, TableReader] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".json": read_json,
    ".jsonl": read_json,
    ".ndjson": read_json,
}
TABLE_READERS: Mapping[str, TableReader] = {
    **_TEXT_READERS,
    **{suffix + GZIP_SUFFIX: reader for suffix, reader in _TEXT_READERS.items()},
    ".parquet": read_parquet,
}


def table_reader(path: PurePath) -> TableReader | None:
    """Return the function that reads a table with this name; None if it is not the name of one.

    It may be the function of another package (see `FileFormat`).

    Examples
    --------
    >>> table_reader(PurePath("posts.jsonl.gz")).__name__
    'read_json'
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    last = "".join(suffixes[-1:])
    own = TABLE_READERS.get("".join(suffixes[-2:])) or TABLE_READERS.get(last)
    return documents_reader(last) or own


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
    findings = _merge_equal(findings)
    findings += _duplicate_id_findings(places) + _escaped_name_findings(escaped)
    return ReadResult(documents, findings, frozenset(range(len(documents))))


def _merge_equal(findings: Iterable[Finding]) -> list[Finding]:
    """Make one finding of the rows that have the same error: often all rows of a table."""
    alike: dict[str, list[Finding]] = {}
    for finding in findings:
        alike.setdefault(finding.message.removeprefix(finding.paths[0]), []).append(finding)
    merged = []
    for first, *others in alike.values():
        paths = tuple(finding.paths[0] for finding in (first, *others))
        message = first.message
        if others:
            further = quantity(len(others), "further row has", "further rows have")
            message += f" ({further} the same error: {join_names(paths[1:], _MAX_EXAMPLES)}.)"
        merged.append(replace(first, message=message, paths=paths))
    return merged


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
    repeated = {identifier: where for identifier, where in places.items() if len(where) > 1}
    if not repeated:
        return []
    examples = [
        f"The id {identifier} occurs in {quantity(len(where), 'row')}: {join_names(where)}."
        for identifier, where in islice(repeated.items(), _MAX_EXAMPLES + 1)
    ]
    n_more = len(repeated) - len(examples)
    if n_more:
        examples.append(
            f"{quantity(n_more, 'further id occurs', 'further ids occur')} in several rows."
        )
    message = f"{' '.join(examples)} Give each document its own id."
    paths = tuple(place for where in repeated.values() for place in where)
    return [Finding("error", "duplicate-id", message, paths)]


def _escaped_name_findings(places: list[str]) -> list[Finding]:
    if not places:
        return []
    message = (
        f"{quantity(len(places), 'author name contains', 'author names contain')} characters that "
        f"cannot be printed. They are shown as escapes: {join_names(places)}. Correct the names."
    )
    return [Finding("warning", "escaped-name", message, tuple(places))]


def _csv_rows(text: str, name: str, chosen: Columns) -> Iterator[Row]:
    table, stated = split_stated_delimiter(text)
    wanted = {*chosen, *(set(REQUIRED) - set(chosen.values()))}
    delimiter = stated or find_delimiter(table, wanted)
    reader = csv.reader(io.StringIO(table, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = canonical_columns(next(reader), name, chosen)
        for number, cells in enumerate(reader, start=2 if stated is None else 3):
            if not any(cells):
                continue
            if len(cells) != len(columns):
                raise CorpusError(
                    f"{name}, row {number} (line {reader.line_num + (stated is not None)}) has "
                    f"{quantity(len(cells), 'cell')}, but the header has {len(columns)}. "
                    "Put a text that contains the delimiter in quotation marks."
                )
            yield f"{name}, row {number}", dict(zip(columns, cells, strict=True))
    except csv.Error as error:
        raise CorpusError(
            f"{name}, line {reader.line_num}: {error}. Check for a quotation mark that is missing "
            "or not doubled."
        ) from error


@contextmanager
def without_field_limit() -> Iterator[None]:
    """Let a cell of a CSV table be as long as a book."""
    with _field_limit_lock:
        before = csv.field_size_limit(_NO_FIELD_LIMIT)
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _json_rows(text: str, name: str, columns: Columns, errors: list[Finding]) -> Iterator[Row]:
    is_array = _ARRAY_OF_OBJECTS.match(text) is not None
    # splitlines() would also split at U+2028, which JSON allows within a string.
    rows = _parse(text, name) if is_array else text.split("\n")
    for number, row in enumerate(rows, start=1):
        if not is_array and not row.strip():
            continue
        place = f"{name}, {'row' if is_array else 'line'} {number}"
        try:
            record = row if is_array else _parse(row, place)
            yield place, _named_cells(record, place, columns)
        except CorpusError as error:
            errors.append(Finding("error", "invalid-row", str(error), (place,)))


def _check_not_one_object(text: str, name: str) -> None:
    """Refuse one object in several lines, each of which would be an error."""
    head, _, rest = text.strip().partition("\n")
    if not head.rstrip().endswith(("{", "[", ",")) or not head.startswith("{") or not rest:
        return
    raise CorpusError(
        f"{name} is one JSON object, not a table. Write a list of objects with author and text, "
        "[{...}, {...}], or one object per line."
    )


def _parse(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise CorpusError(
            f"{place} is not valid JSON: {error.msg} at {where}character {error.colno}. Correct "
            "the line or delete it."
        ) from error
    except (ValueError, RecursionError) as error:
        raise CorpusError(
            f"{place} cannot be read as JSON: {error}. Correct the line or delete it."
        ) from error


def _named_cells(record: Any, place: str, columns: Columns) -> dict[str, object]:
    if not isinstance(record, dict):
        raise CorpusError(
            f"{place} is not a JSON object. Write an object with author and text, or delete the "
            "line."
        )
    return dict(zip(canonical_columns(list(record), place, columns), record.values(), strict=True))


def _parquet_rows(table: Any, name: str, chosen: Columns) -> Iterator[Row]:
    columns = canonical_columns(table.schema_arrow.names, name, chosen)
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
