"""The cost of likelihood ratios: Cllr, and empirical cross-entropy over prior odds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, xlog1py, xlogy

from byline.array_types import Floats, Integers
from byline.attribution.calibration.likelihood_ratios import check_targets_and_nontargets

MAX_LOG10_PRIOR_ODDS, N_PRIORS = 3.0, 41  # prior odds from 1:1000 to 1000:1

_Distinct = tuple[Floats, Integers]  # distinct posteriors, and how often each occurs


def pav_posteriors(targets: ArrayLike, nontargets: ArrayLike) -> tuple[Floats, Floats]:
    """Compute optimally calibrated posterior probabilities by pooling adjacent violators (PAV).

    Both sets have the same total weight, so the odds of these probabilities are the likelihood
    ratios of the monotone function with the lowest cost. The function is fitted to the same data,
    with values down to 0 and up to 1: use it to evaluate scores, not to calibrate new ones.

    Parameters
    ----------
    targets : (n_targets,) array
        Scores or log-likelihood ratios of true authors, finite.
    nontargets : (n_nontargets,) array
        Scores or log-likelihood ratios of other candidates, finite.

    Returns
    -------
    of_targets : (n_targets,) float64
        Above 0.
    of_nontargets : (n_nontargets,) float64
        Below 1.

    Raises
    ------
    TrainingError
        One of the sets is empty.
    UsageError
        A value is not finite.

    References
    ----------
    Zadrozny & Elkan (2002), Transforming classifier scores into accurate multiclass probability
    estimates. Brümmer & du Preez (2006), Application-independent evaluation of speaker detection.

    Examples
    --------
    >>> of_targets, of_nontargets = pav_posteriors([1.0, 3.0], [0.0, 2.0])
    >>> of_targets.tolist(), of_nontargets.tolist()
    ([0.5, 1.0], [0.0, 0.5])
    """
    own, others = check_targets_and_nontargets(targets, nontargets)
    # Only the order of the values matters, so ranks keep nearly equal values distinct.
    _, ranks = np.unique(np.concatenate([own, others]), return_inverse=True)
    truth = np.repeat([1.0, 0.0], [own.size, others.size])
    weights = np.repeat([1 / own.size, 1 / others.size], [own.size, others.size])
    from sklearn.isotonic import IsotonicRegression

    fitted = IsotonicRegression(y_min=0, y_max=1).fit_transform(ranks, truth, sample_weight=weights)
    return fitted[: own.size], fitted[own.size :]


def cllr(target_llrs: ArrayLike, nontarget_llrs: ArrayLike) -> float:
    """Compute the log-likelihood-ratio cost (Cllr), in bits.

    ``(mean(log2(1 + 1 / LR)) of targets + mean(log2(1 + LR)) of nontargets) / 2``. A value of 0 is
    perfect, and 1 is the cost of giving no evidence. Above 1, the likelihood ratios mislead more
    than they inform.

    Parameters
    ----------
    target_llrs : (n_targets,) array
        Natural log-likelihood ratios of true authors, finite.
    nontarget_llrs : (n_nontargets,) array
        Natural log-likelihood ratios of other candidates, finite.

    Raises
    ------
    TrainingError
        One of the sets is empty.
    UsageError
        A value is not finite.

    References
    ----------
    Brümmer & du Preez (2006), Application-independent evaluation of speaker detection.

    See Also
    --------
    cllr_min : The part of the cost that is not due to calibration.

    Examples
    --------
    >>> cllr([0.0, 0.0], [0.0])
    1.0
    >>> round(cllr([5.0], [-5.0]), 4)
    0.0097
    """
    own, others = check_targets_and_nontargets(target_llrs, nontarget_llrs)
    costs = np.logaddexp(0, -own).mean() + np.logaddexp(0, others).mean()
    return float(costs / 2 / np.log(2))


def cllr_min(target_llrs: ArrayLike, nontarget_llrs: ArrayLike) -> float:
    """Compute the discrimination part of Cllr: its value after optimal calibration.

    The cost after pooling adjacent violators, from 0 to 1. The difference from `cllr` is the
    calibration loss.

    Parameters
    ----------
    target_llrs : (n_targets,) array
        Log-likelihood ratios, or any scores, of true authors, finite.
    nontarget_llrs : (n_nontargets,) array
        Log-likelihood ratios, or any scores, of other candidates, finite.

    Raises
    ------
    TrainingError
        One of the sets is empty.
    UsageError
        A value is not finite.

    See Also
    --------
    pav_posteriors : The posterior probabilities that the cost is computed from.

    Examples
    --------
    >>> cllr_min([0.1, 0.2], [-0.1])
    0.0
    """
    own, others = pav_posteriors(target_llrs, nontarget_llrs)
    cost = -(np.log2(own).mean() + np.log2(1 - others).mean()) / 2
    return max(0.0, float(cost))  # without errors, it is -0.0


@dataclass(frozen=True, slots=True)
class CrossEntropyCurve:
    """Empirical cross-entropy over prior odds, in bits; lower is better.

    Attributes
    ----------
    log10_prior_odds : tuple of float, (n_priors,)
        Prior odds of "this candidate wrote the text".
    observed : tuple of float, (n_priors,)
        Cross-entropy of the likelihood ratios. Where it is above ``reference``, the likelihood
        ratios mislead.
    pav : tuple of float, (n_priors,)
        Cross-entropy after optimal calibration by pooling adjacent violators. The difference from
        ``observed`` is the calibration loss.
    reference : tuple of float, (n_priors,)
        Cross-entropy of the prior odds alone.

    See Also
    --------
    cross_entropy_curve : Compute the curve.

    Examples
    --------
    >>> curve = CrossEntropyCurve((0.0,), (0.4,), (0.3,), (1.0,))
    >>> curve.observed[0] < curve.reference[0]
    True
    """

    log10_prior_odds: tuple[float, ...]
    observed: tuple[float, ...]
    pav: tuple[float, ...]
    reference: tuple[float, ...]


def cross_entropy_curve(
    target_llrs: ArrayLike, nontarget_llrs: ArrayLike, *, n_priors: int = N_PRIORS
) -> CrossEntropyCurve:
    """Compute empirical cross-entropy at many prior odds.

    At prior odds of 1, it is `cllr`, and after optimal calibration `cllr_min`. It is not the
    expected calibration error, which has the same abbreviation (ECE).

    Parameters
    ----------
    target_llrs : (n_targets,) array
        Natural log-likelihood ratios of true authors, finite.
    nontarget_llrs : (n_nontargets,) array
        Natural log-likelihood ratios of other candidates, finite.
    n_priors : int
        Number of prior odds from 1:1000 to 1000:1, at equal distances of their logarithm.

    Raises
    ------
    TrainingError
        One of the sets is empty.
    UsageError
        A value is not finite.

    References
    ----------
    Ramos & Gonzalez-Rodriguez (2013), Reliable support: measuring calibration of likelihood ratios.

    Examples
    --------
    >>> curve = cross_entropy_curve([2.0, 1.0], [-2.0], n_priors=3)
    >>> curve.log10_prior_odds
    (-3.0, 0.0, 3.0)
    >>> round(curve.observed[1], 12) == round(cllr([2.0, 1.0], [-2.0]), 12)
    True
    """
    own, others = check_targets_and_nontargets(target_llrs, nontarget_llrs)
    own_pav, others_pav = (
        np.unique(each, return_counts=True) for each in pav_posteriors(own, others)
    )
    log10_odds = np.linspace(-MAX_LOG10_PRIOR_ODDS, MAX_LOG10_PRIOR_ODDS, n_priors)
    log_odds = log10_odds * np.log(10)
    priors = expit(log_odds)
    reference = -(xlogy(priors, priors) + xlog1py(1 - priors, -priors)) / np.log(2)
    return CrossEntropyCurve(
        log10_prior_odds=tuple(log10_odds.tolist()),
        observed=tuple(_cross_entropy(own, others, each) for each in log_odds),
        pav=tuple(_pav_cross_entropy(own_pav, others_pav, each) for each in priors),
        reference=tuple(reference.tolist()),
    )


def _cross_entropy(own: Floats, others: Floats, log_odds: float) -> float:
    """Return the cross-entropy if prior odds are multiplied by likelihood ratios."""
    loss_own = np.logaddexp(0, -own - log_odds).mean()
    loss_others = np.logaddexp(0, others + log_odds).mean()
    nats = expit(log_odds) * loss_own + expit(-log_odds) * loss_others
    return float(nats / np.log(2))


def _pav_cross_entropy(own: _Distinct, others: _Distinct, prior: float) -> float:
    """Return the cross-entropy from posteriors at even odds, whose ratios may be infinite."""
    loss_own = np.average(-np.log2(_updated(own[0], prior)), weights=own[1])
    loss_others = np.average(-np.log2(_updated(1 - others[0], 1 - prior)), weights=others[1])
    return float(prior * loss_own + (1 - prior) * loss_others)


def _updated(posteriors: Floats, prior: float) -> Floats:
    """Convert posteriors at even odds to another prior probability."""
    joint = posteriors * prior
    return joint / (joint + (1 - posteriors) * (1 - prior))


N_THRESHOLDS = 121


@dataclass(frozen=True, slots=True)
class TippettCurve:
    """The data of a Tippett plot.

    Attributes
    ----------
    log10_thresholds : tuple of float, (n_thresholds,)
        Decimal logarithms of the thresholds.
    targets, nontargets : tuple of float, (n_thresholds,)
        Share of the true authors' and of the other candidates' likelihood ratios that are at or
        above each threshold.
    misleading_targets, misleading_nontargets : float
        Rates of misleading evidence: the share of the true authors' likelihood ratios below 1, and
        of the other candidates' above 1.

    See Also
    --------
    tippett : Compute the curve.

    Examples
    --------
    >>> tippett([1.0, -0.5], [-2.0, -1.0]).misleading_targets
    0.5
    """

    log10_thresholds: tuple[float, ...]
    targets: tuple[float, ...]
    nontargets: tuple[float, ...]
    misleading_targets: float
    misleading_nontargets: float


def tippett(
    target_llrs: ArrayLike, nontarget_llrs: ArrayLike, *, n_thresholds: int = N_THRESHOLDS
) -> TippettCurve:
    """Compute a Tippett plot: the share of likelihood ratios at or above each threshold.

    Parameters
    ----------
    target_llrs : (n_targets,) array
        Natural log-likelihood ratios of true authors, finite.
    nontarget_llrs : (n_nontargets,) array
        Natural log-likelihood ratios of other candidates, finite.
    n_thresholds : int
        Number of thresholds from the lowest to the highest ratio, at equal distances of logarithms.

    Raises
    ------
    TrainingError
        One of the sets is empty.
    UsageError
        A value is not finite.

    References
    ----------
    Evett & Buckleton (1996), Statistical analysis of STR data.

    Examples
    --------
    >>> curve = tippett([2.0, 4.0], [0.0, 2.0], n_thresholds=3)
    >>> curve.targets, curve.nontargets
    ((1.0, 1.0, 0.5), (1.0, 0.5, 0.0))
    """
    targets, nontargets = check_targets_and_nontargets(target_llrs, nontarget_llrs)
    low, high = min(targets.min(), nontargets.min()), max(targets.max(), nontargets.max())
    thresholds = np.linspace(low, high, n_thresholds)
    return TippettCurve(
        log10_thresholds=tuple((thresholds / np.log(10)).tolist()),
        targets=_share_reaching(targets, thresholds),
        nontargets=_share_reaching(nontargets, thresholds),
        misleading_targets=float((targets < 0).mean()),
        misleading_nontargets=float((nontargets > 0).mean()),
    )


def _share_reaching(values: Floats, thresholds: Floats) -> tuple[float, ...]:
    below = np.searchsorted(np.sort(values), thresholds, side="left")
    return tuple(((values.size - below) / values.size).tolist())
