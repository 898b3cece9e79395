"""Zeta: known values with the arithmetic, and laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.array_types import Floats, Ids
from byline.attribution.keyness import choose_slice_size, craig_zeta, eder_zeta, slice_shares

SHARES = st.lists(st.floats(0, 1), min_size=2, max_size=2).map(np.array)


def ids(text: str) -> Ids:
    return np.array(["abc".index(letter) for letter in text], dtype=np.int32)


def test_shares_of_slices_by_hand() -> None:
    # Slices of 3: aab, bbb | cac (the last b of each text is left out): a in 2 of 3, b in 2, c in 1
    shares = slice_shares([ids("aabbbbb"), ids("cacb")], 3, 3)
    assert shares.tolist() == pytest.approx([2 / 3, 2 / 3, 1 / 3])


def test_a_text_shorter_than_a_slice_does_not_count() -> None:
    assert slice_shares([ids("ab"), ids("ccc")], 3, 3).tolist() == [0, 0, 1]
    assert np.isnan(slice_shares([ids("ab")], 3, 3)).all()


def test_zeta_by_hand() -> None:
    # In 3 of 4 slices and in 1 of 5: 0.75 - 0.2 = 0.55, and 0.55 / 0.95 = 0.5789
    first, second = np.array([3 / 4]), np.array([1 / 5])
    assert craig_zeta(first, second).tolist() == pytest.approx([0.55])
    assert eder_zeta(first, second).tolist() == pytest.approx([0.55 / 0.95])


def test_a_word_in_no_slice_has_no_zeta_of_eder() -> None:
    assert np.isnan(eder_zeta(np.zeros(1), np.zeros(1))).all()


@given(SHARES, SHARES)
def test_swapping_the_groups_negates_zeta(first: Floats, second: Floats) -> None:
    for measure in (craig_zeta, eder_zeta):
        np.testing.assert_array_equal(measure(first, second), -measure(second, first))
        assert not (np.abs(measure(first, second)) > 1).any()


@given(st.lists(st.lists(st.integers(0, 4), max_size=30), min_size=1, max_size=4))
def test_shares_are_those_of_a_plain_count(texts: list[list[int]]) -> None:
    slices = [
        set(text[start : start + 4]) for text in texts for start in range(0, len(text) // 4 * 4, 4)
    ]
    found = slice_shares([np.array(text, dtype=np.int32) for text in texts], 5, 4)
    if slices:
        plain = [sum(word in each for each in slices) / len(slices) for word in range(5)]
        assert found.tolist() == pytest.approx(plain)


def test_the_largest_slices_of_which_each_group_has_ten() -> None:
    assert choose_slice_size([30_000], [60_000]) == 3000
    assert choose_slice_size([29_999], [60_000]) == 2000
    assert choose_slice_size([4_999] * 9, [60_000]) == 2000
    assert choose_slice_size([50], [60_000]) == 100
