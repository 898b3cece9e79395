"""Words as classifiers read them, and which of them are the most frequent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from byline.corpus.scripts import LETTER, SIGN, WordPattern
from byline.text.normalize import lowering

_MARKS = r"[^\w\s]+|\n"
_TOKEN = WordPattern(rf"\w+|{_MARKS}", rf"{SIGN}|{LETTER}+|{_MARKS}")
_WORD = WordPattern(r"\w+(?:['’]\w+)*", rf"{SIGN}|{LETTER}+(?:['’]{LETTER}+)*")


def split_tokens(text: str) -> list[str]:
    """Cut a text into words as they are written, runs of punctuation marks, and line ends.

    Here and below, each sign of a script without spaces is a word; see `byline.corpus.scripts`.
    """
    tokens: list[str] = _TOKEN.of(text).findall(text)
    return tokens


def split_plain_words(text: str, language: str = "en") -> list[str]:
    """Cut a text into words in lower case, without marks and line ends; ``don't`` is one word."""
    return list(map(lowering(language), _WORD.of(text).findall(text)))


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


def _bounds(pattern: WordPattern, text: str) -> NDArray[np.int64]:
    found = [match.span() for match in pattern.of(text).finditer(text)]
    return np.array(found, dtype=np.int64).reshape(-1, 2)
