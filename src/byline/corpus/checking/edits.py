"""Places of a text that are to be mended: not the author's words, or not as they were written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import regex

from byline.formatting import printable

_LINE = regex.compile(r"[^\n\f\x1c-\x1e\u2028\u2029]++")
_SOLID = regex.compile(r"\S")
_SPACES = regex.compile(r"[ \t\n\f\v]+")
_EXAMPLE = 60  # characters


class CleaningStep(StrEnum):
    """What can be mended without a human's judgement; each is an option of `byline corpus mend`."""

    MOJIBAKE = "mojibake"
    BOILERPLATE = "boilerplate"
    EMAIL = "email"
    PAGE_HEADERS = "page-headers"
    OWN_NAMES = "own-names"
    DUPLICATES = "duplicates"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """One place to mend.

    Attributes
    ----------
    start, end : int
        Where it stands, in characters of the text.
    replacement : str
        What is to stand there; empty where the place is left out.
    code : str
        The code of the finding that tells of it.
    """

    start: int
    end: int
    replacement: str
    code: str


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line that is not blank: its place in the text, and what stands there without margins."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Mend a text; of places that overlap, the first is mended."""
    parts: list[str] = []
    done = 0
    for edit in without_overlaps(edits):
        parts += (text[done : edit.start], edit.replacement)
        done = edit.end
    return "".join([*parts, text[done:]]) if parts else text


def without_overlaps(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield edits in the order of the text, but none that begins within the one before."""
    done = 0
    for edit in sorted(edits):
        if edit.start >= done:
            yield edit
            done = edit.end


@lru_cache(maxsize=2)  # each text is looked at for one kind of thing after the other
def split_lines(text: str) -> tuple[TextLine, ...]:
    """Return the lines that are not blank."""
    return tuple(
        TextLine(match.start(), match.end(), stripped)
        for match in _LINE.finditer(text)
        if (stripped := match[0].strip())
    )


def leave_out(text: str, start: int, end: int, code: str) -> Edit:
    """Leave out ``start`` to ``end``, with the break after it, or before it at the text's end."""
    after = text.find("\n", end)
    if after >= 0 and not text[end:after].strip():
        return Edit(start, after + 1, "", code)
    before = text.rfind("\n", 0, start)
    if before >= 0 and not text[end:].strip() and not text[before:start].strip():
        return Edit(before, len(text), "", code)
    return Edit(start, end, "", code)


def line_numbers(text: str, places: Iterable[int]) -> Iterator[int]:
    """Yield the number of the line, from 1, of what stands at each place, or after blanks there.

    The places are in the order of the text.
    """
    line, counted = 1, 0
    for place in places:
        solid = _SOLID.search(text, place)
        begin = solid.start() if solid else len(text)
        line += text.count("\n", counted, begin)
        counted = max(counted, begin)
        yield line


def line_number(text: str, place: int) -> int:
    """Return the number of the line of what stands at ``place``, or after blanks there."""
    return next(line_numbers(text, [place]))


def quote(text: str) -> str:
    """Quote the beginning of a passage in one line, controls as escapes."""
    line = printable(_SPACES.sub(" ", text[: 4 * _EXAMPLE]).strip(" "))
    return f"“{line if len(line) <= _EXAMPLE else line[:_EXAMPLE].rstrip() + '…'}”"
