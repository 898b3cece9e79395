"""Read a user's own numeric features of texts: a table with one row per text."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from byline.corpus.readers.table_content import (
    decode_table,
    find_delimiter,
    split_stated_delimiter,
)
from byline.errors import CorpusError
from byline.formatting import join_names, printable

_MAX_SHOWN = 5


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """Numeric features of texts.

    Attributes
    ----------
    name : str
        What messages call the table.
    columns : tuple of str
        The names of the features.
    rows : mapping of str to tuple of float
        The values of each text, by its name.

    See Also
    --------
    read_feature_table : Reads it from a file.

    Examples
    --------
    >>> table = FeatureTable("table.csv", ("year",), {"a.txt": (1900.0,)})
    >>> table.values_of([("ada/a.txt", "a.txt")])
    [(1900.0,)]
    """

    name: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float, ...]]

    def values_of(self, texts: Sequence[Sequence[str]]) -> list[tuple[float, ...]]:
        """Return the row of each text.

        Parameters
        ----------
        texts : sequence of sequences of str
            The names that each text may have in the table; the first one that it has is used.

        Raises
        ------
        CorpusError
            Texts have no row; the message names them.
        """
        found = [next((n for n in names if n in self.rows), None) for names in texts]
        missing = [names[0] for names, name in zip(texts, found, strict=True) if name is None]
        if missing:
            have = "text has" if len(missing) == 1 else "texts have"
            raise CorpusError(
                f"{self.name}: {len(missing):,} {have} no row: "
                f"{join_names(missing, _MAX_SHOWN)}. Add one row for each text, with its name in "
                f"the first column, such as {missing[0]}"
            )
        return [self.rows[name] for name in found if name is not None]


def read_feature_table(path: str | Path) -> FeatureTable:
    r"""Read a CSV file whose first column names a text, and whose other columns are numbers.

    Parameters
    ----------
    path : str or Path
        The columns are separated by commas, semicolons, tabs or bars.

    Raises
    ------
    CorpusError
        The file cannot be read, has no column of numbers, names a text or a column twice, or a cell
        is not a finite number.

    See Also
    --------
    byline.attribution.NumericFeatures : Classifies by the features.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "table.csv")
    ...     _ = path.write_text("text,year,pages\nada/a.txt,1900,12\nben/b.txt,1911,8.5\n")
    ...     table = read_feature_table(path)
    >>> table.columns, table.rows["ben/b.txt"]
    (('year', 'pages'), (1911.0, 8.5))
    """
    name = printable(path)
    text, _ = decode_table(Path(path), name, "the name of a text and numbers in each row")
    table, stated = split_stated_delimiter(text)
    delimiter = stated or find_delimiter(table, {"\0"})  # the one with the most columns
    reader = csv.reader(io.StringIO(table, newline=""), delimiter=delimiter, strict=True)
    try:
        header = [printable(cell).strip() for cell in next(reader)]
        columns = _check_columns(header, name)
        rows = dict(_rows(reader, columns, name, 2 if stated is None else 3))
    except csv.Error as error:
        raise CorpusError(
            f"{name}, line {reader.line_num}: {error}. Check for a quotation mark that is missing "
            "or not doubled."
        ) from error
    return FeatureTable(name, columns, rows)


def _check_columns(header: Sequence[str], name: str) -> tuple[str, ...]:
    columns = tuple(header[1:])
    if not columns:
        raise CorpusError(
            f"{name} has only the column {header[0]!r}. Add columns of numbers after it."
        )
    repeated = sorted({column for column in columns if columns.count(column) > 1})
    if repeated or not all(columns):
        wrong = f"two columns called {repeated[0]!r}" if repeated else "a column without a name"
        raise CorpusError(f"{name} has {wrong}. Give each column its own name.")
    return columns


def _rows(
    reader: Iterator[list[str]], columns: Sequence[str], name: str, first: int
) -> Iterator[tuple[str, tuple[float, ...]]]:
    seen: set[str] = set()
    for number, cells in enumerate(reader, start=first):
        if not any(cells):
            continue
        place = f"{name}, row {number}"
        if len(cells) != len(columns) + 1:
            raise CorpusError(
                f"{place} has {len(cells)} cells, but the header has {len(columns) + 1}. Fill in "
                "the row, or put a name that contains the delimiter in quotation marks."
            )
        text = printable(cells[0]).strip()
        if not text or text in seen:
            wrong = f"the text {text!r} has a row already" if text else "the name is empty"
            raise CorpusError(f"{place}: {wrong}. Each text has exactly one row, with its name.")
        seen.add(text)
        yield (
            text,
            tuple(
                _number(cell, place, column)
                for cell, column in zip(cells[1:], columns, strict=True)
            ),
        )


def _number(cell: str, place: str, column: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        shown = printable(cell.strip())[:40]
        what = f"{shown!r}, which is not a number" if shown else "empty"
        raise CorpusError(
            f"{place}: the cell of {column!r} is {what}. Write a number with a decimal point; if "
            "the value is unknown, delete the column, or fill in an estimate."
        )
    return number
