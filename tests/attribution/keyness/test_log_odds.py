"""Log-odds ratios: known values and laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.keyness import log_odds_ratios


def _one(*values: float) -> tuple[float, float]:
    log_odds, z = log_odds_ratios(*(np.array([value], dtype=np.float64) for value in values))
    return float(log_odds[0]), float(z[0])


def test_known_value() -> None:
    # Counts of 9 + 1 of 90 + 10: odds 10 / 90; 1 + 1 of 90 + 10: odds 2 / 98.
    log_odds, z = _one(9, 90, 1, 90, 1, 10)
    assert log_odds == pytest.approx(math.log(10 / 90) - math.log(2 / 98))
    # Variance 1 / 10 + 1 / 2 = 0.6.
    assert z == pytest.approx(log_odds / math.sqrt(0.6))


def test_the_only_ngram_of_an_order_has_a_finite_ratio() -> None:
    log_odds, z = _one(3, 3, 0, 0, 1, 1)
    assert log_odds == pytest.approx(
        math.log(4)
    )  # odds 4 / 1 and 1 / 1: there are no other n-grams
    assert z == pytest.approx(log_odds / math.sqrt(1.25))


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 50), st.integers(50, 500), st.integers(0, 50), st.integers(50, 500),
    st.floats(0.01, 20),
)  # fmt: skip
def test_exchanging_the_groups_changes_the_sign(
    own: int, own_total: int, others: int, others_total: int, prior: float
) -> None:
    forth = _one(own, own_total, others, others_total, prior, 100)
    back = _one(others, others_total, own, own_total, prior, 100)
    assert forth == pytest.approx((-back[0], -back[1]), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 50), st.integers(100, 500), st.floats(0.01, 5), st.floats(1, 1000))
def test_a_larger_prior_brings_odds_closer(
    own: int, total: int, prior: float, times: float
) -> None:
    weak, _ = _one(own, total, 0, total, prior, 100)
    strong, _ = _one(own, total, 0, total, times * prior, times * 100)
    assert abs(strong) <= abs(weak) + 1e-9


def test_higher_counts_at_the_same_rates_have_a_higher_z() -> None:
    _, few = _one(10, 1000, 5, 1000, 1, 100)
    _, many = _one(100, 10_000, 50, 10_000, 1, 100)
    assert many > 2 * few
