"""Lines with the author's own name: a title page, a byline, the signature of a letter."""

from __future__ import annotations

from dataclasses import replace

import regex

from byline.corpus.checking.edits import Edit, Line, leave_out, split_lines
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
    text, lines = document.text, split_lines(document.text)
    named = [
        place
        for place in sorted({*range(len(lines))[:_END_LINES], *range(len(lines))[-_END_LINES:]})
        if _is_apart(lines[place]) and find_own_name(replace(document, text=lines[place].text))
    ]
    edits = []
    for place in named:
        first = (
            place - 1 if place and lines[place - 1].text.casefold().strip(" :") in _BY else place
        )
        edits.append(leave_out(text, lines[first].start, lines[place].end, "own-name-line"))
    return edits


def _is_apart(line: Line) -> bool:
    words = line.text.split()
    if len(line.text) > _LONGEST or len(words) > _MOST_WORDS:
        return False
    is_title = words[0].casefold() in _BY or line.text.isupper()
    return is_title or not line.text.endswith(_SENTENCE_MARKS)
