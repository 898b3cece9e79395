from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import approx_fprime
from scipy.special import softmax

from byline.attribution.calibration.temperatures import (
    _START,
    REFERENCE_LENGTHS,
    Temperatures,
    _Objective,
)
from byline.errors import TrainingError

Floats = NDArray[np.float64]
SEEDS = st.integers(0, 10**6)


def drawn(seed: int, n: int, scale: float) -> tuple[Floats, NDArray[np.int64], NDArray[np.intp]]:
    """Return log-odds, and true authors drawn from their softmax at ``scale``."""
    rng = np.random.default_rng(seed)
    log_odds = rng.normal(0, 3, size=(n, 4))
    odds = softmax(scale * log_odds, axis=1)
    labels = (odds.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(max=3)
    return log_odds, rng.choice(REFERENCE_LENGTHS, n), labels


def test_known_values() -> None:
    # At a length of REFERENCE_LENGTHS[0]: s = 2, f = exp(-exp(log(log 4))) = 1/4, w = 1/2. The
    # log-odds of two authors differ by log 4. Sharp: 4**2 to 1 = 16/17; flat: 4**(1/2) to 1 = 2/3;
    # mixed (16/17 + 2/3) / 2 = 41/51; with u = 1/10: .1/2 + .9 * 41/51 = .05 + 36.9/51.
    sharp, flat, share = np.array([[np.log(2)], [np.log(np.log(4))], [0.0]]).repeat(4, axis=1)
    temperatures = Temperatures(sharp, flat, share, uniform=0.1)
    found = temperatures.log_probabilities(
        np.array([[np.log(4), 0.0]]), np.array([REFERENCE_LENGTHS[0]])
    )
    assert np.exp(found[0, 0]) == pytest.approx(0.05 + 36.9 / 51)
    assert np.exp(found).sum() == pytest.approx(1)


@given(SEEDS)
def test_probabilities_keep_the_ranking_and_never_reach_0_or_1(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sharp, flat, share = rng.normal(0, 2, size=(3, 4))
    temperatures = Temperatures(sharp, flat, share, uniform=0.01)
    log_odds = rng.normal(0, 10 ** rng.uniform(-1, 3), size=(5, 4))
    found = np.exp(temperatures.log_probabilities(log_odds, rng.integers(0, 10**6, 5)))
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert found.min() >= 0.01 / 4 * (1 - 1e-9)
    assert found.max() <= 1 - 0.01 * 3 / 4 + 1e-9
    in_order = np.take_along_axis(found, np.argsort(log_odds, axis=1), axis=1)
    assert (np.diff(in_order, axis=1) >= -1e-12).all()


@given(SEEDS)
def test_the_gradient_is_correct(seed: int) -> None:
    log_odds, lengths, labels = drawn(seed, 30, 0.5)
    objective = _Objective(log_odds, lengths, labels)
    at = _START + np.random.default_rng(seed).normal(0, 0.5, size=_START.size)

    def loss(parameters: Floats) -> float:
        return objective(parameters)[0]

    numeric = approx_fprime(at, loss, 1e-6)
    np.testing.assert_allclose(objective(at)[1], numeric, atol=1e-4)


@pytest.mark.parametrize("scale", [0.25, 1.0, 2.0])
def test_fitted_probabilities_are_calibrated(scale: float) -> None:
    log_odds, lengths, labels = drawn(1, 6000, scale)
    half = slice(None, 3000), slice(3000, None)
    fitted = Temperatures.fit(log_odds[half[0]], lengths[half[0]], labels[half[0]], 3000)
    found = np.exp(fitted.log_probabilities(log_odds[half[1]], lengths[half[1]]))
    true = softmax(scale * log_odds[half[1]], axis=1)
    assert found.max(axis=1).mean() == pytest.approx(true.max(axis=1).mean(), abs=0.015)
    assert fitted.uniform == 1 / 3002


def test_the_order_of_texts_does_not_matter() -> None:
    log_odds, lengths, labels = drawn(2, 200, 1.0)
    one = Temperatures.fit(log_odds, lengths, labels, 200)
    other = Temperatures.fit(log_odds[::-1], lengths[::-1], labels[::-1], 200)
    np.testing.assert_allclose(one.sharp, other.sharp, atol=1e-3)


def test_rejects_no_text() -> None:
    with pytest.raises(TrainingError, match="no held-out text"):
        Temperatures.fit(np.zeros((0, 2)), np.zeros(0, int), np.zeros(0, int), 0)
