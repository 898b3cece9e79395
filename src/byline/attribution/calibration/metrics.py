"""All calibration metrics of answers about texts of known authorship."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax

from byline.array_types import Booleans, Floats
from byline.attribution.calibration.cost import (
    CrossEntropyCurve,
    TippettCurve,
    cllr,
    cllr_min,
    cross_entropy_curve,
    tippett,
)
from byline.attribution.calibration.likelihood_ratios import (
    likelihood_ratios,
    target_and_nontarget_llrs,
)
from byline.attribution.calibration.reliability import (
    ReliabilityBin,
    brier_scores,
    log_losses,
    reliability_of_confidences,
)


@dataclass(frozen=True, slots=True)
class CalibrationMetrics:
    """Metrics of probabilities and likelihood ratios.

    Attributes
    ----------
    n : int
        Number of texts, one or more.
    ece : float
        Expected calibration error over ten bins with about equal numbers of texts.
    brier_score : float
        From 0, the best, to 2.
    log_loss : float
        In nats.
    cllr, cllr_min : float
        Log-likelihood-ratio cost in bits, observed and after optimal calibration.
    reliability : tuple of ReliabilityBin
        The data of a reliability diagram.

    See Also
    --------
    CalibrationOutcomes.metrics : Compute the metrics.

    Examples
    --------
    >>> metrics = CalibrationOutcomes.of([[2.0, 0.0], [0.0, 1.0]], [0, 1]).metrics()
    >>> metrics.n, round(metrics.cllr, 3)
    (2, 0.318)
    """

    n: int
    ece: float
    brier_score: float
    log_loss: float
    cllr: float
    cllr_min: float
    reliability: tuple[ReliabilityBin, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationOutcomes:
    """Answers about texts of known authorship, compared with the truth text by text.

    Attributes
    ----------
    confidences : (n_texts,) float64
        The probability of the first candidate.
    is_correct : (n_texts,) bool
        Whether the first candidate is the true author.
    brier_scores, log_losses : (n_texts,) float64
        The scores of each text.
    targets : (n_texts,) float64
        Natural log-likelihood ratios of the true authors.
    nontargets : (n_comparisons,) float64
        Natural log-likelihood ratios of all other candidates.

    See Also
    --------
    CalibrationMetrics : Means over all texts.

    Examples
    --------
    >>> outcomes = CalibrationOutcomes.of([[2.0, 0.0], [0.5, 0.0]], [0, 1])
    >>> outcomes.is_correct.tolist()
    [True, False]
    >>> len(CalibrationOutcomes.join([outcomes, outcomes]))
    4
    """

    confidences: Floats
    is_correct: Booleans
    brier_scores: Floats
    log_losses: Floats
    targets: Floats
    nontargets: Floats

    @classmethod
    def of(cls, log_odds: ArrayLike, labels: ArrayLike, llrs: ArrayLike | None = None) -> Self:
        """Compare the log-odds of texts with their true authors.

        Parameters
        ----------
        log_odds : (n_texts, n_authors) array
            Finite; the softmax of each row gives the probabilities.
        labels : (n_texts,) int
            The column of each text's true author.
        llrs : (n_texts, n_authors) array, optional
            Natural log-likelihood ratios as they are stated, if they are not the
            `likelihood_ratios` of the log-odds.
        """
        log_probs = log_softmax(np.asarray(log_odds, dtype=np.float64), axis=1)
        probabilities = np.exp(log_probs)
        ratios = likelihood_ratios(log_odds) if llrs is None else llrs
        targets, nontargets = target_and_nontarget_llrs(ratios, labels)
        return cls(
            probabilities.max(axis=1, initial=0.0),
            np.asarray(log_odds).argmax(axis=1) == np.asarray(labels),
            brier_scores(probabilities, labels),
            log_losses(log_probs, labels),
            targets,
            nontargets,
        )

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Concatenate the outcomes of one or more sets of texts."""
        names = [field.name for field in fields(cls)]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def __len__(self) -> int:
        return len(self.is_correct)

    def metrics(self) -> CalibrationMetrics:
        """Compute all metrics.

        Raises
        ------
        TrainingError
            There is no text.
        """
        found = reliability_of_confidences(self.confidences, self.is_correct)
        return CalibrationMetrics(
            n=len(self),
            ece=found.ece,
            brier_score=float(self.brier_scores.mean()),
            log_loss=float(self.log_losses.mean()),
            cllr=cllr(self.targets, self.nontargets),
            cllr_min=cllr_min(self.targets, self.nontargets),
            reliability=found.bins,
        )

    def tippett(self) -> TippettCurve:
        """Compute the data of a Tippett plot."""
        return tippett(self.targets, self.nontargets)

    def cross_entropy_curve(self) -> CrossEntropyCurve:
        """Compute the data of an empirical cross-entropy plot."""
        return cross_entropy_curve(self.targets, self.nontargets)
