"""From log-odds to probabilities that are right as often as they say, by the length of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_softmax

from byline.array_types import Floats, Integers
from byline.attribution.stacking.combination import length_weights
from byline.errors import TrainingError

# Characters. Between a sentence and a page answers get surer faster than a line by the logarithm
# has it: a fourth length made held-out texts likelier on CCAT50's training part and lectures.
REFERENCE_LENGTHS = (100, 400, 1500, 20000)
# A few texts' word, against those learnt from, that log-odds are nearly right as they are. Chosen
# on late texts of CCAT50's training part; a tenth or ten times as much made little difference.
_PENALTY = 3.0
_START = np.repeat([0.0, 0.0, -3.0], len(REFERENCE_LENGTHS))


@dataclass(frozen=True, slots=True)
class Temperatures:
    """Probabilities of authors from log-odds: ensemble temperature scaling, by length.

    ``p = u / n + (1 - u) ((1 - w) softmax(s z) + w softmax(f s z))`` for log-odds ``z`` of ``n``
    authors (Zhang, Kailkhura & Han 2020; temperature scaling is Guo et al. 2017). Some texts say
    less than their log-odds promise, and nothing in them tells which: hence the flatter part, of
    which more is heard the surer the sharp one is. The scales ``s``, ``f`` and the share ``w`` go
    linearly with the logarithm of the length. No probability is 0 or 1, and the ranking is kept.

    Attributes
    ----------
    sharp : (4,) float64
        Logarithm of ``s`` in texts of each of `REFERENCE_LENGTHS`.
    flat : (4,) float64
        Logarithm of ``-log f``, likewise.
    share : (4,) float64
        Log-odds of ``w``, likewise.
    uniform : float
        ``u``: the chance that all is otherwise than it seems, 1 in 2 more than the texts that this
        was learnt from (Laplace's rule of succession).
    """

    sharp: Floats
    flat: Floats
    share: Floats
    uniform: float

    @classmethod
    def learn(
        cls,
        log_odds: NDArray[np.floating],
        n_characters: Integers,
        labels: NDArray[np.intp],
        n_texts: int,
    ) -> Self:
        """Maximise the penalised likelihood of held-out texts' true authors, each weighing alike.

        Parameters
        ----------
        log_odds : (n, n_authors) float
            Of texts, and parts of texts, that nothing which made the log-odds has learnt from.
        n_characters : (n,) int64
        labels : (n,) int
            Column of each text's author.
        n_texts : int
            How many texts were held out.

        Raises
        ------
        TrainingError
            No text.
        """
        if not labels.size:
            raise TrainingError("no held-out text to learn from how sure answers may be")
        objective = _Objective(
            np.asarray(log_odds, dtype=np.float64),
            length_weights(n_characters, REFERENCE_LENGTHS),
            labels,
        )
        found = minimize(objective, _START, jac=True, method="L-BFGS-B").x
        sharp, flat, share = found.reshape(3, -1)
        return cls(sharp, flat, share, uniform=1 / (n_texts + 2))

    def log_probabilities(self, log_odds: Floats, n_characters: Integers) -> Floats:
        """Natural logarithms of the authors' probabilities; each row's sum up to 1.

        Parameters
        ----------
        log_odds : (n, n_authors) float64
        n_characters : (n,) int64

        Returns
        -------
        (n, n_authors) float64
        """
        parameters = np.stack([self.sharp, self.flat, self.share])
        scale, factor, of_flat = _scales(
            parameters @ length_weights(n_characters, REFERENCE_LENGTHS)
        )
        sharp = log_softmax(scale[:, None] * log_odds, axis=1)
        flat = log_softmax((scale * factor)[:, None] * log_odds, axis=1)
        mixed = np.logaddexp(np.log1p(-of_flat)[:, None] + sharp, np.log(of_flat)[:, None] + flat)
        floor = np.log(self.uniform / log_odds.shape[1])
        log_probs: Floats = np.logaddexp(np.log1p(-self.uniform) + mixed, floor)
        return log_probs


def _scales(parameters: Floats) -> tuple[Floats, Floats, Floats]:
    """Return scale, factor of the flat part and its share from their values of each text, (3, n).

    All are held within what floats take; beyond, nothing changes.
    """
    sharp, flat, share = np.clip(parameters, [[-20], [-20], [-25]], [[20], [5], [25]])
    return np.exp(sharp), np.exp(-np.exp(flat)), expit(share)


class _Objective:
    """Penalised negative log-likelihood of the true authors, and its gradient."""

    def __init__(self, log_odds: Floats, shares: Floats, labels: NDArray[np.intp]) -> None:
        self._own = log_odds[np.arange(len(labels)), labels]
        self._log_odds = log_odds
        self._labels = labels
        self._shares = shares  # (4, n)
        weights = 1 / np.bincount(labels)[labels]  # every author weighs the same
        self._weights = weights / weights.sum()
        self._penalty = _PENALTY / len(labels)

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        values = parameters.reshape(3, -1) @ self._shares  # (3, n)
        scale, factor, of_flat = _scales(values)
        sharp, sharp_slope = self._part(scale)
        flat, flat_slope = self._part(scale * factor)
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

    def _part(self, scale: Floats) -> tuple[Floats, Floats]:
        """Log-probability of the true author at a scale, and its slope in the scale, (n,) each."""
        log_probs = log_softmax(scale[:, None] * self._log_odds, axis=1)
        own = log_probs[np.arange(len(self._labels)), self._labels]
        slope: Floats = self._own - (np.exp(log_probs) * self._log_odds).sum(axis=1)
        return own, slope
