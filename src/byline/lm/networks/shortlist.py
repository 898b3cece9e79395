"""Which ids an author's network tells apart: the words it knows, and one class of all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.errors import TrainingError

UNSEEN = 0.5  # what is added to the counts of a background
RARE = 4  # how many times likelier each use of a rare word makes it than one that is not used


@dataclass(frozen=True, eq=False)
class Shortlist:
    """The ids that occur often enough in a text, each a class of its own; the others share one.

    Models of different authors are comparable only over the same events, but a softmax over the
    vocabulary of all authors costs several times that over one author's. So an author's network
    predicts classes: class ``k < len(own)`` is the word ``own[k]``; class ``len(own)`` is the
    author's own ``<unk>``, whose probability is shared out over the ids it stands for: those rare
    in, or absent from, the text. Each has as much of it as any other; or, with a background, a text
    of many authors, so much as the counts there and in the author's text say. The common ``<unk>``,
    id 0, is an id like any other. The probabilities of all ids then sum to one; where no id is
    lacking, there is no such class.

    Attributes
    ----------
    own : (n_own,) int32
        Ascending ids.
    vocabulary_size : int
    shares : (n_other_words,) float64, optional
        Of each of the other ids, ascending, in the probability of their class; by default equal.
    """

    own: NDArray[np.int32]
    vocabulary_size: int
    shares: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        if not self.vocabulary_size > len(self.own) - 1 or not self._is_ascending():
            raise ValueError(f"own words are not ascending ids below {self.vocabulary_size}")
        if self.shares is not None and not self._are_shares(self.shares):
            raise ValueError(f"shares are no {self.n_other_words} positive numbers that sum to one")

    def _are_shares(self, shares: NDArray[np.float64]) -> bool:
        is_right = shares.shape == (self.n_other_words,) and shares.dtype == np.float64
        return is_right and bool((shares > 0).all() and abs(shares.sum() - 1) < 1e-9)

    def _is_ascending(self) -> bool:
        bounded = np.concatenate([[-1], self.own, [self.vocabulary_size]])
        return self.own.dtype == np.int32 and bool((np.diff(bounded) > 0).all())

    @classmethod
    def learn(
        cls,
        sentences: Sequence[NDArray[np.int32]],
        vocabulary_size: int,
        *,
        min_count: int,
        min_frequency: float,
        background_counts: NDArray[np.int32] | None = None,
    ) -> Self:
        """Take the ids seen ``min_count`` times or more, with a frequency above ``min_frequency``.

        As in the authors' program, one end mark a sentence counts as a token here; its threshold
        max(1/n, 1/100,000) is ``min_count=2, min_frequency=1e-5``. Of a background, the counts of
        all ids are wanted, in their order; what follows them is not looked at. The shares of the
        lacking ids then are in proportion to the roots of those, times one and `RARE` for each time
        that the author used the word: more even than the counts themselves, as what is frequent
        elsewhere and lacking here is so for a reason.

        Raises
        ------
        TrainingError
            There is no token, or none occurs often enough.
        """
        if not sum(map(len, sentences)):
            raise TrainingError("there is no token to learn from; give at least one sentence")
        counts = np.bincount(np.concatenate(sentences), minlength=vocabulary_size)
        n_tokens = int(counts.sum()) + len(sentences)
        often = (counts >= min_count) & (counts > min_frequency * n_tokens)
        if not often.any():
            raise TrainingError(
                f"no word of the text to learn from occurs {min_count} times (min_count); give "
                "more text"
            )
        classes = cls(np.flatnonzero(often).astype(np.int32), vocabulary_size)
        if background_counts is None:
            return classes
        elsewhere = np.sqrt(background_counts[:vocabulary_size] + UNSEEN)
        return classes.sharing_by(elsewhere * (1 + RARE * counts))

    def sharing_by(self, weights: NDArray[np.float64]) -> Self:
        """Give the same classes with shares in proportion to weights of all ids."""
        of_lacking = np.asarray(weights[self.lacking], dtype=np.float64)
        shares = of_lacking / of_lacking.sum() if self.n_other_words else None
        return replace(self, shares=shares)

    @property
    def n_other_words(self) -> int:
        """Number of ids without a class of their own."""
        return self.vocabulary_size - len(self.own)

    @property
    def n_classes(self) -> int:
        """Own words, and the class of the lacking ones where there are any."""
        return len(self.own) + int(self.n_other_words > 0)

    @cached_property
    def class_of(self) -> NDArray[np.int32]:
        """Class of each id: (vocabulary_size,)."""
        classes = np.full(self.vocabulary_size, len(self.own), dtype=np.int32)
        classes[self.own] = np.arange(len(self.own), dtype=np.int32)
        return classes

    @cached_property
    def lacking(self) -> NDArray[np.int32]:
        """Ids without a class of their own, ascending: (n_other_words,)."""
        return np.flatnonzero(self.class_of == len(self.own)).astype(np.int32)

    @cached_property
    def _log_shares(self) -> NDArray[np.float64]:
        """Of every id, and of ``</s>``: (vocabulary_size + 1,)."""
        log_shares = np.zeros(self.vocabulary_size + 1)
        equal = -np.log(max(self.n_other_words, 1))
        log_shares[self.lacking] = equal if self.shares is None else np.log(self.shares)
        return log_shares

    def log_share(self, events: NDArray[np.int32]) -> NDArray[np.float64]:
        """Log of the share (nats) of each id, or ``</s>``, in the probability of its class."""
        return self._log_shares[events]

    def share_out(self, log_y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Log-probabilities (nats) of all ids, and of what follows the classes, from the classes'.

        Parameters
        ----------
        log_y : (n_classes, or one more with ``</s>``) float64

        Returns
        -------
        (vocabulary_size, or one more) float64
        """
        of_words = log_y[self.class_of] + self._log_shares[:-1]
        return np.concatenate([of_words, log_y[self.n_classes :]])


def check_counts(counts: NDArray[np.int32], n: int) -> None:
    """Raise ValueError where these are no counts of ``n`` things."""
    if counts.shape != (n,) or counts.dtype != np.int32 or (counts < 0).any():
        raise ValueError(f"counts are no {n} whole numbers from 0")
