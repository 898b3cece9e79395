"""What a score is made of, by stretches of the text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.text.alignment import TokenPlaces

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Spans:
    """The difference of two candidates' scores, first minus second, in stretches of the text.

    Attributes
    ----------
    starts, ends : (n_spans,) int64
        Places of the first character and the one behind the last. Spans overlap as they like.
    values : (n_spans,) float64
        In the unit of the scores.
    of_lengths : (n_spans,) bool
        Whether a value is of how long the stretch is (a sentence or a paragraph), and so of no
        word in it.
    base : float
        What no stretch of the text accounts for.
    """

    starts: Integers
    ends: Integers
    values: Floats
    of_lengths: NDArray[np.bool_]
    base: float = 0.0

    @classmethod
    def of_words(cls, starts: Integers, ends: Integers, values: Floats, base: float = 0.0) -> Self:
        """Spans none of which is of a length."""
        return cls(starts, ends, values, np.zeros(len(values), dtype=bool), base)

    @classmethod
    def none(cls) -> Self:
        """Spans of candidates whose scores are equal."""
        nowhere = np.zeros(0, dtype=np.int64)
        return cls.of_words(nowhere, nowhere, np.zeros(0))

    @classmethod
    def of_features(
        cls,
        features: NDArray[np.integer[Any]],
        contributions: Floats,
        columns: Integers,
        starts: Integers,
        ends: Integers,
        *,
        of_lengths: bool = False,
    ) -> Self:
        """Share each feature's contribution out evenly over its occurrences.

        What a feature contributes that has none is the base.

        Parameters
        ----------
        features : (n_features,) int
            Columns that contribute, ascending.
        contributions : (n_features,) float64
        columns, starts, ends : (n_occurrences,) int64
            Each occurrence's column, which is one of ``features``, and where it stands.
        of_lengths : bool
            Whether the features are lengths.
        """
        places = np.searchsorted(features, columns)
        counts = np.bincount(places, minlength=len(features))
        base = float(contributions[counts == 0].sum())
        values = (contributions / np.maximum(counts, 1))[places]
        return cls(starts, ends, values, np.full(len(values), of_lengths), base)

    @classmethod
    def joined(cls, parts: Sequence[Spans], base: float = 0.0) -> Self:
        """Put spans of one text together, and add to the base."""
        return cls(
            np.concatenate([part.starts for part in parts]),
            np.concatenate([part.ends for part in parts]),
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.of_lengths for part in parts]),
            math.fsum([base, *(part.base for part in parts)]),
        )

    def moved(self, by: int) -> Spans:
        """Return the spans of a longer text, of which this one begins at that character."""
        return replace(self, starts=self.starts + by, ends=self.ends + by)

    def scaled(self, factor: float) -> Spans:
        """Return the spans of scores that are multiplied."""
        return replace(self, values=factor * self.values, base=factor * self.base)

    def parted(self) -> tuple[Spans, Spans]:
        """Part what is of words, with the base, from what is of lengths, without."""
        words, lengths = (
            Spans(self.starts[kind], self.ends[kind], self.values[kind], self.of_lengths[kind])
            for kind in (~self.of_lengths, self.of_lengths)
        )
        return replace(words, base=self.base), lengths

    @property
    def total(self) -> float:
        """The whole difference."""
        return float(self.values.sum()) + self.base

    def by_token(self, places: TokenPlaces, is_space: NDArray[np.bool_]) -> Floats:
        """Sum the values, without the base, by the tokens that their characters count to.

        A value is spread evenly over the span's characters that are not white space. Where there
        are none, it goes to the end mark at that place, if the span is empty, or else to the token
        before.

        Parameters
        ----------
        places : TokenPlaces
            Of at least one token.
        is_space : (n_characters,) bool
            Which characters of the text are white space.

        Returns
        -------
        (n_tokens,) float64
        """
        signs = np.flatnonzero(~is_space)
        before = np.concatenate([[0], np.cumsum(~is_space)])  # signs before each character
        first, behind = before[self.starts], before[self.ends]
        is_wide = behind > first
        densities = self.values[is_wide] / (behind - first)[is_wide]
        steps = np.bincount(first[is_wide], densities, len(before))
        steps -= np.bincount(behind[is_wide], densities, len(before))
        by_sign = np.cumsum(steps)[: len(signs)]
        sums = np.bincount(places.owners(signs), by_sign, len(places))
        owners = places.owners_of_gaps(self.starts[~is_wide], self.ends[~is_wide])
        return np.asarray(sums + np.bincount(owners, self.values[~is_wide], len(places)))
