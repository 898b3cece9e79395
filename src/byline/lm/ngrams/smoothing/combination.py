"""How an order's probabilities and those of the order below become one distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from byline.array_types import Floats
from byline.lm.ngrams.counts import Level

_NO_MASS = 3e-6  # SRILM's Prob_Epsilon


@dataclass(frozen=True, slots=True)
class DiscountedCounts:
    """An order's counts after discounting.

    Attributes
    ----------
    kept : (n_ngrams,) float64
        What is left of each count; zero for an n-gram that is to be treated as unseen.
    totals : (n_ngrams of the order below,) float64
        What a context's counts are divided by; zero for a context that nothing follows.
    failed : bool
        Whether the counts of counts allowed no discounts of the method's own.
    """

    kept: Floats
    totals: Floats
    failed: bool = False


def interpolate(
    level: Level, discounted: DiscountedCounts, lower: Floats, n_events: int
) -> tuple[Floats, Floats]:
    """Add the order below, weighted with the discounted mass (Chen & Goodman 1998, eq. 12).

    Parameters
    ----------
    level : Level
    discounted : Discounted
    lower : (n_ngrams of the order below,) float64
        Its probabilities.
    n_events : int
        Not used: every event gets its share, seen or not.

    Returns
    -------
    probs : (n_ngrams,) float64
    backoffs : (n_ngrams of the order below,) float64
        One for a context that nothing follows.
    """
    probs, backoffs = _explicit(level, discounted.kept, discounted.totals)
    probs += backoffs[level.parents] * lower[level.suffixes]
    return probs, backoffs


def back_off(
    level: Level, discounted: DiscountedCounts, lower: Floats, n_events: int
) -> tuple[Floats, Floats]:
    """Give the discounted mass to the unseen events alone (Chen & Goodman 1998, eq. 14).

    A context without an unseen event has nobody else to give it to: it is interpolated. (For
    unigrams that is what SRILM does; further up it scales the probabilities to sum to one.) A
    context that discounting leaves no mass though it has unseen events is divided by its total plus
    one, which is SRILM's remedy.

    Parameters
    ----------
    level : Level
    discounted : Discounted
    lower : (n_ngrams of the order below,) float64
        Its probabilities.
    n_events : int
        Events after any context, seen or not.

    Returns
    -------
    probs : (n_ngrams,) float64
    backoffs : (n_ngrams of the order below,) float64
        One for a context that nothing follows, or every event.
    """
    parents, is_seen = level.parents, discounted.kept > 0
    n_unseen = n_events - np.bincount(parents[is_seen], minlength=len(lower))
    probs, mass = _explicit(level, discounted.kept, discounted.totals)
    if (exhausted := (mass < _NO_MASS) & (n_unseen > 0)).any():
        probs, mass = _explicit(level, discounted.kept, discounted.totals + exhausted)
    lower_probs = lower[level.suffixes]
    unseen = 1 - np.bincount(parents[is_seen], lower_probs[is_seen], minlength=len(lower))
    unseen = np.maximum(unseen, np.finfo(np.float64).eps)
    weights = np.where(n_unseen > 0, mass / unseen, mass)
    shares = ~is_seen | (n_unseen == 0)[parents]
    probs[shares] += (weights[parents] * lower_probs)[shares]
    return probs, np.where(n_unseen > 0, weights, 1.0)


def _explicit(level: Level, kept: Floats, totals: Floats) -> tuple[Floats, Floats]:
    """Divide what is kept by the totals; a context leaves the rest, or all if nothing follows."""
    totals = np.where(totals > 0, totals, 1.0)
    rest = totals - np.bincount(level.parents, weights=kept, minlength=len(totals))
    return kept / totals[level.parents], rest / totals
