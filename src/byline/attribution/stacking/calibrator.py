"""A stack's results for held-out known texts, and the calibration that is fitted to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.calibration import likelihood_ratios
from byline.attribution.similar_cases import SimilarCases
from byline.attribution.stacking.combination import Adjustment, HeldOutScores
from byline.attribution.stacking.prior import Variances, WeightPrior
from byline.formatting import join_names, quantity

_N_PARTS = 5  # if all texts were held out at once
_LIMITS = (-9.2, 0.0)  # of the log-odds of the share: from 0.0001 to one half


@dataclass(frozen=True, slots=True)
class HeldOutResults:
    """A stack's results for held-out known texts and for passages from them.

    When a text was scored, neither the base classifiers nor the weights had been fitted to it or to
    another text of its work: its log-odds come from weights fitted to the texts of other folds.

    Attributes
    ----------
    n_texts : int
        Number of held-out known texts.
    sizes : (n,) int64
        Characters that are not white space.
    labels : (n,) int64
        Column of the true author.
    shares : (n,) float64
        What the text counts (see `HeldOutTexts`).
    is_whole : (n,) bool
        Whether the text is a whole known text. Otherwise it is a passage.
    log_odds : (n, n_authors) float32
    nats_per_character : (n,) float32, or None
        Under the best language model; None if the stack has no language models, or none whose
        scores are log-likelihoods.
    """

    n_texts: int
    sizes: Integers
    labels: Integers
    shares: Floats
    is_whole: Booleans
    log_odds: NDArray[np.float32]
    nats_per_character: NDArray[np.float32] | None

    @classmethod
    def cross_fitted(
        cls,
        held_out: HeldOutScores,
        variances: Variances,
        folds: Integers,
        *,
        n_texts: int,
        is_whole: Booleans,
        log_likelihoods: Floats | None,
        after_fit: Callable[[], object] | None = None,
    ) -> Self:
        """Combine the scores of each fold's texts with weights fitted to all other folds.

        Parameters
        ----------
        held_out : HeldOutScores
        variances : Variances
        folds : (n,) int64
            If all are equal, every fifth text is used as a fold.
        n_texts : int
        is_whole : (n,) bool
        log_likelihoods : (n, n_authors) float64, or None
            Under the language models.
        after_fit : callable, optional
            Called after the weights were fitted, `count_folds` times.
        """
        log_odds = np.empty(held_out.scores.shape[1:], dtype=np.float32)
        for fold in _each_fold(folds):
            adjustment = Adjustment.fit(held_out.select(~fold), variances)
            log_odds[fold] = adjustment.combine(held_out.select(fold))
            if after_fit is not None:
                after_fit()
        least = None
        sizes, labels = held_out.sizes, held_out.labels
        if log_likelihoods is not None:
            least = (-log_likelihoods.max(axis=1) / np.maximum(sizes, 1)).astype(np.float32)
        labels = labels.astype(np.int64)
        return cls(n_texts, sizes, labels, held_out.shares, is_whole, log_odds, least)

    @property
    def n_whole(self) -> int:
        """Number of whole known texts."""
        return int(self.is_whole.sum())


@dataclass(frozen=True, slots=True)
class Calibrator:
    """Converts log-odds to probabilities and likelihood ratios.

    ``p = u / n + (1 - u) softmax(z)`` for log-odds ``z`` of ``n`` authors. Some texts show nothing
    of their author, and nothing in the text shows which ones; ``u`` is their share. No probability
    is 0 or 1, and the ranking of the authors does not change. Likelihood ratios are computed from
    the same probabilities, so that both always agree.

    Attributes
    ----------
    uniform : float
        ``u``
    n_held_out : int
        Number of held-out known texts that it was fitted to.
    n_simulated : int
        Number of simulated cases that its prior comes from; 0 without such a prior.
    similar_cases : tuple of SimilarCases
        Simulated cases of similar numbers of candidates and amounts of known text, by length of the
        text; empty if they were not counted.
    reference : str
        The name of the reference population that these cases come from; empty for those that Byline
        was developed with.
    """

    uniform: float
    n_held_out: int
    n_simulated: int
    similar_cases: tuple[SimilarCases, ...] = ()
    reference: str = ""

    @classmethod
    def fit(
        cls,
        results: HeldOutResults,
        prior: WeightPrior,
        similar_cases: tuple[SimilarCases, ...] = (),
    ) -> Self:
        """Estimate the share of texts that show nothing, from held-out texts and a prior.

        Parameters
        ----------
        results : HeldOutResults
        prior : WeightPrior
        similar_cases : tuple of SimilarCases
        """
        # Each text counts once, whatever its number of passages.
        shares = results.shares * results.n_texts / max(results.shares.sum(), 1.0)
        log_probs = log_softmax(results.log_odds.astype(np.float64), axis=1)
        own = np.exp(log_probs[np.arange(len(results.labels)), results.labels])
        n_authors = results.log_odds.shape[1]

        def cost(logit: float) -> float:
            uniform = 1 / (1 + np.exp(-logit))
            of_texts = shares @ np.log((1 - uniform) * own + uniform / n_authors)
            expected = prior.uniform
            of_prior = expected * np.log(uniform) + (1 - expected) * np.log1p(-uniform)
            return float(-of_texts - prior.n_uniform * of_prior)

        found = minimize_scalar(cost, bounds=_LIMITS, method="bounded").x
        return cls(float(1 / (1 + np.exp(-found))), results.n_texts, prior.n_cases, similar_cases)

    @property
    def basis(self) -> str:
        """What the probabilities are calibrated on, as a noun phrase."""
        sources = []
        if self.n_held_out:
            sources.append(quantity(self.n_held_out, "held-out known text"))
        if self.n_simulated:
            cases = quantity(self.n_simulated, "simulated case")
            origin = f" from the reference corpus {self.reference}" if self.reference else ""
            sources.append(cases + origin)
        return join_names(sources)

    def log_probabilities(self, log_odds: Floats) -> Floats:
        """Return natural logarithms of the probabilities of authors under a uniform prior.

        Parameters
        ----------
        log_odds : (n, n_authors) float64

        Returns
        -------
        (n, n_authors) float64
        """
        floor = np.log(self.uniform / log_odds.shape[1])
        log_probs = np.log1p(-self.uniform) + log_softmax(log_odds, axis=1)
        return np.asarray(np.logaddexp(log_probs, floor))


def log10_likelihood_ratios(log_probabilities: Floats) -> Floats:
    """Return the log10 likelihood ratio of each author against all others together.

    Parameters
    ----------
    log_probabilities : (n, n_authors) float64

    Returns
    -------
    (n, n_authors) float64
    """
    return likelihood_ratios(log_probabilities) / float(np.log(10))


def count_folds(folds: Integers) -> int:
    """Return how many times `HeldOutResults.cross_fitted` fits the weights."""
    return len(list(_each_fold(folds)))


def _each_fold(folds: Integers) -> Iterator[Booleans]:
    """Yield the mask of each fold's texts; a single fold is first divided into several."""
    if len(np.unique(folds)) == 1:
        folds = np.arange(len(folds)) % _N_PARTS
    for fold in np.unique(folds):
        yield folds == fold
