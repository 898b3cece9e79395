"""The log-likelihood-ratio cost: what likelihood ratios are worth."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from byline.attribution.calibration.comparisons import check_comparisons
from byline.attribution.calibration.pooling import pooled_posteriors


def cllr(target_llrs: ArrayLike, nontarget_llrs: ArrayLike) -> float:
    """Log-likelihood-ratio cost, in bits: 0 is perfect, 1 is what no evidence at all costs.

    ``(mean(log2(1 + 1 / LR)) of targets + mean(log2(1 + LR)) of nontargets) / 2`` (Brümmer & du
    Preez 2006). Above 1, one would fare better without.

    Parameters
    ----------
    target_llrs : (n_targets,) array
        Natural log-likelihood ratios of true authors, finite.
    nontarget_llrs : (n_nontargets,) array
        The same of other candidates.

    Raises
    ------
    LearningError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = check_comparisons(target_llrs, nontarget_llrs)
    costs = np.logaddexp(0, -own).mean() + np.logaddexp(0, others).mean()
    return float(costs / 2 / np.log(2))


def cllr_min(target_llrs: ArrayLike, nontarget_llrs: ArrayLike) -> float:
    """Return the part of `cllr` that no calibration can mend: what telling apart costs.

    The cost after pooling adjacent violators; from 0 to 1. The difference from `cllr` is what the
    calibration costs.

    Parameters
    ----------
    target_llrs : (n_targets,) array
        Log-likelihood ratios, or any scores, of true authors, finite.
    nontarget_llrs : (n_nontargets,) array
        The same of other candidates.

    Raises
    ------
    LearningError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = pooled_posteriors(target_llrs, nontarget_llrs)
    return float(-(np.log2(own).mean() + np.log2(1 - others).mean()) / 2)
