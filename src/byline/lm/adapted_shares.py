"""From an author's counts to what each n-gram has of its own, and what is left to the prior."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from byline.errors import UsageError
from byline.lm.counts import Level
from byline.lm.parameters import all_of, is_within
from byline.lm.smoothing import Smoothed, Smoothing
from byline.lm.smoothing.combination import Discounted
from byline.lm.smoothing.discounts import Floats
from byline.lm.smoothing.methods import modified_kneser_ney, raw_counts

SMOOTHINGS = ("modified-kneser-ney", "dirichlet")
_KNESER_NEY = Smoothing(name="modified-kneser-ney", interpolate=True)


def own_shares(
    levels: Sequence[Level], smoothing: str, strengths: Floats, n_events: int
) -> Smoothed:
    """Discount counts and add each order's strength to the totals of its contexts.

    Parameters
    ----------
    levels : sequence of Level, one an order
    smoothing : {"modified-kneser-ney", "dirichlet"}
    strengths : (order,) float64
    n_events : int

    Returns
    -------
    Smoothed
        Its ``probs`` are ``max(c - D, 0) / (c(h) + strength)``, its ``backoffs`` what a context
        leaves to the prior: one where nothing follows it.
    """
    probs, backoffs, fallback_orders = [np.array([1.0 / n_events])], [], []
    for n, (level, strength) in enumerate(zip(levels, strengths, strict=True), start=1):
        discounted = _discounted(level, smoothing, n, n == len(levels), len(probs[-1]))
        if discounted.failed and len(level):
            fallback_orders.append(n)
        is_followed = discounted.totals > 0
        totals = np.where(is_followed, discounted.totals + strength, 1.0)
        kept = np.bincount(level.parents, discounted.kept, len(totals))
        shares = discounted.kept / totals[level.parents]
        # A discount may take all of a count; its logarithm is to be a number all the same.
        probs.append(np.maximum(shares, np.finfo(np.float64).tiny))
        backoffs.append((totals - kept) / totals)
    return Smoothed(probs, backoffs, tuple(fallback_orders))


def _discounted(level: Level, smoothing: str, n: int, highest: bool, n_contexts: int) -> Discounted:
    if smoothing == "modified-kneser-ney":
        return modified_kneser_ney(_KNESER_NEY, level, n, highest, n_contexts)
    counts = raw_counts(level, n).astype(np.float64)
    totals = np.bincount(level.parents, counts, n_contexts).astype(np.float64, copy=False)
    return Discounted(counts, totals)


def fallback_message(orders: Sequence[int]) -> str:
    """Say which orders' counts of counts allow no discounts, and what is done there."""
    return _KNESER_NEY.fallback_message(orders)


def one_an_order(name: str, value: Any, first: float, order: int, most: float) -> Floats:
    """Return one number an order: of a sequence, whose last goes on, or one for orders from 2.

    Parameters
    ----------
    name : str
        The parameter's, for the message.
    value : float or sequence of float
    first : float
        That of order 1 where ``value`` is one number.
    order : int
    most : float

    Returns
    -------
    (order,) float64

    Raises
    ------
    UsageError
        A value is no number from 0 to ``most``.
    """

    def fits(number: Any) -> bool:
        return is_within(number, 0, np.nextafter(most, np.inf)) and not isinstance(number, bool)

    if fits(value):
        value = (first, value)
    elif not all_of(value, fits):
        limit = f" to {most:g}" if np.isfinite(most) else ""
        raise UsageError(
            f"{name}={value!r}: it must be a number from 0{limit}, or one for each order from 1 "
            "on, of which the last goes on"
        )
    values = np.asarray(value, dtype=np.float64)
    return values[np.minimum(np.arange(order), len(values) - 1)]
