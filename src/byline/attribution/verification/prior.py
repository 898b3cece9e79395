"""Weights of similarities that problems of many corpora suggest.

Some dozens of problems cannot show the weights of ten similarities reliably. The weights in
``prior.json`` were fitted to problems from corpora of known authorship. The regression of a
verifier is drawn towards them: its few problems adjust them, as far as they differ.

No weight is negative: a higher similarity is never evidence for another author.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from byline.array_types import Booleans, Floats

_N_STEPS = 50
_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationPrior:
    """A normal distribution of the weights and the intercept of a logistic regression.

    It is restricted to weights that are not negative.

    Attributes
    ----------
    means : (n_features + 1,) float64
        The weights, and the intercept last.
    precisions : (n_features + 1,) float64
        The inverse variances.
    """

    means: Floats
    precisions: Floats

    def fit(self, features: Floats, same: Booleans, counts: Floats) -> Floats:
        """Return the most probable weights and intercept, (n_features + 1,).

        Parameters
        ----------
        features : (n_problems, n_features) float64
        same : (n_problems,) bool
            Whether the author is the same; both values occur.
        counts : (n_problems,) float64
            How many problems each counts as.

        References
        ----------
        Bertsekas (1982), Projected Newton methods for optimization problems with simple
        constraints.

        Examples
        --------
        >>> prior = CalibrationPrior(np.array([1.0, 0.0]), np.array([10.0, 3.0]))
        >>> weight, intercept = prior.fit(
        ...     np.array([[1.0], [-1.0]]), np.array([True, False]), np.ones(2)
        ... )
        >>> bool(1 < weight < 1.1), bool(abs(intercept) < 1e-9)
        (True, True)
        """
        inputs = np.column_stack([features, np.ones(same.size)])
        signed = np.where(same, 1.0, -1.0)[:, np.newaxis] * inputs
        least = np.array([*[0.0] * features.shape[1], -np.inf])
        found: Floats = np.maximum(self.means, least)
        loss = self._loss(found, signed, counts)
        for _ in range(_N_STEPS):  # the loss is convex
            wrong = np.exp(-np.logaddexp(0, signed @ found))
            gradient = self.precisions * (found - self.means) - signed.T @ (counts * wrong)
            curvature = (signed.T * (counts * wrong * (1 - wrong))) @ signed
            curvature += np.diag(self.precisions)
            free = (found > least) | (gradient < 0)  # the other weights remain 0
            step = np.zeros_like(found)
            step[free] = np.linalg.solve(curvature[np.ix_(free, free)], gradient[free])
            new = np.maximum(found - step, least)
            while (new_loss := self._loss(new, signed, counts)) > loss + _TOLERANCE:
                step = step / 2
                new = np.maximum(found - step, least)
            change = np.abs(new - found).max()
            found, loss = new, new_loss
            if change < _TOLERANCE:
                break
        return found

    def _loss(self, found: Floats, signed: Floats, counts: Floats) -> float:
        penalty = self.precisions @ (found - self.means) ** 2 / 2
        return float(counts @ np.logaddexp(0, -signed @ found) + penalty)


@cache
def default_prior() -> CalibrationPrior:
    """Return the prior for the similarities of the default n-grams."""
    text = files("byline.attribution.verification").joinpath("prior.json").read_text("utf-8")
    table = json.loads(text)
    return CalibrationPrior(np.array(table["means"]), np.array(table["precisions"]))
