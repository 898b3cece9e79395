"""How often each word occurs in each text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Self

import numpy as np
from scipy import sparse

from byline.array_types import Integers
from byline.attribution.classifiers.units import words_with_elision
from byline.lm.ngrams.counts import NOT_FOUND
from byline.typography.letter_case import lowercase_function


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Counts of words in texts.

    Attributes
    ----------
    columns : dict of str to int
        The words, in lower case and without punctuation marks, in the order of their columns.
    table : (n_texts, n_words) sparse int64
    lengths : (n_texts,) int64
        Number of all words in each text, also of those that have no column.
    """

    columns: dict[str, int]
    table: sparse.csr_array
    lengths: Integers

    @classmethod
    def of(cls, texts: Sequence[str], language: str, words: Sequence[str] | None = None) -> Self:
        """Count words in texts.

        Parameters
        ----------
        texts : sequence of str
        language : str
            ISO 639 code, for lower-casing and elision.
        words : sequence of str, optional
            The words to count; by default all, in alphabetical order.
        """
        pattern, lowercase = words_with_elision(language), lowercase_function(language)
        found = [Counter(map(lowercase, pattern.of(text).findall(text))) for text in texts]
        columns = _numbered(sorted(set().union(*found)) if words is None else words)
        sizes = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
        rows = np.repeat(np.arange(len(texts)), sizes)
        each = map(columns.get, chain.from_iterable(found), repeat(NOT_FOUND))
        places = np.fromiter(each, dtype=np.int64, count=len(rows))
        amounts = chain.from_iterable(own.values() for own in found)
        counts = np.fromiter(amounts, dtype=np.int64, count=len(rows))
        chosen = places != NOT_FOUND
        cells = counts[chosen], (rows[chosen], places[chosen])
        table = sparse.csr_array(cells, shape=(len(texts), len(columns)))
        lengths = np.fromiter((own.total() for own in found), dtype=np.int64, count=len(found))
        return cls(columns, table, lengths)

    @property
    def words(self) -> list[str]:
        """The words, in the order of their columns."""
        return list(self.columns)

    def of_texts(self, rows: Sequence[int]) -> WordCounts:
        """Return the counts of some texts."""
        chosen = np.fromiter(rows, dtype=np.int64, count=len(rows))
        return WordCounts(self.columns, self.table[chosen], self.lengths[chosen])

    def of_words(self, words: Sequence[str]) -> WordCounts:
        """Return the counts of some of the words, in the given order."""
        each = map(self.columns.__getitem__, words)
        chosen = np.fromiter(each, dtype=np.int64, count=len(words))
        return WordCounts(_numbered(words), self.table[:, chosen], self.lengths)

    def joined(self, owners: Sequence[int] | Integers) -> WordCounts:
        """Return the counts of each owner's texts as one text; an owner is an index."""
        n_texts = len(self.lengths)
        n_owners = int(np.max(owners)) + 1
        ones = np.ones(n_texts, dtype=np.int64)
        sums = sparse.csr_array((ones, (owners, np.arange(n_texts))), shape=(n_owners, n_texts))
        return WordCounts(self.columns, sums @ self.table, np.asarray(sums @ self.lengths))

    def most_frequent(self, n_words: int) -> list[str]:
        """Return the most frequent words that occur, equally frequent ones as they are ordered."""
        totals = np.asarray(self.table.sum(axis=0))
        ranked = np.argsort(-totals, kind="stable")[: min(n_words, np.count_nonzero(totals))]
        words = self.words
        return [words[column] for column in ranked]

    def frequencies(self) -> sparse.csr_array:
        """Return counts divided by the number of words in the text, (n_texts, n_words)."""
        frequencies = self.table.astype(np.float64)
        frequencies.data /= np.repeat(self.lengths, np.diff(frequencies.indptr))
        return frequencies


def _numbered(words: Iterable[str]) -> dict[str, int]:
    return {word: number for number, word in enumerate(words)}
