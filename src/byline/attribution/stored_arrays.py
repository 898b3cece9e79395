"""Pack whole numbers into few bytes for a file, and check arrays from a file."""

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
_MAX_SUM = float(2**62)  # well below the overflow of an int64


def pack(name: str, values: Integers) -> dict[str, NDArray[Any]]:
    """Split whole numbers by the number of bytes that each needs.

    A number is stored in the narrowest array whose largest value is above the number. The largest
    value of a narrower array means that the number is in the next wider array.

    Parameters
    ----------
    name : str
        The prefix of the arrays' names.
    values : (n,) int64, not negative

    Returns
    -------
    dict of name to array
        One array per type in `NARROW`, and the widest array.
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
        If an array is missing or has another type, or its length does not match the references.
    """
    values: Integers = take_array(arrays, _name(name, _WIDE), _WIDE, (None,))
    for width in reversed(NARROW):
        narrow = take_array(arrays, _name(name, width), width, (None,))
        is_in_next = narrow == np.iinfo(width).max
        expected = np.count_nonzero(is_in_next)
        if expected != len(values):
            raise ModelFileError(
                f"{_name(name, width)} refers to {expected:,} numbers in the next array, "
                f"which has {len(values):,}"
            )
        joined = narrow.astype(np.int64)
        joined[is_in_next] = values
        values = joined
    return values


def pack_ascending(name: str, values: Integers) -> dict[str, NDArray[Any]]:
    """Pack ascending numbers by their small differences; see `pack`.

    Parameters
    ----------
    name : str
    values : (n,) int64, not negative, strictly ascending
    """
    return pack(name, np.diff(values, prepend=-1))


def unpack_ascending(name: str, arrays: Arrays, bound: int) -> Integers:
    """Join what `pack_ascending` split; errors as in `unpack`, or if a number reaches ``bound``.

    Returns
    -------
    (n,) int64, strictly ascending and below ``bound``
    """
    steps = unpack(name, arrays)
    if not len(steps):
        return steps
    if steps.min() < 1 or steps.sum(dtype=np.float64) > _MAX_SUM:
        raise ModelFileError(f"{name} does not ascend")
    values: Integers = np.cumsum(steps, out=steps)
    values -= 1
    if values[-1] >= bound:
        raise ModelFileError(f"{name} contains {values[-1]}, which is not below {bound}")
    return values


def pack_table(table: sparse.csr_array, counts: NDArray[Any] | None) -> dict[str, NDArray[Any]]:
    """Pack the positions of the values in a sparse table, and the counts if they are given.

    Parameters
    ----------
    table : (n_rows, n_columns) sparse, with ascending columns in each row
    counts : (n_values,) whole numbers of at least 1, or None
    """
    n_rows, n_columns = table.shape
    rows = np.repeat(np.arange(n_rows, dtype=np.int64), np.diff(table.indptr))
    arrays = pack_ascending("cells", rows * n_columns + table.indices)
    return arrays if counts is None else arrays | pack("counts", counts.astype(np.int64))


def unpack_table(arrays: Arrays, shape: tuple[int, int], *, has_counts: bool) -> sparse.csr_array:
    """Unpack what `pack_table` packed; errors as in `unpack_ascending`.

    Returns
    -------
    (n_rows, n_columns) sparse float32
        The counts; all 1 without ``has_counts``.
    """
    n_rows, n_columns = shape
    cells = unpack_ascending("cells", arrays, n_rows * n_columns)
    starts = np.arange(n_rows + 1) * n_columns
    bounds = np.searchsorted(cells, starts)
    cells -= np.repeat(starts[:-1], np.diff(bounds))
    counts = unpack("counts", arrays) if has_counts else np.ones(len(cells), np.float32)
    if len(counts) != len(cells) or (counts < 1).any():
        raise ModelFileError(f"not each of its {len(cells):,} n-grams in texts has a count")
    index = sparse.get_index_dtype(maxval=max(len(cells), n_columns))
    indices, indptr = cells.astype(index), bounds.astype(index)
    return sparse.csr_array((counts.astype(np.float32, copy=False), indices, indptr), shape=shape)


def arrays_under(prefix: str, arrays: Arrays) -> Arrays:
    """Return the arrays whose names begin with ``prefix``, under the rest of the names."""
    return {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix)
    }


def take_array(
    arrays: Arrays, name: str, dtype: DTypeLike, shape: tuple[int | None, ...]
) -> NDArray[Any]:
    """Return an array from a file after checking it.

    Parameters
    ----------
    arrays : mapping of name to array
    name : str
    dtype : dtype
    shape : tuple
        None stands for any length.

    Raises
    ------
    ModelFileError
        If the array is missing, has another type or shape, or a value is not finite.
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
        raise ModelFileError(f"the array {name} contains a value that is not finite")
    return array


def take_strings(values: object, what: str) -> list[str]:
    """Return a sorted list of distinct strings from a file after checking it.

    Raises
    ------
    ModelFileError
        If it is not such a list.
    """
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ModelFileError(f"{what} are not a list of strings")
    if any(one >= other for one, other in pairwise(values)):
        raise ModelFileError(f"{what} are not sorted, or two are equal")
    return values


def _name(name: str, width: type[np.integer[Any]]) -> str:
    return f"{name}.{np.dtype(width)}"
