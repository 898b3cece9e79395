"""Intervals of rates that were observed in groups: known values and laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from byline.attribution.calibration import clustered_interval
from byline.errors import TrainingError, UsageError


def test_groups_of_one_text_give_nearly_the_exact_binomial_interval() -> None:
    # With 0 or 1 per group, the variance of the mean is p (1 - p) / (n - 1), so that n - 1 texts
    # are counted, times (1.960 / 1.984)^2 for the estimated variance.
    rates = [1.0] * 10 + [0.0] * 90
    n = 99 * (stats.norm.ppf(0.025) / stats.t.ppf(0.025, 99)) ** 2
    lower = stats.beta.ppf(0.025, 0.1 * n, 0.9 * n + 1)
    upper = stats.beta.ppf(0.975, 0.1 * n + 1, 0.9 * n)
    assert clustered_interval(rates) == pytest.approx((lower, upper))
    exact = stats.binomtest(10, 100).proportion_ci()
    assert clustered_interval(rates) == pytest.approx((exact.low, exact.high), abs=0.003)


def test_a_rate_of_zero_in_all_groups() -> None:
    # Each group counts as one text: 1 - 0.025 ** (1 / 9)
    assert clustered_interval([0.0] * 9) == pytest.approx((0.0, 1 - 0.025 ** (1 / 9)))
    assert clustered_interval([1.0] * 9) == pytest.approx((0.025 ** (1 / 9), 1.0))


def test_equal_rates_and_one_group() -> None:
    lower, upper = clustered_interval([0.05] * 20)
    assert 0 <= lower < 0.05 < upper < 0.3
    lower, upper = clustered_interval([0.5])
    assert lower < 0.01
    assert upper > 0.99


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_it_contains_the_rate_and_does_not_depend_on_the_order(rates: list[float]) -> None:
    lower, upper = clustered_interval(rates)
    assert 0 <= lower <= np.mean(rates) + 1e-9
    assert np.mean(rates) - 1e-9 <= upper <= 1
    assert clustered_interval(rates[::-1]) == pytest.approx((lower, upper))


def test_it_contains_the_true_rate_of_groups_that_differ() -> None:
    rng = np.random.default_rng(0)
    contained = []
    for _ in range(300):
        by_group = rng.beta(1, 9, size=12)  # a mean of 10 %
        lower, upper = clustered_interval(rng.binomial(20, by_group) / 20)
        contained.append(lower <= 0.1 <= upper)
    assert np.mean(contained) > 0.92


def test_groups_count_as_much_as_their_weights() -> None:
    rates = [0.1, 0.3, 0.0, 0.2]
    assert clustered_interval(rates, [7.0] * 4) == pytest.approx(clustered_interval(rates))
    # The variance of 0.75 x 0.1 + 0.25 x 0.5 = 0.2 from two groups:
    # 2 x (0.75^2 x 0.1^2 + 0.25^2 x 0.3^2) = 0.0225; 0.16 / 0.0225 texts, times (1.960 / 12.706)^2,
    # are less than one text.
    assert clustered_interval([0.1, 0.5], [3, 1]) == pytest.approx(
        (stats.beta.ppf(0.025, 0.2, 1.8), stats.beta.ppf(0.975, 1.2, 0.8))
    )
    with pytest.raises(UsageError, match="a weight is not positive"):
        clustered_interval(rates, [1, 1, 1, 0])
    with pytest.raises(UsageError, match="not as many weights as rates"):
        clustered_interval(rates, [1, 1])


def test_bad_rates_are_refused() -> None:
    with pytest.raises(TrainingError, match="no group"):
        clustered_interval([])
    for bad in (1.1, -0.1, float("nan")):
        with pytest.raises(UsageError, match="between 0 and 1"):
            clustered_interval([bad])
