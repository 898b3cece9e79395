"""Words as classifiers read them, and which of them are the most frequent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import regex
from numpy.typing import NDArray

_TOKEN = regex.compile(r"\w+|[^\w\s]+|\n")
_WORD = regex.compile(r"\w+(?:['’]\w+)*")


def split_tokens(text: str) -> list[str]:
    """Cut a text into words as they are written, runs of punctuation marks, and line ends."""
    tokens: list[str] = _TOKEN.findall(text)
    return tokens


def split_plain_words(text: str) -> list[str]:
    """Cut a text into words in lower case, without marks and line ends; ``don't`` is one word."""
    return list(map(str.lower, _WORD.findall(text)))


def token_bounds(text: str) -> NDArray[np.int64]:
    """Where each of `split_tokens` begins and ends in the text, (n_tokens, 2)."""
    return _bounds(_TOKEN, text)


def plain_word_bounds(text: str) -> NDArray[np.int64]:
    """Where each of `split_plain_words` begins and ends in the text, (n_words, 2)."""
    return _bounds(_WORD, text)


def is_word(token: str) -> bool:
    """Whether a token is a word or number, and no mark."""
    return any(map(str.isalnum, token))


def most_frequent(words: Iterable[str], n_words: int) -> list[str]:
    """Rank words by frequency, equally frequent ones by the alphabet; return the first."""
    counts = Counter(words)
    return sorted(counts, key=lambda word: (-counts[word], word))[:n_words]


def _bounds(pattern: regex.Pattern[str], text: str) -> NDArray[np.int64]:
    found = [match.span() for match in pattern.finditer(text)]
    return np.array(found, dtype=np.int64).reshape(-1, 2)
