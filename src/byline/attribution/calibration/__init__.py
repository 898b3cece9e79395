"""How far probabilities and likelihood ratios can be trusted, and what makes them trustworthy."""

from byline.attribution.calibration.bounds import Bounds, elub_bounds
from byline.attribution.calibration.comparisons import likelihood_ratios, own_and_others
from byline.attribution.calibration.cost import cllr, cllr_min
from byline.attribution.calibration.cross_entropy import CrossEntropyCurve, ece_curve
from byline.attribution.calibration.judgement import Judgement, Outcomes
from byline.attribution.calibration.logistic import LogisticCalibrator
from byline.attribution.calibration.pooling import pooled_posteriors
from byline.attribution.calibration.probabilities import (
    brier_score,
    brier_scores,
    log_loss,
    log_losses,
)
from byline.attribution.calibration.reliability import (
    Bin,
    Reliability,
    reliability,
    reliability_of_answers,
)
from byline.attribution.calibration.tippett import Tippett, tippett
from byline.attribution.calibration.verbal import verbal_scale

__all__ = [
    "Bin",
    "Bounds",
    "CrossEntropyCurve",
    "Judgement",
    "LogisticCalibrator",
    "Outcomes",
    "Reliability",
    "Tippett",
    "brier_score",
    "brier_scores",
    "cllr",
    "cllr_min",
    "ece_curve",
    "elub_bounds",
    "likelihood_ratios",
    "log_loss",
    "log_losses",
    "own_and_others",
    "pooled_posteriors",
    "reliability",
    "reliability_of_answers",
    "tippett",
    "verbal_scale",
]
