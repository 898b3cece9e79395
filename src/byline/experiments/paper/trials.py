"""Random texts: some sentences of one author's test part, as section 4 of the paper has them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from byline.experiments.paper.deciding import Floats, n_as_good
from byline.experiments.paper.intervals import generator

TOO_FEW = -1


def draw_orders(n_sentences: int, n_trials: int, *names: str | int) -> NDArray[np.int64]:
    """Shuffle an author's test sentences once a trial; its first k are the trial of k sentences.

    Parameters
    ----------
    n_sentences, n_trials : int
    names : str or int
        What the draw hangs on, so that all models and rules see the same trials.

    Returns
    -------
    (n_trials, n_sentences) int64
    """
    sentences = np.tile(np.arange(n_sentences), (n_trials, 1))
    return generator(*names).permuted(sentences, axis=1)


def ranks_of_trials(
    costs: Floats, author: int, orders: NDArray[np.int64], lengths: Sequence[int]
) -> NDArray[np.int16]:
    """Count, trial by trial and length by length, the rivals that are as good as the true author.

    Parameters
    ----------
    costs : (n_authors, n_sentences) float64
        Of the author's own test sentences, under every candidate.
    author : int
    orders : (n_trials, n_sentences) int64
    lengths : sequence of int

    Returns
    -------
    (n_trials, n_lengths) int16
        `TOO_FEW` where the author has fewer sentences.
    """
    sums = np.cumsum(costs[:, orders[:, : max(lengths)]], axis=2)  # (n_authors, n_trials, longest)
    ranks = n_as_good(sums, sums[author])
    found = np.full((len(orders), len(lengths)), TOO_FEW, dtype=np.int16)
    for place, length in enumerate(lengths):
        if length <= ranks.shape[1]:
            found[:, place] = ranks[:, length - 1]
    return found
