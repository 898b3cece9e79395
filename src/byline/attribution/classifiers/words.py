"""Words as classifiers read them, and which of them are the most frequent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import regex

_TOKEN = regex.compile(r"\w+|[^\w\s]+|\n")
_WORD = regex.compile(r"\w+(?:['’]\w+)*")


def split_tokens(text: str) -> list[str]:
    """Cut a text into words as they are written, runs of punctuation marks, and line ends."""
    tokens: list[str] = _TOKEN.findall(text)
    return tokens


def split_plain_words(text: str) -> list[str]:
    """Cut a text into words in lower case, without marks and line ends; ``don't`` is one word."""
    words: list[str] = _WORD.findall(text.lower())
    return words


def is_word(token: str) -> bool:
    """Whether a token is a word or number, and no mark."""
    return any(map(str.isalnum, token))


def most_frequent(words: Iterable[str], n_words: int) -> list[str]:
    """Rank words by frequency, equally frequent ones by the alphabet; return the first."""
    counts = Counter(words)
    return sorted(counts, key=lambda word: (-counts[word], word))[:n_words]
