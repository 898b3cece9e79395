"""Pack whole numbers into few bytes for a file, and check arrays from a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from byline.array_types import Floats, Integers
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


def pack_nonzero(name: str, matrix: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """Pack the values of a matrix that are not zero, in half precision, and a bit for each place.

    Parameters
    ----------
    name : str
        The prefix of the arrays' names.
    matrix : (n_rows, n_columns) float32
        With values that half precision can represent.
    """
    is_nonzero = matrix != 0
    values = matrix[is_nonzero].astype(np.float16)
    return {f"{name}.places": np.packbits(is_nonzero), f"{name}.values": values}


def unpack_nonzero(name: str, arrays: Arrays, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Unpack what `pack_nonzero` packed.

    Raises
    ------
    ModelFileError
        If an array is missing or has another type or length.
    """
    n_cells = shape[0] * shape[1]
    places = take_array(arrays, f"{name}.places", np.uint8, (-(-n_cells // 8),))
    is_nonzero = np.unpackbits(places, count=n_cells).astype(bool)
    values = take_array(arrays, f"{name}.values", np.float16, (int(is_nonzero.sum()),))
    matrix = np.zeros(n_cells, dtype=np.float32)
    matrix[is_nonzero] = values
    return matrix.reshape(shape)


def pack_repeated(name: str, values: Floats) -> dict[str, NDArray[Any]]:
    """Pack numbers, most of which occur several times, without changing a bit of them.

    Parameters
    ----------
    name : str
        The prefix of the arrays' names.
    values : (n,) float64
    """
    distinct, places = np.unique(values.view(np.int64), return_inverse=True)
    narrowest = np.min_scalar_type(len(distinct))
    return {
        f"{name}.values": distinct.view(np.float64),
        f"{name}.places": places.astype(narrowest),
    }


def unpack_repeated(name: str, arrays: Arrays) -> Floats:
    """Unpack what `pack_repeated` packed.

    Raises
    ------
    ModelFileError
        If an array is missing or has another type, or a number is not among the distinct ones.
    """
    values = np.asarray(arrays.get(f"{name}.values"))  # may be infinite
    if values.dtype != np.float64 or values.ndim != 1:
        raise ModelFileError(f"the array {name}.values is missing, or not a list of float64")
    narrowest = np.min_scalar_type(len(values))
    places = take_array(arrays, f"{name}.places", narrowest, (None,))
    if places.size and places.max() >= len(values):
        raise ModelFileError(f"{name}.places refers to more than {len(values):,} numbers")
    return np.asarray(values[places])


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


def take_strings(values: object, what: str, *, in_order: bool = True) -> list[str]:
    """Return a list of distinct strings from a file after checking it.

    Parameters
    ----------
    values : object
    what : str
        What an error calls them.
    in_order : bool
        Whether they must be sorted.

    Raises
    ------
    ModelFileError
        If it is not such a list.
    """
    if not isinstance(values, list) or set(map(type, values)) - {str}:
        raise ModelFileError(f"{what} are not a list of strings")
    if (values != sorted(set(values))) if in_order else (len(set(values)) != len(values)):
        raise ModelFileError(f"{what} are not sorted, or two are equal")
    return values


def _name(name: str, width: type[np.integer[Any]]) -> str:
    return f"{name}.{np.dtype(width)}"
