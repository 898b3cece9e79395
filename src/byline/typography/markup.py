"""Asterisks and underscores that mark italics in plain text."""

from __future__ import annotations

import re
import unicodedata

# Two expressions that begin with one character are faster than one with a set.
_RUNS = (re.compile(r"\*(?<![*_].)[*_]*"), re.compile(r"_(?<![*_].)[*_]*"))
# A mark closes after a character that is no space, and opens before one, apart from quotation
# marks, and as if there were no spaces at dashes and before ellipses: other rules remove those.
_QUOTES = r"[\"'\u2018-\u201f\u00ab\u00bb\u2039\u203a]{0,4}"
_CLOSES_AFTER = re.compile(rf"[^\s(\[{{]{_QUOTES}\Z|[\u2013\u2014-] \Z")
_OPENS_BEFORE = re.compile(rf"{_QUOTES}[^\s,.;:!?)\]}}]| ?(?:[\u2013\u2014\u2026-]|\. ?\.)")


def remove_italics(text: str) -> str:
    """Remove pairs of asterisks or underscores around words, as in ``*word*`` and ``_two words_``.

    A pair opens before and closes after a character that is no space, and no letter or digit is on
    its outer sides, so that ``snake_case``, ``2 * 3``, ``f**k`` and a single footnote mark stay.
    Both must be in one paragraph.

    Examples
    --------
    >>> remove_italics("It is _very_ late, and **he** knows.* Use my_file_name.")
    'It is very late, and he knows.* Use my_file_name.'
    """
    if "*" not in text and "_" not in text:
        return text
    kept, position = [], 0
    for start, end in sorted(_paired(text)):
        kept.append(text[position:start])
        position = end
    return "".join([*kept, text[position:]])


def _paired(text: str) -> list[tuple[int, int]]:
    """Return the spans of all marks that have a partner, in linear time.

    Each kind of mark has a stack of its own. What is left over is therefore first marks that only
    close and then marks that only open, which find no partner in a second pass either.
    """
    spans: list[tuple[int, int]] = []
    opened: dict[str, list[tuple[int, int]]] = {}
    line_end = -1
    for start, end in sorted(run.span() for runs in _RUNS for run in runs.finditer(text)):
        if start > line_end:  # a new paragraph
            opened.clear()
            line_end = text.find("\n", start)
            if line_end < 0:
                line_end = len(text)
        marks = text[start:end]
        if opened.get(marks[::-1]) and _closes(text, start, end):
            is_after_space = text[start - 1] == " "
            spans += [opened[marks[::-1]].pop(), (start - is_after_space, end)]
        elif not _is_word(text[start - 1 : start]) and _OPENS_BEFORE.match(text, end):
            is_before_space = text[end] == " "
            opened.setdefault(marks, []).append((start, end + is_before_space))
    return spans


def _closes(text: str, start: int, end: int) -> bool:
    is_after_text = _CLOSES_AFTER.search(text, max(0, start - 5), start) is not None
    return is_after_text and not _is_word(text[end : end + 1])


def _is_word(character: str) -> bool:
    """Return whether a character is a letter, a digit or a combining mark."""
    return character != "" and (character.isalnum() or unicodedata.category(character)[0] == "M")
