"""Divide passages into windows, because a pretrained model reads a limited number of tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from byline.array_types import Ids, Integers

#: The target of a position that is not trained; PyTorch's cost function leaves it out.
NOT_TRAINED = -100


class PassageWindow(NamedTuple):
    """A window of a passage: its inputs, and the tokens whose scores it contributes.

    Attributes
    ----------
    passage : int
        Number of the passage.
    start, end : int
        The inputs are the tokens ``start - 1`` to ``end - 2``, where token -1 is ``<s>``. They
        predict the tokens ``start`` to ``end - 1``.
    first : int
        The first predicted token that no earlier window scores.
    """

    passage: int
    start: int
    end: int
    first: int


def windows_of(passage: int, n_tokens: int, width: int, stride: int) -> Iterator[PassageWindow]:
    """Divide a passage into windows that overlap by ``width - stride`` tokens.

    The window of a token depends only on the token's position. A passage that fits into
    one window has one window.

    Parameters
    ----------
    passage : int
        Its number.
    n_tokens : int
    width : int
        Number of inputs of a window.
    stride : int
        From 1 to ``width``: how far each window is after the one before. Every token after the
        first window has at least ``width - stride`` tokens as context.

    Examples
    --------
    >>> [tuple(window) for window in windows_of(0, 7, width=4, stride=2)]
    [(0, 0, 4, 0), (0, 2, 6, 4), (0, 4, 7, 6)]
    """
    start, first = 0, 0
    while first < n_tokens:
        end = min(start + width, n_tokens)
        yield PassageWindow(passage, start, end, first)
        start, first = start + stride, end


def window_batches(
    passages: Sequence[Ids], start_id: int, width: int, stride: int, size: int
) -> Iterator[tuple[list[PassageWindow], Integers, Integers]]:
    """Arrange the windows of all passages in batches, the longest windows first.

    Parameters
    ----------
    passages : sequence of (n_tokens,) integer arrays
    start_id : int
        The id of ``<s>``, with which shorter windows are also filled up at the end. A causal model
        cannot see what follows a token, so that this changes nothing.
    width, stride : int
        See `windows_of`.
    size : int
        Number of windows per batch.

    Yields
    ------
    windows : list of PassageWindow
    inputs, targets : (n_windows, longest) int64
    """
    numbered = enumerate(map(len, passages))
    windows = [window for i, n in numbered for window in windows_of(i, n, width, stride)]
    windows.sort(key=lambda window: window.start - window.end)
    for first in range(0, len(windows), size):
        batch = windows[first : first + size]
        shape = (len(batch), batch[0].end - batch[0].start)
        inputs, targets = np.full(shape, start_id), np.full(shape, start_id)
        for row, (passage, start, end, _) in enumerate(batch):
            tokens = passages[passage]
            targets[row, : end - start] = tokens[start:end]
            inputs[row, 1 : end - start] = tokens[start : end - 1]
            inputs[row, 0] = tokens[start - 1] if start else start_id
        yield batch, inputs, targets


def packed(passages: Sequence[Ids], start_id: int, width: int) -> tuple[Integers, Integers]:
    """Write passages one after another into rows of equal length, to train on.

    Each passage begins with ``<s>``, which is not predicted.

    Parameters
    ----------
    passages : sequence of (n_tokens,) integer arrays
        At least one, and no empty one.
    start_id : int
    width : int
        Number of inputs per row.

    Returns
    -------
    inputs, targets : (n_rows, width) int64
        Targets that are not trained are `NOT_TRAINED`.

    Examples
    --------
    >>> inputs, targets = packed([np.array([5, 6]), np.array([7])], start_id=0, width=3)
    >>> inputs.tolist(), targets.tolist()
    ([[0, 5, 6], [0, 7, 0]], [[5, 6, -100], [7, -100, -100]])
    """
    stream = np.concatenate([np.append(start_id, passage) for passage in passages])
    lengths = np.array(list(map(len, passages)))
    following = np.append(stream[1:], NOT_TRAINED)
    following[np.cumsum(lengths + 1) - 1] = NOT_TRAINED
    n_rows = -(-len(stream) // width)
    inputs, targets = np.full(n_rows * width, start_id), np.full(n_rows * width, NOT_TRAINED)
    inputs[: len(stream)], targets[: len(stream)] = stream, following
    return inputs.reshape(n_rows, width), targets.reshape(n_rows, width)
