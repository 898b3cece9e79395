"""Convert constructor parameters to JSON and back, and check values of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save
from sklearn.base import BaseEstimator

from byline.attribution.classifiers import NgramBlock
from byline.attribution.model_files.archive import to_json
from byline.errors import ModelFileError, UsageError
from byline.typography.lines import LineRules

_Value = TypeVar("_Value")


def json_params(estimator: BaseEstimator, leave_out: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return constructor parameters as JSON values.

    The number of processes is not part of a model: it is always stored as 1, so that the file is
    the same whatever it was.

    Raises
    ------
    UsageError
        If a parameter cannot be written as JSON.
    """
    params = {
        name: 1 if name == "n_jobs" else _plain(value)
        for name, value in estimator.get_params(deep=False).items()
        if name not in leave_out
    }
    for name, value in params.items():
        try:
            to_json(value)
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"the parameter {name} of {type(estimator).__name__} cannot be saved: {error}"
            ) from error
    return params


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, tuple | list):  # of n-gram blocks
        return [asdict(item) if isinstance(item, NgramBlock) else item for item in value]
    return value


def from_json_params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Convert lists in parameters to tuples, and strings as keys to integers."""
    return {name: _unlike_json(value) for name, value in params.items()}


def _unlike_json(value: Any) -> Any:
    if isinstance(value, dict):  # minimum counts by order
        return {int(key): count for key, count in value.items()}
    return tuple(value) if isinstance(value, list) else value


def take(data: Mapping[str, Any], name: str, kind: type[_Value]) -> _Value:
    """Return a value of one JSON type.

    Raises
    ------
    ModelFileError
        If it is missing or has another type.
    """
    value = data.get(name)
    if type(value) is not kind:
        raise ModelFileError(f"{name} is {value!r:.60}, not a {kind.__name__}")
    return value


def take_count(data: Mapping[str, Any], name: str, least: int) -> int:
    """Return a whole number of at least ``least``; errors as in `take`."""
    value = take(data, name, int)
    if value < least:
        raise ModelFileError(f"{name} is {value}, below {least}")
    return value


def check_author_names(names: list[str]) -> NDArray[np.str_]:
    """Return the candidates' names as an array.

    Raises
    ------
    ModelFileError
        If they are fewer than two, not sorted, or an array cannot represent them.
    """
    if not all(isinstance(name, str) for name in names):
        raise ModelFileError("an author's name is not a string")
    if len(names) < 2 or names != sorted(set(names)):
        raise ModelFileError("the authors are fewer than two, or not sorted")
    array = np.array(names)
    if array.tolist() != names:  # NumPy drops NUL at the end of a name
        raise ModelFileError("an author's name ends with a NUL character")
    return array


def write_arrays(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Write arrays in the safetensors format, so that equal arrays give equal bytes."""
    data: bytes = save({name: np.asarray(array, order="C") for name, array in arrays.items()})
    return data


def read_arrays(data: bytes) -> dict[str, NDArray[Any]]:
    """Read arrays that `write_arrays` wrote.

    Raises
    ------
    ModelFileError
        If an array contains NaN.
    SafetensorError
        If the data are invalid.
    """
    arrays: dict[str, NDArray[Any]] = load(data)
    for name, array in arrays.items():
        if array.dtype.kind == "f" and np.isnan(array).any():
            raise ModelFileError(f"the array {name} contains NaN")
    return arrays


def read_line_rules(description: Mapping[str, Any]) -> LineRules:
    """Read the rules that ``asdict`` wrote under "line_rules".

    Raises
    ------
    ModelFileError
        If a value is missing, or of the wrong type.
    """
    values = take(description, "line_rules", dict)
    return LineRules(
        min_share_ending=take(values, "min_share_ending", float),
        min_ends_per_word=take(values, "min_ends_per_word", float),
        divides_words=take(values, "divides_words", bool),
    )
