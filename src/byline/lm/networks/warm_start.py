"""Initial weights of an author's network, copied from a network trained on many authors' texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Floats, Ids
from byline.lm.networks.arrays import NetworkArray
from byline.lm.networks.shortlist import ADDED_COUNT, Shortlist

NOISE_SCALE = 0.05  # standard deviation; gives different vectors to words that had one in common


@dataclass(frozen=True, eq=False)
class WarmStart:
    """Copies the weights of a background network to the words of an author's network.

    The two networks have different shortlists. The background has more words of all authors, but
    may lack rare words of this author. Each word takes the weights of its class in the background.
    Words that are not in the background's shortlist all take the weights of its class for other
    words, plus some noise; their biases give each its share of that class. The author's class for
    other words takes the mean of the weights of these words, and the sum of their shares.

    Parameters
    ----------
    shortlist : Shortlist
        Of the author's network.
    counts : (vocabulary_size + 1,) int32
        Counts of each id, and then of ``</s>``, in the author's training text.
    background : Shortlist
    background_counts : (vocabulary_size + 1,) int32
    shift : float
        How far the biases are moved from the word frequencies of the background (0) to those of the
        author (1).
    rng : numpy.random.Generator
        For the noise.

    Examples
    --------
    >>> start = WarmStart(
    ...     shortlist=Shortlist(np.array([0, 1], dtype=np.int32), 2),
    ...     counts=np.array([3, 1, 2], dtype=np.int32),
    ...     background=Shortlist(np.array([0, 1], dtype=np.int32), 2),
    ...     background_counts=np.array([6, 2, 4], dtype=np.int32),
    ...     shift=0.0,
    ...     rng=np.random.default_rng(0),
    ... )
    >>> start.rows(np.array([[1.0], [2.0]]))
    array([[1.],
           [2.]], dtype=float32)
    """

    shortlist: Shortlist
    counts: Ids
    background: Shortlist
    background_counts: Ids
    shift: float
    rng: np.random.Generator

    def rows(self, table: NetworkArray) -> NDArray[np.float32]:
        """Copy a table that has a row per class.

        Parameters
        ----------
        table : (n_classes of the background + n_marks, n) float32
            The rows of ``</s>`` and ``<s>`` come last, if the network has them.

        Returns
        -------
        (n_classes + n_marks, n) float32
        """
        words = table[self.background.class_of[self.shortlist.words]]
        words[self._is_new] += self.rng.normal(0, NOISE_SCALE, words[self._is_new].shape)
        marks = table[self.background.n_classes :]
        return np.concatenate([words, self._mean_of_other_words(table), marks], dtype=np.float32)

    def biases(self, biases: NetworkArray) -> NDArray[np.float32]:
        """Copy the biases of the softmax layer.

        Parameters
        ----------
        biases : (n_classes of the background, or one more with ``</s>``) float32

        Returns
        -------
        (n_classes, or one more) float32
        """
        background = self.background.with_weights(
            np.add(self.background_counts, ADDED_COUNT, dtype=np.float64)
        )
        of_events = background.expand(biases.astype(np.float64))
        of_classes = self._by_class(of_events, np.logaddexp)
        author = self._log_frequencies(self.counts[: len(of_events)])
        others = self._log_frequencies(self.background_counts[: len(of_events)])
        shifted: Floats = of_classes + self.shift * (author - others)
        return shifted.astype(np.float32)

    @cached_property
    def _is_new(self) -> Booleans:
        """Which words of the shortlist are not in the background's: (n_words,)."""
        return np.isin(self.shortlist.words, self.background.other_words)

    def _log_frequencies(self, counts: Ids) -> Floats:
        of_classes = self._by_class(np.add(counts, ADDED_COUNT, dtype=np.float64), np.add)
        return np.asarray(np.log(of_classes / of_classes.sum()))

    def _by_class(self, of_events: Floats, add: np.ufunc) -> Floats:
        """Convert values of all ids, and perhaps ``</s>``, to values of classes and ``</s>``."""
        words, others = of_events[self.shortlist.words], of_events[self.shortlist.other_words]
        of_others = [add.reduce(others)] if len(others) else []
        return np.concatenate([words, of_others, of_events[self.shortlist.vocabulary_size :]])

    def _mean_of_other_words(self, table: NetworkArray) -> NDArray[Any]:
        """Compute the mean row of the other words, by frequency: (1, n), or (0, n) without any."""
        others, n_classes = self.shortlist.other_words, self.background.n_classes
        if not len(others):
            return table[:0]
        weights = self.background_counts[others] + ADDED_COUNT
        of_classes = np.bincount(self.background.class_of[others], weights, n_classes)
        return np.asarray(of_classes[None] @ table[:n_classes] / weights.sum())
