"""Fingerprints of passages: a few hashes that tell a copied passage without holding its text.

Winnowing (Schleimer, Wilkerson & Aiken 2003): every run of `PASSAGE_WORDS` words has a hash, and
of every
`WINDOW_HASHES` consecutive ones the smallest is kept. Texts that share `GUARANTEED_WORDS`
consecutive words
then share a fingerprint, and texts without `PASSAGE_WORDS` consecutive words in common share none.

A sign of a script without spaces is much less than a word: eight Chinese signs in a row are common,
and eight Thai ones two words. Each stands for itself and those that follow it, so that passages are
as long as others: 15 signs of Chinese or Japanese, 31 of Thai, Lao, Khmer or Burmese.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from byline.array_types import Integers
from byline.corpus.scripts import (
    SPACED_LETTER,
    UNSPACED_CHARACTER,
    WordPattern,
    is_unspaced_character,
    may_have_unspaced_characters,
)

Hashes = NDArray[np.uint64]

PASSAGE_WORDS = 8
WINDOW_HASHES = 8
GUARANTEED_WORDS = PASSAGE_WORDS + WINDOW_HASHES - 1

_REACH, _REACH_OF_LETTERS = 8, 24  # signs that a sign stands for; letters spell words
_LAST_OF_LETTERS = "\u1fff"  # behind Thai, Lao, Burmese and Khmer, before Japanese and Chinese

# Words without marks.
_WORD = WordPattern(
    r"\w+(?:['’]\w+)*", rf"{UNSPACED_CHARACTER}|{SPACED_LETTER}+(?:['’]{SPACED_LETTER}+)*"
)
_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no word's part in a hash is lost
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_HALF = np.uint64(32)


class _WordHashes(dict[str, int]):
    """Hashes of words, each computed once; the same everywhere and at all times."""

    def __missing__(self, word: str) -> int:
        plain = word.lower().replace("’", "'").encode("utf-8", "surrogatepass")
        value = int.from_bytes(blake2b(plain, digest_size=8).digest(), "little")
        self[word] = value
        return value


class WordHasher:
    """Hashes the words of texts; keeps the hashes of words that it has met."""

    def __init__(self) -> None:
        self._hashes = _WordHashes()

    def hash_words(self, text: str) -> Hashes:
        """Hash every word, (n_words,) uint64; case and marks count for nothing."""
        words = _WORD.of(text).findall(text)
        hashes = np.array([self._hashes[word] for word in words], dtype=np.uint64)
        return (
            _with_following(hashes, _reaches(words))
            if may_have_unspaced_characters(text)
            else hashes
        )


def select_fingerprints(words: Hashes) -> Hashes:
    """Choose fingerprints of a text.

    Parameters
    ----------
    words : (n_words,) uint64
        Hashes of its words.

    Returns
    -------
    (n_fingerprints,) uint64
        In the order of the text; none where it has fewer than `PASSAGE_WORDS` words.
    """
    hashes = hash_passages(words)
    if not hashes.size:
        return hashes
    windows = sliding_window_view(hashes, min(WINDOW_HASHES, len(hashes)))
    chosen: Hashes = hashes[np.unique(windows.argmin(axis=1) + np.arange(len(windows)))]
    return chosen


def word_spans(text: str) -> Integers:
    """Where each word begins, and what is hashed with it ends, in a text, (n_words, 2)."""
    found = list(_WORD.of(text).finditer(text))
    bounds = np.array([match.span() for match in found], dtype=np.int64).reshape(-1, 2)
    if may_have_unspaced_characters(text) and found:
        lasts = np.arange(len(found)) + _reaches([match[0] for match in found]) - 1
        bounds[:, 1] = bounds[np.minimum(lasts, len(found) - 1), 1]
    return bounds


def hash_passages(words: Hashes) -> Hashes:
    """Hash every run of `PASSAGE_WORDS` words, (n_passages,): a mixed polynomial of its words."""
    n_passages = max(len(words) - PASSAGE_WORDS + 1, 0)
    hashes = np.zeros(n_passages, dtype=np.uint64)
    for place in range(PASSAGE_WORDS):
        hashes = hashes * _BASE + words[place : place + n_passages]
    mixed = (hashes ^ (hashes >> _HALF)) * _MIX
    return mixed ^ (mixed >> _HALF)


def _reaches(words: Sequence[str]) -> Integers:
    """How many words each is hashed with, itself included: more than one of signs alone."""
    reaches = {word: _reach(word) for word in set(words)}
    return np.array([reaches[word] for word in words], dtype=np.int64)


def _reach(word: str) -> int:
    if not is_unspaced_character(word):
        return 1
    return _REACH_OF_LETTERS if word[0] <= _LAST_OF_LETTERS else _REACH


def _with_following(hashes: Hashes, reaches: Integers) -> Hashes:
    """Mix into each hash those that follow within its reach, zero behind the last."""
    joined = hashes.copy()
    for ahead in range(1, int(reaches.max(initial=1))):
        following = np.zeros_like(hashes)
        following[:-ahead] = hashes[ahead:]
        joined = np.where(reaches > ahead, joined * _BASE + following, joined)
    return joined
