"""Lines with the author's own name: a title page, a byline, the signature of a letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import regex

from byline.corpus.checking.edits import Edit, TextLine, leave_out, split_lines
from byline.corpus.document import Document
from byline.corpus.signatures import find_own_name

_LONGEST = 100  # characters
_MOST_WORDS = 12
_END_LINES = 6
_SENTENCE_MARKS = (".", "?", "!", "…", ",", ";", "”", '"')
_LABEL = regex.compile(r"\p{N}")
_BY = frozenset({"by", "von", "par", "de", "di", "por", "door", "av", "af"})


def find_own_name_lines(document: Document) -> list[Edit]:
    """Find short lines at either end that have the author's own name: code ``own-name-line``.

    A sentence that has it is left to a human, as the author may speak of a namesake; and so is a
    label (``S4``), which may stand before a speaker's words.
    """
    if _LABEL.search(document.author):
        return []
    lines = split_lines(document.text)
    places = range(len(lines))
    named = {*_named(document, lines, places), *_named(document, lines, places[::-1])}
    return [_with_by(document.text, lines, place) for place in sorted(named)]


def _named(document: Document, lines: Sequence[TextLine], places: Iterable[int]) -> Iterator[int]:
    """Find lines with the name from an end, until there are enough without it."""
    n_kept = 0
    for place in places:
        line = lines[place]
        if _is_apart(line) and find_own_name(replace(document, text=line.text)):
            yield place
        else:
            n_kept += 1
        if n_kept == _END_LINES:
            return


def _with_by(text: str, lines: Sequence[TextLine], place: int) -> Edit:
    """Leave out a line, and a "by" above it."""
    has_by = place > 0 and lines[place - 1].text.casefold().strip(" :") in _BY
    return leave_out(text, lines[place - has_by].start, lines[place].end, "own-name-line")


def _is_apart(line: TextLine) -> bool:
    words = line.text.split()
    if len(line.text) > _LONGEST or len(words) > _MOST_WORDS:
        return False
    is_title = words[0].casefold() in _BY or line.text.isupper()
    return is_title or not line.text.endswith(_SENTENCE_MARKS)
