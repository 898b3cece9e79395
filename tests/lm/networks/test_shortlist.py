"""The shortlist, and the class of the other words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.lm.networks.shortlist import Shortlist


def make_shortlist(
    *tokens: int,
    size: int = 6,
    min_count: int = 2,
    min_frequency: float = 0,
    background: list[int] | None = None,
) -> Shortlist:
    return Shortlist.from_sentences(
        [np.array(tokens, dtype=np.int32)],
        size,
        min_count=min_count,
        min_frequency=min_frequency,
        background_counts=None if background is None else np.array(background, dtype=np.int32),
    )


def test_frequent_words_are_in_the_shortlist() -> None:
    classes = make_shortlist(4, 4, 2, 2, 2, 5)
    assert classes.words.tolist() == [2, 4]
    assert classes.n_classes == 3
    assert classes.n_other_words == 4
    assert classes.class_of.tolist() == [2, 2, 0, 2, 1, 2]


def test_other_words_have_equal_shares() -> None:
    # 0, 1, 3 and 5 are the other words: each has a quarter of the class
    shares = make_shortlist(4, 4, 2, 2, 2, 5).log_shares(np.arange(7, dtype=np.int32))
    np.testing.assert_allclose(shares, -np.log([4, 4, 1, 4, 1, 4, 1]))  # the last is </s>


def test_a_background_determines_the_shares() -> None:
    # 0, 1, 3 and 5 occur 0, 2, 6 and 2 times in the background: square roots of 0.5, 2.5, 6.5 and
    # 2.5. The author uses 5 once, so its weight is multiplied by 1 + 4.
    classes = make_shortlist(4, 4, 2, 2, 2, 5, background=[0, 2, 9, 6, 7, 2])
    weights = np.array([np.sqrt(0.5), np.sqrt(2.5), np.sqrt(6.5), 5 * np.sqrt(2.5)])
    shares = np.exp(classes.log_shares(np.arange(7, dtype=np.int32)))
    np.testing.assert_allclose(shares[[0, 1, 3, 5]], weights / weights.sum())
    assert shares[[2, 4, 6]].tolist() == [1, 1, 1]


@pytest.mark.parametrize("shares", [[0.5, 0.3, 0.2], [0.5, 0.5, 0.5, -0.5], [0.5, 0.5, 0.5, 0.5]])
def test_shares_must_fit_the_other_words(shares: list[float]) -> None:
    with pytest.raises(ValueError, match="shares are not 4 positive numbers"):
        Shortlist(np.array([2, 4], dtype=np.int32), 6, np.array(shares))


def test_the_common_unk_is_treated_as_any_word() -> None:
    assert make_shortlist(0, 0, 1).class_of.tolist() == [0, 1, 1, 1, 1, 1]


def test_without_other_words_there_is_no_class_for_them() -> None:
    classes = make_shortlist(0, 1, 2, size=3, min_count=1)
    assert classes.n_classes == 3
    assert not classes.log_shares(np.array([0, 1, 2, 3], dtype=np.int32)).any()


def test_frequency_counts_end_marks_and_must_be_above_the_limit() -> None:
    # Two of seven tokens and one end mark: 2 / 8 = 0.25.
    assert 4 not in make_shortlist(4, 4, 2, 2, 2, 2, 2, min_frequency=0.25).words
    assert 4 in make_shortlist(4, 4, 2, 2, 2, 2, 2, min_frequency=0.249).words


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=30),
    st.none() | st.lists(st.integers(0, 99), min_size=6, max_size=6),
)
@settings(max_examples=50, deadline=None)
def test_shares_of_a_class_sum_to_one(tokens: list[int], background: list[int] | None) -> None:
    classes = make_shortlist(*tokens, *tokens, background=background)
    shares = np.exp(classes.log_shares(np.arange(6, dtype=np.int32)))
    sums = np.bincount(classes.class_of, weights=shares, minlength=classes.n_classes)
    np.testing.assert_allclose(sums, 1)


@pytest.mark.parametrize("words", [[3, 2], [2, 2], [-1, 2], [2, 6]])
def test_shortlist_words_must_be_ascending_ids(words: list[int]) -> None:
    with pytest.raises(ValueError, match="ascending ids below 6"):
        Shortlist(np.array(words, dtype=np.int32), 6)


def test_shortlist_words_must_be_int32() -> None:
    with pytest.raises(ValueError, match="ascending ids"):
        Shortlist(np.array([1.5, 2.5]), 6)
