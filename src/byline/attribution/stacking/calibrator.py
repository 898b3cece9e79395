"""A stack's results for held-out known texts, and the calibration that is fitted to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.calibration import (
    Bounds,
    elub_bounds,
    likelihood_ratios,
    target_and_nontarget_llrs,
)
from byline.attribution.calibration.temperatures import Temperatures
from byline.attribution.stacking.combination import Combination
from byline.formatting import quantity

_N_PARTS = 5  # if all texts were held out at once
MIN_WHOLE = 20
_MIN_SHARE_OF_AUTHORS = 0.5


@dataclass(frozen=True, slots=True)
class HeldOutResults:
    """A stack's results for held-out known texts and for passages from them.

    When a text was scored, neither the base classifiers nor the weights had been fitted to it or to
    another text of its work: its log-odds come from weights fitted to the texts of other folds.

    Attributes
    ----------
    n_texts : int
        Number of held-out known texts, and of held-out parts of an author's only work.
    sizes : (n,) int64
        Characters that are not white space.
    labels : (n,) int64
        Column of the true author.
    is_whole : (n,) bool
        Whether the text is a whole known text. Otherwise it is a passage, or a part of an author's
        only work.
    log_odds : (n, n_authors) float32
    nats_per_character : (n,) float32, or None
        Under the best language model; None if the stack has no language models, or none whose
        scores are log-likelihoods.
    """

    n_texts: int
    sizes: Integers
    labels: Integers
    is_whole: Booleans
    log_odds: NDArray[np.float32]
    nats_per_character: NDArray[np.float32] | None

    @classmethod
    def cross_fitted(
        cls,
        scores: Floats,
        sizes: Integers,
        labels: NDArray[np.intp],
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
        scores : (n_base_classifiers, n, n_authors) float64
        sizes : (n,) int64
        labels : (n,) int
        folds : (n,) int64
            If all are equal, every fifth text is used as a fold.
        n_texts : int
        is_whole : (n,) bool
        log_likelihoods : (n, n_authors) float64, or None
            Under the language models.
        after_fit : callable, optional
            Called after the weights were fitted, `count_folds` times.
        """
        log_odds = np.empty(scores.shape[1:], dtype=np.float32)
        for held_out in _each_fold(folds):
            others = ~held_out
            combination = Combination.fit(scores[:, others], sizes[others], labels[others])
            log_odds[held_out] = combination.combine(scores[:, held_out], sizes[held_out])
            if after_fit is not None:
                after_fit()
        least = None
        if log_likelihoods is not None:
            least = (-log_likelihoods.max(axis=1) / np.maximum(sizes, 1)).astype(np.float32)
        return cls(n_texts, sizes, labels.astype(np.int64), is_whole, log_odds, least)

    @property
    def n_whole(self) -> int:
        """Number of whole known texts."""
        return int(self.is_whole.sum())

    def calibration_unavailable_reason(self) -> str | None:
        """Return why probabilities must not be shown, as a clause; None if they may."""
        lacking = MIN_WHOLE - self.n_whole
        if lacking > 0:
            works = "a separate work" if lacking == 1 else "each a separate work"
            return (
                f"only {self.n_whole} whole known texts could be held out for calibration, and "
                f"{MIN_WHOLE} are needed; add "
                f"{quantity(lacking, 'more known text')}, {works}, and train again"
            )
        n_authors = self.log_odds.shape[1]
        n_tested = np.unique(self.labels[self.is_whole]).size
        if n_tested < _MIN_SHARE_OF_AUTHORS * n_authors:
            return (
                f"only {n_tested} of {n_authors} authors have a second work that could be held out "
                "for calibration, and at least half of the authors need one; add works by other "
                "authors, and train again"
            )
        return None


@dataclass(frozen=True, slots=True)
class Calibrator:
    """Converts log-odds to probabilities and likelihood ratios that held-out texts support.

    Attributes
    ----------
    temperatures : Temperatures
    bounds : Bounds
        Of natural log-likelihood ratios (Vergeer et al. 2016), over texts of all lengths.
    longest : int
        Length in characters of the longest calibration text. A longer text gets no more certain
        result than a text of this length.
    """

    temperatures: Temperatures
    bounds: Bounds
    longest: int

    @classmethod
    def fit(cls, results: HeldOutResults) -> Self:
        """Fit the calibration to a stack's results for held-out texts.

        Raises
        ------
        TrainingError
            If there is no result.
        """
        temperatures = Temperatures.fit(
            results.log_odds, results.sizes, results.labels, results.n_texts
        )
        log_probs = temperatures.log_probabilities(
            results.log_odds.astype(np.float64), results.sizes
        )
        bounds = elub_bounds(
            *target_and_nontarget_llrs(likelihood_ratios(log_probs), results.labels)
        )
        return cls(temperatures, bounds, int(results.sizes.max()))

    def log_probabilities(self, log_odds: Floats, n_characters: Integers) -> Floats:
        """Return natural logarithms of the probabilities of authors under a uniform prior.

        Parameters
        ----------
        log_odds : (n, n_authors) float64
        n_characters : (n,) int64

        Returns
        -------
        (n, n_authors) float64
        """
        lengths = np.minimum(n_characters, self.longest)
        return self.temperatures.log_probabilities(log_odds, lengths)

    def log10_likelihood_ratios(self, log_probabilities: Floats) -> Floats:
        """Return the bounded log10 likelihood ratio of each author against all others together.

        Parameters
        ----------
        log_probabilities : (n, n_authors) float64

        Returns
        -------
        (n, n_authors) float64
        """
        bounded = self.bounds.apply(likelihood_ratios(log_probabilities))
        return bounded / float(np.log(10))


def count_folds(folds: Integers) -> int:
    """Return how many times `HeldOutResults.cross_fitted` fits the weights."""
    return len(list(_each_fold(folds)))


def _each_fold(folds: Integers) -> Iterator[Booleans]:
    """Yield the mask of each fold's texts; a single fold is first divided into several."""
    if len(np.unique(folds)) == 1:
        folds = np.arange(len(folds)) % _N_PARTS
    for fold in np.unique(folds):
        yield folds == fold
