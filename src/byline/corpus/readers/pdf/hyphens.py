"""Words that are divided at the ends of lines, and words that have a hyphen anyway."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import regex

from byline.corpus.readers.pdf.lines import HYPHEN

_MIN_DIVIDED = 0.01  # of the lines, where a program divides words
_WORD = regex.compile(r"\p{L}+(?:[-‐]\p{L}+)*")
_DIVIDED = regex.compile(rf"(?<!\p{{L}})(\p{{L}}*+){HYPHEN}\n?(\p{{L}}*+)")


class Hyphens:
    """Tells the hyphens of words from those that only divide a word at the end of a line.

    How the document writes a word elsewhere tells more than a dictionary does; where it does not,
    the others of its divided words do, and how many there are.

    Parameters
    ----------
    texts : sequence of str
        All paragraphs of the document.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._words: Counter[str] = Counter()
        divided: list[tuple[str, str]] = []
        for text in texts:
            rest = text
            if HYPHEN in text:
                divided += ((match[1], match[2]) for match in _DIVIDED.finditer(text))
                rest = _DIVIDED.sub(" ", text)
            self._words.update(word.casefold() for word in _WORD.findall(rest))
        n_lines = sum(text.count("\n") + 1 for text in texts)
        self._divides = self._divides_words(divided, n_lines)

    def decide(self, text: str) -> str:
        """Return a paragraph whose divided words are whole."""
        return _DIVIDED.sub(self._join, text) if HYPHEN in text else text

    def _divides_words(self, divided: Sequence[tuple[str, str]], n_lines: int) -> bool:
        """Whether words are divided at ends of lines at all, beside those that have a hyphen."""
        evidence = [self._written(head, tail) for head, tail in divided]
        surplus = evidence.count(True) - evidence.count(False)
        return surplus > 0 or (surplus == 0 and len(divided) > _MIN_DIVIDED * n_lines)

    def _written(self, head: str, tail: str) -> bool | None:
        """Whether the document writes it as one word elsewhere; None if it does not have it."""
        with_hyphen = self._words[f"{head}-{tail}".casefold()]
        without = self._words[(head + tail).casefold()]
        return without >= with_hyphen if with_hyphen or without else None

    def _join(self, match: regex.Match[str]) -> str:
        head, tail = match[1], match[2]
        return head + tail if self._is_one_word(head, tail) else f"{head}-{tail}"

    def _is_one_word(self, head: str, tail: str) -> bool:
        if not head or not tail or not tail[0].islower():
            return False
        written = self._written(head, tail)
        if written is not None:
            return written
        are_words = self._words[head.casefold()] and self._words[tail.casefold()]
        return self._divides and not are_words
