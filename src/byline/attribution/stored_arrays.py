"""Whole numbers in as few bytes as they need, and arrays that came from a file."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

from byline.array_types import Integers
from byline.errors import ModelFileError

Arrays = Mapping[str, NDArray[Any]]
NARROW = (np.uint8, np.uint16, np.uint32)
_WIDE = np.int64
_MOST = float(2**62)  # of a sum: well below where an int64 would turn negative


def pack(name: str, values: Integers) -> dict[str, NDArray[Any]]:
    """Split whole numbers by the bytes that each needs.

    A number stands in the narrowest array whose largest value it is below; in every narrower one
    stands that largest value in its place, which sends a reader on to the next array.

    Parameters
    ----------
    name : str
        What the arrays' names begin with.
    values : (n,) int64, none below 0

    Returns
    -------
    dict of name to array
        One an item of `NARROW`, and the widest.
    """
    arrays: dict[str, NDArray[Any]] = {}
    for width in NARROW:
        largest = np.iinfo(width).max
        arrays[_name(name, width)] = np.minimum(values, largest).astype(width)
        values = values[values >= largest]
    return arrays | {_name(name, _WIDE): values}


def unpack(name: str, arrays: Arrays) -> Integers:
    """Join what `pack` split.

    Returns
    -------
    (n,) int64

    Raises
    ------
    ModelFileError
        An array is missing, of another type, or has more or fewer numbers than are sent on to it.
    """
    values: Integers = take_array(arrays, _name(name, _WIDE), _WIDE, (None,))
    for width in reversed(NARROW):
        narrow = take_array(arrays, _name(name, width), width, (None,))
        is_elsewhere = narrow == np.iinfo(width).max
        expected = np.count_nonzero(is_elsewhere)
        if expected != len(values):
            raise ModelFileError(
                f"{_name(name, width)} sends {expected:,} numbers on to the next array, "
                f"which has {len(values):,}"
            )
        joined = narrow.astype(np.int64)
        joined[is_elsewhere] = values
        values = joined
    return values


def pack_ascending(name: str, values: Integers) -> dict[str, NDArray[Any]]:
    """As `pack`, but of each number's distance from the one before, which is small.

    Parameters
    ----------
    name : str
    values : (n,) int64, none below 0, each above the one before
    """
    return pack(name, np.diff(values, prepend=-1))


def unpack_ascending(name: str, arrays: Arrays, bound: int) -> Integers:
    """Join what `pack_ascending` split; errors as there, and where ``bound`` is reached.

    Returns
    -------
    (n,) int64, each above the one before and below ``bound``
    """
    steps = unpack(name, arrays)
    if not len(steps):
        return steps
    if steps.min() < 1 or steps.sum(dtype=np.float64) > _MOST:
        raise ModelFileError(f"{name} does not ascend")
    values: Integers = np.cumsum(steps, out=steps)
    values -= 1
    if values[-1] >= bound:
        raise ModelFileError(f"{name} holds {values[-1]}, which is not below {bound}")
    return values


def pack_table(table: sparse.csr_array, counts: NDArray[Any] | None) -> dict[str, NDArray[Any]]:
    """Split a sparse table into where its values stand and, if they are given, its counts.

    Parameters
    ----------
    table : (n_rows, n_columns) sparse, columns of each row ascending
    counts : (n_values,) whole numbers of at least 1, or None
    """
    n_rows, n_columns = table.shape
    rows = np.repeat(np.arange(n_rows, dtype=np.int64), np.diff(table.indptr))
    arrays = pack_ascending("cells", rows * n_columns + table.indices)
    return arrays if counts is None else arrays | pack("counts", counts.astype(np.int64))


def unpack_table(arrays: Arrays, shape: tuple[int, int], *, has_counts: bool) -> sparse.csr_array:
    """Join what `pack_table` split; errors as in `unpack_ascending`.

    Returns
    -------
    (n_rows, n_columns) sparse float32
        Counts; all 1 without ``has_counts``.
    """
    n_rows, n_columns = shape
    cells = unpack_ascending("cells", arrays, n_rows * n_columns)
    starts = np.arange(n_rows + 1) * n_columns
    bounds = np.searchsorted(cells, starts)
    cells -= np.repeat(starts[:-1], np.diff(bounds))
    counts = unpack("counts", arrays) if has_counts else np.ones(len(cells), np.float32)
    if len(counts) != len(cells) or (counts < 1).any():
        raise ModelFileError(f"its {len(cells):,} n-grams in texts do not have a count each")
    index = sparse.get_index_dtype(maxval=max(len(cells), n_columns))
    indices, indptr = cells.astype(index), bounds.astype(index)
    return sparse.csr_array((counts.astype(np.float32, copy=False), indices, indptr), shape=shape)


def arrays_under(prefix: str, arrays: Arrays) -> Arrays:
    """Arrays whose names begin with ``prefix``, under what is left of the name."""
    return {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix)
    }


def take_array(
    arrays: Arrays, name: str, dtype: DTypeLike, shape: tuple[int | None, ...]
) -> NDArray[Any]:
    """Return an array that came from a file.

    Parameters
    ----------
    arrays : mapping of name to array
    name : str
    dtype : dtype
    shape : tuple
        None where any length will do.

    Raises
    ------
    ModelFileError
        It is missing, of another type or shape, or holds what is not finite.
    """
    if name not in arrays:
        raise ModelFileError(f"the array {name} is missing")
    array = arrays[name]
    fits = len(shape) == array.ndim and all(
        length in (None, actual) for length, actual in zip(shape, array.shape, strict=True)
    )
    if array.dtype != dtype or not fits:
        raise ModelFileError(
            f"the array {name} is {array.dtype} of shape {array.shape}, not "
            f"{np.dtype(dtype)} of shape {str(shape).replace('None', 'n')}"
        )
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ModelFileError(f"the array {name} holds what is no finite number")
    return array


def take_strings(values: object, what: str) -> list[str]:
    """Return a list of strings that came from a file, each above the one before.

    Raises
    ------
    ModelFileError
        It is no such list.
    """
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ModelFileError(f"{what} are no list of strings")
    if any(one >= other for one, other in pairwise(values)):
        raise ModelFileError(f"{what} are not in order, or one is there twice")
    return values


def _name(name: str, width: type[np.integer[Any]]) -> str:
    return f"{name}.{np.dtype(width)}"
