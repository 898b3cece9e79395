"""Calibrate log-odds to probabilities by temperature scaling that depends on the text's length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_softmax

from byline.array_types import Floats, Integers
from byline.errors import TrainingError

# In characters. Between a sentence and a page, certainty grows faster than linearly with the
# logarithm of the length: the fourth length raised the likelihood of held-out texts in the training
# part of CCAT50 and in the lectures.
REFERENCE_LENGTHS = (100, 400, 1500, 20000)
# The prior that log-odds are nearly right, with the weight of a few texts. Chosen on late texts of
# the training part of CCAT50; a tenth or ten times as much made little difference.
_PENALTY = 3.0
_START = np.repeat([0.0, 0.0, -3.0], len(REFERENCE_LENGTHS))


def length_weights(n_characters: Integers, lengths: Sequence[int] = REFERENCE_LENGTHS) -> Floats:
    """Return the weights with which values at some lengths are interpolated for texts.

    The interpolation is linear in the logarithm of the length, and constant outside the lengths.

    Parameters
    ----------
    n_characters : (n_texts,) int64
        Characters that are not white space.
    lengths : sequence of int
        In characters, ascending.

    Returns
    -------
    (n_lengths, n_texts) float64, columns sum to 1
    """
    places = np.log(np.asarray(lengths) + 1.0)
    own = np.eye(len(lengths))
    return np.stack([np.interp(np.log(n_characters + 1.0), places, row) for row in own])


@dataclass(frozen=True, slots=True)
class Temperatures:
    """Probabilities of authors from log-odds: ensemble temperature scaling, by length of text.

    ``p = u / n + (1 - u) ((1 - w) softmax(s z) + w softmax(f s z))`` for log-odds ``z`` of ``n``
    authors (Zhang, Kailkhura & Han 2020; temperature scaling is Guo et al. 2017). Some texts are
    weaker evidence than their log-odds suggest, and nothing in the text shows which ones. The flat
    component accounts for them, and matters the more, the more certain the sharp component is. The
    scales ``s``, ``f`` and the weight ``w`` are linear in the logarithm of the length. No
    probability is 0 or 1, and the ranking of the authors does not change.

    Attributes
    ----------
    sharp : (4,) float64
        Logarithm of ``s`` in texts of each of the `REFERENCE_LENGTHS`.
    flat : (4,) float64
        Logarithm of ``-log f``, likewise.
    share : (4,) float64
        Log-odds of ``w``, likewise.
    uniform : float
        ``u``: the probability that the log-odds are worthless, 1 divided by 2 more than the number
        of calibration texts (Laplace's rule of succession).
    """

    sharp: Floats
    flat: Floats
    share: Floats
    uniform: float

    @classmethod
    def fit(
        cls,
        log_odds: NDArray[np.floating],
        n_characters: Integers,
        labels: NDArray[np.intp],
        n_texts: int,
    ) -> Self:
        """Maximise the penalised likelihood of the true authors; all authors have equal weight.

        Parameters
        ----------
        log_odds : (n, n_authors) float
            Of texts and passages that played no part in fitting what produced the log-odds.
        n_characters : (n,) int64
        labels : (n,) int
            Column of each text's author.
        n_texts : int
            Number of held-out texts.

        Raises
        ------
        TrainingError
            If there is no text.
        """
        if not labels.size:
            raise TrainingError("there is no held-out text to calibrate the probabilities with")
        objective = _Objective(np.asarray(log_odds, dtype=np.float64), n_characters, labels)
        found = minimize(objective, _START, jac=True, method="L-BFGS-B").x
        sharp, flat, share = found.reshape(3, -1)
        return cls(sharp, flat, share, uniform=1 / (n_texts + 2))

    def log_probabilities(self, log_odds: Floats, n_characters: Integers) -> Floats:
        """Return the natural logarithms of the authors' probabilities, which sum to 1 per row.

        Parameters
        ----------
        log_odds : (n, n_authors) float64
        n_characters : (n,) int64

        Returns
        -------
        (n, n_authors) float64
        """
        parameters = np.stack([self.sharp, self.flat, self.share])
        scale, factor, of_flat = _scales(parameters @ length_weights(n_characters))
        sharp = log_softmax(scale[:, None] * log_odds, axis=1)
        flat = log_softmax((scale * factor)[:, None] * log_odds, axis=1)
        mixed = np.logaddexp(np.log1p(-of_flat)[:, None] + sharp, np.log(of_flat)[:, None] + flat)
        floor = np.log(self.uniform / log_odds.shape[1])
        log_probs: Floats = np.logaddexp(np.log1p(-self.uniform) + mixed, floor)
        return log_probs


def _scales(parameters: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the scale, the factor of the flat component and its weight, each (n,).

    The parameters, (3, n), are clipped to what floats can represent.
    """
    sharp, flat, share = np.clip(parameters, [[-20], [-20], [-25]], [[20], [5], [25]])
    return np.exp(sharp), np.exp(-np.exp(flat)), expit(share)


class _Objective:
    """The penalised negative log-likelihood of the true authors, and its gradient."""

    def __init__(self, log_odds: Floats, n_characters: Integers, labels: NDArray[np.intp]) -> None:
        self._own = log_odds[np.arange(len(labels)), labels]
        self._log_odds = log_odds
        self._labels = labels
        self._shares = length_weights(n_characters)  # (4, n)
        weights = 1 / np.bincount(labels)[labels]  # all authors have equal weight
        self._weights = weights / weights.sum()
        self._penalty = _PENALTY / len(labels)

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        values = parameters.reshape(3, -1) @ self._shares  # (3, n)
        scale, factor, of_flat = _scales(values)
        sharp, sharp_slope = self._component(scale)
        flat, flat_slope = self._component(scale * factor)
        log_sharp, log_flat = np.log1p(-of_flat) + sharp, np.log(of_flat) + flat
        log_probs = np.logaddexp(log_sharp, log_flat)
        of_sharp, by_flat = np.exp(log_sharp - log_probs), np.exp(log_flat - log_probs)
        slope_of_flat = by_flat * flat_slope * scale * factor
        slopes = np.stack(
            [
                of_sharp * sharp_slope * scale + slope_of_flat,
                -slope_of_flat * np.exp(np.clip(values[1], -20, 5)),
                by_flat - of_flat,
            ]
        )
        excess = parameters - _START
        loss = self._penalty * excess @ excess - self._weights @ log_probs
        gradient = 2 * self._penalty * excess - ((slopes * self._weights) @ self._shares.T).ravel()
        return float(loss), gradient

    def _component(self, scale: Floats) -> tuple[Floats, Floats]:
        """Return the true author's log-probability and its derivative by the scale, (n,) each."""
        log_probs = log_softmax(scale[:, None] * self._log_odds, axis=1)
        own = log_probs[np.arange(len(self._labels)), self._labels]
        slope: Floats = self._own - (np.exp(log_probs) * self._log_odds).sum(axis=1)
        return own, slope
