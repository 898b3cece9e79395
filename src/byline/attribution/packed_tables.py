"""`PackedTable`: a sparse table in few bytes, whose columns are unpacked when they are needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from byline.array_types import Booleans, Ids, Integers
from byline.attribution.stored_arrays import (
    Arrays,
    pack,
    pack_ascending,
    take_array,
    unpack,
    unpack_ascending,
)
from byline.errors import ModelFileError

_COLUMNS_AT_ONCE = 1024


def pack_table(table: sparse.csc_array, counts: NDArray[Any] | None) -> dict[str, NDArray[Any]]:
    """Pack the positions of the values in a sparse table, and the counts if they are given.

    A column with values in more than an eighth of the rows is stored as one bit per row. The
    positions in other columns are stored as differences, most of which take one byte.

    Parameters
    ----------
    table : (n_rows, n_columns) sparse, with ascending rows in each column
    counts : (n_values,) whole numbers of at least 1, or None
    """
    n_rows, n_columns = table.shape
    sizes = np.diff(table.indptr)
    is_common = sizes > n_rows / 8
    bits = np.empty((int(is_common.sum()), -(-n_rows // 8)), dtype=np.uint8)
    for first in range(0, len(bits), _COLUMNS_AT_ONCE):
        some = np.flatnonzero(is_common)[first : first + _COLUMNS_AT_ONCE]
        bits[first : first + len(some)] = np.packbits(table[:, some].toarray().T > 0, axis=1)
    is_rare = np.repeat(~is_common, sizes)
    columns = np.repeat(np.arange(n_columns, dtype=np.int64), np.where(is_common, 0, sizes))
    columns *= n_rows
    columns += table.indices[is_rare]
    arrays = {"common": np.packbits(is_common), "rows": bits} | pack_ascending("cells", columns)
    return arrays if counts is None else arrays | pack("counts", counts.astype(np.int64))


def unpack_table(arrays: Arrays, shape: tuple[int, int], *, has_counts: bool) -> sparse.csc_array:
    """Unpack what `pack_table` packed.

    Returns
    -------
    (n_rows, n_columns) sparse float32, by columns
        The counts; all 1 without ``has_counts``.

    Raises
    ------
    ModelFileError
        As in `PackedTable.read`, or if the counts are incomplete.
    """
    table = PackedTable.read(arrays, shape).columns(np.arange(shape[1]))
    if has_counts:
        counts = unpack("counts", arrays)
        if len(counts) != table.nnz or (counts < 1).any():
            raise ModelFileError(f"not each of its {table.nnz:,} n-grams in texts has a count")
        table.data = counts.astype(np.float32)
    return table


@dataclass(frozen=True, slots=True, eq=False)
class PackedTable:
    """The positions of the values in a sparse table.

    Attributes
    ----------
    shape : (n_rows, n_columns)
    ranks : (n_columns,) int64
        Row of each common column in ``bits``; -1 for other columns.
    bits : (n_common, n_rows / 8, rounded up) uint8
        Whether each row has a value, in common columns.
    rows : (n_rare,) int32
        Rows of the values in other columns, column by column.
    starts : (n_columns + 1,) int64
        Where the rows of each column start in ``rows``.
    """

    shape: tuple[int, int]
    ranks: Integers
    bits: NDArray[np.uint8]
    rows: Ids
    starts: Integers

    @classmethod
    def read(cls, arrays: Arrays, shape: tuple[int, int]) -> Self:
        """Read the positions from what `pack_table` packed.

        Raises
        ------
        ModelFileError
            If an array is missing, or the arrays contradict each other.
        """
        n_rows, n_columns = shape
        packed = take_array(arrays, "common", np.uint8, (-(-n_columns // 8),))
        is_common = np.unpackbits(packed, count=n_columns).astype(bool)
        bits = take_array(arrays, "rows", np.uint8, (int(is_common.sum()), -(-n_rows // 8)))
        cells = unpack_ascending("cells", arrays, n_rows * n_columns)
        if n_rows * n_columns <= np.iinfo(np.int32).max:
            cells = cells.astype(np.int32)  # takes half the time
        columns = cells // n_rows if n_rows else cells
        sizes = np.bincount(columns, minlength=n_columns)
        if sizes[is_common].any():
            raise ModelFileError("cells contains an n-gram of a common column")
        columns *= n_rows
        cells -= columns
        return cls(
            shape=shape,
            ranks=np.where(is_common, np.cumsum(is_common) - 1, -1),
            bits=bits,
            rows=cells.astype(np.int32),
            starts=np.concatenate([[0], np.cumsum(sizes)]),
        )

    def row_sizes(self) -> Integers:
        """Return the number of values in each row, (n_rows,)."""
        sizes = np.bincount(self.rows, minlength=self.shape[0])
        for first in range(0, len(self.bits), _COLUMNS_AT_ONCE):
            sizes += self._is_set(slice(first, first + _COLUMNS_AT_ONCE)).sum(axis=0)
        return sizes

    def columns(self, chosen: NDArray[np.integer]) -> sparse.csc_array:
        """Unpack some columns.

        Parameters
        ----------
        chosen : (n_chosen,) whole numbers

        Returns
        -------
        (n_rows, n_chosen) sparse float32, by columns
            Each value is 1.
        """
        ranks = self.ranks[chosen]
        is_common = ranks >= 0
        firsts = self.starts[chosen]
        sizes = self.starts[chosen + 1] - firsts
        rare = _ranges(firsts[~is_common], sizes[~is_common])
        common = [np.zeros(0, dtype=np.int32)]
        places, wanted = np.flatnonzero(is_common), ranks[is_common]
        for first in range(0, len(wanted), _COLUMNS_AT_ONCE):
            some = slice(first, first + _COLUMNS_AT_ONCE)
            is_set = self._is_set(wanted[some])
            n_set = np.count_nonzero(is_set, axis=1)
            before = np.repeat(np.arange(len(n_set)) * self.shape[0], n_set)
            common.append((np.flatnonzero(is_set) - before).astype(np.int32))
            sizes[places[some]] = n_set
        is_rare = np.repeat(~is_common, sizes)
        index = sparse.get_index_dtype(maxval=max(len(is_rare), *self.shape))
        indices = np.empty(len(is_rare), dtype=index)
        indices[is_rare] = self.rows[rare]
        indices[~is_rare] = np.concatenate(common)
        indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(index)
        values = np.ones(len(indices), dtype=np.float32)
        return sparse.csc_array((values, indices, indptr), shape=(self.shape[0], len(chosen)))

    def _is_set(self, ranks: slice | Integers) -> Booleans:
        """Return whether each row has a value in some common columns, (n_ranks, n_rows)."""
        is_set = np.unpackbits(self.bits[ranks], axis=1, count=self.shape[0])
        return is_set.view(np.bool_)


def _ranges(firsts: Integers, sizes: Integers) -> Integers:
    """Concatenate ranges of whole numbers."""
    starts = np.cumsum(sizes) - sizes
    return np.repeat(firsts - starts, sizes) + np.arange(int(sizes.sum()))
