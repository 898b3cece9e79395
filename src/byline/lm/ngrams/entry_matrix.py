"""A matrix of n-grams by models in which most n-grams belong to few models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from byline.array_types import Floats, Ids, Integers
from byline.lm.ngrams.counts import NOT_FOUND

# A row that more than every fourth model has is kept dense: at 256 models that halves the time of
# sums, and at most 32 bytes an entry stand for 12.
_DENSE_SHARE = 4


@dataclass(frozen=True, slots=True)
class EntryMatrix:
    """Numbers of n-grams (rows) in models (columns); 0 where a model has no entry.

    Attributes
    ----------
    rare : (n_rows, n_models) csr_array of float64
        Rows of n-grams that few models have; 12 bytes an entry.
    common : (n_common, n_models) float64
        The other rows.
    places : (n_rows,) int32
        Where a row stands in ``common``; ``NOT_FOUND`` if it does not.
    n_common_entries : int
        Entries of the rows in ``common``.
    """

    rare: csr_array[np.float64]
    common: Floats
    places: Ids
    n_common_entries: int

    @property
    def n_entries(self) -> int:
        """Number of entries that were filled in."""
        return int(self.rare.nnz) + self.n_common_entries

    def sums(self, rows: Ids, bounds: Integers) -> Floats:
        """Sum consecutive groups of rows.

        Parameters
        ----------
        rows : (n,) int32
        bounds : (n_groups + 1,) int64
            Where each group starts in ``rows``, and where the last one ends.

        Returns
        -------
        (n_groups, n_models) float64
        """
        places = self.places[rows]
        is_common = places != NOT_FOUND
        n_common = np.concatenate([[0], np.cumsum(is_common)])[bounds]  # (n_groups + 1,)
        n_rows, n_common_rows = len(self.places), len(self.common)
        common = _selection(places[is_common], n_common, n_common_rows) @ self.common
        rare = _selection(rows[~is_common], bounds - n_common, n_rows) @ self.rare
        common += rare.toarray()
        return np.asarray(common)


def _selection(rows: NDArray[np.integer], bounds: Integers, n_rows: int) -> csr_array[np.float64]:
    """Return the matrix of groups by rows that sums each group's rows from the left."""
    shape = len(bounds) - 1, n_rows
    return csr_array((np.ones(len(rows)), rows.astype(np.int32), _narrow(bounds)), shape=shape)


def _narrow(bounds: Integers) -> NDArray[np.integer]:
    """Return 32-bit bounds where they fit: SciPy's indices are as wide as its bounds."""
    return bounds.astype(np.int32 if bounds[-1] <= np.iinfo(np.int32).max else np.int64)


class EntryMatrixBuilder:
    """Fills an `EntryMatrix` one model after another, without sorting and in place.

    Parameters
    ----------
    n_rows : int
    rows : sequence of (n_entries,) int32, one a model
        The rows that each model will fill, none of them twice.
    """

    def __init__(self, n_rows: int, rows: Sequence[Ids]) -> None:
        sizes = np.zeros(n_rows, dtype=np.int64)
        for model_rows in rows:
            sizes[model_rows] += 1
        is_common = sizes * _DENSE_SHARE > len(rows)
        self._places = np.where(is_common, np.cumsum(is_common) - 1, NOT_FOUND).astype(np.int32)
        self._common = np.zeros((np.count_nonzero(is_common), len(rows)))
        self._n_common_entries = int(sizes[is_common].sum())
        sizes[is_common] = 0
        # Where the next entry of each row goes; once all is filled, where each row ends.
        self._next = np.cumsum(sizes) - sizes
        n_rare = int(sizes.sum())
        self._models = np.zeros(n_rare, dtype=np.int32)
        self._values = np.zeros(n_rare)

    def fill(self, model: int, rows: Ids, values: Floats) -> None:
        """Enter one model's numbers; models come in ascending order.

        Parameters
        ----------
        model : int
        rows : (n_entries,) int32
        values : (n_entries,) float64
        """
        places = self._places[rows]
        is_common = places != NOT_FOUND
        self._common[places[is_common], model] = values[is_common]
        rare = rows[~is_common]
        entries = self._next[rare]
        self._next[rare] += 1
        self._models[entries] = model
        self._values[entries] = values[~is_common]

    def finish(self) -> EntryMatrix:
        """Return the matrix, all models being filled in."""
        ends = np.concatenate([[0], self._next])
        shape = len(self._places), self._common.shape[1]
        rare = csr_array((self._values, self._models, _narrow(ends)), shape=shape)
        return EntryMatrix(rare, self._common, self._places, self._n_common_entries)
