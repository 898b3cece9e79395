"""Fit a curve to accuracies by the number of words, and read from it how many words are needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from byline.array_types import Floats

MIN_POINTS = 3
_EXPONENTS = (0.01, 5.0)  # the flattest and the steepest curve
_FARTHEST = 15.0  # distance of the logarithm of the midpoint from the middle of the points
_SMALLEST = 1e-6  # an error rate, so that its logarithm exists
_TOLERANCE = 1e-9  # of the relative change of the log-likelihood
_STARTS = (0.5, 1.5)  # exponents with which the search begins


@dataclass(frozen=True, slots=True)
class ErrorCurve:
    """The error rate by the number of words n: floor + (guessing - floor) / (1 + (n / m) ** c).

    Attributes
    ----------
    guessing : float
        The error rate of random guessing, with which the curve begins.
    floor : float
        The error rate that remains with any number of words.
    midpoint : float
        The number of words m at which the error rate is half-way between both.
    exponent : float
        The exponent c: with many words, the error above the floor falls in proportion to n ** -c.

    Examples
    --------
    >>> curve = ErrorCurve(guessing=0.5, floor=0.0, midpoint=1000.0, exponent=1.0)
    >>> curve.accuracy(1000.0).tolist()  # the error rate is 0.5 / 2
    0.75
    >>> round(curve.words_needed(0.95))  # 0.5 / (1 + 9) is 0.05
    9000
    """

    guessing: float
    floor: float
    midpoint: float
    exponent: float

    def accuracy(self, words: Any) -> Floats:
        """Return the accuracy at some numbers of words."""
        share = _share(np.log(words), float(np.log(self.midpoint)), self.exponent)
        return np.asarray(1 - self.floor - (self.guessing - self.floor) * share)

    def words_needed(self, accuracy: float) -> float:
        """Return the number of words at which an accuracy is reached; infinity if at none."""
        share = (1 - accuracy - self.floor) / (self.guessing - self.floor)
        if share >= 1:
            return 0.0
        if share <= 0:
            return float("inf")
        logarithm = np.log(self.midpoint) + np.log(1 / share - 1) / self.exponent
        with np.errstate(over="ignore"):
            return float(np.exp(logarithm))


def fit_curve(
    words: Sequence[int],
    accuracies: Sequence[float],
    guessing: float,
    start: ErrorCurve | None = None,
) -> ErrorCurve:
    """Fit a curve to accuracies by maximum likelihood, all with the same weight.

    Parameters
    ----------
    words : sequence of int, (n_points,)
    accuracies : sequence of float, (n_points,)
    guessing : float
        The error rate of random guessing.
    start : ErrorCurve, optional
        A curve of similar accuracies, which saves time.

    Examples
    --------
    >>> curve = ErrorCurve(guessing=0.5, floor=0.02, midpoint=800.0, exponent=0.7)
    >>> words = [200, 1000, 5000, 25000]
    >>> found = fit_curve(words, curve.accuracy(words).tolist(), guessing=0.5)
    >>> round(found.floor, 2), round(found.midpoint, -1), round(found.exponent, 1)
    (0.02, 800.0, 0.7)
    """
    x = np.log(np.asarray(words, dtype=np.float64))
    errors = 1 - np.asarray(accuracies, dtype=np.float64)
    middle = float(x.mean())
    highest = 0.99 * guessing  # of the floor
    starts = (
        [(middle, exponent, 0.5 * min(float(errors.min()), highest)) for exponent in _STARTS]
        if start is None
        else [(np.log(start.midpoint), start.exponent, start.floor)]
    )

    def cost(parameters: Floats) -> tuple[float, Floats]:
        """Return the negative log-likelihood per text, and its gradient."""
        log_midpoint, exponent, floor = parameters
        share = _share(x, log_midpoint, exponent)
        fitted = floor + (guessing - floor) * share
        expected = np.clip(fitted, _SMALLEST, 1 - _SMALLEST)
        value = -(errors * np.log(expected) + (1 - errors) * np.log1p(-expected)).sum()
        by_error = (expected - errors) / (expected * (1 - expected)) * (fitted == expected)
        by_share = by_error * (guessing - floor) * share * (1 - share)
        slopes = [by_share * exponent, by_share * (log_midpoint - x), by_error * (1 - share)]
        return float(value), np.array([each.sum() for each in slopes])

    bounds = [(middle - _FARTHEST, middle + _FARTHEST), _EXPONENTS, (0.0, highest)]
    found = min(
        (
            minimize(cost, each, jac=True, method="L-BFGS-B", bounds=bounds, tol=_TOLERANCE)
            for each in starts
        ),
        key=lambda each: float(each.fun),
    )
    log_midpoint, exponent, floor = found.x.tolist()
    return ErrorCurve(guessing, floor, float(np.exp(log_midpoint)), exponent)


def _share(log_words: Any, log_midpoint: float, exponent: float) -> Floats:
    """Return the share of the avoidable error that remains."""
    return np.asarray(1 / (1 + np.exp(exponent * (log_words - log_midpoint))))
