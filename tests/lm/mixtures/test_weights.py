"""The weights of a mixture: one step worked by hand, and laws of expectation maximisation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from byline.lm.mixtures.components import TOLERANCE, fit_weights, normalized_weights


def test_equal_weights_are_the_default() -> None:
    assert normalized_weights(None, 4).tolist() == [0.25] * 4


def test_rounding_errors_in_the_sum_are_corrected() -> None:
    assert normalized_weights((0.3333333, 0.3333333, 0.3333333), 3).sum() == pytest.approx(
        1, abs=1e-15
    )


def test_weights_for_two_tokens_worked_by_hand() -> None:
    """Tokens a and b have 0.8 and 0.1 under model 1, and 0.2 and 0.3 under model 2."""
    probs = np.array([[0.8, 0.1], [0.2, 0.3]])
    weights, history = fit_weights(np.log(probs))
    # From equal weights both tokens have 0.5 and 0.2: the mean of ln 0.5 and ln 0.2.
    assert history[0] == pytest.approx((np.log(0.5) + np.log(0.2)) / 2)
    # Token a came from model 1 with 0.4 / 0.5 = 0.8, b with 0.05 / 0.2 = 0.25: weights 0.525 and
    # 0.475, with which a has 0.42 + 0.095 = 0.515 and b has 0.0525 + 0.1425 = 0.195.
    assert history[1] == pytest.approx((np.log(0.515) + np.log(0.195)) / 2)
    # The maximum of (0.2 + 0.6 w)(0.3 - 0.2 w): 0.14 - 0.24 w = 0, w = 7/12.
    np.testing.assert_allclose(weights, [7 / 12, 5 / 12], atol=0.01)


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.floats(-200, 0), min_size=n, max_size=n), min_size=1, max_size=30
        )
    )
)
@example([[0.0, -0.03125]])
@settings(max_examples=50, deadline=None)
def test_no_step_decreases_the_likelihood(tokens: list[list[float]]) -> None:
    log_probs = np.array(tokens).T
    weights, history = fit_weights(log_probs)
    assert weights.sum() == pytest.approx(1)
    assert (weights >= 0).all()
    assert (np.diff(history) >= -1e-12 * abs(history[0]) - 1e-15).all()
    # If a model is worse by d, each step multiplies its weight, and the distance to the maximum, by
    # exp(-d). So the iteration stops at a distance of about TOLERANCE / d. It is at most d.
    distance = len(weights) * np.sqrt(TOLERANCE) + 0.01 * abs(history[-1])
    assert history[-1] >= log_probs.mean(axis=1).max() - distance


def test_a_model_that_is_always_better_gets_all_the_weight() -> None:
    weights, _ = fit_weights(np.log([[0.5] * 50, [0.1] * 50]))
    np.testing.assert_allclose(weights, [1, 0], atol=1e-5)
