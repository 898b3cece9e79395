"""Calibrate scores by logistic regression."""

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
    """A linear function from a score to a natural log-likelihood ratio.

    Attributes
    ----------
    slope : float
        At least 0.
    intercept : float
        The log-likelihood ratio of a score of 0.

    See Also
    --------
    elub_bounds : Bounds for the calibrated likelihood ratios.

    Examples
    --------
    >>> calibrator = LogisticCalibrator.fit([2.0, 3.0, 1.0], [-2.0, -1.0, 0.5])
    >>> calibrator.slope > 0
    True
    >>> LogisticCalibrator(slope=2.0, intercept=-1.0).apply([0.0, 1.0]).tolist()
    [-1.0, 1.0]
    """

    slope: float
    intercept: float

    @classmethod
    def fit(cls, targets: ArrayLike, nontargets: ArrayLike) -> Self:
        """Fit a logistic regression in which both sets have the same total weight.

        With equal total weights, the log-odds of the regression are log-likelihood ratios (Brümmer
        & du Preez 2006; Morrison 2013). scikit-learn's default penalty on the slope (C = 1) keeps
        it finite if the scores separate the two sets without error. If scores are lower for true
        authors, they are uninformative: slope and intercept are 0.

        Parameters
        ----------
        targets : (n_targets,) array
            Scores of true authors, finite.
        nontargets : (n_nontargets,) array
            Scores of other candidates, finite.

        Raises
        ------
        TrainingError
            One of the sets is empty.
        UsageError
            A value is not finite.
        """
        own, others = check_targets_and_nontargets(targets, nontargets)
        scores = np.concatenate([own, others])[:, np.newaxis]
        is_target = np.repeat([1, 0], [own.size, others.size])
        line = LogisticRegression(class_weight="balanced").fit(scores, is_target)
        slope, intercept = float(line.coef_[0, 0]), float(line.intercept_[0])
        return cls(slope, intercept) if slope > 0 else cls(0.0, 0.0)

    def apply(self, scores: ArrayLike) -> Floats:
        """Return the natural log-likelihood ratios of scores, in their shape."""
        llrs: Floats = self.slope * np.asarray(scores, dtype=np.float64) + self.intercept
        return llrs
