"""`Combination`: weights of the base classifiers, and an intercept per author."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.declining import TIED, are_tied
from byline.attribution.stacking.parameters import MANY_AUTHORS
from byline.attribution.stacking.prior import (
    LONGEST,
    KnownAmounts,
    PriorTerms,
    Variances,
    WeightPrior,
    length_features,
)
from byline.errors import TrainingError

# In characters: from a sentence to two chapters.
REFERENCE_LENGTHS = (100, 400, 1500, 5000, 15_000, LONGEST)
# Held-out passages of different lengths from one work are not independent texts. The share of a
# text that each of them counts was chosen on simulated cases of the development corpora.
_SHARE_OF_TEXT = 1 / 3
# The adjustments have Student's t distributions. Known texts that are unlike all simulated cases
# need large adjustments, which a normal distribution would prevent: with it, 444 instead of 448 of
# the 500 validation texts of CCAT50 were correctly attributed. In small cases, both are about
# equally good.
_DEGREES = 2.0
_LARGEST_ADJUSTMENT = 10.0
_MAX_STEPS = 200
# Scores whose spread over the authors is smaller are equal but for rounding.
LEAST_SPREAD = 1e-6


@dataclass(frozen=True, slots=True)
class HeldOutScores:
    """The base classifiers' scores of held-out texts, to which weights are fitted.

    Attributes
    ----------
    scores : (n_base_classifiers, n_texts, n_authors) float64
        Of texts that the base classifiers were not trained on.
    sizes : (n_texts,) int64
        Characters that are not white space.
    labels : (n_texts,) int
        Column of each text's author.
    shares : (n_texts,) float64
        What each text counts; 1 for a whole work.
    prior : PriorTerms
        The prior for these texts, with the amounts of known text that were left.
    """

    scores: Floats
    sizes: Integers
    labels: NDArray[np.intp]
    shares: Floats
    prior: PriorTerms

    def select(self, chosen: Booleans) -> HeldOutScores:
        """Return the scores of some of the texts."""
        return HeldOutScores(
            self.scores[:, chosen],
            self.sizes[chosen],
            self.labels[chosen],
            self.shares[chosen],
            self.prior.select(chosen),
        )


@dataclass(frozen=True, slots=True)
class Adjustment:
    """How held-out texts change the weights of the prior, and the authors' intercepts.

    Attributes
    ----------
    log_weights : (n_base_classifiers, n_lengths) float64
        Added to the logarithms of the weights in texts of the `REFERENCE_LENGTHS`.
    biases : (n_authors,) float64
    """

    log_weights: Floats
    biases: Floats

    @classmethod
    def none(cls, n_classifiers: int, n_authors: int) -> Self:
        """Return the adjustment without held-out texts."""
        return cls(np.zeros((n_classifiers, len(REFERENCE_LENGTHS))), np.zeros(n_authors))

    @classmethod
    def fit(cls, held_out: HeldOutScores, variances: Variances) -> Self:
        """Maximise the likelihood of the true authors times the prior of the adjustment.

        The prior is a Student's t distribution of each factor and intercept.

        All authors have equal weight, whatever their number of texts, so that a frequent author is
        not preferred.

        Parameters
        ----------
        held_out : HeldOutScores
        variances : Variances

        Raises
        ------
        TrainingError
            If a score is not finite.
        """
        n_classifiers, n_texts, n_authors = held_out.scores.shape
        if not n_texts:
            return cls.none(n_classifiers, n_authors)
        if not np.isfinite(held_out.scores).all():
            raise TrainingError(
                "a base classifier's score of a held-out text is not a finite number; "
                "check the base classifiers"
            )
        objective = _Objective(held_out, variances)
        found = minimize(
            objective,
            np.zeros(objective.n_parameters),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": _MAX_STEPS},
        ).x
        return cls(*objective.adjustment(found))

    def combine(self, held_out: HeldOutScores) -> Floats:
        """Return the log-odds of the authors of held-out texts, (n_texts, n_authors)."""
        shares = _length_shares(held_out.sizes)
        weights = np.exp(held_out.prior.log_weights + self.log_weights @ shares)
        scores = comparable(held_out.prior.correct(held_out.scores))
        return np.asarray(_weighted_sum(weights, scores) + self.biases)


@dataclass(frozen=True, slots=True)
class Combination:
    """Log-odds of every author: a weighted sum of the base classifiers' scores, and a bias.

    This is a conditional logit model (McFadden 1974). The score of base classifier ``k``, centred
    over the authors, has the same weight for all authors. The weight depends on the length of the
    text, so that scores that are sums over tokens and scores that are means can both grow as the
    evidence does. Its logarithm is ``log_weights[k]`` in texts of `REFERENCE_LENGTHS` characters,
    and linear in the logarithm of the length in between. A longer text counts as the mean of parts
    of the greatest of these lengths. Before, the scores of authors with far less known text than
    the others are corrected.

    Attributes
    ----------
    log_weights : (n_base_classifiers, n_lengths) float64
        In texts of each of the `REFERENCE_LENGTHS`.
    of_amounts : (n_base_classifiers, 3) float64
        Corrections of scores, as in a `WeightPrior`.
    shortages : (n_authors,) float64
        How far an author's amount of known text is below the median (see `KnownAmounts`).
    biases : (n_authors,) float64
        Author intercepts, which are added to the log-odds.
    are_sums : (n_base_classifiers,) bool
        Whether scores are sums over the tokens of a text.

    See Also
    --------
    StackedAttributor : Fits a combination on held-out texts.

    Examples
    --------
    >>> import numpy as np
    >>> from byline.attribution.stacking import Combination
    >>> log_weights = np.log([[1.0] * 6, [0.5] * 6])
    >>> combination = Combination(
    ...     log_weights,
    ...     of_amounts=np.zeros((2, 3)),
    ...     shortages=np.zeros(2),
    ...     biases=np.zeros(2),
    ...     are_sums=np.zeros(2, dtype=bool),
    ... )
    >>> scores = np.array([[[2.0, 0.0]], [[0.0, 2.0]]])  # of one text, by two base classifiers
    >>> combination.combine(scores, np.array([1500])).tolist()
    [[0.5, -0.5]]
    """

    log_weights: Floats
    of_amounts: Floats
    shortages: Floats
    biases: Floats
    are_sums: Booleans

    @classmethod
    def of(
        cls, prior: WeightPrior, known: KnownAmounts, adjustment: Adjustment, are_sums: Booleans
    ) -> Self:
        """Adjust the prior for the known texts."""
        terms = prior.terms(np.array(REFERENCE_LENGTHS), known)
        return cls(
            terms.log_weights + adjustment.log_weights,
            prior.of_amounts,
            known.shortages,
            adjustment.biases,
            are_sums,
        )

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
        corrected = comparable(self._corrected(scores, n_characters))
        return np.asarray(_weighted_sum(self.weights(n_characters), corrected) + self.biases)

    def factors(self, scores: Floats, n_characters: Integers) -> Floats:
        """Return what differences of scores are multiplied by, (n_base_classifiers, n_texts).

        They are the weights, divided by the root of the spread of the scores over the authors.

        Parameters
        ----------
        scores : (n_base_classifiers, n_texts, n_authors) float64
        n_characters : (n_texts,) int64
        """
        return np.asarray(self._factors(scores, n_characters) * self._shares(n_characters))

    def corrections(self, scores: Floats, n_characters: Integers) -> Floats:
        """Return what corrections for shortages of known text add to the log-odds.

        Parameters
        ----------
        scores : (n_base_classifiers, n_texts, n_authors) float64
        n_characters : (n_texts,) int64

        Returns
        -------
        (n_base_classifiers, n_texts, n_authors) float64
        """
        slopes = self._factors(scores, n_characters) * self._slopes(n_characters)
        return np.asarray(slopes[:, :, np.newaxis] * self.shortages)

    def weights(self, n_characters: Integers) -> Floats:
        """Return the base classifiers' weights in texts of these lengths.

        Parameters
        ----------
        n_characters : (n_texts,) int64

        Returns
        -------
        (n_base_classifiers, n_texts) float64
        """
        return np.asarray(np.exp(self.log_weights @ _length_shares(n_characters)))

    def _factors(self, scores: Floats, n_characters: Integers) -> Floats:
        centred = _centred(self._corrected(scores, n_characters))
        return np.asarray(self.weights(n_characters) * _factors(centred))

    def _corrected(self, scores: Floats, n_characters: Integers) -> Floats:
        """Limit sums over tokens, and correct all scores for shortages of known text."""
        limited = scores * self._shares(n_characters)[:, :, np.newaxis]
        slopes = self._slopes(n_characters)
        return np.asarray(limited + slopes[:, :, np.newaxis] * self.shortages)

    def _shares(self, n_characters: Integers) -> Floats:
        """Return what scores are multiplied by in long texts, (n_base_classifiers, n_texts)."""
        return np.where(self.are_sums[:, np.newaxis], share_of_sums(n_characters), 1.0)

    def _slopes(self, n_characters: Integers) -> Floats:
        return np.asarray(self.of_amounts @ length_features(n_characters))

    def for_authors(self, chosen: Booleans) -> Combination:
        """Return the combination for some of the authors."""
        return replace(self, shortages=self.shortages[chosen], biases=self.biases[chosen])


def share_of_sums(n_characters: Integers) -> Floats:
    """Return what sums over tokens are multiplied by in texts that are longer than `LONGEST`."""
    return np.asarray(np.minimum(1.0, LONGEST / np.maximum(n_characters, 1)))


def reasons_to_decline(log_odds: Floats) -> list[str | None]:
    """Return why no candidate can be preferred for each text; None if one can.

    Parameters
    ----------
    log_odds : (n_texts, n_authors) float64
    """
    return [TIED if tied else None for tied in are_tied(log_odds).tolist()]


def count_characters(texts: Sequence[str]) -> Integers:
    """Count the characters of each text that are not white space, (n_texts,)."""
    return np.array([sum(map(len, text.split())) for text in texts], dtype=np.int64)


def _length_shares(n_characters: Integers) -> Floats:
    """Return the shares of the reference lengths in each text, (n_lengths, n_texts).

    They are linear in the logarithm of the length, and constant outside the reference lengths.
    """
    places = np.log(REFERENCE_LENGTHS)
    lengths = np.log(np.maximum(n_characters, 1))
    return np.stack([np.interp(lengths, places, row) for row in np.eye(len(places))])


def comparable(scores: Floats) -> Floats:
    """Return scores minus their mean over the authors, divided by the root of their spread.

    The spread is the root mean square over the authors, text by text. The scores of a classifier
    vary more in some texts than in others of the same length, where its answers are only partly
    more reliable. The square root was chosen on simulated cases of the development corpora: the log
    loss was 1.017 without division, 1.004 with the square root and 1.014 with the spread itself.

    Parameters
    ----------
    scores : (n_base_classifiers, n_texts, n_authors) float64
    """
    centred = _centred(scores)
    centred *= _factors(centred)[:, :, np.newaxis]
    return centred


def _centred(scores: Floats) -> Floats:
    return np.asarray(scores - scores.mean(axis=2, keepdims=True))


def _factors(centred: Floats) -> Floats:
    """Return what makes centred scores comparable, (n_base_classifiers, n_texts)."""
    spread = np.sqrt(np.einsum("kna,kna->kn", centred, centred) / centred.shape[2])
    return np.asarray(1 / np.sqrt(np.maximum(spread, LEAST_SPREAD)))


def _weighted_sum(weights: Floats, centred: Floats) -> Floats:
    """Add up the base classifiers' scores, (n_texts, n_authors), each text with its own weights."""
    return np.asarray(np.einsum("kn,kna->na", weights, centred))


class _Objective:
    """The negative log-likelihood of the true authors plus the prior's, and its gradient.

    An author without held-out texts is no candidate. Otherwise, the intercept of this author would
    become small only because none of the held-out texts is by this author. With more than
    `MANY_AUTHORS`, there are too few held-out texts for intercepts, and all are candidates.

    The parameters are a common factor of all weights, one factor per base classifier, one per base
    classifier and reference length, all as logarithms, and the authors' intercepts.
    """

    def __init__(self, held_out: HeldOutScores, variances: Variances) -> None:
        self._held_out = held_out
        self._scores = comparable(held_out.prior.correct(held_out.scores))
        self._lengths = _length_shares(held_out.sizes)  # (n_lengths, n_texts)
        labels, n_authors = held_out.labels, held_out.scores.shape[2]
        self._truth = np.arange(len(labels)), labels
        of_authors = np.bincount(labels, weights=held_out.shares, minlength=n_authors)
        total = held_out.shares.sum() / np.count_nonzero(of_authors)
        self._has_intercepts = n_authors <= MANY_AUTHORS
        self._excluded = np.where((of_authors == 0) & self._has_intercepts, -np.inf, 0.0)
        self._shares = _SHARE_OF_TEXT * held_out.shares * total / of_authors[labels]
        self._shape = len(held_out.scores), len(REFERENCE_LENGTHS)
        n_classifiers, n_lengths = self._shape
        self._ends = np.cumsum([1, n_classifiers, n_classifiers * n_lengths])
        self.n_parameters = int(self._ends[-1]) + n_authors
        self._precisions = 1 / np.repeat(
            [variances.common, variances.by_classifier, variances.by_length, variances.biases],
            [1, n_classifiers, n_classifiers * n_lengths, n_authors],
        )

    def adjustment(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return the adjustments of the logarithms of the weights, and the intercepts."""
        common, by_classifier, by_length, biases = np.split(parameters, self._ends)
        adjustment = common + by_classifier[:, np.newaxis] + by_length.reshape(self._shape)
        return np.clip(adjustment, -_LARGEST_ADJUSTMENT, _LARGEST_ADJUSTMENT), biases

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        adjustment, biases = self.adjustment(parameters)
        weights = np.exp(self._held_out.prior.log_weights + adjustment @ self._lengths)
        log_odds = _weighted_sum(weights, self._scores) + biases + self._excluded
        log_probs = log_softmax(log_odds, axis=1)
        loss = -(self._shares @ log_probs[self._truth])
        scaled = self._precisions * parameters**2 / _DEGREES
        loss += (_DEGREES + 1) / 2 * np.log1p(scaled).sum()
        error = np.exp(log_probs, out=log_probs)
        error[self._truth] -= 1
        error *= self._shares[:, np.newaxis]
        by_text = np.einsum("na,kna->kn", error, self._scores) * weights
        slopes = by_text @ self._lengths.T  # (n_base_classifiers, n_lengths)
        of_authors = error.sum(axis=0) * self._has_intercepts
        gradient = [[slopes.sum()], slopes.sum(axis=1), slopes.ravel(), of_authors]
        slope = (_DEGREES + 1) / _DEGREES * self._precisions * parameters / (1 + scaled)
        return float(loss), np.concatenate(gradient) + slope
