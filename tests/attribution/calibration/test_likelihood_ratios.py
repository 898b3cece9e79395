"""Likelihood ratios of candidates against the mean of the others, and their words."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from byline.attribution.calibration import (
    likelihood_ratios,
    target_and_nontarget_llrs,
    verbal_scale,
)
from byline.errors import UsageError

LOG_ODDS = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(2, 6)),
    elements=st.floats(-2000, 2000),
)


def test_of_two_candidates_it_is_the_difference_of_their_log_odds() -> None:
    assert likelihood_ratios([[1.5, -0.5]]) == pytest.approx(np.array([[2.0, -2.0]]))


def test_of_three_candidates_the_others_are_averaged() -> None:
    # p(text) under the three: 8, 3, 1. Against the mean of the others: 8 / ((3 + 1) / 2) = 4;
    # 3 / ((8 + 1) / 2) = 2/3; 1 / ((8 + 3) / 2) = 2/11.
    llrs = likelihood_ratios(np.log([[8.0, 3.0, 1.0]]))
    assert np.exp(llrs) == pytest.approx(np.array([[4, 2 / 3, 2 / 11]]))


def test_it_is_finite_where_probabilities_are_0_and_1() -> None:
    # Log-odds 5000 nats apart: against the mean of two others, 5000 + ln 2 - ln(1 + e^-1000).
    llrs = likelihood_ratios([[0.0, -5000.0, -6000.0]])
    assert llrs[0, 0] == pytest.approx(5000 + math.log(2))
    assert llrs[0, 2] == pytest.approx(-6000 + math.log(2))


@settings(deadline=None, max_examples=50)
@given(LOG_ODDS)
def test_posterior_odds_are_prior_odds_times_the_ratio(log_odds: np.ndarray) -> None:
    # Every one of k candidates has prior odds 1 : k - 1, and p / (1 - p) afterwards.
    llrs = likelihood_ratios(log_odds)
    posteriors = np.exp(log_odds - log_odds.max(axis=1, keepdims=True))
    posteriors /= posteriors.sum(axis=1, keepdims=True)
    odds = np.exp(np.clip(llrs, -700, 700)) / (log_odds.shape[1] - 1)
    assert odds / (1 + odds) == pytest.approx(posteriors, abs=1e-12)
    assert np.isfinite(llrs).all()


@settings(deadline=None, max_examples=50)
@given(LOG_ODDS, st.floats(-100, 100), st.randoms(use_true_random=False))
def test_a_constant_changes_nothing_and_order_only_the_order(
    log_odds: np.ndarray, constant: float, random: Random
) -> None:
    order = list(range(log_odds.shape[1]))
    random.shuffle(order)
    llrs = likelihood_ratios(log_odds)
    assert likelihood_ratios(log_odds + constant) == pytest.approx(llrs, abs=1e-8)
    assert likelihood_ratios(log_odds[:, order]) == pytest.approx(llrs[:, order], abs=1e-8)


@pytest.mark.parametrize("bad", [[[1.0]], [[1.0], [2.0]], [[0.0, -np.inf]], [[0.0, np.nan]]])
def test_what_has_no_ratio_is_refused(bad: list[list[float]]) -> None:
    with pytest.raises(UsageError, match="log-odds"):
        likelihood_ratios(bad)


def test_no_text_has_no_ratio() -> None:
    assert likelihood_ratios(np.zeros((0, 3))).shape == (0, 3)


def test_true_authors_are_parted_from_the_others() -> None:
    own, others = target_and_nontarget_llrs([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [2, 0])
    assert own.tolist() == [3.0, 4.0]
    assert others.tolist() == [1.0, 2.0, 5.0, 6.0]


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (1, "no support for either side"),
        (1.9, "no support for either side"),
        (2, "weak support"),
        (10, "moderate support"),
        (100, "moderately strong support"),
        (1000, "strong support"),
        (10_000, "very strong support"),
        (999_999, "very strong support"),
        (1_000_000, "extremely strong support"),
        (1 / 3, "weak support for the others"),
        (1 / 200, "moderately strong support for the others"),
    ],
)
def test_words_are_those_of_the_guideline(ratio: float, words: str) -> None:
    assert verbal_scale(math.log10(ratio)) == words
