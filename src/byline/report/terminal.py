"""What all that is printed is laid out with: tables, names, and text that cannot do harm."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from byline.formatting import isolated

LONGEST_NAME = 40
# What a name or text must not do to a terminal: escape sequences and other controls show as ?.
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000)], "?")


def plain(text: str) -> Text:
    """Write text as it is, without markup; each control character as a question mark."""
    return Text(text.translate(_CONTROLS))


def shorten_name(author: str) -> Text:
    """Write an author's name, cut where it would push the figures out of sight."""
    cut = author if len(author) <= LONGEST_NAME else author[: LONGEST_NAME - 1] + "…"
    return plain(isolated(cut))


def in_sentences(length: int | None) -> str:
    """Write the length of questioned texts; None where they are as they were held out."""
    if length is None:
        return "as held out"
    return f"{length} sentence{'s' * (length != 1)}"


def empty_table(*headings: str, texts: int) -> Table:
    """Lay out a table without lines whose columns after the first ``texts`` are numbers."""
    table = Table(box=None, pad_edge=True, header_style="dim")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < texts else "right")
    return table
