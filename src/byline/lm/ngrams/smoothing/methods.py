"""The smoothing methods, by their standard names.

Each method turns the counts of one order into `DiscountedCounts`. Below the highest order, the
Kneser-Ney methods count distinct left neighbours. The other methods count occurrences in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from byline.array_types import Floats, Ids
from byline.errors import UsageError
from byline.lm.ngrams.counts import Level
from byline.lm.ngrams.smoothing.combination import (
    FALLBACKS,
    FIXED_DISCOUNT,
    DiscountedCounts,
    back_off,
    counts_of_counts,
    good_turing_coefficients,
    interpolate,
    kneser_ney_discount,
    modified_discounts,
)

LARGEST_DISCOUNTED = 7  # k of Good-Turing


@dataclass(frozen=True, slots=True)
class SmoothedProbabilities:
    """Probabilities and back-off weights of all orders (not logarithms).

    Attributes
    ----------
    probs : list of (n_ngrams,) float64
        One array per order, from the uniform distribution (order 0, one number) to the highest.
    backoffs : list of (n_ngrams,) float64
        Back-off weights, by which the order below is multiplied: one array per order, from order 0
        to the second highest.
    fallback_orders : tuple of int
        Orders whose counts of counts do not determine the discounts of the method.

    See Also
    --------
    Smoothing : Computes these probabilities.

    Examples
    --------
    >>> uniform, unigrams = np.array([0.25]), np.array([0.5, 0.3, 0.1])
    >>> smoothed = SmoothedProbabilities([uniform, unigrams], [np.array([0.4])], ())
    >>> len(smoothed.probs) - 1  # the highest order
    1
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
        Whether the probabilities of observed n-grams are interpolated with the order below.
        Good-Turing requires False: it backs off.
    fallback : {"one-discount", "fixed"}
        Discounts of modified Kneser-Ney if the counts of counts do not determine them.
    discount : float, optional
        Constant of absolute discounting, between 0 and 1.

    Raises
    ------
    UsageError
        The name is unknown, or the method is not defined for these parameters.

    See Also
    --------
    byline.lm.NgramLM : The language model that uses the smoothed probabilities.

    Examples
    --------
    >>> from byline.lm.ngrams.counts import add_sentence_boundaries, count_ngrams
    >>> text = [np.array([1, 1, 2], dtype=np.int32)]
    >>> stream = add_sentence_boundaries(text, vocabulary_size=3, sentence_end=False)
    >>> unigrams = count_ngrams(stream, 1, 3, sentence_start=False)
    >>> smooth = Smoothing(name="absolute", interpolate=True, discount=0.5)
    >>> smooth(unigrams, n_events=3, min_counts=[1]).probs[1].round(3).tolist()
    [0.611, 0.278]
    """

    name: str
    interpolate: bool
    fallback: str = "one-discount"
    discount: float | None = None

    def __post_init__(self) -> None:
        """Reject undefined combinations."""
        if self.name not in SMOOTHINGS:
            names = ", ".join(SMOOTHINGS)
            raise UsageError(f"smoothing {self.name!r} is unknown; choose one of: {names}")
        if self.interpolate and self.name == "good-turing":
            raise UsageError(
                "interpolate=True: smoothing 'good-turing' is Katz back-off, which cannot be "
                "interpolated; set interpolate=False"
            )
        if self.fallback not in FALLBACKS:
            names = ", ".join(FALLBACKS)
            raise UsageError(f"discount_fallback {self.fallback!r} is unknown; choose: {names}")
        if self.discount is not None:
            self._check_discount(self.discount)

    def _check_discount(self, discount: float) -> None:
        if self.name != "absolute":
            raise UsageError(
                f"discount={discount!r}: smoothing {self.name!r} computes its own discounts; omit "
                "the parameter, or choose 'absolute'"
            )
        if isinstance(discount, bool) or not isinstance(discount, (int, float, np.number)):
            raise UsageError(f"discount={discount!r}: it must be a number between 0 and 1")
        if not 0 < discount < 1:
            raise UsageError(f"discount={discount!r}: it must be greater than 0 and less than 1")

    def __call__(
        self, levels: Sequence[Level], n_events: int, min_counts: Sequence[int]
    ) -> SmoothedProbabilities:
        """Smooth the counts of all orders.

        Parameters
        ----------
        levels : sequence of Level
        n_events : int
            Number of events of the uniform distribution.
        min_counts : sequence of int
            One per order. N-grams with fewer occurrences in the text are treated as unobserved.
            Their counts remain in the total of their context, so that their probability is given to
            the order below.
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

    def counts(self, level: Level, n: int, *, highest: bool) -> Ids:
        """Return the counts that the method smooths, (n_ngrams,) int32.

        Kneser-Ney smooths numbers of left neighbours below the highest order.
        """
        uses_neighbours = self.name in ("modified-kneser-ney", "kneser-ney")
        return kneser_ney_counts(level, n, highest=highest or not uses_neighbours)

    @property
    def is_subtractive(self) -> bool:
        """Whether the method subtracts amounts that depend on the counts of counts alone."""
        return self.name in ("modified-kneser-ney", "kneser-ney", "absolute")

    def amounts(self, n_counts: Sequence[int]) -> tuple[Floats, bool]:
        """Return what a subtractive method takes from counts of 0, 1, 2, and 3 or more.

        Parameters
        ----------
        n_counts : sequence of int
            The result of `counts_of_counts`.

        Returns
        -------
        amounts : (4,) float64
        failed : bool
            Whether the counts of counts do not determine the discounts of the method.
        """
        if self.name == "modified-kneser-ney":
            discounts = modified_discounts(n_counts)
            return np.array([0.0, *(discounts or FALLBACKS[self.fallback](n_counts))]), (
                discounts is None
            )
        discount = kneser_ney_discount(n_counts) if self.discount is None else self.discount
        return np.array([0.0, *[FIXED_DISCOUNT if discount is None else discount] * 3]), (
            discount is None
        )

    def describe_fallback(self, orders: Sequence[int]) -> str:
        """Describe for which orders the discounts are not determined, and what replaces them."""
        replacement = {
            "modified-kneser-ney": f"the discount_fallback {self.fallback!r} is used",
            "good-turing": "counts with a coefficient out of range are not discounted",
        }.get(self.name, f"the discount {FIXED_DISCOUNT} is used")
        return (
            f"The counts of counts of order{'s' if len(orders) > 1 else ''} "
            f"{', '.join(map(str, orders))} do not determine the {self.name} discounts, because "
            f"the text is short or repetitive; {replacement}."
        )


def modified_kneser_ney(
    smoothing: Smoothing, level: Level, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    """Use separate discounts for counts of 1, 2, and 3 or more (C & G 1998, eq. 23-26)."""
    return _subtract(smoothing, level, kneser_ney_counts(level, n, highest=highest), n_contexts)


def kneser_ney(
    smoothing: Smoothing, level: Level, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    """Use one discount per order for all counts (Kneser & Ney 1995; C & G 1998, eq. 21)."""
    return _subtract(smoothing, level, kneser_ney_counts(level, n, highest=highest), n_contexts)


def absolute(
    smoothing: Smoothing, level: Level, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    """Subtract one constant from all counts (Ney et al. 1994; C & G 1998, eq. 19)."""
    return _subtract(smoothing, level, raw_counts(level, n), n_contexts)


def witten_bell(
    smoothing: Smoothing, level: Level, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    """Add the number of distinct words to the total of a context (C & G 1998, eq. 16)."""
    counts = raw_counts(level, n)
    types = np.bincount(level.parents[counts > 0], minlength=n_contexts)
    totals = _totals(level, counts, n_contexts) + types
    return DiscountedCounts(counts.astype(np.float64), totals)


def good_turing(
    smoothing: Smoothing, level: Level, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    """Multiply counts up to k by the coefficients of Katz (Katz 1987; C & G 1998, eq. 13).

    Unigrams are not discounted. SRILM's default for them is k = 1. Then ``r*/r = A``, so that the
    coefficient is always zero, and SRILM replaces it by one.
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
    """Return raw counts in the highest order, and numbers of left neighbours below it.

    N-grams that start with ``<s>`` have no left neighbour and keep their raw counts. The unigram
    ``<s>`` is never predicted and has the count zero.
    """
    counts = (level.counts if highest else level.continuations).copy()
    initial = slice(len(level) - level.n_initial, None)
    counts[initial] = level.counts[initial] if n > 1 else 0
    return counts


def raw_counts(level: Level, n: int) -> Ids:
    """Return the numbers of occurrences in the text; the unigram ``<s>`` has the count zero."""
    return kneser_ney_counts(level, n, highest=True)


def _totals(level: Level, counts: Ids, n_contexts: int) -> Floats:
    return np.bincount(level.parents, counts, n_contexts).astype(np.float64, copy=False)


def _subtract(smoothing: Smoothing, level: Level, counts: Ids, n_contexts: int) -> DiscountedCounts:
    amounts, failed = smoothing.amounts(counts_of_counts(counts))
    totals = _totals(level, counts, n_contexts)
    kept = counts - amounts[np.minimum(counts, len(amounts) - 1)]
    return DiscountedCounts(kept, totals, failed)
