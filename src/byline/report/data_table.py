"""Tables of results: for pandas, and as files of comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

OF_A_FORMULA = ("=", "+", "-", "@", "\t")


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table; missing values are None.

    Attributes
    ----------
    columns : sequence of str
        The names of the columns.
    rows : iterable of sequence
        The values of each row.

    Examples
    --------
    >>> print(DataTable(("model", "hours"), [("kn4", 0.5), ("=nn", None)]).to_csv())
    model,hours
    kn4,0.5
    '=nn,
    <BLANKLINE>
    """

    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]

    @classmethod
    def of(cls, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> DataTable:
        """Choose columns of rows that are dictionaries."""
        return cls(columns, ([row[column] for column in columns] for row in rows))

    def to_csv(self) -> str:
        """Return the table as CSV with a header line; missing values are empty.

        Texts that a spreadsheet would interpret as a formula are preceded by an apostrophe.
        """
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(map(_without_formula, row) for row in self.rows)
        return stream.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")


def _without_formula(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(OF_A_FORMULA) else value
