"""From a text to a tree of n-grams: counted, smoothed, the rare ones left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Ids
from byline.errors import TrainingError, UsageError
from byline.lm.base import UNK
from byline.lm.inputs import is_whole
from byline.lm.ngrams.counts import Level, count_ngrams, select_ngrams, without_event
from byline.lm.ngrams.smoothing import SmoothedProbabilities, Smoothing
from byline.lm.ngrams.tree import NgramTree

MinCounts = Mapping[int, int] | Sequence[int]


def count(
    stream: Ids,
    order: int,
    vocabulary_size: int,
    *,
    sentence_start: bool,
    open_vocabulary: bool,
) -> list[Level]:
    """Count n-grams; in a closed vocabulary ``<unk>`` is no event and counts nothing.

    N-grams with ``<unk>`` in their context are counted all the same: as in SRILM they tell how
    often counts occur. ``estimate`` leaves them out at the end.

    Raises
    ------
    TrainingError
        The vocabulary is closed and the text has no event.
    """
    levels = count_ngrams(stream, order, vocabulary_size, sentence_start=sentence_start)
    if open_vocabulary:
        return levels
    levels = [without_event(level, UNK) for level in levels]
    if not _n_events_seen(levels[0]):
        raise TrainingError(
            "every token is <unk>, which a closed vocabulary leaves out; add text, or set "
            "open_vocabulary=True"
        )
    return levels


def estimate(
    levels: Sequence[Level],
    smoothing: Smoothing,
    min_counts: Sequence[int],
    *,
    vocabulary_size: int,
    n_events: int | None,
) -> tuple[NgramTree, tuple[int, ...]]:
    """Smooth counts and leave out what is below its order's minimum.

    Parameters
    ----------
    levels : sequence of Level
    smoothing : Smoothing
    min_counts : sequence of int, one an order
    vocabulary_size : int
    n_events : int or None
        Events of an open vocabulary; None for a closed one, whose events are those of the text.

    Returns
    -------
    tree : NgramTree
    fallback_orders : tuple of int
        Orders whose counts of counts allowed no discounts.
    """
    smoothed = smoothing(levels, n_events or _n_events_seen(levels[0]), min_counts)
    if n_events is None:
        smoothed.backoffs[0][:] = 0
    if n_events is None or max(min_counts) > 1:
        levels, smoothed = _without_rare(levels, smoothed, min_counts)
    tree = NgramTree.from_levels(levels, smoothed, vocabulary_size)
    return tree, smoothed.fallback_orders


def resolve_min_counts(given: MinCounts | None, order: int) -> list[int]:
    """Return one minimum count an order; one not given is that of the order below.

    Raises
    ------
    UsageError
        They are no whole numbers, 1 or more, or they fall from one order to the next.
    """
    by_order = given if isinstance(given, Mapping) else dict(enumerate(given or (), start=1))
    if not all(is_whole(number, 1) for pair in by_order.items() for number in pair):
        raise UsageError(
            f"min_counts={given!r}: orders and counts must be whole numbers, 1 or more"
        )
    counts = [1]
    for n in range(1, order + 1):
        counts.append(int(by_order.get(n, counts[-1])))
    if counts != sorted(counts):
        raise UsageError(
            f"min_counts={given!r}: they must not fall from one order to the next, or n-grams "
            f"would lack their own beginnings"
        )
    return counts[1:]


def _n_events_seen(unigrams: Level) -> int:
    return int(np.count_nonzero(unigrams.counts)) - unigrams.n_initial


def _without_rare(
    levels: Sequence[Level], smoothed: SmoothedProbabilities, min_counts: Sequence[int]
) -> tuple[list[Level], SmoothedProbabilities]:
    """Leave out n-grams below the minimum, and those with a word that is no event.

    Unigrams of events stay: below the minimum they have the probability of unseen words.
    """
    keep, kept = [], np.ones(1, dtype=np.bool_)
    for level, min_count in zip(levels, [1, *min_counts[1:]], strict=True):
        kept = (level.counts >= min_count) & kept[level.parents]
        keep.append(kept)
    probs = [smoothed.probs[0], *_select(smoothed.probs[1:], keep)]
    backoffs = [smoothed.backoffs[0], *_select(smoothed.backoffs[1:], keep[:-1])]
    return select_ngrams(levels, keep), SmoothedProbabilities(
        probs, backoffs, smoothed.fallback_orders
    )


def _select(
    arrays: Sequence[NDArray[np.float64]], keep: Sequence[NDArray[np.bool_]]
) -> list[NDArray[np.float64]]:
    return [array[kept] for array, kept in zip(arrays, keep, strict=True)]
