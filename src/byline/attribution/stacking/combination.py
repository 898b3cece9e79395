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
        features = _features(scores, n_characters)  # (n_texts, n_authors, 3 * n_base_classifiers)
        scale = features.std(axis=(0, 1))
        scale[scale == 0] = 1
        n_authors, n_features = features.shape[1:]
        found = minimize(
            _Objective(features / scale, labels),
            np.zeros(n_features + n_authors),
            jac=True,
            method="L-BFGS-B",
            bounds=Bounds(np.repeat([0.0, -np.inf], [n_features, n_authors]), np.inf),
            options={"maxiter": 500},
        ).x
        weights = (found[:n_features] / scale).reshape(-1, len(REFERENCE_LENGTHS))
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
        features = _features(scores, n_characters)
        combined: Floats = features @ self.weights.ravel() + self.biases
        return combined


def count_characters(texts: Sequence[str]) -> Integers:
    """Count the characters of each text that are not white space, (n_texts,)."""
    return np.array([sum(map(len, text.split())) for text in texts], dtype=np.int64)


def _features(scores: Floats, n_characters: Integers) -> Floats:
    """Return the centred scores, times the weight of each reference length for the text."""
    centred = scores - scores.mean(axis=2, keepdims=True)
    shares = length_weights(n_characters, REFERENCE_LENGTHS)[:, :, np.newaxis]
    by_length = centred[:, np.newaxis] * shares  # (n_base_classifiers, 3, n_texts, n_authors)
    n_features = len(scores) * len(REFERENCE_LENGTHS)
    return np.moveaxis(by_length.reshape(n_features, *scores.shape[1:]), 0, -1)


class _Objective:
    """The penalised negative log-likelihood of the true authors, and its gradient."""

    def __init__(self, features: Floats, labels: NDArray[np.intp]) -> None:
        self._features = features
        self._truth = np.zeros(features.shape[:2])
        self._truth[np.arange(len(labels)), labels] = 1
        share = 1 / np.bincount(labels)[labels]  # all authors have equal weight
        self._share = (share / share.sum())[:, None]

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        n_features = self._features.shape[2]
        weights, biases = parameters[:n_features], parameters[n_features:]
        log_probs = log_softmax(self._features @ weights + biases, axis=1)
        loss = -(self._share * self._truth * log_probs).sum()
        loss += WEIGHT_PENALTY * weights @ weights + BIAS_PENALTY * biases @ biases
        error = self._share * (np.exp(log_probs) - self._truth)
        by_weight = np.einsum("na,nak->k", error, self._features) + 2 * WEIGHT_PENALTY * weights
        by_bias = error.sum(axis=0) + 2 * BIAS_PENALTY * biases
        return float(loss), np.concatenate([by_weight, by_bias])
