"""Several members' scores made one: weights and biases learnt from held-out texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, minimize
from scipy.special import log_softmax

from byline.array_types import Floats, Integers
from byline.errors import TrainingError

# Chosen on held-out texts of CCAT50's training part and the Federalist: weaker penalties on the
# biases lost up to two points where authors have equal amounts of text, stronger ones left
# the bias towards the author with most texts in place.
WEIGHT_PENALTY = 1e-3
BIAS_PENALTY = 1e-2
# Characters of about a sentence, a page and a chapter. Chosen on CCAT50's training part by time:
# as good as two or four lengths, or two weights by the root of the length, in whole texts; better
# in single sentences, where weights that may go below 0 were at times worse than any member.
REFERENCE_LENGTHS = (100, 1500, 20000)


@dataclass(frozen=True, slots=True)
class Combination:
    """Log-odds of every author: a weighted sum of members' scores and a bias.

    A conditional logit (McFadden 1974): member ``k``'s score of author ``a``, centred over
    authors, has a weight that is the same for all authors and goes with the text's length, so that
    a score which is a sum over tokens and one which is a mean can both grow as evidence does: it is
    ``weights[k]`` in texts of `REFERENCE_LENGTHS` characters, and in between goes linearly with
    the logarithm
    of the length. No weight is below 0: no member speaks against what it finds.

    Attributes
    ----------
    weights : (n_members, 3) float64
        In texts of each of `REFERENCE_LENGTHS`; the first one's and the last one's go on beyond
        them.
    biases : (n_authors,) float64
        Added to every text's log-odds: what an author scores above or below its due.
    """

    weights: Floats
    biases: Floats

    @classmethod
    def learn(cls, scores: Floats, n_characters: Integers, labels: NDArray[np.intp]) -> Self:
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
        TrainingError
            No text, or a score that is not finite.
        """
        if not labels.size:
            raise TrainingError("no held-out text to learn the members' weights from")
        if not np.isfinite(scores).all():
            raise TrainingError("a member's score of a held-out text is not a finite number")
        features = _features(scores, n_characters)  # (n_texts, n_authors, 3 * n_members)
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
        weights = (found[:n_features] / scale).reshape(-1, len(REFERENCE_LENGTHS))
        return cls(weights, found[n_features:])

    def base_classifier_weights(self, n_characters: int) -> Floats:
        """Return what each member's score weighs in a text of that length, (n_members,) float64."""
        weights: Floats = self.weights @ length_weights(np.array([n_characters]))[:, 0]
        return weights

    def combine(self, scores: Floats, n_characters: Integers) -> Floats:
        """Log-odds of every author for every text; a softmax over authors gives probabilities.

        Parameters
        ----------
        scores : (n_members, n_texts, n_authors) float64
        n_characters : (n_texts,) int64

        Returns
        -------
        (n_texts, n_authors) float64
        """
        features = _features(scores, n_characters)
        combined: Floats = features @ self.weights.ravel() + self.biases
        return combined


def _features(scores: Floats, n_characters: Integers) -> Floats:
    """Return each member's centred scores, once a length, by how near a text is to it."""
    centred = scores - scores.mean(axis=2, keepdims=True)
    shares = length_weights(n_characters)[:, :, np.newaxis]
    by_length = centred[:, np.newaxis] * shares  # (n_members, 3, n_texts, n_authors)
    n_features = len(scores) * len(REFERENCE_LENGTHS)
    return np.moveaxis(by_length.reshape(n_features, *scores.shape[1:]), 0, -1)


def length_weights(n_characters: Integers, lengths: Sequence[int] = REFERENCE_LENGTHS) -> Floats:
    """Return how near texts are to each of some lengths, (n_lengths, n_texts); each sums to 1.

    Parameters
    ----------
    n_characters : (n_texts,) int64
        Those that are not white space.
    lengths : sequence of int
        In characters, ascending.
    """
    places = np.log(np.asarray(lengths) + 1.0)
    own = np.eye(len(lengths))
    return np.stack([np.interp(np.log(n_characters + 1.0), places, row) for row in own])


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
