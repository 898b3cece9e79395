from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.experiments.reproductions.ge_sun_2016.decisions import (
    TOO_FEW,
    draw_orders,
    ranks_of_texts,
)


def test_samples_depend_on_names_and_are_without_replacement() -> None:
    orders = draw_orders(7, 5, 0, "by-sentence.1", "Ada")
    assert np.sort(orders, axis=1).tolist() == [list(range(7))] * 5
    assert np.array_equal(orders, draw_orders(7, 5, 0, "by-sentence.1", "Ada"))
    assert not np.array_equal(orders, draw_orders(7, 5, 0, "by-sentence.1", "Ben"))


def test_ranks_by_hand() -> None:
    # The author's costs are 1, 5, 1; the rivals' 2, 2, 2 and 9, 1, 9.
    costs = np.array([[2.0, 2.0, 2.0], [1.0, 5.0, 1.0], [9.0, 1.0, 9.0]])
    orders = np.array([[0, 2, 1], [1, 0, 2]])
    # First text: 1 < 2 < 9; 2 < 4 < 18; 7 > 6, and below 19.
    # Second text: 5 > 2 and 5 > 1; 6 > 4, and below 10; 7 > 6, and below 19.
    assert ranks_of_texts(costs, 1, orders, [1, 2, 3]).tolist() == [[0, 0, 1], [2, 1, 1]]


def test_an_author_with_too_few_sentences_has_no_rank() -> None:
    ranks = ranks_of_texts(np.array([[1.0], [2.0]]), 0, draw_orders(1, 3, "x"), [1, 2])
    assert ranks.tolist() == [[0, TOO_FEW]] * 3


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 5), st.integers(1, 9), st.integers(0, 1000))
def test_ranks_equal_those_of_sums_over_the_first_sentences(n: int, size: int, seed: int) -> None:
    costs = np.random.default_rng(seed).exponential(size=(n, size))
    orders = draw_orders(size, 4, seed)
    lengths = list(range(1, size + 1))
    ranks = ranks_of_texts(costs, 0, orders, lengths)
    for trial, order in enumerate(orders):
        for place, length in enumerate(lengths[:-1]):
            sums = costs[:, order[:length]].sum(axis=1)
            assert ranks[trial, place] == (sums[1:] <= sums[0]).sum()
    # All sentences are the whole test part, in any order.
    whole = costs.sum(axis=1)
    assert ranks[:, -1].tolist() == [int((whole[1:] < whole[0]).sum())] * 4


def test_a_sentence_that_is_impossible_for_all_is_an_error() -> None:
    costs = np.array([[1.0, np.inf], [2.0, np.inf]])
    ranks = ranks_of_texts(costs, 0, np.array([[0, 1]]), [1, 2])
    assert ranks.tolist() == pytest.approx(np.array([[0, 1]]))
