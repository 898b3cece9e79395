"""Dispersion: the published example, known values with the arithmetic, and laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from byline.attribution.keyness import count_in_parts, deviation_of_proportions, juilland_d

# The example of Gries (2008): five parts of 9, 10, 10, 10 and 11 words.
GRIES_SIZES = np.array([9, 10, 10, 10, 11])
GRIES_COUNTS = sparse.csr_array(np.array([[1], [2], [3], [4], [5]]))


def test_deviation_of_proportions_by_hand() -> None:
    # Expected shares: .18 .2 .2 .2 .22; observed: 1/15 2/15 3/15 4/15 5/15.
    # DP = (.1133 + .0667 + 0 + .0667 + .1133) / 2 = .18; DPnorm = .18 / (1 - .18) = .2195
    found = deviation_of_proportions(GRIES_COUNTS, GRIES_SIZES)
    assert found[0] == pytest.approx(0.18 / 0.82, abs=1e-9)


def test_juillands_d_by_hand() -> None:
    # Rates: 1/9 .2 .3 .4 5/11; mean .29313; standard deviation .12596;
    # V = .42970; D = 1 - .42970 / sqrt(4) = .78515
    assert juilland_d(GRIES_COUNTS, GRIES_SIZES)[0] == pytest.approx(0.78515, abs=1e-4)


def test_one_part_or_no_occurrence_has_no_dispersion() -> None:
    one, none = sparse.csr_array([[3]]), sparse.csr_array(np.zeros((2, 1), dtype=np.int64))
    for measure in (deviation_of_proportions, juilland_d):
        assert np.isnan(measure(one, np.array([9]))).all()
        assert np.isnan(measure(none, np.array([9, 9]))).all()


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=40), min_size=2, max_size=4))
def test_dispersion_lies_between_0_and_1_and_no_word_is_lost(texts: list[list[int]]) -> None:
    counts, sizes = count_in_parts([np.array(text, dtype=np.int32) for text in texts], 4, 7)
    every = [word for text in texts for word in text]
    assert counts.sum(axis=0).tolist() == [every.count(word) for word in range(4)]
    assert counts.sum(axis=1).tolist() == sizes.tolist()
    for measure in (deviation_of_proportions, juilland_d):
        found = measure(counts, sizes)
        known = found[~np.isnan(found)]
        assert (known >= 0).all()
        assert (known <= 1 + 1e-9).all()


@given(st.permutations(range(5)))
def test_the_order_of_the_parts_does_not_matter(order: list[int]) -> None:
    shuffled = sparse.csr_array(GRIES_COUNTS.toarray()[order])
    for measure in (deviation_of_proportions, juilland_d):
        found = measure(shuffled, GRIES_SIZES[order])
        assert found[0] == pytest.approx(measure(GRIES_COUNTS, GRIES_SIZES)[0])
