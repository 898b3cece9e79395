"""`NgramVocabulary`: count n-grams of any order in documents, with a trie in sorted arrays."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Self, TypeGuard

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from byline.array_types import Booleans, Integers
from byline.lm.ngrams.counts import NOT_FOUND, find_by_table

Document = Sequence[str]  # of units: words, or characters, which a str is itself


@dataclass(frozen=True, slots=True)
class NgramVocabulary:
    """The n-grams of some orders that occur in enough known documents.

    An n-gram is identified by its index among the n-grams of its order, which are sorted by (index
    of the first n - 1 units, last unit). If an n-gram occurs in enough documents, so do its first
    n - 1 units. Each order therefore extends only the n-grams that remain in the order below.

    Attributes
    ----------
    units : tuple of str
        The units in enough documents, sorted; their indices are their numbers.
    levels : tuple of (n_ngrams,) int64
        One array per order from 2 on, ascending: ``index of the first n - 1 units * len(units) +
        last unit``.
    least : int
        The lowest order that is a feature.
    """

    units: tuple[str, ...]
    levels: tuple[Integers, ...]
    least: int

    @classmethod
    def fit(
        cls, documents: Sequence[Document], orders: tuple[int, int], min_documents: int
    ) -> Self:
        """Find the n-grams that occur in at least ``min_documents`` documents.

        Parameters
        ----------
        documents : sequence of sequences of str
        orders : (lowest, highest)
        min_documents : int
        """
        n_documents = Counter(chain.from_iterable(map(set, documents)))
        units = sorted(unit for unit, n in n_documents.items() if n >= min_documents)
        numbers, owners = _number(documents, units)
        levels: list[Integers] = []
        starts, places = _by_unit(numbers)
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
        """Number of n-grams per order that is a feature, from the lowest order on."""
        return [len(self.units), *map(len, self.levels)][self.least - 1 :]

    def counts(self, documents: Sequence[Document]) -> sparse.csr_array:
        """Count the n-grams in each document.

        Parameters
        ----------
        documents : sequence of sequences of str

        Returns
        -------
        (n_documents, n_features) sparse float32; columns sorted by order, then index
        """
        numbers, owners = _number(documents, self.units)
        found = islice(self._found(numbers), self.least - 1, None)  # one order at a time
        parts = [
            _table(owners[starts], places, (len(documents), size))
            for size, (starts, places) in zip(self.sizes, found, strict=True)
        ]
        return sparse.csr_array(sparse.hstack(parts, format="csr"))

    def occurrences(self, document: Document) -> tuple[Integers, Integers, Integers]:
        """Find the occurrences of the n-grams in a document.

        Parameters
        ----------
        document : sequence of str

        Returns
        -------
        columns : (n_occurrences,) int64
            The columns of `counts`, one entry per occurrence.
        starts, ends : (n_occurrences,) int64
            Position of the first unit in the document, and of the one after the last unit.
        """
        found = [
            (starts[order], places[order])  # as in the text
            for starts, places in self._found(_number([document], self.units)[0])
            for order in [np.argsort(starts)]
        ][self.least - 1 :]
        firsts = np.cumsum([0, *self.sizes[:-1]]).tolist()
        columns = [first + places for first, (_, places) in zip(firsts, found, strict=True)]
        starts = [starts for starts, _ in found]
        ends = [starts + order for order, (starts, _) in enumerate(found, self.least)]
        return np.concatenate(columns), np.concatenate(starts), np.concatenate(ends)

    def containing(self, chosen: Booleans) -> Booleans:
        """Return which n-grams contain at least one of the chosen units.

        Parameters
        ----------
        chosen : (n_units,) bool

        Returns
        -------
        (n_features,) bool
        """
        found = [chosen]
        for level in self.levels:
            before, last = np.divmod(level, len(self.units))
            found.append(found[-1][before] | chosen[last])
        return np.concatenate(found[self.least - 1 :])

    def ngram(self, column: int) -> tuple[str, ...]:
        """Return the units of the n-gram in a column of `counts`."""
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
        """Yield the positions and indices of all known n-grams, for each order from 1 on."""
        starts, places = _by_unit(numbers)
        yield starts, places
        for order, level in enumerate(self.levels, 2):
            starts, keys = _lengthen(starts, places, numbers, order, len(self.units))
            starts, places = _find(level, keys, starts)
            yield starts, places


def _number(documents: Sequence[Document], units: Sequence[str]) -> tuple[Integers, Integers]:
    """Concatenate documents as unit numbers, with ``NONE`` for unknown units and between documents.

    Returns
    -------
    numbers : (n_positions,) int64
    owners : (n_positions,) int64
        The document of each position.
    """
    lengths = np.fromiter(map(len, documents), dtype=np.int64, count=len(documents))
    ends = np.cumsum(lengths + 1)
    numbers = np.full(lengths.sum() + len(lengths), NOT_FOUND, dtype=np.int64)
    if _are_strings(documents):
        of_documents = _number_characters(documents, units)
    else:
        of_documents = _number_units(documents, units)
    for numbered, length, end in zip(of_documents, lengths.tolist(), ends.tolist(), strict=True):
        numbers[end - 1 - length : end - 1] = numbered
    return numbers, np.repeat(np.arange(len(documents)), lengths + 1)


def _are_strings(documents: Sequence[Document]) -> TypeGuard[Sequence[str]]:
    return all(isinstance(document, str) for document in documents)


def _number_units(
    documents: Sequence[Document], units: Sequence[str]
) -> Iterator[NDArray[np.integer]]:
    number_of = dict(zip(units, range(len(units)), strict=True)).get
    for document in documents:
        numbers = map(number_of, document, repeat(NOT_FOUND))
        yield np.fromiter(numbers, dtype=np.int64, count=len(document))


def _number_characters(
    documents: Sequence[str], units: Sequence[str]
) -> Iterator[NDArray[np.integer]]:
    """Do the same by a table of all code points, in a tenth of the time."""
    number_of = np.full(sys.maxunicode + 1, NOT_FOUND, dtype=np.int32)
    for number, unit in enumerate(units):
        if len(unit) == 1:  # as in every model that `fit` made
            number_of[ord(unit)] = number
    for document in documents:
        yield number_of[np.frombuffer(document.encode("utf-32-le", "surrogatepass"), np.uint32)]


def _by_unit(numbers: Integers) -> tuple[Integers, Integers]:
    """Return the positions of all known units, and the units, sorted by the latter.

    N-grams that begin with the same units are then looked up one after another, near each other in
    the sorted levels. In the order of the text, most look-ups would wait for the memory.
    """
    starts = np.flatnonzero(numbers != NOT_FOUND)
    places = numbers[starts]
    # NumPy sorts 16-bit numbers by counting; larger ones are sorted by their leading bits.
    shift = max(int(places.max(initial=0)).bit_length() - 16, 0)
    order = np.argsort((places >> shift).astype(np.uint16), kind="stable")
    return starts[order], places[order]


def _lengthen(
    starts: Integers, places: Integers, numbers: Integers, order: int, n_units: int
) -> tuple[Integers, Integers]:
    """Extend n-grams by the unit that follows, if any; return their starts and keys.

    The ``NONE`` after each document prevents n-grams across documents.
    """
    following = numbers[starts + order - 1]
    follows = following != NOT_FOUND
    return starts[follows], places[follows] * n_units + following[follows]


def _in_enough(keys: Integers, owners: Integers, n_documents: int, min_documents: int) -> Integers:
    """Return the keys that occur in enough documents, ascending.

    A key and a document share an int64: ten million n-grams over a hundred thousand units in a
    million documents need 1e18.
    """
    pairs = _distinct(keys * n_documents + owners)
    ngrams, counts = np.unique(pairs // n_documents, return_counts=True)
    return ngrams[counts >= min_documents]


def _find(level: Integers, keys: Integers, starts: Integers) -> tuple[Integers, Integers]:
    """Return the starts and indices of the keys that the level contains."""
    if not len(level):
        return starts[:0], keys[:0]
    found = find_by_table(level, keys)
    if found is not None:
        known = found != NOT_FOUND
        return starts[known], found[known].astype(np.int64)
    places = np.minimum(np.searchsorted(level, keys), len(level) - 1)
    known = level[places] == keys
    return starts[known], places[known]


def _table(owners: Integers, places: Integers, shape: tuple[int, int]) -> sparse.csr_array:
    """Count each n-gram in each document."""
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
    """Return the sorted distinct values; `numpy.unique` takes twenty times as long."""
    values = np.sort(values)
    distinct: Integers = values[np.diff(values, prepend=NOT_FOUND) != 0]
    return distinct
