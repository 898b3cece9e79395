"""Read a user's own numeric features of texts: a table with one row per text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from byline.corpus.readers.table_content import rows_of_texts
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
    rows = rows_of_texts(Path(path), "the name of a text and numbers in each row")
    columns = _check_columns(next(rows)[1], name)
    return FeatureTable(name, columns, dict(_numbers(rows, columns)))


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


def _numbers(
    rows: Iterator[tuple[str, list[str]]], columns: Sequence[str]
) -> Iterator[tuple[str, tuple[float, ...]]]:
    for place, (text, *cells) in rows:
        if len(cells) != len(columns):
            raise CorpusError(
                f"{place} has {len(cells) + 1} cells, but the header has {len(columns) + 1}. Fill "
                "in the row, or put a name that contains the delimiter in quotation marks."
            )
        yield text, tuple(map(_number, cells, repeat(place), columns))


def _number(cell: str, place: str, column: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        what = f"{cell[:40]!r}, which is not a number" if cell else "empty"
        raise CorpusError(
            f"{place}: the cell of {column!r} is {what}. Write a number with a decimal point; if "
            "the value is unknown, delete the column, or fill in an estimate."
        )
    return number
