"""The training examples of the feed-forward network: target words with the words around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from byline.array_types import Ids
from byline.lm.networks.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class NgramWindows:
    """Target words and the words around them.

    Attributes
    ----------
    contexts : (n, context) int32
        In the order of the text, without the target.
    targets : (n,) int32
        Both arrays belong to the same library, NumPy or another.

    Examples
    --------
    >>> data = NgramWindows(np.array([[1, 2], [2, 3], [3, 1]]), np.array([3, 1, 2]))
    >>> [len(block) for block in data.blocks(2)]
    [2, 1]
    """

    contexts: Array
    targets: Array

    def __len__(self) -> int:
        return len(self.targets)

    def __getitem__(self, index: slice | Array) -> NgramWindows:
        return NgramWindows(self.contexts[index], self.targets[index])

    def within_sentences(self, n_words: int) -> NgramWindows:
        """Select the n-grams whose context lies within a sentence: all its ids are words."""
        return self[np.flatnonzero((self.contexts < n_words).all(axis=1))]

    def map(self, function: Callable[[Array], Array]) -> NgramWindows:
        """Apply a function to both arrays."""
        return NgramWindows(function(self.contexts), function(self.targets))

    def blocks(self, size: int) -> Iterator[NgramWindows]:
        """Split into blocks of ``size`` n-grams; the last block can be shorter."""
        return (self[start : start + size] for start in range(0, len(self), size))


def ngram_windows(
    sentences: Sequence[Ids],
    *,
    context: int,
    target_position: int,
    end: int,
    predict_end: bool,
) -> NgramWindows:
    """Make an n-gram of every token as a target, in the order of the text.

    Parameters
    ----------
    sentences : sequence of int32 arrays, each (n_tokens,)
    context : int
        Number of words around the target.
    target_position : int
        Position of the target among the ``context + 1`` words, from 1.
    end : int
        Id of what follows a sentence; ``end + 1`` is the id of what precedes one.
    predict_end : bool
        Whether ``end`` is also a target, once per sentence.

    Examples
    --------
    >>> sentences = [np.array([1, 2], dtype=np.int32)]
    >>> data = ngram_windows(sentences, context=2, target_position=3, end=8, predict_end=True)
    >>> data.contexts
    array([[9, 9],
           [9, 1],
           [1, 2]], dtype=int32)
    >>> data.targets
    array([1, 2, 8], dtype=int32)
    """
    left = target_position - 1
    lengths = np.array([len(sentence) for sentence in sentences], dtype=np.intp)
    n_targets = lengths + int(predict_end)
    sentence_of_token = np.repeat(np.arange(len(sentences)), lengths)
    sentence_of_target = np.repeat(np.arange(len(sentences)), n_targets)

    # Each sentence has a row: `left` start marks, its tokens, then end marks to the end of the row.
    widths = n_targets + context
    rows = np.full(int(widths.sum()) + context + 1, end, dtype=np.int32)
    rows[(np.cumsum(widths) - widths)[:, None] + np.arange(left)] = end + 1
    if len(sentence_of_token):
        gaps = left + (context + int(predict_end)) * sentence_of_token
        rows[np.arange(len(sentence_of_token)) + gaps] = np.concatenate(sentences)
    first = np.arange(len(sentence_of_target)) + context * sentence_of_target
    windows = np.lib.stride_tricks.sliding_window_view(rows, context + 1)[first]
    return NgramWindows(np.delete(windows, left, axis=1), windows[:, left].copy())
