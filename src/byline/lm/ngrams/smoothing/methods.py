"""The smoothing methods by their standard names.

Each takes an order's counts and leaves ``Discounted`` ones. The Kneser-Ney methods count distinct
left neighbours below the highest order, the others how often an n-gram stands in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from byline.array_types import Floats, Ids
from byline.errors import UsageError
from byline.lm.ngrams.counts import Level
from byline.lm.ngrams.smoothing.combination import DiscountedCounts, back_off, interpolate
from byline.lm.ngrams.smoothing.discounts import (
    FALLBACKS,
    FIXED_DISCOUNT,
    counts_of_counts,
    good_turing_coefficients,
    modified_discounts,
    one_discount,
)

LARGEST_DISCOUNTED = 7  # Good-Turing's k


@dataclass(frozen=True, slots=True)
class SmoothedProbabilities:
    """Probabilities and back-off weights, not logarithms.

    Attributes
    ----------
    probs : list of (n_ngrams,) float64
        One array an order, from the uniform distribution (order 0, one number) to the highest.
    backoffs : list of (n_ngrams,) float64
        What the order below is multiplied by, from order 0 to the highest but one.
    fallback_orders : tuple of int
        Orders whose counts of counts allow no discounts of the method's own.
    """

    probs: list[Floats]
    backoffs: list[Floats]
    fallback_orders: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Smoothing:
    """A smoothing method with its parameters.

    Parameters
    ----------
    name : {"modified-kneser-ney", "kneser-ney", "absolute", "witten-bell", "good-turing"}
    interpolate : bool
        Whether the order below adds to seen n-grams, too; Good-Turing only backs off.
    fallback : {"one-discount", "fixed"}
        Modified Kneser-Ney's discounts where the counts of counts allow none.
    discount : float, optional
        The constant of absolute discounting, between 0 and 1.

    Raises
    ------
    UsageError
        The name is unknown, or the method is not defined as asked.
    """

    name: str
    interpolate: bool
    fallback: str = "one-discount"
    discount: float | None = None

    def __post_init__(self) -> None:
        """Refuse what is not defined."""
        if self.name not in SMOOTHINGS:
            names = ", ".join(SMOOTHINGS)
            raise UsageError(f"smoothing {self.name!r} is unknown; choose one of: {names}")
        if self.interpolate and self.name == "good-turing":
            raise UsageError(
                "interpolate=True: smoothing 'good-turing' is Katz's back-off and defined no other "
                "way; set interpolate=False"
            )
        if self.fallback not in FALLBACKS:
            names = ", ".join(FALLBACKS)
            raise UsageError(f"discount_fallback {self.fallback!r} is unknown; choose: {names}")
        if self.discount is not None:
            self._check_discount(self.discount)

    def _check_discount(self, discount: float) -> None:
        if self.name != "absolute":
            raise UsageError(
                f"discount={discount!r}: smoothing {self.name!r} has discounts of its own; leave "
                f"it out, or choose 'absolute'"
            )
        if isinstance(discount, bool) or not isinstance(discount, (int, float, np.number)):
            raise UsageError(f"discount={discount!r}: it must be a number between 0 and 1")
        if not 0 < discount < 1:
            raise UsageError(f"discount={discount!r}: it must lie between 0 and 1")

    def __call__(
        self, levels: Sequence[Level], n_events: int, min_counts: Sequence[int]
    ) -> SmoothedProbabilities:
        """Smooth orders 1 to the highest.

        Parameters
        ----------
        levels : sequence of Level
        n_events : int
            Number of events that share the uniform distribution.
        min_counts : sequence of int, one an order
            An n-gram that stands in the text less often is treated as unseen; its count stays in
            the total of its context, and so goes to the order below.
        """
        combine = interpolate if self.interpolate else back_off
        probs, backoffs, fallback_orders = [np.array([1.0 / n_events])], [], []
        for n, (level, min_count) in enumerate(zip(levels, min_counts, strict=True), start=1):
            discounted = SMOOTHINGS[self.name](self, level, n, n == len(levels), len(probs[-1]))
            if min_count > 1:
                discounted.kept[level.counts < min_count] = 0
            if discounted.failed and len(level):
                fallback_orders.append(n)
            prob, backoff = combine(level, discounted, probs[-1], n_events)
            probs.append(prob)
            backoffs.append(backoff)
        return SmoothedProbabilities(probs, backoffs, tuple(fallback_orders))

    def describe_fallback(self, orders: Sequence[int]) -> str:
        """Say which orders' counts of counts allow no discounts, and what is done there."""
        instead = {
            "modified-kneser-ney": f"the fallback {self.fallback!r} gives them",
            "good-turing": "counts whose coefficient is out of range are left whole",
        }.get(self.name, f"the discount is {FIXED_DISCOUNT} there")
        return (
            f"the counts of counts of order{'s' if len(orders) > 1 else ''} "
            f"{', '.join(map(str, orders))} allow no {self.name} discounts, as the text is short "
            f"or repetitive; {instead}"
        )


def modified_kneser_ney(
    smoothing: Smoothing, level: Level, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    """Take one discount from counts of one, one of two, one of more (C & G 1998, eq. 23-26)."""
    counts = kneser_ney_counts(level, n, highest=highest)
    n_counts = counts_of_counts(counts)
    discounts = modified_discounts(n_counts)
    failed = discounts is None
    amounts = np.array([0.0, *(discounts or FALLBACKS[smoothing.fallback](n_counts))])
    return _subtract(level, counts, amounts, n_contexts, failed=failed)


def kneser_ney(
    smoothing: Smoothing, level: Level, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    """Take one discount an order from every count (Kneser & Ney 1995; C & G 1998, eq. 21)."""
    return _one_discount(level, kneser_ney_counts(level, n, highest=highest), n_contexts)


def absolute(
    smoothing: Smoothing, level: Level, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    """Take one constant from every count (Ney et al. 1994; C & G 1998, eq. 19)."""
    return _one_discount(level, raw_counts(level, n), n_contexts, smoothing.discount)


def witten_bell(
    smoothing: Smoothing, level: Level, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    """Add to a context's total its number of distinct words (C & G 1998, eq. 16)."""
    counts = raw_counts(level, n)
    types = np.bincount(level.parents[counts > 0], minlength=n_contexts)
    totals = _totals(level, counts, n_contexts) + types
    return DiscountedCounts(counts.astype(np.float64), totals)


def good_turing(
    smoothing: Smoothing, level: Level, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    """Multiply counts up to k by Katz's coefficients (Katz 1987; C & G 1998, eq. 13).

    Unigrams are not discounted: SRILM's default for them is k = 1, where ``r*/r = A`` and the
    coefficient always comes out zero, which SRILM replaces by one.
    """
    counts = raw_counts(level, n)
    largest = LARGEST_DISCOUNTED if n > 1 else 0
    coefficients, complete = good_turing_coefficients(counts_of_counts(counts, largest + 1))
    kept: Floats = np.array([*coefficients, 1.0])[np.minimum(counts, largest + 1)] * counts
    totals = _totals(level, counts, n_contexts)
    return DiscountedCounts(kept, totals, failed=not complete)


SMOOTHINGS: Mapping[str, Callable[[Smoothing, Level, int, bool, int], DiscountedCounts]] = {
    "modified-kneser-ney": modified_kneser_ney,
    "kneser-ney": kneser_ney,
    "absolute": absolute,
    "witten-bell": witten_bell,
    "good-turing": good_turing,
}


def kneser_ney_counts(level: Level, n: int, *, highest: bool) -> Ids:
    """Return raw counts in the highest order, distinct left neighbours below it.

    N-grams that start with ``<s>`` have no left neighbour and keep their raw counts; ``<s>`` alone
    is never predicted and counts nothing.
    """
    counts = (level.counts if highest else level.continuations).copy()
    initial = slice(len(level) - level.n_initial, None)
    counts[initial] = level.counts[initial] if n > 1 else 0
    return counts


def raw_counts(level: Level, n: int) -> Ids:
    """Return how often n-grams stand in the text; ``<s>`` alone counts nothing."""
    return kneser_ney_counts(level, n, highest=True)


def _totals(level: Level, counts: Ids, n_contexts: int) -> Floats:
    return np.bincount(level.parents, counts, n_contexts).astype(np.float64, copy=False)


def _one_discount(
    level: Level, counts: Ids, n_contexts: int, discount: float | None = None
) -> DiscountedCounts:
    if discount is None:
        discount = one_discount(counts_of_counts(counts))
    amounts = np.array([0.0, *[FIXED_DISCOUNT if discount is None else discount] * 3])
    return _subtract(level, counts, amounts, n_contexts, failed=discount is None)


def _subtract(
    level: Level, counts: Ids, amounts: Floats, n_contexts: int, *, failed: bool
) -> DiscountedCounts:
    """Take ``amounts`` from counts of zero, one, two, and three or more."""
    totals = _totals(level, counts, n_contexts)
    kept = counts - amounts[np.minimum(counts, len(amounts) - 1)]
    return DiscountedCounts(kept, totals, failed)
