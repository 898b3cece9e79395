"""`Display`: the functions that show one result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from byline.report.summary import Summary


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table for pandas.

    Attributes
    ----------
    columns : sequence of str
        The names of the columns.
    rows : iterable of sequence
        The values of each row.
    """

    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]

    @classmethod
    def of(cls, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> DataTable:
        """Choose columns of rows that are dictionaries."""
        return cls(columns, ([row[column] for column in columns] for row in rows))


@dataclass(frozen=True, slots=True)
class Display:
    """The functions that show one result.

    Attributes
    ----------
    summary : callable
        Returns what the command line prints with ``--json``.
    write : callable
        Prints the result to a console.
    section : callable
        Returns the main part of the report in HTML.
    page : callable
        Returns the report as one HTML file.
    tables : mapping of str to callable
        Functions that return tables, by name; the first is the default.
    """

    summary: Callable[[], Summary]
    write: Callable[[Console], None]
    section: Callable[[], str]
    page: Callable[[], str]
    tables: Mapping[str, Callable[[], DataTable]]
