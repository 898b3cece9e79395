"""Find the running text of a text, without title page, table of contents and headings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import regex

from byline.array_types import Booleans, Integers
from byline.typography.headings import find_headings
from byline.typography.scripts import count_words

_CAPITAL = regex.compile(r"\b\p{Lu}")
_MIN_FIRST = 40  # words of the first paragraph of the text proper, after a title page
_MAX_CAPITAL_SHARE = 0.5  # of the words of a line; titles and tables of contents have more
_MIN_WORDS = 3  # of a line that is judged by its capital letters


@dataclass(frozen=True, eq=False)
class Prose:
    r"""The lines of a text, and whether each is running text.

    Attributes
    ----------
    starts : (n_lines,) int64
        The offset of the first character of each line.
    is_prose : (n_lines,) bool
        Whether the line is running text; False for a blank line.
    is_other : (n_lines,) bool
        Whether the line is a heading or the like; False for a blank line.

    Examples
    --------
    >>> text = "EMMA\nBy Jane Austen\n\nCHAPTER I\n\n" + "It rained. " * 20 + "\n\nCHAPTER II"
    >>> prose = Prose.of(text)
    >>> prose.is_prose.tolist()
    [False, False, False, False, False, True, False, False]
    >>> prose.covers(np.array([0, text.index("rained")])).tolist()
    [False, True]
    """

    starts: Integers
    is_prose: Booleans
    is_other: Booleans

    @classmethod
    def of(cls, text: str) -> Self:
        """Find the running text of a text with one paragraph per line.

        All lines before the first paragraph of at least forty words are a title page, a table of
        contents or the like. If there is no such paragraph, as in verse or in a chat, the running
        text begins at once. After that, headings and lines in which most words have capital
        letters are left out.
        """
        lines = text.split("\n")
        starts = np.cumsum([0, *(len(line) + 1 for line in lines[:-1])])
        is_prose = np.array([_is_prose(line) for line in lines], dtype=bool)
        is_prose[list(find_headings(lines))] = False
        long = (n for n in np.flatnonzero(is_prose) if count_words(lines[n]) >= _MIN_FIRST)
        is_prose[: next(long, 0)] = False
        has_text = np.array([bool(line) and not line.isspace() for line in lines], dtype=bool)
        return cls(starts, is_prose, has_text & ~is_prose)

    def covers(self, offsets: Integers) -> Booleans:
        """Return which offsets are in running text."""
        return self.is_prose[self._lines(offsets)]

    def around(self, offset: int) -> tuple[int, int | None]:
        """Return where the running text around an offset begins and ends, without headings."""
        line = int(self._lines(np.array([offset]))[0])
        before, after = self.is_other[:line][::-1], self.is_other[line + 1 :]
        first = line - int(before.argmax()) if before.any() else 0
        if not after.any():
            return int(self.starts[first]), None
        return int(self.starts[first]), int(self.starts[line + 1 + int(after.argmax())])

    def _lines(self, offsets: Integers) -> Integers:
        return np.searchsorted(self.starts, offsets, side="right") - 1


def _is_prose(line: str) -> bool:
    n_words = count_words(line)
    if n_words < _MIN_WORDS:
        return n_words > 0
    return len(_CAPITAL.findall(line)) <= _MAX_CAPITAL_SHARE * n_words
