"""Find passages that a questioned text shares, word for word, with authors' known texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from byline.array_types import Integers
from byline.corpus.fingerprints import (
    PASSAGE_WORDS,
    WINDOW_HASHES,
    Hashes,
    WordHasher,
    hash_passages,
    word_spans,
)

_NOT_ONE = -1  # in place of an author's column: no author, or several
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


@dataclass(frozen=True, slots=True)
class FingerprintTable:
    """The fingerprints of all authors' known texts, sorted together.

    A text is compared with all authors at once, so that the time hardly grows with their number.

    Attributes
    ----------
    authors : tuple of str
    hashes : (n_fingerprints,) uint64
        Ascending. A passage that several authors share occurs once per author.
    owners : (n_fingerprints,) int64
        The number of the author of each.
    """

    authors: tuple[str, ...]
    hashes: Hashes
    owners: Integers

    @classmethod
    def of(cls, fingerprints: Mapping[str, Hashes]) -> Self:
        """Sort the fingerprints of all authors together.

        Parameters
        ----------
        fingerprints : mapping of author to (n_fingerprints,) uint64
            Of passages in each author's texts, distinct.
        """
        hashes = np.concatenate([np.zeros(0, dtype=np.uint64), *fingerprints.values()])
        owners = np.repeat(np.arange(len(fingerprints)), list(map(len, fingerprints.values())))
        order = np.argsort(hashes, kind="stable")
        return cls(tuple(fingerprints), hashes[order], owners[order])

    def find(self, hashes: Hashes) -> tuple[Integers, Integers]:
        """Find hashes among the fingerprints.

        Returns
        -------
        places, owners : (n_found,) int64
            For each fingerprint with one of these hashes, the place of the hash, ascending, and the
            number of the author.
        """
        first = np.searchsorted(self.hashes, hashes)
        counts = np.searchsorted(self.hashes, hashes, side="right") - first
        places = np.repeat(np.arange(len(hashes)), counts)
        skipped = np.repeat(first - (np.cumsum(counts) - counts), counts)
        return places, self.owners[skipped + np.arange(len(places))]

    def copied_shares(self, words: Hashes) -> dict[str, float]:
        """Return the share of a text's words that are in passages by each author.

        Fingerprints do not state where a passage begins and ends. A passage near the start or the
        end of the text is taken to reach it.

        Parameters
        ----------
        words : (n_words,) uint64
            The hashes of the text's words.

        Returns
        -------
        dict of author to float
            Only of authors with whom the text has a passage in common.
        """
        places, owners = self.find(hash_passages(words))
        return {
            self.authors[owner]: _copied_share(len(words), places[owners == owner])
            for owner in np.unique(owners).tolist()
        }


def shared_passages(text: str, fingerprints: FingerprintTable) -> SharedPassages:
    """Find passages of a text that occur in exactly one author's known texts.

    A passage of `GUARANTEED_WORDS` words is always found, and one of fewer than `PASSAGE_WORDS`
    words never. Passages in several authors' texts, such as a greeting or a law that all of them
    quote, are left out.

    Parameters
    ----------
    text : str
    fingerprints : FingerprintTable
        Of the known texts of all authors.
    """
    words = _hasher.hash_words(text)
    joined = list(_join(_owners(hash_passages(words), fingerprints)))
    if not joined:
        return SharedPassages(len(words), ())
    authors, bounds = fingerprints.authors, word_spans(text)
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


def _copied_share(n_words: int, places: Integers) -> float:
    copied = 0
    for first, end in _passages(places):
        start = 0 if first < WINDOW_HASHES else first
        copied += (n_words if n_words - end < WINDOW_HASHES else end) - start
    return copied / max(n_words, 1)


def _owners(hashes: Hashes, fingerprints: FingerprintTable) -> Integers:
    """Return the number of the only author who has each fingerprint, (n_passages,)."""
    places, found = fingerprints.find(hashes)
    is_only = np.bincount(places, minlength=len(hashes))[places] == 1
    owners = np.full(len(hashes), _NOT_ONE)
    owners[places[is_only]] = found[is_only]
    return owners


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
