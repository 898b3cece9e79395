"""The columns of a table: which of them contain the authors, texts and works."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence

from byline.errors import CorpusError, UsageError
from byline.formatting import join_names, printable
from byline.named_settings import setting

REQUIRED = ("author", "text")
FIELDS = (*REQUIRED, "work", "topic", "id")
_ALIASES = {"group": "work"}
_MAX_SHOWN_COLUMNS = 8
_MAX_SHOWN_NAME = 30  # characters
# Names of columns that a message suggests.
_USUAL = {
    "author": (
        *("writer", "user", "username", "user_name", "name", "by", "from", "sender", "speaker"),
        *("screen_name", "creator", "auteur", "autor", "verfasser"),
    ),
    "text": (
        *("content", "body", "message", "post", "comment", "tweet", "document", "full_text"),
        *("texte", "texto", "inhalt"),
    ),
}


def parse_columns(columns: Mapping[str, str] | str | None) -> dict[str, str]:
    """Return which column contains which field.

    Parameters
    ----------
    columns : mapping of str to str, str or None
        For example ``"author=user,text=body,group=thread"``. The fields are author, text, work
        (or group), topic and id. A name that contains a comma is put in quotation marks.

    Returns
    -------
    dict of str to str
        The name of a column, in lower case, to its field.

    Raises
    ------
    UsageError
        A field is unknown, or a field or column is named twice.

    Examples
    --------
    >>> parse_columns("author=User, text=body")
    {'user': 'author', 'body': 'text'}
    """
    pairs = _pairs(columns or {})
    fields = [field for field, _ in pairs]
    unknown = [field for field, name in pairs if field not in FIELDS or not name]
    if unknown or len(set(fields)) < len(fields) or len({name for _, name in pairs}) < len(pairs):
        raise UsageError(
            f"the columns {columns!r} cannot be used: write FIELD=COLUMN with each field and each "
            f"column once, separated by commas; the fields are {', '.join(FIELDS)}, and group is "
            "another name of work"
        )
    return {name: field for field, name in pairs}


def _pairs(columns: Mapping[str, str] | str) -> list[tuple[str, str]]:
    if isinstance(columns, str):
        cells = next(csv.reader([columns], skipinitialspace=True), [])
        pairs = [(field, name) for field, _, name in (cell.partition("=") for cell in cells)]
    else:
        pairs = list(columns.items())
    keys = [(field.strip().casefold(), _key(name)) for field, name in pairs]
    return [(_ALIASES.get(field, field), name) for field, name in keys]


def _key(name: str) -> str:
    return name.strip().strip('"').strip().casefold()


def canonical_columns(
    columns: Sequence[str],
    name: str,
    chosen: Mapping[str, str] | None = None,
    required: Sequence[str] = REQUIRED,
) -> list[str]:
    """Return the fields of the columns, or their names in lower case without outer white space.

    Parameters
    ----------
    columns : sequence of str
    name : str
        What messages call the table.
    chosen : mapping of str to str, optional
        As `parse_columns` returns it.
    required : sequence of str
        The fields that the table must have.

    Raises
    ------
    CorpusError
        A chosen column or a required field is missing, or two columns have the same name.
    """
    chosen = chosen or {}
    keys = [_key(column) for column in columns]
    absent = [column for column in chosen if column not in keys]
    if absent:
        raise CorpusError(
            f"{name} has no column {' and no column '.join(absent)}. It has the columns: "
            f"{_shown(columns) or 'none'}. Correct {setting('columns')}."
        )
    fields = set(chosen.values())
    # Another column may have the name of a field that is in the chosen column.
    canonical = [chosen.get(key) or (f"column {key}" if key in fields else key) for key in keys]
    missing = [field for field in required if field not in canonical]
    if missing:
        raise CorpusError(
            f"{name} has no column {' and no column '.join(missing)}. It has the columns: "
            f"{_shown(columns) or 'none'}. Name the columns of the "
            f"{' and '.join(f'{field}s' for field in required)}: "
            f"{setting('columns', _suggestion(canonical, columns, required))}"
        )
    repeated = [column for column, number in Counter(canonical).items() if column and number > 1]
    if repeated:
        raise CorpusError(f"{name} has several columns named {_shown(repeated)}. Keep one of them.")
    return canonical


def _suggestion(canonical: Sequence[str], columns: Sequence[str], required: Sequence[str]) -> str:
    """Return the value of ``columns`` that probably fits, with placeholders for the rest."""
    named = dict(zip(canonical, columns, strict=True))
    pairs = []
    for field in required:
        usual = (field, *_USUAL[field])
        found = next((named[each].strip() for each in usual if each in named), None)
        pairs.append(f"{field}={found or f'{field.upper()}_COLUMN'}")
    return ",".join(pairs)


def _shown(columns: Sequence[str]) -> str:
    """Name columns in a message; a text in place of a header is shortened."""
    names = [printable(column).strip() for column in columns]
    short = [
        name if len(name) <= _MAX_SHOWN_NAME else name[:_MAX_SHOWN_NAME] + "..." for name in names
    ]
    return join_names(short, _MAX_SHOWN_COLUMNS)
