"""Own words, and the class of all others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.lm.networks.shortlist import Shortlist


def learn(
    *tokens: int,
    size: int = 6,
    min_count: int = 2,
    min_frequency: float = 0,
    background: list[int] | None = None,
) -> Shortlist:
    return Shortlist.learn(
        [np.array(tokens, dtype=np.int32)],
        size,
        min_count=min_count,
        min_frequency=min_frequency,
        background_counts=None if background is None else np.array(background, dtype=np.int32),
    )


def test_words_seen_often_enough_are_own() -> None:
    classes = learn(4, 4, 2, 2, 2, 5)
    assert classes.own.tolist() == [2, 4]
    assert classes.n_classes == 3
    assert classes.n_other_words == 4
    assert classes.class_of.tolist() == [2, 2, 0, 2, 1, 2]


def test_the_lacking_words_share_their_class_equally() -> None:
    # 0, 1, 3 and 5 are lacking: each has a quarter of the class
    shares = learn(4, 4, 2, 2, 2, 5).log_share(np.arange(7, dtype=np.int32))
    np.testing.assert_allclose(shares, -np.log([4, 4, 1, 4, 1, 4, 1]))  # the last is </s>


def test_a_background_says_how_the_lacking_words_share() -> None:
    # 0, 1, 3 and 5 occur 0, 2, 6 and 2 times there: roots of 0.5, 2.5, 6.5 and 2.5; and 5 occurs
    # once here, times 1 + 4
    classes = learn(4, 4, 2, 2, 2, 5, background=[0, 2, 9, 6, 7, 2])
    weights = np.array([np.sqrt(0.5), np.sqrt(2.5), np.sqrt(6.5), 5 * np.sqrt(2.5)])
    shares = np.exp(classes.log_share(np.arange(7, dtype=np.int32)))
    np.testing.assert_allclose(shares[[0, 1, 3, 5]], weights / weights.sum())
    assert shares[[2, 4, 6]].tolist() == [1, 1, 1]


@pytest.mark.parametrize("shares", [[0.5, 0.3, 0.2], [0.5, 0.5, 0.5, -0.5], [0.5, 0.5, 0.5, 0.5]])
def test_shares_must_be_of_the_lacking_words(shares: list[float]) -> None:
    with pytest.raises(ValueError, match="shares are no 4 positive numbers"):
        Shortlist(np.array([2, 4], dtype=np.int32), 6, np.array(shares))


def test_the_common_unk_is_a_word_like_any_other() -> None:
    assert learn(0, 0, 1).class_of.tolist() == [0, 1, 1, 1, 1, 1]


def test_where_no_word_is_lacking_there_is_no_class_for_it() -> None:
    classes = learn(0, 1, 2, size=3, min_count=1)
    assert classes.n_classes == 3
    assert not classes.log_share(np.array([0, 1, 2, 3], dtype=np.int32)).any()


def test_frequency_counts_end_marks_and_must_be_above_the_limit() -> None:
    # two of seven tokens and one end mark: 2 / 8 = 0.25
    assert 4 not in learn(4, 4, 2, 2, 2, 2, 2, min_frequency=0.25).own
    assert 4 in learn(4, 4, 2, 2, 2, 2, 2, min_frequency=0.249).own


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=30),
    st.none() | st.lists(st.integers(0, 99), min_size=6, max_size=6),
)
@settings(max_examples=50, deadline=None)
def test_shares_of_a_class_sum_to_one(tokens: list[int], background: list[int] | None) -> None:
    classes = learn(*tokens, *tokens, background=background)
    shares = np.exp(classes.log_share(np.arange(6, dtype=np.int32)))
    sums = np.bincount(classes.class_of, weights=shares, minlength=classes.n_classes)
    np.testing.assert_allclose(sums, 1)


@pytest.mark.parametrize("own", [[3, 2], [2, 2], [-1, 2], [2, 6]])
def test_own_words_must_be_ascending_ids(own: list[int]) -> None:
    with pytest.raises(ValueError, match="ascending ids below 6"):
        Shortlist(np.array(own, dtype=np.int32), 6)


def test_own_words_must_be_int32() -> None:
    with pytest.raises(ValueError, match="ascending ids"):
        Shortlist(np.array([1.5, 2.5]), 6)
