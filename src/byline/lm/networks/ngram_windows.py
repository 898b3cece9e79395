"""The n-grams of a text, as a network takes them: target words and the words around them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byline.errors import BylineWarning, TrainingError, UsageError
from byline.lm.networks.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class NGrams:
    """Target words and the words around them.

    Attributes
    ----------
    contexts : (n, context) int32
        In the order of the text, the target left out.
    targets : (n,) int32
        Both NumPy's, or both another library's.
    """

    contexts: Array
    targets: Array

    def __len__(self) -> int:
        return len(self.targets)

    def __getitem__(self, index: slice | Array) -> NGrams:
        return NGrams(self.contexts[index], self.targets[index])

    def full(self, n_words: int) -> NGrams:
        """Those whose context lies within the sentence: is of ids below ``n_words``."""
        return self[np.flatnonzero((self.contexts < n_words).all(axis=1))]

    def map(self, function: Callable[[Array], Array]) -> NGrams:
        """Apply a function to both arrays."""
        return NGrams(function(self.contexts), function(self.targets))

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


def hold_out_sentences(
    sentences: Sequence[NDArray[np.int32]], share: float, rng: np.random.Generator
) -> tuple[list[NDArray[np.int32]], list[NDArray[np.int32]]]:
    """Part a share of the sentences, drawn at random, from the others; both keep their order.

    Returns
    -------
    others, held_out : lists of (n_tokens,) int32
    """
    drawn = rng.permutation(len(sentences))[: int(share * len(sentences))]
    held_out = np.isin(np.arange(len(sentences)), drawn)
    others = [s for s, out in zip(sentences, held_out, strict=True) if not out]
    return others, [s for s, out in zip(sentences, held_out, strict=True) if out]


def check_enough_ngrams(training: NGrams, held_out: NGrams, *, n_validation: int) -> None:
    """Raise TrainingError without n-grams to train on; warn without any to validate on."""
    too_short = f"sentence is longer than the context of {training.contexts.shape[1]}"
    if not len(training):
        raise TrainingError(
            f"no {too_short}: take a smaller context, or sentence_start=True, which trains on "
            "short sentences too"
        )
    if n_validation and not len(held_out):
        warnings.warn(
            f"no validation {too_short}: no early end is possible, all epochs are run",
            BylineWarning,
            stacklevel=3,
        )
