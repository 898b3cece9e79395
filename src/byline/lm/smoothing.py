"""From counts to probabilities: interpolated modified Kneser-Ney (Chen & Goodman 1998).

A smoothing method turns the levels of ``counts.py`` into ``Smoothed``: a probability for every
n-gram and a back-off weight for every context. The empty context has one too, towards the uniform
distribution over the events, so that unigrams are smoothed as every other order is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byline.errors import UsageError
from byline.lm.counts import Ints, Level, counts_of_counts

Floats = NDArray[np.float64]
CountsOfCounts = tuple[int, int, int, int]
Discounts = tuple[float, float, float]
Fallback = Callable[[CountsOfCounts], Discounts]

FIXED_DISCOUNTS: Discounts = (0.5, 1.0, 1.5)


@dataclass(frozen=True, slots=True)
class Smoothed:
    """Probabilities and back-off weights, not logarithms.

    Attributes
    ----------
    probs : list of (n_ngrams,) float64
        One array an order, from the uniform distribution (order 0, one number) to the highest.
    backoffs : list of (n_ngrams,) float64
        The mass that a context leaves to the order below, from order 0 to the highest but one.
    fallback_orders : tuple of int
        Orders whose counts of counts allow no discounts of the method's own.
    """

    probs: list[Floats]
    backoffs: list[Floats]
    fallback_orders: tuple[int, ...]


def modified_kneser_ney(levels: Sequence[Level], n_events: int, fallback: Fallback) -> Smoothed:
    """Estimate by interpolated modified Kneser-Ney, as KenLM's lmplz does.

    Parameters
    ----------
    levels : sequence of Level
        Orders 1 to the highest.
    n_events : int
        Number of events that share the uniform distribution.
    fallback : callable
        Gives an order's discounts where its counts of counts allow none.

    Returns
    -------
    Smoothed
    """
    probs, backoffs = [np.array([1.0 / n_events])], []
    fallback_orders = []
    for n, level in enumerate(levels, start=1):
        counts = kneser_ney_counts(level, n, highest=n == len(levels))
        n_counts = counts_of_counts(counts)
        discounts = modified_discounts(n_counts)
        if discounts is None and len(level):
            fallback_orders.append(n)
        amounts = np.array([0.0, *(discounts or fallback(n_counts))])[np.minimum(counts, 3)]
        prob, backoff = interpolate(level, counts, amounts, probs[-1])
        probs.append(prob)
        backoffs.append(backoff)
    return Smoothed(probs, backoffs, tuple(fallback_orders))


def kneser_ney_counts(level: Level, n: int, *, highest: bool) -> Ints:
    """Return raw counts in the highest order, distinct left neighbours below it.

    N-grams that start with ``<s>`` have no left neighbour and keep their raw counts; ``<s>`` alone
    is never predicted and counts nothing.
    """
    counts = (level.counts if highest else level.continuations).copy()
    initial = slice(len(level) - level.n_initial, None)
    counts[initial] = level.counts[initial] if n > 1 else 0
    return counts


def modified_discounts(n: CountsOfCounts) -> Discounts | None:
    """Return D1, D2 and D3+ from the counts of counts (Chen & Goodman 1998, eq. 26).

    ``Y = n1 / (n1 + 2 n2)`` and ``D_k = k - (k + 1) Y n_(k+1) / n_k``, in whole numbers up to the
    last division, so that a discount of zero is seen as one.

    Returns
    -------
    tuple of three floats, or None
        None where one of n1, n2, n3 is zero or a discount is not above zero: a context whose
        n-grams are discounted by nothing would leave no probability to unseen words.
    """
    if not all(n[:3]):
        return None
    total = n[0] + 2 * n[1]
    numerators = [k * n[k - 1] * total - (k + 1) * n[0] * n[k] for k in (1, 2, 3)]
    if min(numerators) <= 0:
        return None
    d1, d2, d3 = (x / (n[k] * total) for k, x in enumerate(numerators))
    return d1, d2, d3


def one_discount(n: CountsOfCounts) -> Discounts:
    """Return Kneser-Ney's one discount ``n1 / (n1 + 2 n2)``; fixed ones without n1 or n2.

    Milder to a single author than fixed discounts: nearly all n-grams of a high order are seen
    once, and to take 0.5 from them where 0.9 and more is due leaves too little to the unseen.
    """
    if not all(n[:2]):
        return FIXED_DISCOUNTS
    discount = n[0] / (n[0] + 2 * n[1])
    return discount, discount, discount


def fixed_discounts(n: CountsOfCounts) -> Discounts:
    """Return 0.5, 1 and 1.5 whatever the counts, as lmplz does with ``--discount_fallback``."""
    return FIXED_DISCOUNTS


def interpolate(
    level: Level, counts: Ints, discounts: Floats, lower: Floats
) -> tuple[Floats, Floats]:
    """Give each context's discounted mass to the order below (Chen & Goodman 1998, eq. 23).

    Parameters
    ----------
    level : Level
    counts : (n_ngrams,) int32
    discounts : (n_ngrams,) float64
        What is taken from each count.
    lower : (n_ngrams of the order below,) float64
        Its probabilities.

    Returns
    -------
    probs : (n_ngrams,) float64
    backoffs : (n_ngrams of the order below,) float64
        One for a context that nothing follows.
    """
    totals = np.bincount(level.parents, weights=counts, minlength=len(lower))
    taken = np.bincount(level.parents, weights=discounts, minlength=len(lower))
    backoffs = np.divide(taken, totals, out=np.ones(len(lower)), where=totals > 0)
    probs = (counts - discounts) / totals[level.parents]
    probs += backoffs[level.parents] * lower[level.suffixes]
    return probs, backoffs


FALLBACKS: Mapping[str, Fallback] = {"one-discount": one_discount, "fixed": fixed_discounts}
SMOOTHINGS: Mapping[str, Callable[[Sequence[Level], int, Fallback], Smoothed]] = {
    "modified-kneser-ney": modified_kneser_ney,
}


def find_smoothing(
    name: str, *, interpolate: bool, fallback: str
) -> Callable[[Sequence[Level], int], Smoothed]:
    """Look a smoothing method up by its name, and its fallback by the fallback's.

    Raises
    ------
    UsageError
        The name is unknown, or the method is not defined as asked.
    """
    if name not in SMOOTHINGS:
        raise UsageError(f"smoothing {name!r} is unknown; choose one of: {', '.join(SMOOTHINGS)}")
    if not interpolate:
        raise UsageError(
            f"interpolate={interpolate!r}: smoothing {name!r} is interpolated; set interpolate=True"
        )
    if fallback not in FALLBACKS:
        raise UsageError(
            f"discount_fallback {fallback!r} is unknown; choose one of: {', '.join(FALLBACKS)}"
        )
    method, discounts = SMOOTHINGS[name], FALLBACKS[fallback]
    return lambda levels, n_events: method(levels, n_events, discounts)
