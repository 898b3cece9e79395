"""Combine the probabilities of an order with those of the order below: interpolate or back off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from byline.array_types import Floats, Ids
from byline.lm.ngrams.counts import Level

Discounts = tuple[float, float, float]
Fallback = Callable[[Sequence[int]], Discounts]

FIXED_DISCOUNTS: Discounts = (0.5, 1.0, 1.5)
FIXED_DISCOUNT = 0.5
_SMALLEST_COEFFICIENT = 3e-6  # SRILM's Prob_Epsilon


def counts_of_counts(counts: Ids, largest: int = 4) -> list[int]:
    """Return n1, n2, ...: the number of n-grams that occur once, twice, up to ``largest`` times.

    Examples
    --------
    >>> counts_of_counts(np.array([1, 1, 2, 5], dtype=np.int32))
    [2, 1, 0, 0]
    """
    clipped = np.minimum(counts, largest + 1)
    n: list[int] = np.bincount(clipped, minlength=largest + 2)[1:-1].tolist()
    return n


def modified_discounts(n: Sequence[int]) -> Discounts | None:
    """Return D1, D2 and D3+ from the counts of counts (Chen & Goodman 1998, eq. 26).

    ``Y = n1 / (n1 + 2 n2)`` and ``D_k = k - (k + 1) Y n_(k+1) / n_k``. Whole numbers are used until
    the last division, so that a discount of zero is recognised.

    Returns
    -------
    tuple of three floats, or None
        None if one of n1, n2, n3 is zero or a discount is not positive. Without a positive
        discount, a context would leave no probability for unobserved words.

    Examples
    --------
    >>> modified_discounts([4, 2, 1, 1])  # Y = 4 / (4 + 2 * 2) = 1/2
    (0.5, 1.25, 1.0)
    """
    if not all(n[:3]):
        return None
    total = n[0] + 2 * n[1]
    numerators = [k * n[k - 1] * total - (k + 1) * n[0] * n[k] for k in (1, 2, 3)]
    if min(numerators) <= 0:
        return None
    d1, d2, d3 = (x / (n[k] * total) for k, x in enumerate(numerators))
    return d1, d2, d3


def kneser_ney_discount(n: Sequence[int]) -> float | None:
    """Return ``D = n1 / (n1 + 2 n2)`` (Chen & Goodman 1998, eq. 20); None if n1 or n2 is zero.

    Examples
    --------
    >>> kneser_ney_discount([6, 1])
    0.75
    """
    return n[0] / (n[0] + 2 * n[1]) if all(n[:2]) else None


def single_discount(n: Sequence[int]) -> Discounts:
    """Return the single discount of Kneser-Ney for all counts; fixed ones if n1 or n2 is zero.

    With the text of a single author, this is better than fixed discounts. Nearly all n-grams of a
    high order occur once. A fixed discount of 0.5 instead of 0.9 or more leaves too little
    probability for unobserved n-grams.
    """
    discount = kneser_ney_discount(n)
    return FIXED_DISCOUNTS if discount is None else (discount, discount, discount)


def fixed_discounts(n: Sequence[int]) -> Discounts:
    """Return 0.5, 1 and 1.5 for any counts, as lmplz does with ``--discount_fallback``."""
    return FIXED_DISCOUNTS


FALLBACKS: Mapping[str, Fallback] = {"one-discount": single_discount, "fixed": fixed_discounts}


def good_turing_coefficients(n: Sequence[int]) -> tuple[Floats, bool]:
    """Return the coefficients ``d_1 ... d_k`` of Katz (Chen & Goodman 1998, eq. 13).

    ``d_r = (r*/r - A) / (1 - A)`` with ``r* = (r + 1) n_(r+1) / n_r`` and
    ``A = (k + 1) n_(k+1) / n_1``. As in SRILM, k is decreased while ``n_(k+1)`` is zero. A
    coefficient outside of (0, 1] is replaced by 1, so that its count is not discounted.

    Parameters
    ----------
    n : sequence of int
        n1 to n_(k+1).

    Returns
    -------
    coefficients : (k + 1,) float64
        The coefficient of count 0, which is 1, then those of the counts 1 to k.
    complete : bool
        Whether all counts up to k are discounted.
    """
    coefficients = np.ones(len(n))
    k = max((k for k in range(1, len(n)) if n[0] and n[k]), default=0)
    if not k:
        return coefficients, len(n) == 1
    common = (k + 1) * n[k] / n[0]
    for r in range(1, k + 1):
        ratio = (r + 1) * n[r] / (r * n[r - 1]) if n[r - 1] else np.inf
        coefficient = (ratio - common) / (1 - common) if common != 1 else np.inf
        if ratio <= 1 and _SMALLEST_COEFFICIENT < coefficient <= 1:
            coefficients[r] = coefficient
    return coefficients, bool((coefficients[1:] < 1).all())


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
