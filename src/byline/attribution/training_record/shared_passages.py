"""Find passages that a questioned text shares, word for word, with one author's known texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from byline.array_types import Booleans, Integers
from byline.corpus.fingerprints import (
    PASSAGE_WORDS,
    WINDOW_HASHES,
    Hashes,
    WordHasher,
    hash_passages,
    word_spans,
)

_NOBODY, _SEVERAL = -1, -2  # in place of an author's column
_hasher = WordHasher()


@dataclass(frozen=True, slots=True)
class SharedPassage:
    """A passage of a questioned text that occurs in exactly one author's known texts.

    Attributes
    ----------
    author : str
    start, end : int
        Its position in the questioned text, in characters.
    n_words : int
    """

    author: str
    start: int
    end: int
    n_words: int


@dataclass(frozen=True, slots=True)
class SharedPassages:
    """All passages of a questioned text that occur in exactly one author's known texts.

    Attributes
    ----------
    n_words : int
        Number of words of the questioned text.
    passages : tuple of SharedPassage
        Longest first.
    """

    n_words: int
    passages: tuple[SharedPassage, ...]

    def of(self, author: str) -> tuple[SharedPassage, ...]:
        """Return the passages in one author's known texts, longest first."""
        return tuple(passage for passage in self.passages if passage.author == author)

    def share(self, author: str) -> float:
        """Return the share of the questioned text's words in passages of one author."""
        return sum(passage.n_words for passage in self.of(author)) / max(self.n_words, 1)


def shared_passages(text: str, fingerprints: Mapping[str, Hashes]) -> SharedPassages:
    """Find passages of a text that occur in exactly one author's known texts.

    A passage of `GUARANTEED_WORDS` words is always found, and one of fewer than `PASSAGE_WORDS`
    words never. Passages in several authors' texts, such as a greeting or a law that all of them
    quote, are left out.

    Parameters
    ----------
    text : str
    fingerprints : mapping of author to (n_fingerprints,) uint64
        Of passages in each author's texts, ascending.
    """
    words = _hasher.hash_words(text)
    joined = list(_join(_owners(hash_passages(words), fingerprints)))
    if not joined:
        return SharedPassages(len(words), ())
    authors, bounds = list(fingerprints), word_spans(text)
    passages = [
        SharedPassage(
            author=authors[owner],
            start=int(bounds[first, 0]),
            end=int(bounds[end - 1, 1]),
            n_words=end - first,
        )
        for owner, first, end in joined
    ]
    passages.sort(key=lambda passage: (-passage.n_words, passage.start))
    return SharedPassages(len(words), tuple(passages))


def copied_share(words: Hashes, fingerprints: Hashes) -> float:
    """Return the share of a text's words that are in passages with given fingerprints.

    Fingerprints do not state where a passage begins and ends. A passage near the start or the end
    of the text is taken to reach it.

    Parameters
    ----------
    words : (n_words,) uint64
        The hashes of the text's words.
    fingerprints : (n_fingerprints,) uint64
        Of passages in other texts, ascending.

    Returns
    -------
    float
        Zero for a text of fewer than `PASSAGE_WORDS` words.
    """
    n_words, copied = len(words), 0
    for first, end in _passages(np.flatnonzero(_contains(fingerprints, hash_passages(words)))):
        start = 0 if first < WINDOW_HASHES else first
        copied += (n_words if n_words - end < WINDOW_HASHES else end) - start
    return copied / max(n_words, 1)


def _owners(hashes: Hashes, fingerprints: Mapping[str, Hashes]) -> Integers:
    """Return the column of the only author who has each fingerprint, (n_passages,)."""
    owners = np.full(len(hashes), _NOBODY)
    for column, known in enumerate(fingerprints.values()):
        has = _contains(known, hashes)
        owners[has] = np.where(owners[has] == _NOBODY, column, _SEVERAL)
    return owners


def _contains(known: Hashes, hashes: Hashes) -> Booleans:
    """Return whether each hash is among the known ones, which are ascending."""
    places = np.searchsorted(known, hashes)
    inside = places < len(known)
    found = np.zeros(len(hashes), dtype=bool)
    found[inside] = known[places[inside]] == hashes[inside]
    return found


def _join(owners: Integers) -> Iterator[tuple[int, int, int]]:
    """Join an author's fingerprints to passages: owner, first word, and the word after the last."""
    for owner in np.unique(owners[owners >= 0]).tolist():
        for first, end in _passages(np.flatnonzero(owners == owner)):
            yield owner, first, end


def _passages(places: Integers) -> Iterator[tuple[int, int]]:
    """Join the places of fingerprints to passages: the first word, and the word after the last.

    In a shared passage, fingerprints are at most `WINDOW_HASHES` words apart. A word that is not
    shared separates them further, because it belongs to `PASSAGE_WORDS` hashed runs of words.
    """
    for part in np.split(places, np.flatnonzero(np.diff(places) > WINDOW_HASHES) + 1):
        if part.size:
            yield int(part[0]), int(part[-1]) + PASSAGE_WORDS
