"""Logistic regression from a score to a log-likelihood ratio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.linear_model import LogisticRegression

from byline.array_types import Floats
from byline.attribution.calibration.likelihood_ratios import check_targets_and_nontargets


@dataclass(frozen=True, slots=True)
class LogisticCalibrator:
    """A straight line from a score to a natural log-likelihood ratio.

    Attributes
    ----------
    slope : float
        At least 0.
    intercept : float
    """

    slope: float
    intercept: float

    @classmethod
    def learn(cls, targets: ArrayLike, nontargets: ArrayLike) -> Self:
        """Fit the line by logistic regression in which both kinds weigh the same in all.

        Then the log-odds that it gives are log-likelihood ratios (Brümmer & du Preez 2006; Morrison
        2013). scikit-learn's usual penalty on the slope (C = 1) keeps it finite where the scores
        tell the two kinds apart without an error. Scores that are lower for true authors say
        nothing: slope and intercept are 0.

        Parameters
        ----------
        targets : (n_targets,) array
            Scores of true authors, finite.
        nontargets : (n_nontargets,) array
            The same of other candidates.

        Raises
        ------
        TrainingError
            There is none of one kind.
        UsageError
            A value is not finite.
        """
        own, others = check_targets_and_nontargets(targets, nontargets)
        scores = np.concatenate([own, others])[:, np.newaxis]
        kinds = np.repeat([1, 0], [own.size, others.size])
        line = LogisticRegression(class_weight="balanced").fit(scores, kinds)
        slope, intercept = float(line.coef_[0, 0]), float(line.intercept_[0])
        return cls(slope, intercept) if slope > 0 else cls(0.0, 0.0)

    def apply(self, scores: ArrayLike) -> Floats:
        """Natural log-likelihood ratios of scores, of their shape."""
        llrs: Floats = self.slope * np.asarray(scores, dtype=np.float64) + self.intercept
        return llrs
