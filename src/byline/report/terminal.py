"""Layout of printed output: tables, names, and text without control characters."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from byline.formatting import isolated, quantity

LONGEST_NAME = 40
# Names and texts must not control the terminal: escape sequences and the like are shown as ?.
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000)], "?")


def plain(text: str) -> Text:
    r"""Write text without interpreting markup, and each control character as a question mark.

    Examples
    --------
    >>> print(plain("[bold]\x1b"))
    [bold]?
    """
    return Text(text.translate(_CONTROLS))


def shorten_name(author: str) -> Text:
    """Write an author's name, shortened if it would leave no space for the figures.

    Examples
    --------
    >>> print(shorten_name("Ann"))
    Ann
    """
    cut = author if len(author) <= LONGEST_NAME else author[: LONGEST_NAME - 1] + "…"
    return plain(isolated(cut))


def in_sentences(length: int | None) -> str:
    """Write the length of questioned texts in sentences; None means whole texts.

    Examples
    --------
    >>> in_sentences(5), in_sentences(None)
    ('5 sentences', 'whole texts')
    """
    if length is None:
        return "whole texts"
    return quantity(length, "sentence")


def empty_table(*headings: str, texts: int) -> Table:
    """Make a table without lines; the columns after the first ``texts`` hold numbers."""
    table = Table(box=None, pad_edge=True, header_style="dim")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < texts else "right")
    return table
