"""How sure an answer may be: probabilities and likelihood ratios that held-out texts bear out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.attribution.calibration import (
    Bounds,
    elub_bounds,
    likelihood_ratios,
    target_and_nontarget_llrs,
)
from byline.attribution.stacking.combination import Combination
from byline.attribution.stacking.temperatures import Temperatures

_PARTS = 5  # where texts were held out all at once
MIN_WHOLE = 20
_MIN_SHARE_OF_AUTHORS = 0.5


@dataclass(frozen=True, slots=True)
class HeldOutResults:
    """Answers about held-out known texts, and about runs of sentences of them.

    Neither members nor weights had learnt from a text, nor from another of its work, when it was
    asked about: the weights that gave its log-odds are those that the other folds' texts teach.

    Attributes
    ----------
    n_texts : int
        Known texts, and parts of only works, that were held out.
    sizes : (n,) int64
        Characters that are not white space.
    labels : (n,) int64
        Column of the true author.
    is_whole : (n,) bool
        A known text as it is, rather than a run of its sentences or a part of an only work.
    log_odds : (n, n_authors) float32
    nats_per_character : (n,) float32, or None
        By the language model that is least surprised; None where a stack has none, or none whose
        scores are log-likelihoods.
    """

    n_texts: int
    sizes: Integers
    labels: Integers
    is_whole: NDArray[np.bool_]
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
        is_whole: NDArray[np.bool_],
        log_likelihoods: Floats | None,
    ) -> Self:
        """Combine the scores of each fold's texts by weights learnt from all other folds.

        Parameters
        ----------
        scores : (n_members, n, n_authors) float64
        sizes : (n,) int64
        labels : (n,) int
        folds : (n,) int64
            Where all are alike, every fifth text and the next ones are taken for folds.
        n_texts : int
        is_whole : (n,) bool
        log_likelihoods : (n, n_authors) float64, or None
            By language models.
        """
        log_odds = np.empty(scores.shape[1:], dtype=np.float32)
        for held_out in _each_fold(folds):
            others = ~held_out
            combination = Combination.learn(scores[:, others], sizes[others], labels[others])
            log_odds[held_out] = combination.combine(scores[:, held_out], sizes[held_out])
        least = None
        if log_likelihoods is not None:
            least = (-log_likelihoods.max(axis=1) / np.maximum(sizes, 1)).astype(np.float32)
        return cls(n_texts, sizes, labels.astype(np.int64), is_whole, log_odds, least)

    @property
    def n_whole(self) -> int:
        """Whole texts among them."""
        return int(self.is_whole.sum())

    def too_few(self) -> str | None:
        """Why probabilities cannot be told from these, in plain words; None where they can."""
        lacking = MIN_WHOLE - self.n_whole
        if lacking > 0:
            more = "text, a work of its own" if lacking == 1 else "texts, works of their own"
            return (
                f"only {self.n_whole} whole known texts could be held out to learn how sure "
                f"answers may be, and {MIN_WHOLE} are needed; add {lacking} more known {more}, and "
                "train again"
            )
        n_authors = self.log_odds.shape[1]
        n_tried = np.unique(self.labels[self.is_whole]).size
        if n_tried < _MIN_SHARE_OF_AUTHORS * n_authors:
            return (
                f"only {n_tried} of {n_authors} authors have two works or more, of which one could "
                "be held out to learn how sure answers may be, and half of them are needed"
            )
        return None


def _each_fold(folds: Integers) -> Iterator[NDArray[np.bool_]]:
    """Yield which texts are of each fold, or of one of some parts where there is but one fold."""
    if len(np.unique(folds)) == 1:
        folds = np.arange(len(folds)) % _PARTS
    for fold in np.unique(folds):
        yield folds == fold


@dataclass(frozen=True, slots=True)
class Calibrator:
    """What turns log-odds into probabilities and likelihood ratios.

    Attributes
    ----------
    temperatures : Temperatures
    bounds : Bounds
        Of natural log-likelihood ratios (Vergeer et al. 2016), over texts of all lengths.
    longest : int
        Characters of the longest text this was learnt from; a longer one is no surer than it.
    """

    temperatures: Temperatures
    bounds: Bounds
    longest: int

    @classmethod
    def learn(cls, answers: HeldOutResults) -> Self:
        """Learn from a stack's answers about texts held out of it.

        Raises
        ------
        TrainingError
            There is no answer.
        """
        temperatures = Temperatures.learn(
            answers.log_odds, answers.sizes, answers.labels, answers.n_texts
        )
        log_probs = temperatures.log_probabilities(
            answers.log_odds.astype(np.float64), answers.sizes
        )
        bounds = elub_bounds(
            *target_and_nontarget_llrs(likelihood_ratios(log_probs), answers.labels)
        )
        return cls(temperatures, bounds, int(answers.sizes.max()))

    def log_probabilities(self, log_odds: Floats, n_characters: Integers) -> Floats:
        """Natural logarithms of probabilities, every author equally likely beforehand.

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
        """Bounded log10 likelihood ratio of each author against the others together.

        Parameters
        ----------
        log_probabilities : (n, n_authors) float64

        Returns
        -------
        (n, n_authors) float64
        """
        bounded = self.bounds.apply(likelihood_ratios(log_probabilities))
        return bounded / float(np.log(10))
