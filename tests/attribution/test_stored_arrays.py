"""Packing whole numbers into few bytes, and rejecting invalid arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.attribution.stored_arrays import (
    NARROW,
    pack,
    pack_ascending,
    pack_nonzero,
    pack_repeated,
    take_array,
    take_strings,
    unpack,
    unpack_ascending,
    unpack_nonzero,
    unpack_repeated,
)
from byline.errors import ModelFileError

EDGES = [0, 254, 255, 256, 65_534, 65_535, 2**32 - 2, 2**32 - 1, 2**40]
numbers = st.lists(st.sampled_from(EDGES) | st.integers(0, 2**60), max_size=20)


def ints(values: Any) -> Any:
    return np.array(values, dtype=np.int64)


@given(numbers)
def test_unpacking_restores_what_was_packed(values: list[int]) -> None:
    arrays = pack("x", ints(values))
    assert len(arrays) == len(NARROW) + 1
    assert unpack("x", arrays).tolist() == values


@given(st.sets(st.integers(0, 2**60), max_size=20))
def test_ascending_numbers_are_restored(values: set[int]) -> None:
    ascending = sorted(values)
    arrays = pack_ascending("x", ints(ascending))
    assert unpack_ascending("x", arrays, 2**61).tolist() == ascending


def test_each_number_takes_as_few_bytes_as_possible() -> None:
    arrays = pack("x", ints([3, 254, 255, 70_000, 2**40]))
    assert {name: array.tolist() for name, array in arrays.items()} == {
        "x.uint8": [3, 254, 255, 255, 255],
        "x.uint16": [255, 65_535, 65_535],
        "x.uint32": [70_000, 2**32 - 1],
        "x.int64": [2**40],
    }


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"x.int64": None}, r"x\.int64 is missing"),
        ({"x.uint8": None}, r"x\.uint8 is missing"),
        ({"x.uint8": ints([1])}, r"x\.uint8 is int64 of shape \(1,\), not uint8 of shape \(n,\)"),
        ({"x.uint8": np.zeros((2, 1), dtype=np.uint8)}, r"of shape \(2, 1\)"),
        ({"x.int64": ints([9, 9])}, r"x\.uint32 refers to 1 numbers .* has 2"),
        ({"x.int64": ints([])}, r"x\.uint32 refers to 1 numbers .* has 0"),
        ({"x.int64": ints([-5])}, "does not ascend"),
        ({"x.int64": ints([2**63 - 1])}, "does not ascend"),
        ({"x.uint8": np.array([0, 255], dtype=np.uint8)}, "does not ascend"),
        ({"x.int64": ints([2**50])}, r"x contains \d+, which is not below 1099511627777"),
    ],
)
def test_invalid_arrays_are_rejected(arrays: dict[str, Any], message: str) -> None:
    good = pack_ascending("x", ints([3, 2**40]))
    assert unpack_ascending("x", good, 2**40 + 1).tolist() == [3, 2**40]
    changed = {name: array for name, array in (good | arrays).items() if array is not None}
    with pytest.raises(ModelFileError, match=message):
        unpack_ascending("x", changed, 2**40 + 1)


def test_infinite_numbers_are_rejected() -> None:
    with pytest.raises(ModelFileError, match="not finite"):
        take_array({"x": np.array([np.inf])}, "x", np.float64, (1,))


@pytest.mark.parametrize("values", [None, "ab", [1], ["a", 1], ["b", "a"], ["a", "a"]])
def test_strings_must_be_a_sorted_list(values: object) -> None:
    with pytest.raises(ModelFileError, match="the words are"):
        take_strings(values, "the words")


def test_repeated_numbers_are_restored_to_the_last_bit() -> None:
    values = np.array([0.1, -0.0, 0.0, -np.inf, 0.1, 0.1 + 2**-56, 0.3])
    arrays = pack_repeated("x", values)
    assert arrays["x.places"].dtype == np.uint8
    assert len(arrays["x.values"]) == 6  # 0.0 and -0.0 differ
    assert unpack_repeated("x", arrays).tobytes() == values.tobytes()
    many = np.arange(300.0)
    assert pack_repeated("x", many)["x.places"].dtype == np.uint16
    np.testing.assert_array_equal(unpack_repeated("x", pack_repeated("x", many)), many)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x.values": None}, "x.values is missing"),
        ({"x.values": np.zeros(2, np.float32)}, "x.values is missing, or not a list of float64"),
        ({"x.places": None}, "x.places is missing"),
        ({"x.places": np.zeros(2, np.int8)}, "x.places is int8"),
        ({"x.places": np.full(2, 2, np.uint8)}, "refers to more than 2 numbers"),
    ],
)
def test_invalid_repeated_numbers_are_rejected(change: dict[str, Any], message: str) -> None:
    arrays = pack_repeated("x", np.array([0.1, 0.2, 0.2])) | change
    arrays = {name: array for name, array in arrays.items() if array is not None}
    with pytest.raises(ModelFileError, match=message):
        unpack_repeated("x", arrays)


def test_a_matrix_is_restored_in_half_precision() -> None:
    matrix = np.array([[0, 1.5, -0.25], [0.1, 0, 0]], dtype=np.float32)
    arrays = pack_nonzero("x", matrix)
    assert arrays["x.values"].dtype == np.float16
    assert [arrays["x.places"].tolist(), len(arrays["x.values"])] == [[0b01110000], 3]
    back = unpack_nonzero("x", arrays, (2, 3))
    np.testing.assert_array_equal(back, matrix.astype(np.float16))
    with pytest.raises(ModelFileError, match=r"x.values is float16 of shape \(2,\), not"):
        unpack_nonzero("x", arrays | {"x.values": arrays["x.values"][1:]}, (2, 3))
    with pytest.raises(ModelFileError, match=r"x\.places is uint8"):
        unpack_nonzero("x", arrays, (4, 3))
