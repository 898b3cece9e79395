"""From an author's counts to what each n-gram has of its own, and what is left to the prior."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Ids
from byline.errors import UsageError
from byline.lm.base import Sentence
from byline.lm.inputs import all_of, is_within
from byline.lm.ngrams.counts import NOT_FOUND, Indices, Level, add_sentence_boundaries
from byline.lm.ngrams.model import NgramLM
from byline.lm.ngrams.smoothing import SmoothedProbabilities, Smoothing
from byline.lm.ngrams.smoothing.combination import DiscountedCounts
from byline.lm.ngrams.smoothing.methods import modified_kneser_ney, raw_counts
from byline.lm.ngrams.tree import ROOT

Found = tuple[Indices, Indices, Indices]  # positions, their contexts' nodes, their own nodes
_NOTHING = (np.empty(0, dtype=np.int64),) * 3


@dataclass(frozen=True, slots=True)
class BackgroundScores:
    """A text under every order of a background model.

    Attributes
    ----------
    stream : (n_positions,) int32
        The text as ``add_sentence_boundaries`` returns it.
    is_event : (n_positions,) bool
        Whether anything but ``<s>`` stands there.
    probs : (order, n_positions) float64
        Probability of the token after its last 0, 1, ... ``order - 1`` words; backed off where the
        background has not seen these. Of no meaning at ``<s>``.
    is_known : (order, n_positions) bool
        Whether the background has seen these words.
    """

    stream: Ids
    is_event: NDArray[np.bool_]
    probs: Floats
    is_known: NDArray[np.bool_]

    @classmethod
    def of(cls, background: NgramLM, sentences: Sequence[Sentence], order: int) -> Self:
        """Score sentences under orders 1 to ``order``.

        Raises
        ------
        UsageError
            A token id is outside the vocabulary.
        """
        tree = background.tree_
        stream = add_sentence_boundaries(
            sentences, tree.vocabulary_size, sentence_end=background.sentence_end
        )
        is_event = stream != tree.start
        log_probs = np.full(len(stream), tree.log_probs[ROOT])
        probs = np.empty((order, len(stream)))
        is_known = np.zeros((order, len(stream)), dtype=np.bool_)
        walk = tree.ngrams_ending_at_each(
            stream, min(order, background.order), sentence_start=background.sentence_start
        )
        for n, (positions, contexts, nodes) in enumerate(by_order(walk, order)):
            backed_off = log_probs[positions] + tree.backoffs[contexts]
            log_probs[positions] = np.where(nodes != NOT_FOUND, tree.log_probs[nodes], backed_off)
            probs[n] = np.exp(log_probs)
            is_known[n, positions] = True
        return cls(stream, is_event, probs, is_known)


def by_order(found: Iterable[Found], order: int) -> Iterator[Found]:
    """Yield what was found of each order up to ``order``, and nothing for orders after the last."""
    return islice(chain(found, repeat(_NOTHING)), order)


SMOOTHINGS = ("modified-kneser-ney", "dirichlet")
_KNESER_NEY = Smoothing(name="modified-kneser-ney", interpolate=True)


def discounted_shares(
    levels: Sequence[Level], smoothing: str, strengths: Floats, n_events: int
) -> SmoothedProbabilities:
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
    return SmoothedProbabilities(probs, backoffs, tuple(fallback_orders))


def _discounted(
    level: Level, smoothing: str, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    if smoothing == "modified-kneser-ney":
        return modified_kneser_ney(_KNESER_NEY, level, n, highest, n_contexts)
    counts = raw_counts(level, n).astype(np.float64)
    totals = np.bincount(level.parents, counts, n_contexts).astype(np.float64, copy=False)
    return DiscountedCounts(counts, totals)


def describe_fallback(orders: Sequence[int]) -> str:
    """Say which orders' counts of counts allow no discounts, and what is done there."""
    return _KNESER_NEY.describe_fallback(orders)


def values_per_order(name: str, value: Any, first: float, order: int, most: float) -> Floats:
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
