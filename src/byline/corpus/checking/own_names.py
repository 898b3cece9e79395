"""Find lines with the author's own name: on a title page, in a byline, under a letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import regex

from byline.corpus.checking.edits import Edit, TextLine, remove_lines, split_lines
from byline.corpus.document import Document
from byline.corpus.signatures import find_own_name

_MAX_CHARACTERS = 100
_MAX_WORDS = 12
_END_LINES = 6
_SENTENCE_PUNCTUATION = (".", "?", "!", "…", ",", ";", "”", '"')
_LABEL = regex.compile(r"\p{N}")
_BY = frozenset({"by", "von", "par", "de", "di", "por", "door", "av", "af"})


def find_own_name_lines(document: Document) -> list[Edit]:
    """Find short lines with the author's own name at either end (code ``own-name-line``).

    A sentence with the name is not reported, because it may be about somebody else of that name. A
    label such as ``S4`` is not reported either, because it may precede a speaker's words.
    """
    if _LABEL.search(document.author):
        return []
    lines = split_lines(document.text)
    indices = range(len(lines))
    named = {*_named(document, lines, indices), *_named(document, lines, indices[::-1])}
    return [_with_by(document.text, lines, index) for index in sorted(named)]


def _named(document: Document, lines: Sequence[TextLine], indices: Iterable[int]) -> Iterator[int]:
    """Yield the lines with the name from one end on, until enough other lines were passed."""
    n_kept = 0
    for index in indices:
        line = lines[index]
        if _is_separate(line) and find_own_name(replace(document, text=line.text)):
            yield index
        else:
            n_kept += 1
        if n_kept == _END_LINES:
            return


def _with_by(text: str, lines: Sequence[TextLine], index: int) -> Edit:
    """Return the edit that removes a line together with a "by" above it."""
    has_by = index > 0 and lines[index - 1].text.casefold().strip(" :") in _BY
    return remove_lines(text, lines[index - has_by].start, lines[index].end, "own-name-line")


def _is_separate(line: TextLine) -> bool:
    """Return whether a line is short and not a part of a sentence."""
    words = line.text.split()
    if len(line.text) > _MAX_CHARACTERS or len(words) > _MAX_WORDS:
        return False
    is_title = words[0].casefold() in _BY or line.text.isupper()
    return is_title or not line.text.endswith(_SENTENCE_PUNCTUATION)
