"""How often n-grams stand in a document: a trie in sorted arrays, exact at any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Self

import numpy as np
from scipy import sparse

from byline.array_types import Integers
from byline.lm.ngrams.counts import NOT_FOUND

Document = Sequence[str]  # of units: words, or characters, which a str is itself


@dataclass(frozen=True, slots=True)
class NgramVocabulary:
    """The n-grams of some orders that stand in enough known documents.

    An n-gram is known by its place among those of its order, which are sorted by (place of its
    first n - 1 units, last unit). One that stands in enough documents has a beginning that does
    too, so every order needs to look only at what is left of the one below.

    Attributes
    ----------
    units : tuple of str
        Those in enough documents, sorted; a unit's place is its number.
    levels : tuple of (n_ngrams,) int64
        One an order from 2 on, ascending: ``place of the beginning * len(units) + last unit``.
    least : int
        The lowest order that counts as a feature.
    """

    units: tuple[str, ...]
    levels: tuple[Integers, ...]
    least: int

    @classmethod
    def learn(
        cls, documents: Sequence[Document], orders: tuple[int, int], min_documents: int
    ) -> Self:
        """Find the n-grams that stand in at least ``min_documents`` documents.

        Parameters
        ----------
        documents : sequence of sequences of str
        orders : (lowest, highest)
        min_documents : int
        """
        spread = Counter(chain.from_iterable(map(set, documents)))
        units = sorted(unit for unit, n in spread.items() if n >= min_documents)
        numbers, owners = _number(documents, units)
        levels: list[Integers] = []
        starts = np.flatnonzero(numbers != NOT_FOUND)
        places = numbers[starts]
        for order in range(2, orders[1] + 1):
            starts, keys = _lengthen(starts, places, numbers, order, len(units))
            levels.append(_in_enough(keys, owners[starts], len(documents), min_documents))
            starts, places = _find(levels[-1], keys, starts)
        return cls(tuple(units), tuple(levels), orders[0])

    def __len__(self) -> int:
        """Return the number of features."""
        return sum(self.sizes)

    @property
    def sizes(self) -> list[int]:
        """Number of n-grams of each order that counts, from the lowest on."""
        return [len(self.units), *map(len, self.levels)][self.least - 1 :]

    def counts(self, documents: Sequence[Document]) -> sparse.csr_array:
        """Count the n-grams in each document.

        Parameters
        ----------
        documents : sequence of sequences of str

        Returns
        -------
        (n_documents, n_features) sparse float32; columns by order, then place
        """
        numbers, owners = _number(documents, self.units)
        found = list(self._found(numbers))[self.least - 1 :]
        parts = [
            _table(owners[starts], places, (len(documents), size))
            for size, (starts, places) in zip(self.sizes, found, strict=True)
        ]
        return sparse.csr_array(sparse.hstack(parts, format="csr"))

    def occurrences(self, document: Document) -> tuple[Integers, Integers, Integers]:
        """Find where the n-grams stand in a document.

        Parameters
        ----------
        document : sequence of str

        Returns
        -------
        columns : (n_occurrences,) int64
            Those of `counts`, which counts each as often as it comes here.
        starts, ends : (n_occurrences,) int64
            Place of the first unit in the document, and of the one behind the last.
        """
        found = list(self._found(_number([document], self.units)[0]))[self.least - 1 :]
        firsts = np.cumsum([0, *self.sizes[:-1]]).tolist()
        columns = [first + places for first, (_, places) in zip(firsts, found, strict=True)]
        starts = [starts for starts, _ in found]
        ends = [starts + order for order, (starts, _) in enumerate(found, self.least)]
        return np.concatenate(columns), np.concatenate(starts), np.concatenate(ends)

    def ngram(self, column: int) -> tuple[str, ...]:
        """Units of the n-gram of a column of `counts`."""
        order = self.least
        for size in self.sizes:
            if column < size:
                break
            order, column = order + 1, column - size
        last: list[str] = []
        for level in reversed(self.levels[: order - 1]):
            column, unit = divmod(int(level[column]), len(self.units))
            last.append(self.units[unit])
        return (self.units[column], *reversed(last))

    def _found(self, numbers: Integers) -> Iterator[tuple[Integers, Integers]]:
        """For each order from 1 on, the positions and places of all known n-grams."""
        starts = np.flatnonzero(numbers != NOT_FOUND)
        places = numbers[starts]
        yield starts, places
        for order, level in enumerate(self.levels, 2):
            starts, keys = _lengthen(starts, places, numbers, order, len(self.units))
            starts, places = _find(level, keys, starts)
            yield starts, places


def _number(documents: Sequence[Document], units: Sequence[str]) -> tuple[Integers, Integers]:
    """Join documents end to end as unit numbers, ``NONE`` where unknown and behind each document.

    Returns
    -------
    numbers : (n_positions,) int64
    owners : (n_positions,) int64
        The document of each position.
    """
    number_of = dict(zip(units, range(len(units)), strict=True)).get
    lengths = np.fromiter(map(len, documents), dtype=np.int64, count=len(documents))
    ends = np.cumsum(lengths + 1)
    numbers = np.full(ends[-1], NOT_FOUND, dtype=np.int64)
    for document, length, end in zip(documents, lengths.tolist(), ends.tolist(), strict=True):
        numbered = map(number_of, document, repeat(NOT_FOUND))
        numbers[end - 1 - length : end - 1] = np.fromiter(numbered, dtype=np.int64, count=length)
    return numbers, np.repeat(np.arange(len(documents)), lengths + 1)


def _lengthen(
    starts: Integers, places: Integers, numbers: Integers, order: int, n_units: int
) -> tuple[Integers, Integers]:
    """From n-grams of the order below by start, keys of those of ``order``, where a unit follows.

    The mark behind each document ends what would reach over it.
    """
    following = numbers[starts + order - 1]
    follows = following != NOT_FOUND
    return starts[follows], places[follows] * n_units + following[follows]


def _in_enough(keys: Integers, owners: Integers, n_documents: int, min_documents: int) -> Integers:
    """Keys that stand in enough documents, ascending.

    An int64 holds a key and a document: those of ten million n-grams over a hundred thousand units
    in a million documents are 1e18.
    """
    pairs = _distinct(keys * n_documents + owners)
    ngrams, spread = np.unique(pairs // n_documents, return_counts=True)
    return ngrams[spread >= min_documents]


def _find(level: Integers, keys: Integers, starts: Integers) -> tuple[Integers, Integers]:
    """Keep the starts and places of keys that the level has."""
    if not len(level):
        return starts[:0], keys[:0]
    places = np.minimum(np.searchsorted(level, keys), len(level) - 1)
    known = level[places] == keys
    return starts[known], places[known]


def _table(owners: Integers, places: Integers, shape: tuple[int, int]) -> sparse.csr_array:
    """Count how often each document has each n-gram."""
    width = max(shape[1], 1)
    cells = np.sort(owners * width + places)
    firsts = np.flatnonzero(np.diff(cells, prepend=NOT_FOUND))
    counts = np.diff(firsts, append=len(cells)).astype(np.float32)
    cells = cells[firsts]
    bounds = np.searchsorted(cells, np.arange(shape[0] + 1) * width)
    small = sparse.get_index_dtype(maxval=max(len(cells), width))
    indices, indptr = (cells % width).astype(small), bounds.astype(small)
    return sparse.csr_array((counts, indices, indptr), shape=shape)


def _distinct(values: Integers) -> Integers:
    """Sorted distinct values; `numpy.unique` hashes them, in twenty times as long."""
    values = np.sort(values)
    distinct: Integers = values[np.diff(values, prepend=NOT_FOUND) != 0]
    return distinct
