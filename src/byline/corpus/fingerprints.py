"""Fingerprints of passages: a few hashes that identify copied passages without storing any text.

The method is winnowing (Schleimer, Wilkerson & Aiken 2003). Each sequence of `PASSAGE_WORDS` words
has a hash, and of every `WINDOW_HASHES` consecutive hashes the smallest one is kept. Two texts that
share `GUARANTEED_WORDS` consecutive words therefore share a fingerprint, and two texts that share
fewer than `PASSAGE_WORDS` consecutive words share none.

A character of an unspaced script is much less than a word: any eight Chinese characters in a row
are common, and eight Thai characters are about two words. Each such character is therefore hashed
together with those that follow it. The shortest shared passage then has 15 characters of Chinese or
Japanese, and 31 of Thai, Lao, Khmer or Burmese.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
import regex
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from byline.array_types import Integers
from byline.corpus.document import Document
from byline.typography.scripts import (
    SPACED_LETTER,
    UNSPACED_CHARACTER,
    WordPattern,
    is_unspaced,
    is_unspaced_character,
    may_have_unspaced_characters,
)

Hashes = NDArray[np.uint64]

PASSAGE_WORDS = 8
WINDOW_HASHES = 8
GUARANTEED_WORDS = PASSAGE_WORDS + WINDOW_HASHES - 1

# Unspaced characters that are hashed together; several letters of an alphabet spell one word.
_REACH, _REACH_OF_ALPHABETS = 8, 24
_LAST_OF_ALPHABETS = "\u1fff"  # after Thai, Lao, Burmese and Khmer, before Japanese and Chinese

# Words without punctuation.
_WORD = WordPattern(
    r"\w+(?:['’]\w+)*", rf"{UNSPACED_CHARACTER}|{SPACED_LETTER}+(?:['’]{SPACED_LETTER}+)*"
)
_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that multiplication loses no bit of a word's hash
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_HALF = np.uint64(32)
_MOST_WORDS = 1 << 18  # whose hashes a hasher keeps


class _WordHashes(dict[str, int]):
    """The hash of each word, computed once; the same in every process and version."""

    def __missing__(self, word: str) -> int:
        plain = word.lower().replace("’", "'").encode("utf-8", "surrogatepass")
        value = int.from_bytes(blake2b(plain, digest_size=8).digest(), "little")
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[word] = value
        return value


class WordHasher:
    """Hashes the words of texts, and keeps the hashes of the words that it has met.

    Examples
    --------
    >>> hasher = WordHasher()
    >>> hashes = hasher.hash_words("The river rose. The RIVER fell.")
    >>> hashes.shape, bool(hashes[1] == hashes[4])
    ((6,), True)
    """

    def __init__(self) -> None:
        self._hashes = _WordHashes()

    def hash_words(self, text: str) -> Hashes:
        """Hash every word of a text, regardless of case and punctuation; (n_words,) uint64."""
        words = _WORD.of(text).findall(text)
        hashes = np.array([self._hashes[word] for word in words], dtype=np.uint64)
        if not may_have_unspaced_characters(text):
            return hashes
        return _with_following(hashes, _reaches(words))


def select_fingerprints(words: Hashes) -> Hashes:
    """Select the fingerprints of a text.

    Parameters
    ----------
    words : (n_words,) uint64
        The hashes of its words.

    Returns
    -------
    (n_fingerprints,) uint64
        In the order of the text; none for fewer than `PASSAGE_WORDS` words.
    """
    hashes = hash_passages(words)
    if not hashes.size:
        return hashes
    windows = sliding_window_view(hashes, min(WINDOW_HASHES, len(hashes)))
    selected: Hashes = hashes[np.unique(windows.argmin(axis=1) + np.arange(len(windows)))]
    return selected


def word_spans(text: str) -> Integers:
    """Return the start of each word in a text, and the end of what is hashed with it.

    Returns
    -------
    (n_words, 2) int64
    """
    found = list(_WORD.of(text).finditer(text))
    spans = np.array([match.span() for match in found], dtype=np.int64).reshape(-1, 2)
    if may_have_unspaced_characters(text) and found:
        lasts = np.arange(len(found)) + _reaches([match[0] for match in found]) - 1
        spans[:, 1] = spans[np.minimum(lasts, len(found) - 1), 1]
    return spans


def hash_passages(words: Hashes) -> Hashes:
    """Hash every sequence of `PASSAGE_WORDS` words; (n_passages,).

    The hash is a polynomial of the words' hashes, whose bits are then mixed.
    """
    n_passages = max(len(words) - PASSAGE_WORDS + 1, 0)
    hashes = np.zeros(n_passages, dtype=np.uint64)
    for place in range(PASSAGE_WORDS):
        hashes = hashes * _BASE + words[place : place + n_passages]
    mixed = (hashes ^ (hashes >> _HALF)) * _MIX
    return mixed ^ (mixed >> _HALF)


def _reaches(words: Sequence[str]) -> Integers:
    """Return with how many words each is hashed, including itself; 1 for words with spaces."""
    reaches = {word: _reach(word) for word in set(words)}
    return np.array([reaches[word] for word in words], dtype=np.int64)


def _reach(word: str) -> int:
    if not is_unspaced_character(word):
        return 1
    return _REACH_OF_ALPHABETS if word[0] <= _LAST_OF_ALPHABETS else _REACH


def _with_following(hashes: Hashes, reaches: Integers) -> Hashes:
    """Mix into each hash those that follow within its reach; zero after the last one."""
    joined = hashes.copy()
    for ahead in range(1, int(reaches.max(initial=1))):
        following = np.zeros_like(hashes)
        following[:-ahead] = hashes[ahead:]
        joined = np.where(reaches > ahead, joined * _BASE + following, joined)
    return joined


_HEAD, _TAIL = 300, 120  # characters in which the name is looked for
_MIN_SURNAME = 3  # letters
_NAME_WORD = regex.compile(r"\p{Lu}\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Ll}+|\p{Lo}[\p{Lo}\p{M}]*")


def find_own_name(document: Document) -> str | None:
    """Return the author's name as written at the start or end of the text.

    The whole name and the surname are looked for, regardless of accents, but with a capital letter
    if the script has capitals. A name with digits is a label (``course-07``), which is looked for
    as a whole.

    Returns
    -------
    str or None
        None if neither name occurs there.

    Examples
    --------
    >>> find_own_name(Document("Anne Brontë", "Agnes Grey, by A. Bronte. All true.", "1.txt"))
    'Bronte'
    """
    pattern = _pattern(document.author)
    if pattern is None:
        return None
    text = document.text
    ends = [text] if len(text) <= _HEAD + _TAIL else [text[:_HEAD], text[-_TAIL:]]
    for end in ends:
        if found := pattern.search(_plain(end)):
            return str(found[0])
    return None


@lru_cache(maxsize=1024)
def _pattern(author: str) -> regex.Pattern[str] | None:
    words = _NAME_WORD.findall(_plain(author))
    if not words:
        return None
    if regex.search(r"\p{N}", author):
        sought = [r"\W+".join(map(regex.escape, regex.findall(r"\w+", _plain(author))))]
    else:
        surname = words[0] if "," in author else words[-1]
        sought = [r"\W+".join(map(_capitalised, words))] if len(words) > 1 else []
        long_enough = len(surname) >= _MIN_SURNAME or regex.fullmatch(r"\p{Lo}{2,}", surname)
        sought += [_capitalised(surname)] if long_enough else []
    if not sought:
        return None
    name = f"(?:{'|'.join(sought)})"
    # In a script without spaces, other letters may adjoin the name.
    return regex.compile(name if is_unspaced(author) else rf"(?<!\w){name}(?!\w)")


def _capitalised(word: str) -> str:
    """Return a pattern for a word in capitals or with one capital, so that Young is not "young"."""
    return f"(?:{regex.escape(word.upper())}|{regex.escape(word.capitalize())})"


def _plain(text: str) -> str:
    """Return a text without accents, so that Brontë and Bronte are the same."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", plain)
