"""Estimate n-gram probabilities: count, smooth, and remove rare n-grams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from byline.array_types import Booleans, Floats, Ids
from byline.errors import TrainingError, UsageError
from byline.lm.base import UNK
from byline.lm.inputs import is_whole
from byline.lm.ngrams.counts import Level, count_ngrams, select_ngrams, without_event
from byline.lm.ngrams.smoothing import SmoothedProbabilities, Smoothing

MinCounts = Mapping[int, int] | Sequence[int]


def count_for_vocabulary(
    stream: Ids,
    order: int,
    vocabulary_size: int,
    *,
    sentence_start: bool,
    open_vocabulary: bool,
) -> list[Level]:
    """Count n-grams; in a closed vocabulary, ``<unk>`` is not an event and has no counts.

    N-grams with ``<unk>`` in their context are counted in both cases, because they contribute to
    the counts of counts, as in SRILM. `smooth_counts` removes them at the end.

    Raises
    ------
    TrainingError
        The vocabulary is closed and the text contains no event.
    """
    levels = count_ngrams(stream, order, vocabulary_size, sentence_start=sentence_start)
    if open_vocabulary:
        return levels
    levels = [without_event(level, UNK) for level in levels]
    if not _n_observed_events(levels[0]):
        raise TrainingError(
            "every token is <unk>, which is excluded from a closed vocabulary; add text, or set "
            "open_vocabulary=True"
        )
    return levels


def smooth_counts(
    levels: list[Level],
    smoothing: Smoothing,
    min_counts: Sequence[int],
    *,
    n_events: int | None,
) -> tuple[list[Level], SmoothedProbabilities]:
    """Smooth counts, and remove n-grams below the minimum count of their order.

    Parameters
    ----------
    levels : list of Level
    smoothing : Smoothing
    min_counts : sequence of int
        One per order.
    n_events : int or None
        Number of events of an open vocabulary. None for a closed vocabulary, whose events are those
        of the text.

    Returns
    -------
    levels : list of Level
        The n-grams that remain.
    smoothed : SmoothedProbabilities
        Their probabilities.
    """
    smoothed = smoothing(levels, n_events or _n_observed_events(levels[0]), min_counts)
    if n_events is None:
        smoothed.backoffs[0][:] = 0
    if n_events is None or max(min_counts) > 1:
        return _without_rare_ngrams(levels, smoothed, min_counts)
    return levels, smoothed


def resolve_min_counts(given: MinCounts | None, order: int) -> list[int]:
    """Return one minimum count per order; an order without a value has that of the order below.

    Raises
    ------
    UsageError
        The counts are not whole numbers from 1, or they decrease from one order to the next.

    Examples
    --------
    >>> resolve_min_counts({3: 2}, order=4)
    [1, 1, 2, 2]
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
            f"min_counts={given!r}: they must not decrease from one order to the next, because "
            "n-grams whose beginnings are removed cannot be kept"
        )
    return counts[1:]


def _n_observed_events(unigrams: Level) -> int:
    return int(np.count_nonzero(unigrams.counts)) - unigrams.n_initial


def _without_rare_ngrams(
    levels: Sequence[Level], smoothed: SmoothedProbabilities, min_counts: Sequence[int]
) -> tuple[list[Level], SmoothedProbabilities]:
    """Remove n-grams below the minimum count, and n-grams with a word that is not an event.

    Unigrams of events are kept: below the minimum count, they have the probability of unobserved
    words.
    """
    keep, kept = [], np.ones(1, dtype=np.bool_)
    for level, min_count in zip(levels, [1, *min_counts[1:]], strict=True):
        kept = (level.counts >= min_count) & kept[level.parents]
        keep.append(kept)
    probs = [smoothed.probs[0], *_select(smoothed.probs[1:], keep)]
    backoffs = [smoothed.backoffs[0], *_select(smoothed.backoffs[1:], keep[:-1])]
    return (
        select_ngrams(levels, keep),
        SmoothedProbabilities(probs, backoffs, smoothed.fallback_orders),
    )


def _select(arrays: Sequence[Floats], keep: Sequence[Booleans]) -> list[Floats]:
    return [array[kept] for array, kept in zip(arrays, keep, strict=True)]
