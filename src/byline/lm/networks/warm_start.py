"""How an author's network starts from one that has learnt many authors' text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.lm.networks.shortlist import UNSEEN, Shortlist

NEW_WORD_SCALE = 0.05  # standard deviation: it parts words that the background does not tell apart


@dataclass(frozen=True, eq=False)
class WarmStart:
    """Copies a background's weights onto an author's words.

    The author's network then begins as the background, which tells apart more words of all
    authors, but not the rare ones of this one. A word takes the background's weights of its class.
    Words that the background does not tell apart take the same, and some noise; the biases give
    each its share. What stands for the words that the author lacks takes the mean of theirs, and
    their summed share.

    Parameters
    ----------
    classes : Shortlist
        The author's.
    counts : (vocabulary_size + 1,) int32
        How often each id, and then ``</s>``, occurs in the author's training text.
    background, background_counts : as the two above
        Of the background.
    shift : float
        What part of the way the biases are moved from the background's frequencies to the author's.
    rng : numpy.random.Generator
        Draws the noise.
    """

    classes: Shortlist
    counts: NDArray[np.int32]
    background: Shortlist
    background_counts: NDArray[np.int32]
    shift: float
    rng: np.random.Generator

    def rows(self, table: NDArray[Any]) -> NDArray[np.float32]:
        """Copy what each class has a row of.

        Parameters
        ----------
        table : (n_classes of the background + n_marks, n) float32
            The rows of ``</s>`` and ``<s>``, as far as there are any, come last.

        Returns
        -------
        (n_classes + n_marks, n) float32
        """
        own = table[self.background.class_of[self.classes.own]]
        own[self._is_new] += self.rng.normal(0, NEW_WORD_SCALE, own[self._is_new].shape)
        marks = table[self.background.n_classes :]
        return np.concatenate([own, self._mean_of_lacking(table), marks], dtype=np.float32)

    def biases(self, biases: NDArray[Any]) -> NDArray[np.float32]:
        """Copy the softmax layer's biases.

        Parameters
        ----------
        biases : (n_classes of the background, or one more with ``</s>``) float32

        Returns
        -------
        (n_classes, or one more) float32
        """
        background = self.background.sharing_by(
            np.add(self.background_counts, UNSEEN, dtype=np.float64)
        )
        of_events = background.share_out(biases.astype(np.float64))
        of_classes = self._by_class(of_events, np.logaddexp)
        own = self._log_frequencies(self.counts[: len(of_events)])
        theirs = self._log_frequencies(self.background_counts[: len(of_events)])
        shifted: NDArray[np.float64] = of_classes + self.shift * (own - theirs)
        return shifted.astype(np.float32)

    @cached_property
    def _is_new(self) -> NDArray[np.bool_]:
        """Which own words the background does not tell from others: (n_own,)."""
        return np.isin(self.classes.own, self.background.lacking)

    def _log_frequencies(self, counts: NDArray[np.int32]) -> NDArray[np.float64]:
        of_classes = self._by_class(np.add(counts, UNSEEN, dtype=np.float64), np.add)
        return np.asarray(np.log(of_classes / of_classes.sum()))

    def _by_class(self, of_events: NDArray[np.float64], add: np.ufunc) -> NDArray[np.float64]:
        """From values of all ids and perhaps ``</s>`` to values of classes and ``</s>``."""
        own, lacking = of_events[self.classes.own], of_events[self.classes.lacking]
        of_lacking = [add.reduce(lacking)] if len(lacking) else []
        return np.concatenate([own, of_lacking, of_events[self.classes.vocabulary_size :]])

    def _mean_of_lacking(self, table: NDArray[Any]) -> NDArray[Any]:
        """Mean row of the lacking words, by frequency: (1, n), or (0, n) where none is lacking."""
        lacking, n_classes = self.classes.lacking, self.background.n_classes
        if not len(lacking):
            return table[:0]
        weights = self.background_counts[lacking] + UNSEEN
        of_classes = np.bincount(self.background.class_of[lacking], weights, n_classes)
        return np.asarray(of_classes[None] @ table[:n_classes] / weights.sum())
