"""Texts that were asked about for trial, found by their length."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.attribution.open_set.statistic import statistics

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# What is said of a text is learnt from the quarter of tried texts that are nearest to it in
# length, but from so many at least: of 200 texts, a share of 5 % is known to within 3 points.
FEWEST = 200
SHARE = 0.25


@dataclass(frozen=True, slots=True)
class TriedTexts:
    """What came out of texts whose authors are known.

    Attributes
    ----------
    statistics : (n,) float64
        As `byline.attribution.open_set.statistics` has them.
    sizes : (n,) int64
        Characters that are not white space.
    authors : (n,) int64
        Columns of the true authors.
    n_candidates : (n,) int64
        Among how many candidates the first one was found.
    is_right : (n,) bool
        Whether the first candidate is the author.
    """

    statistics: Floats
    sizes: Ints
    authors: Ints
    n_candidates: Ints
    is_right: NDArray[np.bool_]

    @classmethod
    def of(cls, log_odds: NDArray[np.floating], sizes: Ints, authors: NDArray[np.integer]) -> Self:
        """Note what came out of texts.

        Parameters
        ----------
        log_odds : (n, n_authors) float
            Minus infinity for who was no candidate.
        sizes : (n,) int64
        authors : (n,) int
            Columns of the true authors, candidates or not.
        """
        return cls(
            statistics(log_odds),
            np.asarray(sizes, dtype=np.int64),
            np.asarray(authors, dtype=np.int64),
            (~np.isneginf(log_odds)).sum(axis=1),
            log_odds.argmax(axis=1) == authors,
        )

    def __len__(self) -> int:
        return len(self.statistics)

    def near(self, n_characters: int) -> Self:
        """Return those nearest in length, by ratio; all that are as near as the last one.

        Parameters
        ----------
        n_characters : int
            That are not white space.
        """
        fewest = min(len(self), max(FEWEST, math.ceil(SHARE * len(self))))
        distances = np.abs(np.log1p(self.sizes) - np.log1p(n_characters))
        chosen = distances <= np.partition(distances, fewest - 1)[fewest - 1]
        return type(self)(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def shares(self) -> Floats:
        """Return what each text counts, (n,): authors count alike, and all together 1."""
        amounts = np.bincount(self.authors)
        shares: Floats = 1 / (amounts[self.authors] * np.count_nonzero(amounts))
        return shares
