"""The log-likelihood-ratio cost: what likelihood ratios are worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, xlog1py, xlogy
from sklearn.isotonic import IsotonicRegression

from byline.array_types import Floats
from byline.attribution.calibration.likelihood_ratios import check_targets_and_nontargets


def pav_posteriors(targets: ArrayLike, nontargets: ArrayLike) -> tuple[Floats, Floats]:
    """Probability that a comparison is with the true author, by pooling adjacent violators.

    Both kinds of comparison weigh the same in all, so the odds of these probabilities are
    likelihood ratios: those of the rising function with the lowest cost (Zadrozny & Elkan 2002,
    Brümmer & du Preez 2006). It is fitted to the very comparisons, for judging scores,
    and not for calibrating others: its ends are 0 and 1.

    Parameters
    ----------
    targets : (n_targets,) array
        Scores or log-likelihood ratios of true authors, finite.
    nontargets : (n_nontargets,) array
        The same of other candidates.

    Returns
    -------
    of_targets : (n_targets,) float64
        Above 0.
    of_nontargets : (n_nontargets,) float64
        Below 1.

    Raises
    ------
    TrainingError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = check_targets_and_nontargets(targets, nontargets)
    # Only the order counts, so ranks will do: values that are all but equal stay apart.
    _, ranks = np.unique(np.concatenate([own, others]), return_inverse=True)
    truth = np.repeat([1.0, 0.0], [own.size, others.size])
    weights = np.repeat([1 / own.size, 1 / others.size], [own.size, others.size])
    fitted = IsotonicRegression(y_min=0, y_max=1).fit_transform(ranks, truth, sample_weight=weights)
    return fitted[: own.size], fitted[own.size :]


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
    TrainingError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = check_targets_and_nontargets(target_llrs, nontarget_llrs)
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
    TrainingError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = pav_posteriors(target_llrs, nontarget_llrs)
    return float(-(np.log2(own).mean() + np.log2(1 - others).mean()) / 2)


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


def cross_entropy_curve(
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
    TrainingError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = check_targets_and_nontargets(target_llrs, nontarget_llrs)
    own_pool, others_pool = (
        np.unique(each, return_counts=True) for each in pav_posteriors(own, others)
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
