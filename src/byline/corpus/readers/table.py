"""Rows with columns ``author`` and ``text`` (and ``id``, ``work``, ``topic``) as documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from byline.corpus.document import Document
from byline.corpus.findings import Finding
from byline.corpus.readers.plain_text import normalize_paragraphs
from byline.corpus.readers.result import ReadResult
from byline.errors import CorpusError
from byline.formatting import has_unprintable, join_names, printable, quantity

REQUIRED = ("author", "text")
_OWN_FIELDS = frozenset({"author", "text", "work", "topic"})
_SHOWN_COLUMNS = 8
_SHOWN_OF_NAME = 30
_LONGEST_AUTHOR = 1000
_NO_TEXT = re.compile(r"[\0\ud800-\udfff]")

# Where a row stands ("known.csv, row 7") and its cells by the columns' names.
Row = tuple[str, Mapping[str, object]]


def canonical_columns(columns: Sequence[str], name: str) -> list[str]:
    """Return the columns' names in small letters, without white space around them.

    Raises
    ------
    CorpusError
        ``author`` or ``text`` is missing, or two columns have the same name.
    """
    canonical = [column.strip().casefold() for column in columns]
    missing = [column for column in REQUIRED if column not in canonical]
    if missing:
        raise CorpusError(
            f"{name} has no column {' and no column '.join(missing)}; it needs author and text, "
            f"and has: {_shown(columns) or 'none'}"
        )
    twice = [column for column, number in Counter(canonical).items() if column and number > 1]
    if twice:
        raise CorpusError(f"{name} has more than one column named {_shown(twice)}; keep one")
    return canonical


def _shown(columns: Sequence[str]) -> str:
    """Name columns, but not the whole of a text that stands where a head should."""
    names = [printable(column).strip() for column in columns]
    short = [
        name if len(name) <= _SHOWN_OF_NAME else name[:_SHOWN_OF_NAME] + "..." for name in names
    ]
    return join_names(short, _SHOWN_COLUMNS)


def read_rows(rows: Iterable[Row]) -> ReadResult:
    """Make each row a document; every row that cannot be one is an error."""
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
    return ReadResult(documents, findings + _repeated_ids(places) + _escaped_names(escaped))


def _read_row(place: str, cells: Mapping[str, object]) -> Document:
    for column in REQUIRED:
        if cells.get(column) is None:
            raise CorpusError(f"{column} is missing; fill it in, or delete the row")
    text = cells["text"]
    if not isinstance(text, str):
        raise CorpusError(f"text is not a string but {_kind(text)}")
    if found := _NO_TEXT.search(text):
        what = "NUL" if found[0] == "\0" else "half a surrogate pair"
        raise CorpusError(f"text has {what} at character {found.start():,}")
    author = " ".join(printable(_label("author", cells)).split())
    if not author:
        raise CorpusError("author is empty; fill it in, or delete the row")
    if len(author) > _LONGEST_AUTHOR:
        raise CorpusError(
            f"author has {len(author):,} characters ({author[:_SHOWN_OF_NAME]}...); a name has "
            f"{_LONGEST_AUTHOR:,} at most: does a text stand in its place?"
        )
    metadata = {
        printable(column): _label(column, cells)
        for column, cell in cells.items()
        if column and column not in _OWN_FIELDS and cell is not None and cell != ""
    }
    work, topic = (_label(column, cells).strip() for column in ("work", "topic"))
    return Document(author, normalize_paragraphs(text), place, work, topic or None, metadata)


def _label(column: str, cells: Mapping[str, object]) -> str:
    cell = cells.get(column)
    if cell is None:
        return ""
    if column in ("author", "work", "topic", "id") and (
        isinstance(cell, bool) or not isinstance(cell, str | int)
    ):
        raise CorpusError(f"{column} is neither a string nor a whole number but {_kind(cell)}")
    return printable(str(cell))


def _kind(cell: object) -> str:
    return f"{type(cell).__name__} ({printable(repr(cell)[:40])})"


def _repeated_ids(places: Mapping[str, Sequence[str]]) -> list[Finding]:
    return [
        Finding(
            "error",
            "duplicate-id",
            f"id {identifier} stands in {quantity(len(where), 'row')}: {join_names(where)}; "
            "an id names one document",
            tuple(where),
        )
        for identifier, where in places.items()
        if len(where) > 1
    ]


def _escaped_names(places: list[str]) -> list[Finding]:
    if not places:
        return []
    message = (
        f"{quantity(len(places), 'author name has', 'author names have')} characters that "
        "cannot be "
        f"shown, written with escapes: {join_names(places)}"
    )
    return [Finding("warning", "escaped-name", message, tuple(places))]
