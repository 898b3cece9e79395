"""Store the arrays of language models in fewer bytes, without changing a bit of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution.stored_arrays import (
    pack_ascending,
    pack_repeated,
    unpack_ascending,
    unpack_repeated,
)

Arrays = Mapping[str, NDArray[Any]]

_STEPS = ".steps"  # of ascending numbers
_REPEATED = ".repeated"
_MAX_KEY = 2**62


def compact(arrays: Arrays) -> dict[str, NDArray[Any]]:
    """Pack the arrays that take fewer bytes when packed; keep the others as they are.

    The keys of n-grams ascend, so that their differences are small. Many n-grams of a short text
    have the same probability, and most contexts one of a few back-off weights.
    """
    return {
        stored: values
        for name, array in arrays.items()
        for stored, values in _compact(name, array).items()
    }


def expand(arrays: Arrays) -> dict[str, NDArray[Any]]:
    """Return what was given to `compact`.

    Raises
    ------
    ModelFileError
        If packed arrays are incomplete or contradict each other.
    """
    expanded: dict[str, NDArray[Any]] = {}
    for stored, values in arrays.items():
        name, steps, _ = stored.rpartition(_STEPS + ".")
        if steps:
            if name not in expanded:
                expanded[name] = unpack_ascending(name + _STEPS, arrays, _MAX_KEY) - 1
            continue
        name, repeated, _ = stored.rpartition(_REPEATED + ".")
        if not repeated:
            expanded[stored] = values
        elif name not in expanded:
            expanded[name] = unpack_repeated(name + _REPEATED, arrays)
    return expanded


def _compact(name: str, array: NDArray[Any]) -> dict[str, NDArray[Any]]:
    packed = {name: array}
    if array.ndim != 1 or not array.size:
        return packed
    if array.dtype == np.int64 and array[0] >= -1 and (np.diff(array) > 0).all():
        packed = pack_ascending(name + _STEPS, array + 1)
    elif array.dtype == np.float64:
        packed = pack_repeated(name + _REPEATED, array)
    return packed if _n_bytes(packed) < array.nbytes else {name: array}


def _n_bytes(arrays: Arrays) -> int:
    return sum(array.nbytes for array in arrays.values())
