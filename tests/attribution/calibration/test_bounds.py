"""Bounds of likelihood ratios, and logistic calibration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.calibration import Bounds, LogisticCalibrator, cllr, elub_bounds
from byline.errors import TrainingError, UsageError

LLRS = st.lists(st.integers(-300, 300).map(lambda n: n / 10), min_size=1, max_size=12)


def loss(own: np.ndarray, others: np.ndarray, threshold: float) -> float:
    """What accepting above a threshold loses, one misleading comparison of each kind added."""
    missed = 1 - (own > threshold).sum() / (own.size + 1)
    accepted = (1 + (others > threshold).sum()) / (others.size + 1)
    return float(missed + math.exp(threshold) * accepted)


def test_told_apart_without_error_the_bounds_are_the_numbers_of_comparisons() -> None:
    # 9 targets at 1e6, 99 nontargets at 1e-6. Above 1: accepting t loses 1/10 + t / 100 as against
    # 1, less as long as t < 90. Below 1: 1/10 + t / 100 as against t, less as long as t > 10 / 99.
    bounds = elub_bounds([math.log(1e6)] * 9, [-math.log(1e6)] * 99)
    assert math.exp(bounds.upper) == pytest.approx(90)
    assert math.exp(bounds.lower) == pytest.approx(10 / 99)


def test_no_ratio_beyond_the_largest_is_stated() -> None:
    # As above, but ratios of 5 at most: from 5 on nothing is accepted.
    bounds = elub_bounds([math.log(5)] * 9, [-math.log(5)] * 99)
    assert math.exp(bounds.upper) == pytest.approx(5)
    assert math.exp(bounds.lower) == pytest.approx(1 / 5)


def test_ratios_that_mislead_are_not_stated_at_all() -> None:
    assert elub_bounds([-3.0] * 20, [3.0] * 20) == Bounds(0.0, 0.0)


@settings(deadline=None, max_examples=60)
@given(LLRS, LLRS)
def test_within_the_bounds_ratios_never_lose_more_than_none(
    own: list[float], others: list[float]
) -> None:
    bounds = elub_bounds(own, others)
    mine, theirs = np.array(own), np.array(others)
    assert bounds.lower <= 0 <= bounds.upper
    for share in (0.0131, 0.1737, 0.3391, 0.5077, 0.6619, 0.8353, 0.9671):  # on no ratio
        above, below = share * bounds.upper, share * bounds.lower
        assert loss(mine, theirs, above) <= 1 + 1e-9 or not bounds.upper
        assert loss(mine, theirs, below) <= math.exp(below) + 1e-9 or not bounds.lower
    assert loss(mine, theirs, bounds.upper + 1e-6) > 1
    assert loss(mine, theirs, bounds.lower - 1e-6) > math.exp(bounds.lower - 1e-6)


@settings(deadline=None, max_examples=40)
@given(LLRS, LLRS)
def test_the_opposite_claim_has_the_opposite_bounds(own: list[float], others: list[float]) -> None:
    bounds, opposite = elub_bounds(own, others), elub_bounds(-np.array(others), -np.array(own))
    assert opposite.lower == pytest.approx(-bounds.upper)
    assert opposite.upper == pytest.approx(-bounds.lower)


def test_bounds_are_applied() -> None:
    assert Bounds(-1.0, 2.0).apply([[-5.0, 0.5], [1.0, np.inf]]).tolist() == [[-1, 0.5], [1, 2]]


def test_logistic_regression_recovers_ratios_of_two_normal_distributions() -> None:
    # Scores N(1, 1) and N(-1, 1): the log ratio of the densities at s is
    # ((s + 1)^2 - (s - 1)^2) / 2 = 2 s, whatever the numbers of both.
    rng = np.random.default_rng(0)
    line = LogisticCalibrator.fit(rng.normal(1, 1, 4000), rng.normal(-1, 1, 20_000))
    assert line.slope == pytest.approx(2, abs=0.1)
    assert line.intercept == pytest.approx(0, abs=0.1)
    assert line.apply([[1.5]]).tolist() == [[1.5 * line.slope + line.intercept]]


def test_calibrating_cheapens() -> None:
    rng = np.random.default_rng(1)
    own, others = rng.normal(60, 30, 500), rng.normal(-60, 30, 500)  # nats: far too sure
    line = LogisticCalibrator.fit(own, others)
    assert cllr(line.apply(own), line.apply(others)) < cllr(own, others) / 2


def test_scores_told_apart_without_error_get_finite_ratios() -> None:
    line = LogisticCalibrator.fit([2.0, 3.0], [-3.0, -2.0])
    assert 0 < line.slope < 10
    assert line.intercept == pytest.approx(0, abs=1e-6)


def test_scores_that_mislead_say_nothing() -> None:
    assert LogisticCalibrator.fit([-1.0, -2.0], [1.0, 2.0]) == LogisticCalibrator(0.0, 0.0)


def test_both_kinds_must_be_there_and_finite() -> None:
    for estimate in (elub_bounds, LogisticCalibrator.fit):
        with pytest.raises(TrainingError, match="true authors"):
            estimate([], [1.0])
        with pytest.raises(UsageError, match="other candidates"):
            estimate([1.0], [np.nan])
