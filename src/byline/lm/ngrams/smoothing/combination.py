"""Combine the probabilities of an order with those of the order below: interpolate or back off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from byline.array_types import Floats
from byline.lm.ngrams.counts import Level

_NO_MASS = 3e-6  # SRILM's Prob_Epsilon


@dataclass(frozen=True, slots=True)
class DiscountedCounts:
    """The counts of one order after discounting.

    Attributes
    ----------
    kept : (n_ngrams,) float64
        The remainder of each count; zero for an n-gram that is treated as unobserved.
    totals : (n_ngrams of the order below,) float64
        Denominator of the probabilities after each context; zero if nothing follows the context.
    failed : bool
        Whether the counts of counts did not determine the discounts of the method.
    """

    kept: Floats
    totals: Floats
    failed: bool = False


def interpolate(
    level: Level, discounted: DiscountedCounts, lower: Floats, n_events: int
) -> tuple[Floats, Floats]:
    """Add the order below, weighted by the discounted probability (Chen & Goodman 1998, eq. 12).

    Parameters
    ----------
    level : Level
    discounted : Discounted
    lower : (n_ngrams of the order below,) float64
        Probabilities of the order below.
    n_events : int
        Not used, because all events receive probability, observed or not.

    Returns
    -------
    probs : (n_ngrams,) float64
    backoffs : (n_ngrams of the order below,) float64
        One for a context that nothing follows.
    """
    probs, backoffs = _normalize(level, discounted.kept, discounted.totals)
    probs += backoffs[level.parents] * lower[level.suffixes]
    return probs, backoffs


def back_off(
    level: Level, discounted: DiscountedCounts, lower: Floats, n_events: int
) -> tuple[Floats, Floats]:
    """Give the discounted probability to unobserved events only (Chen & Goodman 1998, eq. 14).

    If all events were observed after a context, the context is interpolated, because there is no
    unobserved event to give probability to. (SRILM does the same for unigrams. In higher orders it
    scales the probabilities so that they sum to one.) If discounting leaves no probability although
    a context has unobserved events, its counts are divided by their total plus one, as in SRILM.

    Parameters
    ----------
    level : Level
    discounted : Discounted
    lower : (n_ngrams of the order below,) float64
        Probabilities of the order below.
    n_events : int
        Number of possible events after any context.

    Returns
    -------
    probs : (n_ngrams,) float64
    backoffs : (n_ngrams of the order below,) float64
        One for a context that is followed by nothing, or by all events.
    """
    parents, is_observed = level.parents, discounted.kept > 0
    n_unobserved = n_events - np.bincount(parents[is_observed], minlength=len(lower))
    probs, mass = _normalize(level, discounted.kept, discounted.totals)
    if (exhausted := (mass < _NO_MASS) & (n_unobserved > 0)).any():
        probs, mass = _normalize(level, discounted.kept, discounted.totals + exhausted)
    lower_probs = lower[level.suffixes]
    lower_rest = 1 - np.bincount(
        parents[is_observed], lower_probs[is_observed], minlength=len(lower)
    )
    lower_rest = np.maximum(lower_rest, np.finfo(np.float64).eps)
    weights = np.where(n_unobserved > 0, mass / lower_rest, mass)
    uses_lower = ~is_observed | (n_unobserved == 0)[parents]
    probs[uses_lower] += (weights[parents] * lower_probs)[uses_lower]
    return probs, np.where(n_unobserved > 0, weights, 1.0)


def _normalize(level: Level, kept: Floats, totals: Floats) -> tuple[Floats, Floats]:
    """Divide the kept counts by the totals; also return the rest of each context.

    The rest is one if nothing follows the context.
    """
    totals = np.where(totals > 0, totals, 1.0)
    rest = totals - np.bincount(level.parents, weights=kept, minlength=len(totals))
    return kept / totals[level.parents], rest / totals
