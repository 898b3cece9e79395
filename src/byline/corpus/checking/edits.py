"""Edits that clean a text: passages to remove or to replace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import regex

from byline.formatting import printable

_NON_SPACE = regex.compile(r"\S")
_SPACES = regex.compile(r"[ \t\n\f\v]+")
_MAX_QUOTE = 60  # characters


class CleaningStep(StrEnum):
    """A step of ``byline corpus clean``, which needs no person's decision.

    Each step is also an option of the command. ``mojibake`` repairs wrongly decoded characters;
    the other steps remove text.

    See Also
    --------
    byline.corpus.cleaning.clean_corpus : Run these steps.

    Examples
    --------
    >>> from byline.corpus.checking import CleaningStep
    >>> [str(step) for step in CleaningStep]
    ['mojibake', 'boilerplate', 'email', 'page-headers', 'own-names', 'duplicates']
    """

    MOJIBAKE = "mojibake"
    BOILERPLATE = "boilerplate"
    EMAIL = "email"
    PAGE_HEADERS = "page-headers"
    OWN_NAMES = "own-names"
    DUPLICATES = "duplicates"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """One passage to remove or replace.

    Attributes
    ----------
    start, end : int
        The passage's position, in characters of the text.
    replacement : str
        The new text. Empty if the passage is removed.
    code : str
        The code of the finding that reports the passage.
    """

    start: int
    end: int
    replacement: str
    code: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits to a text; where they overlap, as `without_overlaps` says."""
    parts: list[str] = []
    done = 0
    for edit in without_overlaps(edits):
        parts += (text[done : edit.start], edit.replacement)
        done = edit.end
    return "".join([*parts, text[done:]]) if parts else text


def without_overlaps(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield edits in the order of the text.

    Of edits that begin inside the previous one, replacements are left out, and of removals, only
    the rest stays.
    """
    done = 0
    for edit in sorted(edits):
        if edit.start < done < edit.end and not edit.replacement:
            edit = replace(edit, start=done)
        if edit.start >= done:
            yield edit
            done = edit.end


def remove_lines(text: str, start: int, end: int, code: str) -> Edit:
    """Return the edit that removes whole lines and the line break after them.

    At the end of the text, the edit removes the line break before them instead.
    """
    after = text.find("\n", end)
    if after >= 0 and not text[end:after].strip():
        return Edit(start, after + 1, "", code)
    before = text.rfind("\n", 0, start)
    if before >= 0 and not text[end:].strip() and not text[before:start].strip():
        return Edit(before, len(text), "", code)
    return Edit(start, end, "", code)


def line_numbers(text: str, positions: Iterable[int]) -> Iterator[int]:
    """Yield the line number, from 1, of the first non-space character at or after each position.

    The positions must be in ascending order.
    """
    line, counted = 1, 0
    for position in positions:
        found = _NON_SPACE.search(text, position)
        start = found.start() if found else len(text)
        line += text.count("\n", counted, start)
        counted = max(counted, start)
        yield line


def line_number(text: str, position: int) -> int:
    """Return the line number, from 1, of the first non-space character at or after a position."""
    return next(line_numbers(text, [position]))


def quote(text: str) -> str:
    """Quote the beginning of a passage on one line, with control characters as escapes."""
    line = printable(_SPACES.sub(" ", text[: 4 * _MAX_QUOTE]).strip(" "))
    return f"“{line if len(line) <= _MAX_QUOTE else line[:_MAX_QUOTE].rstrip() + '…'}”"
