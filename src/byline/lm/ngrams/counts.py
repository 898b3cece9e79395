"""Count n-grams in sorted arrays, one order after the other, in time linear in the text length.

An n-gram of order n is identified by its rank among the distinct n-grams of that order. These are
sorted by (rank of the first n - 1 words, last word), that is, lexicographically. Ids run from 0 to
``vocabulary_size - 1``. The id of ``</s>`` is ``vocabulary_size``, and that of ``<s>`` is one
higher. So the n-grams that start with ``<s>`` are the last ones of every order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Ids, Integers
from byline.errors import UsageError

_Int = TypeVar("_Int", np.int32, np.int64)

NOT_FOUND = -1
_SORTED_BITS = 16
_MOST_CELLS = 4_000_000  # of a table of all possible keys: 16 MB
_CELLS_PER_QUERY = 16  # up to so many, a table is built faster than each key is searched for
_MAX_TOKENS = int(np.iinfo(np.int32).max)


def sentence_start_id(vocabulary_size: int) -> int:
    """Return the id of ``<s>``; that of ``</s>`` is one lower.

    Examples
    --------
    >>> sentence_start_id(vocabulary_size=4)
    5
    """
    return vocabulary_size + 1


def find_by_table(keys: Integers, queries: Integers) -> Ids | None:
    """Find queries among keys by a table of all possible keys, if that is fast.

    Parameters
    ----------
    keys : (n_keys,) int64
        Ascending; negative keys are never found.
    queries : (n_queries,) int64
        Not negative.

    Returns
    -------
    (n_queries,) int32, or None
        The place of each query among the keys, or `NOT_FOUND`. None if the table would be large, or
        if there are too few queries for it.

    Examples
    --------
    >>> import numpy as np
    >>> find_by_table(np.array([2, 5, 7]), np.array([5, 6, 99])).tolist()
    [1, -1, -1]
    """
    n_cells = int(keys[-1]) + 2 if len(keys) else 1  # the last one is that of all larger keys
    if n_cells > min(_MOST_CELLS, _CELLS_PER_QUERY * len(queries)):
        return None
    table = np.full(n_cells, NOT_FOUND, dtype=np.int32)
    first = int(np.searchsorted(keys, 0))
    table[keys[first:]] = np.arange(first, len(keys))
    places: Ids = table[np.minimum(queries, n_cells - 1)]
    return places


def add_sentence_boundaries(
    sentences: Sequence[Ids], vocabulary_size: int, *, sentence_end: bool
) -> Ids:
    """Concatenate sentences, with ``<s>`` before each and, if requested, ``</s>`` after each.

    Parameters
    ----------
    sentences : sequence of integer arrays, each (n_tokens,)
    vocabulary_size : int
    sentence_end : bool
        Whether ``</s>`` is added.

    Returns
    -------
    (n_tokens + n_sentences * (1 + sentence_end),) int32

    Raises
    ------
    UsageError
        A sentence is not a one-dimensional array of integers, an id is outside the vocabulary, or
        the text is longer than 2**31 - 1 tokens.

    Examples
    --------
    >>> sentences = [np.array([1, 2], dtype=np.int32), np.array([3], dtype=np.int32)]
    >>> add_sentence_boundaries(sentences, vocabulary_size=4, sentence_end=True).tolist()
    [5, 1, 2, 4, 5, 3, 4]
    """
    tokens = _join(sentences)
    _check_ids(tokens, vocabulary_size)
    lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
    ends = np.cumsum(lengths + 1 + int(sentence_end))
    if len(ends) and ends[-1] > _MAX_TOKENS:
        raise UsageError(
            f"the text has {ends[-1]} tokens and sentence boundaries; n-grams can be counted in "
            f"at most {_MAX_TOKENS}; train the model on less text"
        )
    starts = ends - lengths - 1 - int(sentence_end)
    stream = np.empty(ends[-1] if len(ends) else 0, dtype=np.int32)
    is_token = np.ones(len(stream), dtype=np.bool_)
    stream[starts], is_token[starts] = sentence_start_id(vocabulary_size), False
    if sentence_end:
        stream[ends - 1], is_token[ends - 1] = vocabulary_size, False
    stream[is_token] = tokens
    return stream


def _join(sentences: Sequence[Ids]) -> NDArray[np.integer]:
    try:
        tokens = np.concatenate([np.empty(0, dtype=np.int32), *sentences])
    except ValueError as error:
        raise UsageError(
            f"every sentence must be a one-dimensional array of ids: {error}"
        ) from None
    if not np.issubdtype(tokens.dtype, np.integer):
        raise UsageError(f"token ids must be integers, not {tokens.dtype}; encode the text first")
    return tokens


def _check_ids(tokens: NDArray[np.integer], vocabulary_size: int) -> None:
    if not len(tokens):
        return
    low, high = int(tokens.min()), int(tokens.max())
    if low < 0 or high >= vocabulary_size:
        raise UsageError(
            f"token id {low if low < 0 else high} is outside the vocabulary of {vocabulary_size} "
            f"ids (0 to {vocabulary_size - 1}); encode the text with the model's own vocabulary"
        )


@dataclass(frozen=True, slots=True)
class Level:
    """The sorted distinct n-grams of one order n, with their counts.

    A level takes 20 bytes per n-gram, and 16 in the highest order.

    Attributes
    ----------
    parents : (n_ngrams,) int32
        Rank of the first n - 1 words in the level below. Unigrams have 0, the empty context.
    words : (n_ngrams,) int32
        Last word.
    suffixes : (n_ngrams,) int32
        Rank of the last n - 1 words in the level below.
    counts : (n_ngrams,) int32
        Number of occurrences of the n-gram in the text.
    continuations : (n_ngrams,) int32
        Continuation count: the number of distinct words that precede the n-gram, ``<s>`` included.
        Empty in the highest order.
    n_initial : int
        Number of n-grams that start with ``<s>``; they are the last ones.
    """

    parents: Ids
    words: Ids
    suffixes: Ids
    counts: Ids
    continuations: Ids
    n_initial: int

    def __len__(self) -> int:
        """Return the number of distinct n-grams."""
        return len(self.words)


def count_ngrams(
    stream: Ids, order: int, vocabulary_size: int, *, sentence_start: bool
) -> list[Level]:
    """Count the n-grams of orders 1 to ``order`` within sentences.

    Parameters
    ----------
    stream : (n,) int32
        The result of `add_sentence_boundaries`.
    order : int
    vocabulary_size : int
    sentence_start : bool
        Whether n-grams that start with ``<s>`` are kept. If not, ``<s>`` still counts as one
        distinct left neighbour of the n-grams at the beginning of a sentence.

    Returns
    -------
    list of Level
        One per order.

    Notes
    -----
    Each order needs one radix sort of the positions of the text, which is linear in its length. In
    addition to the levels, at most 50 bytes per token are in use at a time.

    Examples
    --------
    >>> sentences = [np.array([1, 2, 1, 2], dtype=np.int32)]
    >>> stream = add_sentence_boundaries(sentences, vocabulary_size=3, sentence_end=False)
    >>> unigrams, bigrams = count_ngrams(stream, 2, 3, sentence_start=False)
    >>> unigrams.words.tolist(), unigrams.counts.tolist()
    ([1, 2], [2, 2])
    >>> bigrams.words.tolist(), bigrams.counts.tolist()  # 1 2 and 2 1
    ([2, 1], [2, 1])
    """
    is_start = stream == sentence_start_id(vocabulary_size)
    by_word = _stable_order(np.arange(len(stream), dtype=np.int32), stream)
    ranks = np.zeros(len(stream), dtype=np.int32)
    contexts, initial = ranks, 0
    levels: list[Level] = []
    for n in range(1, order + 1):
        positions = _stable_order(by_word[contexts[by_word] != NOT_FOUND], contexts)
        groups = _group_starts(contexts[positions], stream[positions])
        first = positions[groups]  # (n_ngrams,), where the first occurrence of each n-gram ends
        parents, suffixes = contexts[first], ranks[first]
        ranks = np.full(len(stream), NOT_FOUND, dtype=np.int32)
        sizes = np.diff(groups, append=len(positions)).astype(np.int32)
        ranks[positions] = np.repeat(np.arange(len(first), dtype=np.int32), sizes)
        n_initial = int(np.count_nonzero(parents >= initial)) if n > 1 else int(is_start.any())
        initial = len(first) - n_initial
        levels.append(Level(parents, stream[first], suffixes, sizes, sizes[:0], n_initial))
        contexts = preceding(ranks, is_start)
    levels = _with_continuations(levels)
    return levels if sentence_start else [_without_initial(level) for level in levels]


def preceding(ranks: NDArray[_Int], is_start: Booleans) -> NDArray[_Int]:
    """Return the rank at the previous position; ``NOT_FOUND`` at the start of a sentence."""
    shifted = np.empty_like(ranks)
    shifted[1:] = ranks[:-1]
    shifted[is_start] = NOT_FOUND
    return shifted


def select_ngrams(levels: Sequence[Level], keep: Sequence[Booleans]) -> list[Level]:
    """Keep only the selected n-grams.

    If an n-gram is kept, its first n - 1 words and its last n - 1 words must be kept as well.

    Parameters
    ----------
    levels : sequence of Level
    keep : sequence of (n_ngrams,) bool
        One array per order.
    """
    selected: list[Level] = []
    ranks = np.zeros(1, dtype=np.int32)
    for level, kept in zip(levels, keep, strict=True):
        selected.append(
            Level(
                ranks[level.parents[kept]],
                level.words[kept],
                ranks[level.suffixes[kept]],
                level.counts[kept],
                level.continuations[kept[: len(level.continuations)]],
                int(np.count_nonzero(kept[len(level) - level.n_initial :])),
            )
        )
        ranks = np.cumsum(kept, dtype=np.int32) - np.int32(1)
    return selected


def without_event(level: Level, word: int) -> Level:
    """Set the counts of n-grams that end in ``word`` to zero.

    The word remains a context and a left neighbour of other n-grams.
    """
    is_event = level.words != word
    return replace(
        level,
        counts=level.counts * is_event,
        continuations=level.continuations * is_event[: len(level.continuations)],
    )


def _stable_order(positions: Ids, values: Ids) -> Ids:
    """Sort ``positions`` by their non-negative ``values``, 16 bits at a time, in a stable way.

    NumPy sorts 16-bit integers by counting, so each pass takes linear time.
    """
    largest = int(values.max(initial=0))
    for shift in range(0, max(largest.bit_length(), 1), _SORTED_BITS):
        digits = (values[positions] >> shift).astype(np.uint16)
        positions = positions[np.argsort(digits, kind="stable")]
    return positions


def _group_starts(parents: Ids, words: Ids) -> Integers:
    """Return the indices at which a new (parent, word) pair begins in sorted pairs."""
    new = np.ones(len(parents), dtype=np.bool_)
    new[1:] = (parents[1:] != parents[:-1]) | (words[1:] != words[:-1])
    return np.flatnonzero(new)


def _with_continuations(levels: list[Level]) -> list[Level]:
    """Count the distinct left neighbours of each n-gram: the (n + 1)-grams that end in it."""
    counted = [
        Level(
            level.parents,
            level.words,
            level.suffixes,
            level.counts,
            np.bincount(above.suffixes, minlength=len(level)).astype(np.int32),
            level.n_initial,
        )
        for level, above in pairwise(levels)
    ]
    return [*counted, levels[-1]]


def _without_initial(level: Level) -> Level:
    keep = slice(len(level) - level.n_initial)
    return Level(
        level.parents[keep],
        level.words[keep],
        level.suffixes[keep],
        level.counts[keep],
        level.continuations[keep],
        n_initial=0,
    )
