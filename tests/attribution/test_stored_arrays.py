"""Packing whole numbers into few bytes, and rejecting invalid arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from byline.attribution.stored_arrays import (
    NARROW,
    pack,
    pack_ascending,
    pack_table,
    take_array,
    take_strings,
    unpack,
    unpack_ascending,
    unpack_table,
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


def test_a_table_of_counts_is_restored() -> None:
    dense = np.array([[0, 2, 0, 300], [0, 0, 0, 0], [1, 0, 70_000, 0]], dtype=np.float32)
    table = sparse.csr_array(dense)
    arrays = pack_table(table, table.data.astype(np.uint32))
    back = unpack_table(arrays, (3, 4), has_counts=True)
    np.testing.assert_array_equal(back.toarray(), dense)
    assert back.dtype == np.float32
    assert back.indices.dtype == table.indices.dtype
    present = unpack_table(pack_table(table, None), (3, 4), has_counts=False)
    np.testing.assert_array_equal(present.toarray(), dense > 0)


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


@pytest.mark.parametrize("counts", [[1], [1, 0], [1, 1, 1]])
def test_every_value_of_a_table_has_a_count(counts: list[int]) -> None:
    arrays = pack_ascending("cells", ints([0, 3])) | pack("counts", ints(counts))
    with pytest.raises(ModelFileError, match="not each of its 2 n-grams in texts has a count"):
        unpack_table(arrays, (2, 2), has_counts=True)


def test_infinite_numbers_are_rejected() -> None:
    with pytest.raises(ModelFileError, match="not finite"):
        take_array({"x": np.array([np.inf])}, "x", np.float64, (1,))


@pytest.mark.parametrize("values", [None, "ab", [1], ["a", 1], ["b", "a"], ["a", "a"]])
def test_strings_must_be_a_sorted_list(values: object) -> None:
    with pytest.raises(ModelFileError, match="the words are"):
        take_strings(values, "the words")
