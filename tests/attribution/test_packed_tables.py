"""Sparse tables in few bytes: restored completely, or some columns of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from byline.attribution.packed_tables import PackedTable, pack_table, unpack_table
from byline.attribution.stored_arrays import pack
from byline.errors import ModelFileError


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


@pytest.mark.parametrize("counts", [[1], [1, 0], [1, 1, 1]])
def test_every_value_of_a_table_has_a_count(counts: list[int]) -> None:
    table = sparse.csc_array(np.eye(2, dtype=np.float32))
    arrays = pack_table(table, None) | pack("counts", np.array(counts, dtype=np.int64))
    with pytest.raises(ModelFileError, match="not each of its 2 n-grams in texts has a count"):
        unpack_table(arrays, (2, 2), has_counts=True)


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


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(1, 9), st.data())
def test_any_columns_are_those_of_the_table(
    seed: int, n_rows: int, n_columns: int, data: st.DataObject
) -> None:
    rng = np.random.default_rng(seed)
    dense = (rng.random((n_rows, n_columns)) < rng.random(n_columns)).astype(np.float32)
    table = PackedTable.read(pack_table(sparse.csc_array(dense), None), dense.shape)
    chosen = np.array(data.draw(st.lists(st.integers(0, n_columns - 1))), dtype=np.int64)
    np.testing.assert_array_equal(table.columns(chosen).toarray(), dense[:, chosen])
    np.testing.assert_array_equal(table.row_sizes(), dense.sum(axis=1))
