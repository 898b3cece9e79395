"""Adam with decoupled weight decay (Loshchilov & Hutter 2019), gradients clipped to a norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
BETA_1, BETA_2 = 0.9, 0.99
EPSILON = 1e-8


class AdamW:
    """Takes steps down the gradient; all arrays are changed in place.

    Parameters
    ----------
    weights, gradient : (n,) float
    n_decayed : int
        The first so many weights decay: matrices do, biases do not.
    weight_decay : float
        Lambda; each step takes ``learning_rate * weight_decay`` of a weight away.
    max_norm : float
        A longer gradient is cut to this length (Pascanu et al. 2013).

    Attributes
    ----------
    mean, square : (n,) float
        Running means of the gradient and of its square, m and v.
    n_steps : int
    """

    def __init__(
        self,
        weights: Floats,
        gradient: Floats,
        *,
        n_decayed: int,
        weight_decay: float,
        max_norm: float,
    ) -> None:
        self.weights, self.gradient = weights, gradient
        self.n_decayed, self.weight_decay, self.max_norm = n_decayed, weight_decay, max_norm
        self.mean, self.square, self._step = (np.zeros_like(weights) for _ in range(3))
        self.n_steps = 0

    def step(self, learning_rate: float) -> None:
        """Take one step; ``gradient`` holds no gradient any more afterwards."""
        self.n_steps += 1
        self._clip()
        g, step = self.gradient, self._step
        self.mean *= BETA_1
        self.mean += np.multiply(g, 1 - BETA_1, out=step)
        self.square *= BETA_2
        self.square += np.multiply(np.square(g, out=g), 1 - BETA_2, out=step)
        np.sqrt(self.square, out=step)
        step *= (1 - BETA_2**self.n_steps) ** -0.5
        step += EPSILON
        np.divide(self.mean, step, out=step)
        step *= learning_rate / (1 - BETA_1**self.n_steps)
        self.weights[: self.n_decayed] *= 1 - learning_rate * self.weight_decay
        self.weights -= step

    def _clip(self) -> None:
        norm = float(np.sqrt(self.gradient @ self.gradient))
        if norm > self.max_norm:
            self.gradient *= self.max_norm / norm

    def state(self) -> list[Floats]:
        """Copy what the next step hangs on besides weights and gradient."""
        return [self.mean.copy(), self.square.copy(), np.array([self.n_steps], dtype=np.int64)]

    def restore(self, arrays: Sequence[Floats]) -> None:
        """Take over what `state` has copied."""
        self.mean[...], self.square[...], (self.n_steps,) = arrays[0], arrays[1], arrays[2].tolist()
