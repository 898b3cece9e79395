"""Likelihood ratios of candidates, and those of true authors apart from those of others."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp

from byline.array_types import Floats
from byline.errors import TrainingError, UsageError

Labels = NDArray[np.integer]


def likelihood_ratios(log_odds: ArrayLike) -> Floats:
    """Natural log-likelihood ratio of "this candidate" against "one of the others".

    The others count alike, so that for candidate ``a`` of ``k``, with log-odds ``s``, it is
    ``s[a] - log(mean(exp(s[b]) for b != a))``: what the odds of ``a`` have grown by, where every
    candidate was equally likely beforehand.

    Parameters
    ----------
    log_odds : (n_texts, n_authors) array
        Natural logarithms, up to a constant a text; two or more authors.

    Returns
    -------
    (n_texts, n_authors) float64
        Finite.

    Raises
    ------
    UsageError
        There are fewer than two columns, or a value is not finite.
    """
    scores = np.asarray(log_odds, dtype=np.float64)
    if scores.ndim != 2 or scores.shape[1] < 2:
        raise UsageError(
            f"log-odds of shape {scores.shape}: a row a text and two or more columns are needed"
        )
    if not np.isfinite(scores).all():
        raise UsageError("a log-odds is not a finite number, so neither would a ratio be")
    n_others = scores.shape[1] - 1
    if not len(scores):
        return scores
    rows, best = np.arange(len(scores)), scores.argmax(axis=1)
    total = logsumexp(scores, axis=1, keepdims=True)
    # All but one: exact where the one is no more than half of the total, which all but the best are
    share = np.minimum(np.exp(scores - total), 0.5)
    ratios = scores - total - np.log1p(-share)
    others = scores.copy()
    others[rows, best] = -np.inf
    ratios[rows, best] = scores[rows, best] - logsumexp(others, axis=1)
    finite: Floats = ratios + np.log(n_others)
    return finite


def target_and_nontarget_llrs(llrs: ArrayLike, labels: ArrayLike) -> tuple[Floats, Floats]:
    """Part the log-likelihood ratios of true authors from those of all other candidates.

    Parameters
    ----------
    llrs : (n_texts, n_authors) array
    labels : (n_texts,) int
        Column of each text's author.

    Returns
    -------
    targets : (n_texts,) float64
    nontargets : (n_texts * (n_authors - 1),) float64
        Those of one text depend on one another.
    """
    values = np.asarray(llrs, dtype=np.float64)
    own = np.arange(values.shape[1]) == np.asarray(labels)[:, np.newaxis]
    return values[own], values[~own]


def check_targets_and_nontargets(
    targets: ArrayLike, nontargets: ArrayLike
) -> tuple[Floats, Floats]:
    """Return both kinds as flat arrays.

    Raises
    ------
    TrainingError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = (np.ravel(np.asarray(v, dtype=np.float64)) for v in (targets, nontargets))
    for values, whose in ((own, "true authors"), (others, "other candidates")):
        if not values.size:
            raise TrainingError(f"no comparison with {whose}: held-out texts of known authors lack")
        if not np.isfinite(values).all():
            raise UsageError(f"a value of {whose} is not a finite number; bound it beforehand")
    return own, others


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and the highest log-likelihood ratio (nats) that is stated.

    Attributes
    ----------
    lower : float
        At most 0.
    upper : float
        At least 0.
    """

    lower: float
    upper: float

    def apply(self, llrs: ArrayLike) -> Floats:
        """Bring natural log-likelihood ratios within the bounds."""
        bounded: Floats = np.clip(np.asarray(llrs, dtype=np.float64), self.lower, self.upper)
        return bounded


def elub_bounds(target_llrs: ArrayLike, nontarget_llrs: ArrayLike) -> Bounds:
    """Empirical lower and upper bound of likelihood ratios (Vergeer et al. 2016).

    Who accepts "this candidate wrote it" where the likelihood ratio is above a threshold ``t``
    loses 1 by every true author turned down and ``t`` by every other one accepted, as decisions at
    prior odds of ``1 / t`` do. With one misleading comparison of each kind added, which the next
    one may be, the bounds are the thresholds nearest to 1 from where on that would lose more than
    deciding without any likelihood ratio. Computed exactly, where the paper takes steps of 0.01 on
    the log10 scale: losses are straight lines in ``t`` between one likelihood ratio and the next.

    Comparisons of one text with several candidates are taken as independent, so that bounds from
    many candidates are wider than as many texts would bear out.

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
    # By symmetry: the lower bound is the upper one of the opposite claim.
    return Bounds(lower=0.0 - _upper(-others, -own), upper=_upper(own, others))


def _upper(own: Floats, others: Floats) -> float:
    """Return the least log threshold from 0 on where turning everything down would lose less.

    Turning everything down loses 1; accepting above ``t`` loses ``missed + t * accepted``, which
    is more from ``t = (1 - missed) / accepted`` on.
    """
    starts = np.unique(np.concatenate([[0.0], own[own > 0], others[others > 0]]))
    hits = (own.size - np.searchsorted(np.sort(own), starts, side="right")) / (own.size + 1)
    accepted = (1 + others.size - np.searchsorted(np.sort(others), starts, side="right")) / (
        others.size + 1
    )
    with np.errstate(divide="ignore"):  # nothing is above the last start: it loses at once
        crossings = np.maximum(starts, np.log(hits) - np.log(accepted))
    ends = np.append(starts[1:], np.inf)
    return float(crossings[crossings < ends].min())


# ENFSI Guideline for Evaluative Reporting in Forensic Science (2015), table of verbal equivalents:
# from which likelihood ratio on (log10) a word fits. Below 2 the findings support neither side.
_STRENGTHS = (
    (6.0, "extremely strong"),
    (4.0, "very strong"),
    (3.0, "strong"),
    (2.0, "moderately strong"),
    (1.0, "moderate"),
    (math.log10(2), "weak"),
)
NO_SUPPORT = "no support for either side"


def verbal_scale(log10_lr: float) -> str:
    """Say how strongly a likelihood ratio supports a candidate, in the words of ENFSI (2015).

    Parameters
    ----------
    log10_lr : float
        Decimal logarithm of the likelihood ratio.

    Returns
    -------
    str
        Such as "moderate support", or "moderate support for the others" of ratios below 1, which
        support the opposite as their inverse would support the candidate; "no support for either
        side" between 1 / 2 and 2.
    """
    size = abs(log10_lr)
    for least, strength in _STRENGTHS:
        if size >= least:
            return f"{strength} support" + ("" if log10_lr > 0 else " for the others")
    return NO_SUPPORT
