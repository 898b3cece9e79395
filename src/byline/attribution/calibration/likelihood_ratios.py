"""Likelihood ratios: computed from log-odds, bounded by the calibration data, and put in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from byline.array_types import Floats
from byline.errors import TrainingError, UsageError

NO_SUPPORT = "no support for either side"

# ENFSI Guideline for Evaluative Reporting in Forensic Science (2015), table of verbal equivalents:
# the lowest log10 likelihood ratio for each term. Ratios below 2 support neither side.
_STRENGTHS = (
    (6.0, "extremely strong"),
    (4.0, "very strong"),
    (3.0, "strong"),
    (2.0, "moderately strong"),
    (1.0, "moderate"),
    (math.log10(2), "weak"),
)


def likelihood_ratios(log_odds: ArrayLike) -> Floats:
    """Compute natural log-likelihood ratios of each candidate against the other candidates.

    The propositions are "this candidate wrote the text" and "one of the other candidates wrote it,
    each being equally likely". For candidate ``a`` of ``k`` with log-odds ``s``, the log-likelihood
    ratio is ``s[a] - log(mean(exp(s[b]) for b != a))``.

    Parameters
    ----------
    log_odds : (n_texts, n_authors) array
        Natural logarithms, up to a constant per text; two or more authors.

    Returns
    -------
    (n_texts, n_authors) float64
        Finite values.

    Raises
    ------
    UsageError
        There are fewer than two columns, or a value is not finite.

    See Also
    --------
    elub_bounds : The largest likelihood ratios that the calibration data support.
    verbal_scale : The verbal equivalent of a likelihood ratio.

    Examples
    --------
    >>> likelihood_ratios([[2.0, 0.0]]).tolist()
    [[2.0, -2.0]]
    """
    scores = np.asarray(log_odds, dtype=np.float64)
    if scores.ndim != 2 or scores.shape[1] < 2:
        raise UsageError(
            f"log-odds have the shape {scores.shape}; give one row per text and two or more columns"
        )
    if not np.isfinite(scores).all():
        raise UsageError("a log-odds value is not finite; likelihood ratios need finite log-odds")
    n_others = scores.shape[1] - 1
    if not len(scores):
        return scores
    rows, best = np.arange(len(scores)), scores.argmax(axis=1)
    total = logsumexp(scores, axis=1, keepdims=True)
    # Subtracting one candidate's share from the total is exact if the share is at most one half.
    # That holds for all candidates but the best one, which is computed separately.
    share = np.minimum(np.exp(scores - total), 0.5)
    ratios = scores - total - np.log1p(-share)
    others = scores.copy()
    others[rows, best] = -np.inf
    ratios[rows, best] = scores[rows, best] - logsumexp(others, axis=1)
    finite: Floats = ratios + np.log(n_others)
    return finite


def target_and_nontarget_llrs(llrs: ArrayLike, labels: ArrayLike) -> tuple[Floats, Floats]:
    """Separate the log-likelihood ratios of the true authors from those of all other candidates.

    Parameters
    ----------
    llrs : (n_texts, n_authors) array
        Natural log-likelihood ratios.
    labels : (n_texts,) int
        The column of each text's true author.

    Returns
    -------
    targets : (n_texts,) float64
        The ratios of the true authors.
    nontargets : (n_texts * (n_authors - 1),) float64
        The ratios of the other candidates. Those of one text are not independent.

    Examples
    --------
    >>> targets, nontargets = target_and_nontarget_llrs([[2.0, -2.0], [-1.0, 1.0]], [0, 1])
    >>> targets.tolist(), nontargets.tolist()
    ([2.0, 1.0], [-2.0, -1.0])
    """
    values = np.asarray(llrs, dtype=np.float64)
    is_target = np.arange(values.shape[1]) == np.asarray(labels)[:, np.newaxis]
    return values[is_target], values[~is_target]


def check_targets_and_nontargets(
    targets: ArrayLike, nontargets: ArrayLike
) -> tuple[Floats, Floats]:
    """Check that both sets are non-empty and finite, and return them as flat arrays.

    Raises
    ------
    TrainingError
        One of the sets is empty.
    UsageError
        A value is not finite.
    """
    flat = [np.ravel(np.asarray(values, dtype=np.float64)) for values in (targets, nontargets)]
    for values, whose in zip(flat, ("true authors", "other candidates"), strict=True):
        if not values.size:
            raise TrainingError(
                f"there is no comparison with {whose}; add held-out texts of known authorship"
            )
        if not np.isfinite(values).all():
            raise UsageError(f"a value for {whose} is not finite; bound the values first")
    return flat[0], flat[1]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and the highest natural log-likelihood ratio that is stated.

    Attributes
    ----------
    lower : float
        At most 0.
    upper : float
        At least 0.

    See Also
    --------
    elub_bounds : Estimate the bounds from calibration data.

    Examples
    --------
    >>> Bounds(lower=-2.0, upper=3.0).apply([-5.0, 1.0, 5.0]).tolist()
    [-2.0, 1.0, 3.0]
    """

    lower: float
    upper: float

    def apply(self, llrs: ArrayLike) -> Floats:
        """Limit natural log-likelihood ratios to the bounds."""
        bounded: Floats = np.clip(np.asarray(llrs, dtype=np.float64), self.lower, self.upper)
        return bounded


def elub_bounds(target_llrs: ArrayLike, nontarget_llrs: ArrayLike) -> Bounds:
    """Estimate empirical lower and upper bounds (ELUB) of likelihood ratios.

    A decision maker who accepts a candidate if the likelihood ratio is above ``t`` acts as if a
    rejected true author cost 1 and an accepted other candidate cost ``t``. One misleading
    comparison of each kind is added to the data. The bounds are the thresholds nearest to 1 beyond
    which such decisions would cost more than decisions without any likelihood ratio.

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

    Notes
    -----
    The bounds are exact: between two neighbouring likelihood ratios the cost is a straight line in
    ``t``. The original method uses steps of 0.01 on the log10 scale. Comparisons of one text with
    several candidates are treated as independent, so with many candidates the bounds are wider
    than the number of texts supports.

    References
    ----------
    Vergeer, van Es, de Jongh, Alberink & Stoel (2016), Numerical likelihood ratios outputted by LR
    systems are often based on extrapolation. Science & Justice 56:482-491.

    See Also
    --------
    Bounds : Apply the bounds.

    Examples
    --------
    >>> bounds = elub_bounds([3.0] * 20, [-3.0] * 20)
    >>> round(bounds.lower, 2), round(bounds.upper, 2)
    (-3.0, 3.0)
    """
    targets, nontargets = check_targets_and_nontargets(target_llrs, nontarget_llrs)
    # By symmetry, the lower bound is the upper bound for the opposite proposition.
    return Bounds(lower=0.0 - _upper(-nontargets, -targets), upper=_upper(targets, nontargets))


def _upper(targets: Floats, nontargets: Floats) -> float:
    """Return the lowest log threshold, from 0, above which rejecting everything costs less.

    Rejecting everything costs 1. Accepting above ``t`` costs ``missed + t * accepted``, which is
    more than 1 from ``t = (1 - missed) / accepted``.
    """
    starts = np.unique(np.concatenate([[0.0], targets[targets > 0], nontargets[nontargets > 0]]))
    hits = (targets.size - np.searchsorted(np.sort(targets), starts, side="right")) / (
        targets.size + 1
    )
    accepted = (
        1 + nontargets.size - np.searchsorted(np.sort(nontargets), starts, side="right")
    ) / (nontargets.size + 1)
    with np.errstate(divide="ignore"):  # no target is above the last start
        crossings = np.maximum(starts, np.log(hits) - np.log(accepted))
    ends = np.append(starts[1:], np.inf)
    return float(crossings[crossings < ends].min())


def verbal_scale(log10_lr: float) -> str:
    """Return the verbal equivalent of a likelihood ratio, in the terms of ENFSI (2015).

    Parameters
    ----------
    log10_lr : float
        Decimal logarithm of the likelihood ratio.

    Returns
    -------
    str
        "no support for either side" for ratios between 1/2 and 2. A ratio below 1/2 supports the
        other candidates as strongly as its inverse would support the candidate.

    Examples
    --------
    >>> verbal_scale(1.2), verbal_scale(-3.5), verbal_scale(0.1)
    ('moderate support', 'strong support for the others', 'no support for either side')
    """
    size = abs(log10_lr)
    for least, strength in _STRENGTHS:
        if size >= least:
            return f"{strength} support" + ("" if log10_lr > 0 else " for the others")
    return NO_SUPPORT


def verbal_scale_steps() -> list[tuple[float, float, str]]:
    """Return all steps of the verbal scale for ratios of 1 and more, the weakest first.

    Returns
    -------
    list of (float, float, str)
        The lowest log10 likelihood ratio of each step, the one from which the next step begins
        (infinity for the last), and the term, as `verbal_scale` returns it.

    Examples
    --------
    >>> verbal_scale_steps()[2]
    (1.0, 2.0, 'moderate support')
    """
    starts = [0.0, *(least for least, _ in reversed(_STRENGTHS))]
    return [
        (low, high, verbal_scale(low))
        for low, high in zip(starts, [*starts[1:], math.inf], strict=True)
    ]


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
    def fit(
        cls,
        targets: ArrayLike,
        nontargets: ArrayLike,
        *,
        weights: tuple[Floats, Floats] | None = None,
    ) -> Self:
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
        weights : pair of (n_targets,) and (n_nontargets,) float64, optional
            What each score counts within its set; by default, all count equally.

        Raises
        ------
        TrainingError
            One of the sets is empty.
        UsageError
            A value is not finite.
        """
        from sklearn.linear_model import LogisticRegression

        own, others = check_targets_and_nontargets(targets, nontargets)
        shares = weights or (np.ones(own.size), np.ones(others.size))
        scores = np.concatenate([own, others])[:, np.newaxis]
        is_target = np.repeat([1, 0], [own.size, others.size])
        of_scores = np.concatenate([share / share.sum() for share in shares]) * len(scores) / 2
        line = LogisticRegression().fit(scores, is_target, sample_weight=of_scores)
        slope, intercept = float(line.coef_[0, 0]), float(line.intercept_[0])
        return cls(slope, intercept) if slope > 0 else cls(0.0, 0.0)

    def apply(self, scores: ArrayLike) -> Floats:
        """Return the natural log-likelihood ratios of scores, in their shape."""
        llrs: Floats = self.slope * np.asarray(scores, dtype=np.float64) + self.intercept
        return llrs
