"""The two parts of an adapted n-gram probability: background scores, and discounted counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Any, Self

import numpy as np

from byline.array_types import Booleans, Floats, Ids, Integers
from byline.errors import UsageError
from byline.lm.base import Sentence
from byline.lm.inputs import all_of, is_within
from byline.lm.ngrams.counts import NOT_FOUND, Level, add_sentence_boundaries
from byline.lm.ngrams.model import NgramLM
from byline.lm.ngrams.smoothing import SmoothedProbabilities, Smoothing
from byline.lm.ngrams.smoothing.combination import DiscountedCounts
from byline.lm.ngrams.smoothing.methods import modified_kneser_ney, raw_counts
from byline.lm.ngrams.tree import ROOT

ADAPTED_SMOOTHINGS = ("modified-kneser-ney", "dirichlet")
KNESER_NEY = Smoothing(name="modified-kneser-ney", interpolate=True)
Matches = tuple[Integers, Integers, Integers]  # positions, nodes of contexts, nodes of n-grams
_NO_MATCHES = (np.empty(0, dtype=np.int64),) * 3


@dataclass(frozen=True, slots=True)
class BackgroundScores:
    """The probabilities that each order of a background model gives the tokens of a text.

    Attributes
    ----------
    stream : (n_positions,) int32
        The text with sentence boundaries; see `add_sentence_boundaries`.
    is_event : (n_positions,) bool
        False for ``<s>``.
    probs : (order, n_positions) float64
        Probability of the token after its last 0, 1, ... ``order - 1`` words. The model backs off
        if it did not observe these words. The values at ``<s>`` are meaningless.
    is_known : (order, n_positions) bool
        Whether the background model observed these words.
    """

    stream: Ids
    is_event: Booleans
    probs: Floats
    is_known: Booleans

    @classmethod
    def from_model(cls, background: NgramLM, sentences: Sequence[Sentence], order: int) -> Self:
        """Score sentences with orders 1 to ``order`` of a background model.

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
        found = tree.ngrams_ending_at_each(
            stream, min(order, background.order), sentence_start=background.sentence_start
        )
        for n, (positions, contexts, nodes) in enumerate(padded_to_order(found, order)):
            backed_off = log_probs[positions] + tree.backoffs[contexts]
            log_probs[positions] = np.where(nodes != NOT_FOUND, tree.log_probs[nodes], backed_off)
            probs[n] = np.exp(log_probs)
            is_known[n, positions] = True
        return cls(stream, is_event, probs, is_known)


def padded_to_order(found: Iterable[Matches], order: int) -> Iterator[Matches]:
    """Yield the matches of each order up to ``order``; empty ones after the last that was found."""
    return islice(chain(found, repeat(_NO_MATCHES)), order)


def discounted_shares(
    levels: Sequence[Level], smoothing: str, strengths: Floats, n_events: int
) -> SmoothedProbabilities:
    """Discount the counts, and add the strength of each order to the totals of its contexts.

    Parameters
    ----------
    levels : sequence of Level
        One per order.
    smoothing : {"modified-kneser-ney", "dirichlet"}
    strengths : (order,) float64
    n_events : int

    Returns
    -------
    SmoothedProbabilities
        Its ``probs`` are ``max(c - D, 0) / (c(h) + strength)``. Its ``backoffs`` are the
        probability that a context leaves to the prior, which is one if nothing follows the context.
    """
    probs, backoffs, fallback_orders = [np.array([1.0 / n_events])], [], []
    for n, (level, strength) in enumerate(zip(levels, strengths, strict=True), start=1):
        discounted = _discount(level, smoothing, n, n == len(levels), len(probs[-1]))
        if discounted.failed and len(level):
            fallback_orders.append(n)
        is_followed = discounted.totals > 0
        totals = np.where(is_followed, discounted.totals + strength, 1.0)
        kept = np.bincount(level.parents, discounted.kept, len(totals))
        shares = discounted.kept / totals[level.parents]
        # A discount may be equal to the count, but the logarithm must be a finite number.
        probs.append(np.maximum(shares, np.finfo(np.float64).tiny))
        backoffs.append((totals - kept) / totals)
    return SmoothedProbabilities(probs, backoffs, tuple(fallback_orders))


def _discount(
    level: Level, smoothing: str, n: int, highest: bool, n_contexts: int
) -> DiscountedCounts:
    if smoothing == "modified-kneser-ney":
        return modified_kneser_ney(KNESER_NEY, level, n, highest, n_contexts)
    counts = raw_counts(level, n).astype(np.float64)
    totals = np.bincount(level.parents, counts, n_contexts).astype(np.float64, copy=False)
    return DiscountedCounts(counts, totals)


def values_per_order(name: str, value: Any, first: float, order: int, largest: float) -> Floats:
    """Return one number per order from a parameter that is a number or a sequence.

    Parameters
    ----------
    name : str
        Name of the parameter, for error messages.
    value : float or sequence of float
        A number is used for all orders from 2. The last number of a sequence is used for all
        further orders.
    first : float
        Value of order 1 if ``value`` is a number.
    order : int
    largest : float
        Upper limit of the values.

    Returns
    -------
    (order,) float64

    Raises
    ------
    UsageError
        A value is not a number from 0 to ``largest``.

    Examples
    --------
    >>> values_per_order("strength", 2.5, first=0.0, order=3, largest=np.inf).tolist()
    [0.0, 2.5, 2.5]
    >>> values_per_order("strength", (1, 2), first=0.0, order=4, largest=np.inf).tolist()
    [1.0, 2.0, 2.0, 2.0]
    """

    def is_valid(number: Any) -> bool:
        return is_within(number, 0, np.nextafter(largest, np.inf)) and not isinstance(number, bool)

    if is_valid(value):
        value = (first, value)
    elif not all_of(value, is_valid):
        limit = f" to {largest:g}" if np.isfinite(largest) else ""
        raise UsageError(
            f"{name}={value!r}: it must be a number from 0{limit}, or a sequence of such numbers, "
            "one per order; the last one is used for all further orders"
        )
    values = np.asarray(value, dtype=np.float64)
    return values[np.minimum(np.arange(order), len(values) - 1)]
