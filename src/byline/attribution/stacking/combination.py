"""`Combination`: weights of the base classifiers, and an intercept per author."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, minimize
from scipy.special import log_softmax

from byline.array_types import Floats, Integers
from byline.attribution.calibration.temperatures import length_weights
from byline.attribution.result import TIED, are_tied
from byline.errors import TrainingError

_NO_WEIGHT = (
    "no base classifier distinguished the candidates in held-out known texts of this length, so "
    "that all weights are zero; add known texts, each a separate work, and train again"
)


# Chosen on held-out texts of CCAT50's training part and of the Federalist. Weaker penalties on the
# biases cost up to two percentage points if the authors have equal amounts of text. Stronger ones
# did not remove the bias towards the author with most texts.
WEIGHT_PENALTY = 1e-3
BIAS_PENALTY = 1e-2
# In characters: about a sentence, a page and a chapter. Chosen on CCAT50's training part, split by
# time. On whole texts they are as good as two or four lengths, or as two weights by the root of the
# length. On single sentences they are better, as unbounded weights were at times worse than any
# base classifier.
REFERENCE_LENGTHS = (100, 1500, 20000)


@dataclass(frozen=True, slots=True)
class Combination:
    """Log-odds of every author: a weighted sum of the base classifiers' scores, and a bias.

    This is a conditional logit model (McFadden 1974). The score of base classifier ``k``, centred
    over the authors, has the same weight for all authors. The weight depends on the length of the
    text, so that scores that are sums over tokens and scores that are means can both grow as the
    evidence does. It is ``weights[k]`` in texts of `REFERENCE_LENGTHS` characters, and linear in
    the logarithm of the length in between. No weight is negative.

    Attributes
    ----------
    weights : (n_base_classifiers, 3) float64
        In texts of each of the `REFERENCE_LENGTHS`; constant outside them.
    biases : (n_authors,) float64
        Author intercepts, which are added to every text's log-odds.

    See Also
    --------
    StackedAttributor : Fits a combination on held-out texts.

    Examples
    --------
    Of two base classifiers, the first is always right and the second is not:

    >>> import numpy as np
    >>> from byline.attribution.stacking import Combination
    >>> scores = np.array([[[2.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [1.0, 0.0]]])
    >>> combination = Combination.fit(scores, np.array([1500, 1500]), np.array([0, 1]))
    >>> first, second = combination.weights_at(1500)
    >>> bool(first > 10 * second)
    True
    """

    weights: Floats
    biases: Floats

    @classmethod
    def fit(cls, scores: Floats, n_characters: Integers, labels: NDArray[np.intp]) -> Self:
        """Maximise the penalised likelihood of the true authors of held-out texts.

        All authors have equal weight, whatever their number of texts, so that a frequent author is
        not preferred. Scores are standardised for the penalty only.

        Parameters
        ----------
        scores : (n_base_classifiers, n_texts, n_authors) float64
            Of texts that the base classifiers were not trained on.
        n_characters : (n_texts,) int64
        labels : (n_texts,) int
            Column of each text's author.

        Raises
        ------
        TrainingError
            If there is no text, or a score is not finite.
        """
        if not labels.size:
            raise TrainingError("there is no held-out text to fit the stack's weights on")
        if not np.isfinite(scores).all():
            raise TrainingError(
                "a base classifier's score of a held-out text is not a finite number; "
                "check the base classifiers"
            )
        centred = _centred(scores)
        shares = length_weights(n_characters, REFERENCE_LENGTHS)  # (3, n_texts)
        scale = np.sqrt((centred**2).mean(axis=2) @ (shares**2).T / len(labels))
        scale[scale == 0] = 1  # (n_base_classifiers, 3)
        n_features, n_authors = scale.size, scores.shape[2]
        found = minimize(
            _Objective(centred, shares, scale, labels),
            np.zeros(n_features + n_authors),
            jac=True,
            method="L-BFGS-B",
            bounds=Bounds(np.repeat([0.0, -np.inf], [n_features, n_authors]), np.inf),
            options={"maxiter": 500},
        ).x
        weights = found[:n_features].reshape(scale.shape) / scale
        return cls(weights, found[n_features:])

    def weights_at(self, n_characters: int) -> Floats:
        """Return the base classifiers' weights in a text of that length, (n_base_classifiers,)."""
        shares = length_weights(np.array([n_characters]), REFERENCE_LENGTHS)[:, 0]
        weights: Floats = self.weights @ shares
        return weights

    def reasons_to_decline(self, log_odds: Floats, n_characters: Integers) -> list[str | None]:
        """Return why no candidate can be preferred for each text; None if one can.

        Parameters
        ----------
        log_odds : (n_texts, n_authors) float64
            Of the combination.
        n_characters : (n_texts,) int64

        Returns
        -------
        list of str or None, (n_texts,)
            If all weights are zero, the text has no influence, even if the biases differ.
        """
        tied = are_tied(log_odds).tolist()
        return [
            (TIED if tie else None) if self.weights_at(size).any() else _NO_WEIGHT
            for size, tie in zip(n_characters.tolist(), tied, strict=True)
        ]

    def combine(self, scores: Floats, n_characters: Integers) -> Floats:
        """Return the log-odds of every author for every text; their softmax gives probabilities.

        Parameters
        ----------
        scores : (n_base_classifiers, n_texts, n_authors) float64
        n_characters : (n_texts,) int64

        Returns
        -------
        (n_texts, n_authors) float64
        """
        weights = self.weights @ length_weights(n_characters, REFERENCE_LENGTHS)
        combined: Floats = _weighted_sum(weights, _centred(scores)) + self.biases
        return combined


def count_characters(texts: Sequence[str]) -> Integers:
    """Count the characters of each text that are not white space, (n_texts,)."""
    return np.array([sum(map(len, text.split())) for text in texts], dtype=np.int64)


def _centred(scores: Floats) -> Floats:
    """Return the scores minus their mean over the authors."""
    return np.asarray(scores - scores.mean(axis=2, keepdims=True))


def _weighted_sum(weights: Floats, centred: Floats) -> Floats:
    """Add up the base classifiers' scores, (n_texts, n_authors), each text with its own weights."""
    return np.asarray(np.einsum("kn,kna->na", weights, centred))


class _Objective:
    """The penalised negative log-likelihood of the true authors, and its gradient.

    The scores are not multiplied with the weights of each reference length in advance, which would
    take three times as much memory: 190 MB for 10,000 texts, 195 authors and four base classifiers.
    """

    def __init__(
        self, centred: Floats, shares: Floats, scale: Floats, labels: NDArray[np.intp]
    ) -> None:
        self._centred, self._shares, self._scale = centred, shares, scale
        self._truth = np.arange(len(labels)), labels
        share = 1 / np.bincount(labels)[labels]  # all authors have equal weight
        self._share = share / share.sum()

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        n_features = self._scale.size
        weights, biases = parameters[:n_features], parameters[n_features:]
        by_text = weights.reshape(self._scale.shape) / self._scale @ self._shares
        log_probs = log_softmax(_weighted_sum(by_text, self._centred) + biases, axis=1)
        loss = -(self._share @ log_probs[self._truth])
        loss += WEIGHT_PENALTY * weights @ weights + BIAS_PENALTY * biases @ biases
        error = np.exp(log_probs, out=log_probs)
        error[self._truth] -= 1
        error *= self._share[:, np.newaxis]
        slopes = np.einsum("na,kna->kn", error, self._centred) @ self._shares.T / self._scale
        by_weight = slopes.ravel() + 2 * WEIGHT_PENALTY * weights
        by_bias = error.sum(axis=0) + 2 * BIAS_PENALTY * biases
        return float(loss), np.concatenate([by_weight, by_bias])
