"""`EntryMatrix`: a sparse matrix of n-grams by models, in which few n-grams are common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from byline.array_types import Floats, Ids, Integers
from byline.lm.ngrams.counts import NOT_FOUND

# A row is dense if more than a quarter of the models have an entry in it. With 256 models, this
# halves the time of sums. A dense row takes at most 32 bytes per entry instead of 12.
_DENSE_SHARE = 4


@dataclass(frozen=True, slots=True)
class EntryMatrix:
    """A matrix with one row per n-gram and one column per model; 0 if a model has no entry.

    Attributes
    ----------
    rare : (n_rows, n_models) csr_array of float64
        Rows of n-grams that few models contain; 12 bytes per entry.
    common : (n_common, n_models) float64
        The other rows.
    common_rows : (n_rows,) int32
        Index of each row in ``common``; ``NOT_FOUND`` for a row of ``rare``.
    n_common_entries : int
        Number of entries in ``common``.
    """

    rare: csr_array[np.float64]
    common: Floats
    common_rows: Ids
    n_common_entries: int

    @property
    def n_entries(self) -> int:
        """Number of entries."""
        return int(self.rare.nnz) + self.n_common_entries

    def sums(self, rows: Ids, bounds: Integers) -> Floats:
        """Sum consecutive groups of rows.

        Parameters
        ----------
        rows : (n,) int32
        bounds : (n_groups + 1,) int64
            Start of each group in ``rows``, and the end of the last one.

        Returns
        -------
        (n_groups, n_models) float64
        """
        common_rows = self.common_rows[rows]
        is_common = common_rows != NOT_FOUND
        n_common = np.concatenate([[0], np.cumsum(is_common)])[bounds]  # (n_groups + 1,)
        n_rows, n_common_rows = len(self.common_rows), len(self.common)
        common = _selection(common_rows[is_common], n_common, n_common_rows) @ self.common
        rare = _selection(rows[~is_common], bounds - n_common, n_rows) @ self.rare
        common += rare.toarray()
        return np.asarray(common)


def _selection(rows: NDArray[np.integer], bounds: Integers, n_rows: int) -> csr_array[np.float64]:
    """Return the matrix of groups by rows that sums the rows of each group."""
    shape = len(bounds) - 1, n_rows
    return csr_array((np.ones(len(rows)), rows.astype(np.int32), _narrow(bounds)), shape=shape)


def _narrow(bounds: Integers) -> NDArray[np.integer]:
    """Return 32-bit bounds if possible, because SciPy stores indices in the type of the bounds."""
    return bounds.astype(np.int32 if bounds[-1] <= np.iinfo(np.int32).max else np.int64)


class EntryMatrixBuilder:
    """Fills an `EntryMatrix` in place, one model after another, without sorting.

    Parameters
    ----------
    n_rows : int
    rows : sequence of (n_entries,) int32
        For each model, the distinct rows of its entries.
    """

    def __init__(self, n_rows: int, rows: Sequence[Ids]) -> None:
        sizes = np.zeros(n_rows, dtype=np.int64)
        for model_rows in rows:
            sizes[model_rows] += 1
        is_common = sizes * _DENSE_SHARE > len(rows)
        self._common_rows = np.where(is_common, np.cumsum(is_common) - 1, NOT_FOUND).astype(
            np.int32
        )
        self._common = np.zeros((np.count_nonzero(is_common), len(rows)))
        self._n_common_entries = int(sizes[is_common].sum())
        sizes[is_common] = 0
        # Index of the next entry of each row. When all entries are filled, it is the row's end.
        self._next = np.cumsum(sizes) - sizes
        n_rare = int(sizes.sum())
        self._models = np.zeros(n_rare, dtype=np.int32)
        self._values = np.zeros(n_rare)

    def fill(self, model: int, rows: Ids, values: Floats) -> None:
        """Fill the entries of one model; models must come in ascending order.

        Parameters
        ----------
        model : int
        rows : (n_entries,) int32
        values : (n_entries,) float64
        """
        common_rows = self._common_rows[rows]
        is_common = common_rows != NOT_FOUND
        self._common[common_rows[is_common], model] = values[is_common]
        rare = rows[~is_common]
        entries = self._next[rare]
        self._next[rare] += 1
        self._models[entries] = model
        self._values[entries] = values[~is_common]

    def finish(self) -> EntryMatrix:
        """Return the matrix after all models were filled."""
        ends = np.concatenate([[0], self._next])
        shape = len(self._common_rows), self._common.shape[1]
        rare = csr_array((self._values, self._models, _narrow(ends)), shape=shape)
        return EntryMatrix(rare, self._common, self._common_rows, self._n_common_entries)
