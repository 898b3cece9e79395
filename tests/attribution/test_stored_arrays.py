"""Packing whole numbers into few bytes, and rejecting invalid arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from byline.attribution.stored_arrays import (
    NARROW,
    pack,
    pack_ascending,
    pack_nonzero,
    pack_repeated,
    pack_table,
    take_array,
    take_strings,
    unpack,
    unpack_ascending,
    unpack_nonzero,
    unpack_repeated,
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
    table = sparse.csc_array(dense)
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
    table = sparse.csc_array(np.eye(2, dtype=np.float32))
    arrays = pack_table(table, None) | pack("counts", ints(counts))
    with pytest.raises(ModelFileError, match="not each of its 2 n-grams in texts has a count"):
        unpack_table(arrays, (2, 2), has_counts=True)


def test_infinite_numbers_are_rejected() -> None:
    with pytest.raises(ModelFileError, match="not finite"):
        take_array({"x": np.array([np.inf])}, "x", np.float64, (1,))


@pytest.mark.parametrize("values", [None, "ab", [1], ["a", 1], ["b", "a"], ["a", "a"]])
def test_strings_must_be_a_sorted_list(values: object) -> None:
    with pytest.raises(ModelFileError, match="the words are"):
        take_strings(values, "the words")


def test_a_frequent_ngram_takes_a_bit_per_text_and_a_rare_one_a_byte_per_occurrence() -> None:
    # 100 texts: column 0 in 50 of them, column 1 in 12 (below an eighth, 12.5), column 2 in 13,
    # column 3 in none
    dense = np.zeros((100, 4), dtype=np.float32)
    for column, n in enumerate((50, 12, 13)):
        dense[::2, column][:n] = 1
    arrays = pack_table(sparse.csc_array(dense), None)
    assert np.unpackbits(arrays["common"], count=4).tolist() == [1, 0, 1, 0]
    assert arrays["rows"].shape == (2, 13)
    assert len(arrays["cells.uint8"]) == 12
    back = unpack_table(arrays, (100, 4), has_counts=False)
    np.testing.assert_array_equal(back.toarray(), dense)
    assert back.has_sorted_indices


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(1, 9), st.booleans())
def test_any_table_is_restored(seed: int, n_rows: int, n_columns: int, has_counts: bool) -> None:
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 300, (n_rows, n_columns)) * (rng.random(n_columns) > 0.5)
    dense *= rng.random((n_rows, n_columns)) < rng.random(n_columns)
    table = sparse.csc_array(dense.astype(np.float32))
    arrays = pack_table(table, table.data.astype(np.uint32) if has_counts else None)
    back = unpack_table(arrays, (n_rows, n_columns), has_counts=has_counts)
    np.testing.assert_array_equal(back.toarray(), dense if has_counts else dense > 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"common": None}, "common is missing"),
        (
            {"common": np.zeros(1, dtype=np.uint8)},
            r"rows is uint8 of shape \(1, 2\), not .* \(0, 2\)",
        ),
        ({"rows": None}, "rows is missing"),
        ({"common": np.array([64], dtype=np.uint8)}, "cells contains an n-gram of a common column"),
        ({"cells.uint8": np.array([0], dtype=np.uint8)}, "cells does not ascend"),
        ({"cells.uint8": np.array([200], dtype=np.uint8)}, "cells contains 199, which is not"),
    ],
)
def test_invalid_tables_are_rejected(change: dict[str, Any], message: str) -> None:
    dense = np.zeros((9, 2), dtype=np.float32)
    dense[:, 0], dense[4, 1] = 1, 1
    good = pack_table(sparse.csc_array(dense), None)
    arrays = {name: array for name, array in (good | change).items() if array is not None}
    with pytest.raises(ModelFileError, match=message):
        unpack_table(arrays, (9, 2), has_counts=False)


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
