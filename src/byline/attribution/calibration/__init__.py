"""Calibration: likelihood ratios and probabilities, their bounds, and how to evaluate them."""

from byline.attribution.calibration.cost import (
    CrossEntropyCurve,
    TippettCurve,
    cllr,
    cllr_min,
    cross_entropy_curve,
    pav_posteriors,
    tippett,
)
from byline.attribution.calibration.intervals import clustered_interval
from byline.attribution.calibration.likelihood_ratios import (
    Bounds,
    LogisticCalibrator,
    elub_bounds,
    likelihood_ratios,
    target_and_nontarget_llrs,
    verbal_scale,
    verbal_scale_steps,
)
from byline.attribution.calibration.metrics import CalibrationMetrics, CalibrationOutcomes
from byline.attribution.calibration.reliability import (
    Reliability,
    ReliabilityBin,
    brier_score,
    brier_scores,
    errors_by_chance,
    log_loss,
    log_losses,
    reliability,
    reliability_of_confidences,
)

__all__ = [
    "Bounds",
    "CalibrationMetrics",
    "CalibrationOutcomes",
    "CrossEntropyCurve",
    "LogisticCalibrator",
    "Reliability",
    "ReliabilityBin",
    "TippettCurve",
    "brier_score",
    "brier_scores",
    "cllr",
    "cllr_min",
    "clustered_interval",
    "cross_entropy_curve",
    "elub_bounds",
    "errors_by_chance",
    "likelihood_ratios",
    "log_loss",
    "log_losses",
    "pav_posteriors",
    "reliability",
    "reliability_of_confidences",
    "target_and_nontarget_llrs",
    "tippett",
    "verbal_scale",
    "verbal_scale_steps",
]
