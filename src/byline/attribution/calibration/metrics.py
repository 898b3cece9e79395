"""How answers fared whose true authors are known: all measures of one set of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_softmax

from byline.array_types import Floats
from byline.attribution.calibration.cost import (
    CrossEntropyCurve,
    cllr,
    cllr_min,
    cross_entropy_curve,
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
from byline.attribution.calibration.tippett import TippettCurve, tippett


@dataclass(frozen=True, slots=True)
class CalibrationMetrics:
    """Measures of probabilities and likelihood ratios.

    Attributes
    ----------
    n : int
        Texts, one or more.
    ece : float
        Expected calibration error over ten bins of about as many texts each.
    brier_score : float
        From 0, the best, to 2.
    log_loss : float
        Nats.
    cllr, cllr_min : float
        Log-likelihood-ratio cost, as it is and after pooling adjacent violators, in bits.
    reliability : tuple of Bin
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
    """What texts' log-odds came to, text by text; those of other candidates can be joined on.

    Attributes
    ----------
    confidences : (n_texts,) float64
        Probability of the named author.
    right : (n_texts,) bool
        Whether that is the true one.
    brier_scores, log_losses : (n_texts,) float64
    targets : (n_texts,) float64
        Natural log-likelihood ratios of the true authors.
    nontargets : (n_comparisons,) float64
        Those of all other candidates.
    """

    confidences: Floats
    right: NDArray[np.bool_]
    brier_scores: Floats
    log_losses: Floats
    targets: Floats
    nontargets: Floats

    @classmethod
    def of(cls, log_odds: ArrayLike, labels: ArrayLike, llrs: ArrayLike | None = None) -> Self:
        """Compare texts' log-odds with their true authors.

        Parameters
        ----------
        log_odds : (n_texts, n_authors) array
            A softmax of each row gives the probabilities; finite.
        labels : (n_texts,) int
            Column of each text's author.
        llrs : (n_texts, n_authors) array, optional
            Natural log-likelihood ratios as they are stated, where these are not
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
        """Put texts behind each other; there is at least one part."""
        names = [field.name for field in fields(cls)]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def __len__(self) -> int:
        return len(self.right)

    def judge(self) -> CalibrationMetrics:
        """Work out all measures.

        Raises
        ------
        TrainingError
            There is no text.
        """
        found = reliability_of_confidences(self.confidences, self.right)
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
        """Return data of a Tippett plot."""
        return tippett(self.targets, self.nontargets)

    def cross_entropy_curve(self) -> CrossEntropyCurve:
        """Return data of an empirical-cross-entropy plot."""
        return cross_entropy_curve(self.targets, self.nontargets)
