"""Several members' scores made one: weights and biases learnt from held-out texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, minimize
from scipy.special import log_softmax

from byline.errors import LearningError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Chosen on held-out texts of CCAT50's training part and the Federalist: weaker penalties on the
# biases lost up to two points where authors have equal amounts of text, stronger ones left
# the bias towards the author with most texts in place.
WEIGHT_PENALTY = 1e-3
BIAS_PENALTY = 1e-2


@dataclass(frozen=True, slots=True)
class Combination:
    """Log-odds of every author: a weighted sum of members' scores and a bias.

    A conditional logit (McFadden 1974): member ``k``'s score of author ``a``, centred over
    authors, has the weight ``(1 - r) weights[k, 0] + r weights[k, 1]`` where ``r`` is the root of
    ``(shortest + 1) / (n_characters + 1)``, or 1 of a shorter text; the same for all authors. So a
    score which is a sum over tokens and one which is a mean can both grow with a text's length as
    evidence does. No weight is below 0, at any length: no member speaks against what it finds.

    Attributes
    ----------
    weights : (n_members, 2) float64
        Towards which a member's weight goes in long texts, and that in the shortest.
    biases : (n_authors,) float64
        Added to every text's log-odds: what an author scores above or below its due.
    shortest : int
        Characters of the shortest text that the weights were learnt from.
    """

    weights: Floats
    biases: Floats
    shortest: int

    @classmethod
    def learn(cls, scores: Floats, n_characters: Ints, labels: NDArray[np.intp]) -> Self:
        """Maximise the penalised likelihood of held-out texts' true authors.

        Every author weighs the same, whatever the number of texts, so that a frequent author is
        not preferred. Scores are standardised for the penalty only.

        Parameters
        ----------
        scores : (n_members, n_texts, n_authors) float64
            Of texts that the members have not learnt from.
        n_characters : (n_texts,) int64
        labels : (n_texts,) int
            Column of each text's author.

        Raises
        ------
        LearningError
            No text, or a score that is not finite.
        """
        if not labels.size:
            raise LearningError("no held-out text to learn the members' weights from")
        if not np.isfinite(scores).all():
            raise LearningError("a member's score of a held-out text is not a finite number")
        shortest = int(n_characters.min())
        features = _features(scores, n_characters, shortest)  # (n_texts, n_authors, 2 * n_members)
        scale = features.std(axis=(0, 1))
        scale[scale == 0] = 1
        n_authors, n_features = features.shape[1:]
        objective = _Objective(features / scale, labels)
        start = np.zeros(n_features + n_authors)
        bounds = Bounds(np.repeat([0.0, -np.inf], [n_features, n_authors]), np.inf)
        found = minimize(
            objective,
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options={"maxiter": 500},
        ).x
        return cls((found[:n_features] / scale).reshape(-1, 2), found[n_features:], shortest)

    def member_weights(self, n_characters: int) -> Floats:
        """Return what each member's score weighs in a text of that length, (n_members,) float64."""
        share = _share_of_short(np.array([n_characters]), self.shortest)
        weights: Floats = self.weights @ np.concatenate([1 - share, share])
        return weights

    def combine(self, scores: Floats, n_characters: Ints) -> Floats:
        """Log-odds of every author for every text; a softmax over authors gives probabilities.

        Parameters
        ----------
        scores : (n_members, n_texts, n_authors) float64
        n_characters : (n_texts,) int64

        Returns
        -------
        (n_texts, n_authors) float64
        """
        features = _features(scores, n_characters, self.shortest)
        combined: Floats = features @ self.weights.ravel() + self.biases
        return combined


def _features(scores: Floats, n_characters: Ints, shortest: int) -> Floats:
    """Return each member's centred scores, parted by how much a text is a long or a short one."""
    centred = scores - scores.mean(axis=2, keepdims=True)
    share = _share_of_short(n_characters, shortest)[:, None]
    both = np.stack([centred * (1 - share), centred * share], axis=1)
    # (n_members, 2, n_texts, n_authors) before
    return np.moveaxis(both.reshape(2 * len(scores), *scores.shape[1:]), 0, -1)


def _share_of_short(n_characters: Ints, shortest: int) -> Floats:
    """Return how much of a weight is that of the shortest texts, (n_texts,)."""
    share: Floats = np.sqrt((shortest + 1) / (np.maximum(n_characters, shortest) + 1))
    return share


class _Objective:
    """Penalised negative log-likelihood of the true authors, and its gradient."""

    def __init__(self, features: Floats, labels: NDArray[np.intp]) -> None:
        self._features = features
        self._truth = np.zeros(features.shape[:2])
        self._truth[np.arange(len(labels)), labels] = 1
        share = 1 / np.bincount(labels)[labels]  # every author weighs the same
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
