"""The n-grams of a text, as a network takes them: target words and the words around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.errors import UsageError


@dataclass(frozen=True, slots=True, eq=False)
class NGrams:
    """Target words and the words around them.

    Attributes
    ----------
    contexts : (n, context) int32
        In the order of the text, the target left out.
    targets : (n,) int32
    """

    contexts: NDArray[np.int32]
    targets: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.targets)

    def __getitem__(self, index: slice | NDArray[Any]) -> NGrams:
        return NGrams(self.contexts[index], self.targets[index])

    def blocks(self, size: int) -> Iterator[NGrams]:
        """Cut into runs of ``size`` n-grams, the last one perhaps shorter."""
        return (self[start : start + size] for start in range(0, len(self), size))


def ngrams(
    sentences: Sequence[NDArray[np.int32]],
    *,
    context: int,
    target_position: int,
    end: int,
    predict_end: bool,
) -> NGrams:
    """Every token of every sentence as a target, in the order of the text.

    Parameters
    ----------
    sentences : sequence of int32 arrays, each (n_tokens,)
    context : int
        Number of words beside the target.
    target_position : int
        Its place among the ``context + 1`` words, from 1.
    end : int
        Id that stands for what follows a sentence; ``end + 1`` stands for what precedes one.
    predict_end : bool
        Whether ``end`` is a target, once a sentence.
    """
    left = target_position - 1
    lengths = np.array([len(sentence) for sentence in sentences], dtype=np.intp)
    n_targets = lengths + int(predict_end)
    sentence_of_token = np.repeat(np.arange(len(sentences)), lengths)
    sentence_of_target = np.repeat(np.arange(len(sentences)), n_targets)

    # Each sentence in a row of its own: `left` starts, its tokens, then ends for the rest.
    widths = n_targets + context
    rows = np.full(int(widths.sum()) + context + 1, end, dtype=np.int32)
    rows[(np.cumsum(widths) - widths)[:, None] + np.arange(left)] = end + 1
    if len(sentence_of_token):
        gaps = left + (context + int(predict_end)) * sentence_of_token
        rows[np.arange(len(sentence_of_token)) + gaps] = np.concatenate(sentences)
    first = np.arange(len(sentence_of_target)) + context * sentence_of_target
    chosen = np.lib.stride_tricks.sliding_window_view(rows, context + 1)[first]
    return NGrams(np.delete(chosen, left, axis=1), chosen[:, left].copy())


def check_sentences(
    sentences: Sequence[NDArray[np.int32]], vocabulary_size: int
) -> list[NDArray[np.int32]]:
    """Turn sentences into int32 arrays; UsageError where one is no row of ids in range."""
    arrays = [np.asarray(sentence) for sentence in sentences]
    for i, ids in enumerate(arrays):
        if ids.ndim != 1 or (ids.size and not np.issubdtype(ids.dtype, np.integer)):
            raise UsageError(
                f"sentence {i} must be a one-dimensional array of whole numbers, token ids; it is "
                f"{ids.ndim}-dimensional, of {ids.dtype}"
            )
        if ids.size and not 0 <= ids.min() <= ids.max() < vocabulary_size:
            raise UsageError(
                f"sentence {i} holds an id outside 0 to {vocabulary_size - 1}: "
                f"{ids.min()} to {ids.max()}; encode it with the vocabulary the model is fitted on"
            )
    return [ids.astype(np.int32, copy=False) for ids in arrays]
