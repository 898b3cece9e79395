"""A text as a sequence of words, of which passages of so many words can be cut."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from byline.array_types import Integers
from byline.typography.scripts import WHITESPACE_WORDS


@dataclass(frozen=True)
class WordText:
    """A text whose words are counted as white space separates them.

    In scripts without spaces, each character counts as one word. Punctuation belongs to the word
    that it is written with.

    Examples
    --------
    >>> text = WordText("The cat sat on the mat.")
    >>> text.n_words, text.passage(1, 2), text.passage(4, 9)
    (6, 'cat sat', 'the mat.')
    """

    text: str

    @cached_property
    def starts(self) -> Integers:
        """The index of the first character of each word, (n_words,)."""
        words = WHITESPACE_WORDS.of(self.text).finditer(self.text)
        return np.array([word.start() for word in words], dtype=np.int64)

    @property
    def n_words(self) -> int:
        """Number of words."""
        return len(self.starts)

    def passage(self, start: int, n_words: int) -> str:
        """Return the words from number ``start`` on, without the white space around them."""
        end = start + n_words
        stop = int(self.starts[end]) if end < self.n_words else len(self.text)
        return self.text[int(self.starts[start]) : stop].strip()
