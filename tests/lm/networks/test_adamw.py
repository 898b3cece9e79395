"""AdamW: two steps by hand, clipping, and going on from a copy."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from byline.lm.networks.adamw import AdamW


def optimizer(
    weights: NDArray[Any], gradient: NDArray[Any], *, max_norm: float = 10.0, decay: float = 0.5
) -> AdamW:
    return AdamW(weights, gradient, n_decayed=1, weight_decay=decay, max_norm=max_norm)


def test_two_steps_by_hand() -> None:
    weights, gradient = np.array([1.0, 1.0]), np.array([2.0, -4.0])
    adam = optimizer(weights, gradient)
    adam.step(0.1)
    # m = 0.1 g, v = 0.01 g^2; without their bias g and g^2: each weight goes 0.1 g / |g| = +-0.1.
    # The first weight decays by 0.1 * 0.5 of itself: 0.95 - 0.1; the second does not: 1 + 0.1.
    np.testing.assert_allclose(weights, [0.85, 1.1])
    gradient[:] = [-1.0, 0.0]
    adam.step(0.1)
    # m = 0.9 * 0.2 - 0.1 = 0.08, over 1 - 0.81; v = 0.99 * 0.04 + 0.01 = 0.0496, over 1 - 0.9801
    first = 0.85 * 0.95 - 0.1 * (0.08 / 0.19) / sqrt(0.0496 / 0.0199)
    # m = 0.9 * -0.4 = -0.36; v = 0.99 * 0.16 = 0.1584
    second = 1.1 + 0.1 * (0.36 / 0.19) / sqrt(0.1584 / 0.0199)
    np.testing.assert_allclose(weights, [first, second], rtol=1e-7)


def test_a_long_gradient_is_cut_to_its_greatest_length() -> None:
    gradient = np.array([3.0, -4.0])  # of length 5
    adam = optimizer(np.zeros(2), gradient, max_norm=1.0)
    adam.step(0.1)
    np.testing.assert_allclose(adam.mean, [0.1 * 0.6, 0.1 * -0.8])  # m = 0.1 g / 5
    gradient[:] = [0.3, -0.4]  # short enough
    adam.step(0.1)
    np.testing.assert_allclose(adam.mean, [0.9 * 0.06 + 0.03, 0.9 * -0.08 - 0.04])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_copy_goes_on_to_the_same_bits(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    weights, gradient = np.zeros((2, 50), dtype)
    adam = optimizer(weights, gradient)
    for _ in range(3):
        gradient[:] = rng.standard_normal(50)
        adam.step(0.01)
    again = optimizer(weights.copy(), np.zeros(50, dtype))
    again.restore(adam.state())
    later = rng.standard_normal(50)
    for each in (adam, again):
        each.gradient[:] = later
        each.step(0.01)
    assert adam.n_steps == again.n_steps == 4
    assert adam.weights.dtype == dtype
    assert adam.weights.tobytes() == again.weights.tobytes()
