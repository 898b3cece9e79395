"""Which ids an author's network tells apart: the words it knows, and one class of all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.errors import LearningError


@dataclass(frozen=True, eq=False)
class WordClasses:
    """The ids that occur often enough in a text, each a class of its own; the others share one.

    Models of different authors are comparable only over the same events, but a softmax over the
    vocabulary of all authors costs several times that over one author's. So an author's network
    predicts classes: class ``k < len(own)`` is the word ``own[k]``; class ``len(own)`` is the
    author's own ``<unk>``, whose probability is shared out equally over the ids it stands for:
    those rare in, or absent from, the text. The common ``<unk>``, id 0, is an id like any other.
    The probabilities of all ids then sum to one; where no id is lacking, there is no such class.

    Attributes
    ----------
    own : (n_own,) int32
        Ascending ids.
    vocabulary_size : int
    """

    own: NDArray[np.int32]
    vocabulary_size: int

    def __post_init__(self) -> None:
        if not self.vocabulary_size > len(self.own) - 1 or not self._is_ascending():
            raise ValueError(f"own words are not ascending ids below {self.vocabulary_size}")

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
    ) -> Self:
        """Take the ids seen ``min_count`` times or more, with a frequency above ``min_frequency``.

        As in the authors' program, one end mark a sentence counts as a token here; its threshold
        max(1/n, 1/100,000) is ``min_count=2, min_frequency=1e-5``.

        Raises
        ------
        LearningError
            There is no token, or none occurs often enough.
        """
        if not sum(map(len, sentences)):
            raise LearningError("there is no token to learn from; give at least one sentence")
        counts = np.bincount(np.concatenate(sentences), minlength=vocabulary_size)
        n_tokens = int(counts.sum()) + len(sentences)
        often = (counts >= min_count) & (counts > min_frequency * n_tokens)
        if not often.any():
            raise LearningError(
                f"no word of the text to learn from occurs {min_count} times (min_count); give "
                "more text"
            )
        return cls(np.flatnonzero(often).astype(np.int32), vocabulary_size)

    @property
    def n_lacking(self) -> int:
        """Number of ids without a class of their own."""
        return self.vocabulary_size - len(self.own)

    @property
    def n_classes(self) -> int:
        """Own words, and the class of the lacking ones where there are any."""
        return len(self.own) + int(self.n_lacking > 0)

    @cached_property
    def class_of(self) -> NDArray[np.int32]:
        """Class of each id: (vocabulary_size,)."""
        classes = np.full(self.vocabulary_size, len(self.own), dtype=np.int32)
        classes[self.own] = np.arange(len(self.own), dtype=np.int32)
        return classes

    def log_share(self, classes: NDArray[np.int32]) -> NDArray[np.float64]:
        """Log of the share (nats) of one id in the probability of its class."""
        return np.where(classes == len(self.own), -np.log(max(self.n_lacking, 1)), 0.0)

    def share_out(self, log_y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Log-probabilities (nats) of all ids, and of what follows the classes, from the classes'.

        Parameters
        ----------
        log_y : (n_classes, or one more with ``</s>``) float64

        Returns
        -------
        (vocabulary_size, or one more) float64
        """
        of_words = log_y[self.class_of] + self.log_share(self.class_of)
        return np.concatenate([of_words, log_y[self.n_classes :]])
