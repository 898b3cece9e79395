"""Sentences that occur more than once, scored once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats
from byline.lm.base import Sentence


def score_distinct_sentences(
    score: Callable[[Sequence[Sentence]], Floats], sentences: Sequence[Sentence], n_more: int
) -> Floats:
    """Score each distinct sentence once, for models whose scores do not hang on the others.

    Short sentences recur in any text, and all do where one text is part of another.

    Parameters
    ----------
    score : callable
        Gives the scores of all events of sentences, end to end.
    sentences : sequence of int32 arrays, each (n_tokens,)
    n_more : int
        Events of a sentence beside its tokens.

    Returns
    -------
    (n_events,) float64
        What ``score(sentences)`` is.
    """
    numbers: dict[tuple[str, bytes], int] = {}
    keys = ((sentence.dtype.char, sentence.tobytes()) for sentence in sentences)
    places = [numbers.setdefault(key, len(numbers)) for key in keys]
    if len(numbers) == len(sentences):
        return score(sentences)
    _, firsts = np.unique(places, return_index=True)
    distinct = [sentences[first] for first in firsts.tolist()]
    lengths = np.array(list(map(len, distinct)), dtype=np.int64) + n_more
    starts = np.cumsum(lengths) - lengths
    return score(distinct)[_segments(starts[places], lengths[places])]


def _segments(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """List the indices of segments, end to end: (sum of lengths,)."""
    ends = np.cumsum(lengths)
    within = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
    return np.asarray(np.repeat(starts, lengths) + within)
