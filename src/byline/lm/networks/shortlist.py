"""The shortlist of a network: the frequent words that it predicts, and one class for the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Floats, Ids
from byline.errors import TrainingError
from byline.lm.networks.arrays import NetworkArray

ADDED_COUNT = 0.5  # added to each word's count in the background
USE_WEIGHT = 4  # each use of a rare word by the author adds this much to its weight, from 1


@dataclass(frozen=True, eq=False)
class Shortlist:
    """The words that are frequent in a text, each a class of its own; the others share one class.

    Models of different authors are comparable only if they assign probabilities to the same events.
    A softmax over the vocabulary of all authors would cost several times as much as a softmax over
    the words of one author. Therefore an author's network predicts classes, as networks with a
    shortlist do (Schwenk 2007). Class ``k < len(words)`` is the word ``words[k]``. Class
    ``len(words)`` is the author's own ``<unk>``: all words that are rare in the author's text or
    absent from it. Its probability is divided among these words: equally, or, with a background (a
    network trained on the texts of many authors), in proportion to weights that depend on the
    counts in the background and in the author's text. The common ``<unk>``, id 0, is treated as any
    other word. So the probabilities of all ids sum to one. If every word is in the shortlist, there
    is no class for other words.

    Attributes
    ----------
    words : (n_words,) int32
        Ascending ids.
    vocabulary_size : int
    shares : (n_other_words,) float64, optional
        Share of each other word, by ascending id, in the probability of their class; by default
        they are equal.

    References
    ----------
    Schwenk, H. (2007). Continuous space language models. Computer Speech and Language 21.

    Examples
    --------
    >>> shortlist = Shortlist(np.array([1, 3], dtype=np.int32), vocabulary_size=4)
    >>> shortlist.class_of  # words 0 and 2 are in class 2
    array([2, 0, 2, 1], dtype=int32)
    >>> np.exp(shortlist.log_shares(np.arange(4)))
    array([0.5, 1. , 0.5, 1. ])
    """

    words: Ids
    vocabulary_size: int
    shares: Floats | None = None

    def __post_init__(self) -> None:
        if not self.vocabulary_size > len(self.words) - 1 or not self._is_ascending():
            raise ValueError(f"the shortlist is not ascending ids below {self.vocabulary_size}")
        if self.shares is not None and not self._are_shares(self.shares):
            raise ValueError(
                f"shares are not {self.n_other_words} positive numbers that sum to one"
            )

    def _are_shares(self, shares: Floats) -> bool:
        is_right = shares.shape == (self.n_other_words,) and shares.dtype == np.float64
        return is_right and bool((shares > 0).all() and abs(shares.sum() - 1) < 1e-9)

    def _is_ascending(self) -> bool:
        bounded = np.concatenate([[-1], self.words, [self.vocabulary_size]])
        return self.words.dtype == np.int32 and bool((np.diff(bounded) > 0).all())

    @classmethod
    def from_sentences(
        cls,
        sentences: Sequence[Ids],
        vocabulary_size: int,
        *,
        min_count: int,
        min_frequency: float,
        background_counts: Ids | None = None,
    ) -> Self:
        """Select the ids that occur at least ``min_count`` times and are frequent enough.

        As in the program of Ge & Sun (2016), the end of each sentence counts as a token here; the
        threshold of their program, max(1/n, 1/100,000), is ``min_count=2, min_frequency=1e-5``.

        With a background, the weight of another word is the square root of its count there, times
        ``1 + USE_WEIGHT * n`` if the author uses it ``n`` times. Weights by the square root are
        more even than weights by the count: a word that is frequent elsewhere but rare in the
        author's text is rare there for a reason.

        Parameters
        ----------
        sentences : sequence of (n_tokens,) int32
        vocabulary_size : int
        min_count : int
        min_frequency : float
            The relative frequency of a selected id is above this value.
        background_counts : (at least vocabulary_size,) int32, optional
            Counts of all ids in the background's text; further elements are ignored.

        Raises
        ------
        TrainingError
            There is no token, or no id occurs often enough.
        """
        if not sum(map(len, sentences)):
            raise TrainingError("the training text has no token; give at least one sentence")
        counts = np.bincount(np.concatenate(sentences), minlength=vocabulary_size)
        n_tokens = int(counts.sum()) + len(sentences)
        is_frequent = (counts >= min_count) & (counts > min_frequency * n_tokens)
        if not is_frequent.any():
            raise TrainingError(
                f"no word of the training text occurs {min_count} times (min_count); give more text"
            )
        shortlist = cls(np.flatnonzero(is_frequent).astype(np.int32), vocabulary_size)
        if background_counts is None:
            return shortlist
        elsewhere = np.sqrt(background_counts[:vocabulary_size] + ADDED_COUNT)
        return shortlist.with_weights(elsewhere * (1 + USE_WEIGHT * counts))

    def with_weights(self, weights: Floats) -> Self:
        """Return the same shortlist with shares in proportion to weights of all ids."""
        selected = np.asarray(weights[self.other_words], dtype=np.float64)
        return replace(self, shares=selected / selected.sum() if self.n_other_words else None)

    @property
    def n_other_words(self) -> int:
        """Number of ids outside the shortlist."""
        return self.vocabulary_size - len(self.words)

    @property
    def n_classes(self) -> int:
        """Number of words in the shortlist, plus one if there are other words."""
        return len(self.words) + int(self.n_other_words > 0)

    @cached_property
    def class_of(self) -> Ids:
        """Class of each id: (vocabulary_size,)."""
        classes = np.full(self.vocabulary_size, len(self.words), dtype=np.int32)
        classes[self.words] = np.arange(len(self.words), dtype=np.int32)
        return classes

    @cached_property
    def other_words(self) -> Ids:
        """Ids outside the shortlist, ascending: (n_other_words,)."""
        return np.flatnonzero(self.class_of == len(self.words)).astype(np.int32)

    @cached_property
    def _log_shares(self) -> Floats:
        """Log-shares (nats) of all ids and of ``</s>``: (vocabulary_size + 1,)."""
        log_shares = np.zeros(self.vocabulary_size + 1)
        equal = -np.log(max(self.n_other_words, 1))
        log_shares[self.other_words] = equal if self.shares is None else np.log(self.shares)
        return log_shares

    def log_shares(self, events: Ids) -> Floats:
        """Return the log (nats) of the share of each id, or ``</s>``, in its class's probability.

        Parameters
        ----------
        events : (n,) int32

        Returns
        -------
        (n,) float64
        """
        return self._log_shares[events]

    def expand(self, log_probs: Floats) -> Floats:
        """Convert log-probabilities (nats) of classes to log-probabilities of all ids.

        Parameters
        ----------
        log_probs : (n_classes, or one more with ``</s>``) float64

        Returns
        -------
        (vocabulary_size, or one more) float64
        """
        of_words = log_probs[self.class_of] + self._log_shares[:-1]
        return np.concatenate([of_words, log_probs[self.n_classes :]])


def count_events(sentences: Sequence[Ids], vocabulary_size: int) -> Ids:
    """Count each id, and the ends of sentences: (vocabulary_size + 1,).

    Examples
    --------
    >>> count_events([np.array([0, 1, 1], dtype=np.int32)], vocabulary_size=2)
    array([1, 2, 1], dtype=int32)
    """
    ids = np.concatenate([np.zeros(0, np.int32), *sentences])
    counts = np.bincount(ids, minlength=vocabulary_size + 1)
    counts[vocabulary_size] = len(sentences)
    return counts.astype(np.int32)


def check_counts(counts: Ids, n: int) -> None:
    """Check that an array holds ``n`` counts.

    Raises
    ------
    ValueError
        It has another shape or type, or a negative value.

    Examples
    --------
    >>> check_counts(np.array([3, 0], dtype=np.int32), 2)
    """
    if counts.shape != (n,) or counts.dtype != np.int32 or (counts < 0).any():
        raise ValueError(f"counts are not {n} whole numbers from 0")


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
