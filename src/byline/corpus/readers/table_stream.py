"""Read the texts of a table row by row, so that a table of any size needs little memory."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from byline.corpus.readers.columns import canonical_columns
from byline.corpus.readers.data_set import data_set_parts
from byline.corpus.readers.table import without_field_limit
from byline.corpus.readers.table_content import (
    GZIP_MAGIC,
    GZIP_SUFFIX,
    find_delimiter,
    split_stated_delimiter,
)
from byline.errors import CorpusError, MissingExtraError
from byline.formatting import printable, quantity

_REQUIRED = ("text",)
_PARQUET_BATCH = 64  # rows
_LONGEST_LINE = 1 << 28  # bytes


@dataclass(frozen=True, slots=True)
class TableText:
    """The text of one row of a table.

    Attributes
    ----------
    place : str
        The file and the row, for messages.
    identifier : str or int, or None
        The cell of the column ``id``; None without such a column.
    text : str or None
        None if the row has no text that can be read.
    error : str or None
        Why it has none.

    See Also
    --------
    byline.corpus.read_corpus : Reads a whole table with authors.

    Examples
    --------
    >>> TableText("posts.jsonl, line 1", "a1", "It rained.").error is None
    True
    """

    place: str
    identifier: str | int | None
    text: str | None
    error: str | None = None


class TableStream:
    """The texts of a table in JSON Lines, CSV or Parquet, read row by row.

    Text tables are in UTF-8, and may be packed with gzip. Columns other than ``text`` and ``id``
    are ignored.

    Parameters
    ----------
    path : Path
        A file, or a folder of Parquet files that are the parts of one table.
    columns : mapping of str to str
        As `byline.corpus.readers.columns.parse_columns` returns it.

    Raises
    ------
    CorpusError
        The file cannot be read, is not such a table, or has no column ``text``. Errors of single
        rows are in `TableText.error`, except in CSV, where an error concerns all later rows.
    MissingExtraError
        The table is Parquet, and pyarrow is not installed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "posts.jsonl")
    ...     _ = path.write_text('{"id": 1, "text": "It rained."}')
    ...     [row.text for row in TableStream(path, {})]
    ['It rained.']
    """

    def __init__(self, path: Path, columns: Mapping[str, str]) -> None:
        self.path = path
        self.columns = columns
        self.done, self.total = 0, 1
        self._name = printable(path)
        self._parts = data_set_parts(path)
        if not self._parts and not path.is_file():
            raise CorpusError(
                f"{self._name} is neither a file nor a folder of Parquet files. Check the spelling "
                "of the path."
            )
        self._rows = self._parquet_rows if self._parts else self._reader()

    def __iter__(self) -> Iterator[TableText]:
        """Yield the rows; ``done`` of ``total`` then says how much of the table was read."""
        for place, cells in self._rows():
            if isinstance(cells, CorpusError):
                yield TableText(place, None, None, str(cells))
            else:
                yield _row(place, cells)
        self.done = self.total

    def _reader(self) -> Callable[[], Iterator[tuple[str, Any]]]:
        suffixes = [suffix.lower() for suffix in self.path.suffixes]
        if suffixes[-1:] == [GZIP_SUFFIX]:
            suffixes.pop()
        kind = "".join(suffixes[-1:])
        readers = {
            ".jsonl": self._json_rows,
            ".ndjson": self._json_rows,
            ".csv": self._csv_rows,
            ".tsv": self._csv_rows,
            ".parquet": self._parquet_rows,
        }
        if kind not in readers:
            raise CorpusError(
                f"{self._name} is not a table that can be read row by row. Give a table in JSON "
                "Lines (.jsonl), CSV (.csv, .tsv) or Parquet (.parquet)."
            )
        return readers[kind]

    def _json_rows(self) -> Iterator[tuple[str, Any]]:
        for number, line in enumerate(self._lines(), start=1):
            if line.strip():
                place = f"{self._name}, line {number}"
                try:
                    yield place, self._cells_of(line)
                except CorpusError as error:
                    yield place, error

    def _cells_of(self, line: str) -> dict[str, object]:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CorpusError(f"not valid JSON: {error}") from error
        if not isinstance(record, dict):
            raise CorpusError("not a JSON object")
        names = canonical_columns(list(record), "the object", self.columns, _REQUIRED)
        return dict(zip(names, record.values(), strict=True))

    def _csv_rows(self) -> Iterator[tuple[str, Any]]:
        lines = self._lines()
        first = next(lines, "")
        rest, stated = split_stated_delimiter(first)
        header = rest or next(lines, "")
        if not header.strip():
            raise CorpusError(
                f"{self._name} is empty. It must contain a header with text, and rows."
            )
        wanted = {*self.columns, *({"text"} - set(self.columns.values()))}
        delimiter = stated or find_delimiter(header, wanted)
        reader = csv.reader(chain([header], lines), delimiter=delimiter, strict=True)
        with without_field_limit():
            names = canonical_columns(next(reader), self._name, self.columns, _REQUIRED)
            try:
                for number, cells in enumerate(reader, start=2 if stated is None else 3):
                    if any(cells):
                        yield f"{self._name}, row {number}", _named(names, cells)
            except csv.Error as error:
                raise CorpusError(
                    f"{self._name}, line {reader.line_num}: {error}. Check for a quotation mark "
                    "that is missing or not doubled."
                ) from error

    def _lines(self) -> Iterator[str]:
        """Yield the lines of a text table, and note how many bytes were read."""
        try:
            with self.path.open("rb") as raw:
                self.total = max(self.path.stat().st_size, 1)
                packed = raw.read(2) == GZIP_MAGIC
                raw.seek(0)
                source: BinaryIO = gzip.GzipFile(fileobj=raw) if packed else raw  # type: ignore[assignment]
                for number, line in enumerate(iter(lambda: source.readline(_LONGEST_LINE), b""), 1):
                    self.done = min(raw.tell(), self.total - 1)
                    yield _decoded(line, number, self._name)
        except (OSError, EOFError) as error:
            reason = getattr(error, "strerror", None) or error
            raise CorpusError(f"{self._name} cannot be read: {reason}. Check the file.") from error

    def _parquet_rows(self) -> Iterator[tuple[str, Any]]:
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError as error:
            raise MissingExtraError(
                f"Reading {self._name} requires pyarrow. Install it: python -m pip install "
                '"byline[parquet]"'
            ) from error
        named = [(part, f"{self._name}/{part.name}") for part in self._parts]
        parts = named or [(self.path, self._name)]
        name = self._name
        try:
            self.total = max(sum(parquet.read_metadata(part).num_rows for part, _ in parts), 1)
            for part, name in parts:
                with parquet.ParquetFile(part) as table:
                    yield from self._rows_of_part(table, name)
        except (pyarrow.ArrowException, OSError) as error:
            reason = str(error).splitlines()[0]
            raise CorpusError(f"{name} cannot be read as Parquet: {reason}.") from error

    def _rows_of_part(self, table: Any, name: str) -> Iterator[tuple[str, Any]]:
        stored = table.schema_arrow.names
        names = canonical_columns(stored, name, self.columns, _REQUIRED)
        wanted = {
            column: field
            for column, field in zip(stored, names, strict=True)
            if field in ("id", "text")
        }
        number = 0
        for batch in table.iter_batches(_PARQUET_BATCH, columns=list(wanted)):
            fields = [wanted[column] for column in batch.schema.names]
            columns = [column.to_pylist() for column in batch.columns]
            for cells in zip(*columns, strict=True):
                number += 1
                self.done += 1
                yield f"{name}, row {number}", _named(fields, cells)


def _named(names: Sequence[str], cells: Sequence[object]) -> dict[str, object] | CorpusError:
    if len(cells) == len(names):
        return dict(zip(names, cells, strict=True))
    return CorpusError(
        f"the row has {quantity(len(cells), 'cell')}, but the header has {len(names)}"
    )


def _row(place: str, cells: Mapping[str, object]) -> TableText:
    identifier, text = cells.get("id"), cells.get("text")
    if isinstance(identifier, bool) or not isinstance(identifier, str | int | None):
        return TableText(place, None, None, "the id is neither a string nor a whole number")
    if not isinstance(text, str):
        missing = "the text is missing" if text is None else "the text is not a string"
        return TableText(place, identifier, None, missing)
    return TableText(place, identifier, text)


def _decoded(line: bytes, number: int, name: str) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{name}, line {number} is not UTF-8. Convert the table to UTF-8."
        ) from error
