"""`Display`: the functions that show one result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rich.console import Console

from byline.report.data_table import DataTable
from byline.report.summary import Summary


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
