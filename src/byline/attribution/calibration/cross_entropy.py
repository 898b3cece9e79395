"""Empirical cross-entropy: what likelihood ratios are worth, whatever one believed beforehand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, xlog1py, xlogy

from byline.attribution.calibration.comparisons import check_comparisons
from byline.attribution.calibration.pooling import pooled_posteriors

Floats = NDArray[np.float64]
Pool = tuple[Floats, NDArray[np.intp]]  # distinct posteriors, and how many there are of each
WIDEST, N_PRIORS = 3.0, 41  # prior odds from 1 : 1000 to 1000 : 1


@dataclass(frozen=True, slots=True)
class CrossEntropyCurve:
    """Cross-entropy over prior odds, in bits; lower is better.

    Attributes
    ----------
    log10_prior_odds : tuple of float, (n_priors,)
        Of "this candidate wrote it", beforehand.
    as_is : tuple of float, (n_priors,)
        Of the likelihood ratios. Where it is above ``neutral``, they mislead.
    pooled : tuple of float, (n_priors,)
        Of the best that a rising function could make of them; the distance to it is what
        calibration costs.
    neutral : tuple of float, (n_priors,)
        Of prior odds alone.
    """

    log10_prior_odds: tuple[float, ...]
    as_is: tuple[float, ...]
    pooled: tuple[float, ...]
    neutral: tuple[float, ...]


def ece_curve(
    target_llrs: ArrayLike, nontarget_llrs: ArrayLike, *, n_priors: int = N_PRIORS
) -> CrossEntropyCurve:
    """Work out empirical cross-entropy (Ramos & Gonzalez-Rodriguez 2013) at many prior odds.

    Not to be taken for the expected calibration error, which goes by the same three letters. At
    prior odds of 1 it is `cllr`, and pooled `cllr_min`.

    Parameters
    ----------
    target_llrs : (n_targets,) array
        Natural log-likelihood ratios of true authors, finite.
    nontarget_llrs : (n_nontargets,) array
        The same of other candidates.
    n_priors : int
        Prior odds from 1 : 1000 to 1000 : 1, at equal distances of their logarithm.

    Raises
    ------
    LearningError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = check_comparisons(target_llrs, nontarget_llrs)
    own_pool, others_pool = (
        np.unique(each, return_counts=True) for each in pooled_posteriors(own, others)
    )
    log10_odds = np.linspace(-WIDEST, WIDEST, n_priors)
    log_odds = log10_odds * np.log(10)
    priors = expit(log_odds)
    neutral = -(xlogy(priors, priors) + xlog1py(1 - priors, -priors)) / np.log(2)
    return CrossEntropyCurve(
        log10_prior_odds=tuple(log10_odds.tolist()),
        as_is=tuple(_entropy(own, others, each) for each in log_odds),
        pooled=tuple(_pooled_entropy(own_pool, others_pool, each) for each in priors),
        neutral=tuple(neutral.tolist()),
    )


def _entropy(own: Floats, others: Floats, log_odds: float) -> float:
    """Return the surprise at the truth where prior odds are multiplied by likelihood ratios."""
    surprise_own = np.logaddexp(0, -own - log_odds).mean()
    surprise_others = np.logaddexp(0, others + log_odds).mean()
    nats = expit(log_odds) * surprise_own + expit(-log_odds) * surprise_others
    return float(nats / np.log(2))


def _pooled_entropy(own: Pool, others: Pool, prior: float) -> float:
    """Return the same from posteriors at even odds, whose ratios may be infinite."""
    surprise_own = np.average(-np.log2(_updated(own[0], prior)), weights=own[1])
    surprise_others = np.average(-np.log2(_updated(1 - others[0], 1 - prior)), weights=others[1])
    return float(prior * surprise_own + (1 - prior) * surprise_others)


def _updated(posteriors: Floats, prior: float) -> Floats:
    """Return what posteriors at even odds are at another prior probability."""
    joint = posteriors * prior
    return joint / (joint + (1 - posteriors) * (1 - prior))
