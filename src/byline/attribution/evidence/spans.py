"""What a score is made of, by stretches of the text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.text.alignment import TokenPositions


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
        words = replace(self._chosen(~self.of_lengths), base=self.base)
        return words, self._chosen(self.of_lengths)

    def condensed(self, text: str) -> Spans:
        """Return spans of which the same comes by token, hardly more than one a character.

        Texts have a dozen known n-grams at every character. Lengths, and spans of white space
        alone, stay as they are.

        Parameters
        ----------
        text : str
            The one that these are spans of.
        """
        if len(self.values) <= len(text):
            return self
        is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
        first, behind = self._among_signs(is_space)
        is_spread = (behind > first) & ~self.of_lengths
        by_sign = _spread(first[is_spread], behind[is_spread], self.values[is_spread])
        signs = np.flatnonzero(~is_space)[: len(by_sign)]
        spread = Spans.of_words(signs, signs + 1, by_sign, self.base)
        return Spans.joined([spread, self._chosen(~is_spread)])

    def _chosen(self, which: NDArray[np.bool_]) -> Spans:
        """Return some of the spans, without the base."""
        return Spans(
            self.starts[which], self.ends[which], self.values[which], self.of_lengths[which]
        )

    def _among_signs(self, is_space: NDArray[np.bool_]) -> tuple[Integers, Integers]:
        """Count the characters that are not white space before each span, and before its end."""
        before = np.concatenate([[0], np.cumsum(~is_space)])
        return before[self.starts], before[self.ends]

    @property
    def total(self) -> float:
        """The whole difference."""
        return float(self.values.sum()) + self.base

    def by_token(self, places: TokenPositions, is_space: NDArray[np.bool_]) -> Floats:
        """Sum the values, without the base, by the tokens that their characters count to.

        A value is spread evenly over the span's characters that are not white space. Where there
        are none, it goes to the end mark at that place, if the span is empty, or else to the token
        before.

        Parameters
        ----------
        places : TokenPositions
            Of at least one token.
        is_space : (n_characters,) bool
            Which characters of the text are white space.

        Returns
        -------
        (n_tokens,) float64
        """
        signs = np.flatnonzero(~is_space)
        first, behind = self._among_signs(is_space)
        is_wide = behind > first
        by_sign = _spread(first[is_wide], behind[is_wide], self.values[is_wide])
        sums = np.bincount(places.tokens_of_characters(signs[: len(by_sign)]), by_sign, len(places))
        owners = places.tokens_of_gaps(self.starts[~is_wide], self.ends[~is_wide])
        return np.asarray(sums + np.bincount(owners, self.values[~is_wide], len(places)))


def _spread(first: Integers, behind: Integers, values: Floats) -> Floats:
    """Spread each value evenly from its first sign to the one behind the last, and sum by sign."""
    densities = values / (behind - first)
    n_signs = int(behind.max(initial=0))
    steps = np.bincount(first, densities, n_signs + 1).astype(np.float64)
    steps -= np.bincount(behind, densities, n_signs + 1)
    return np.cumsum(steps, dtype=np.float64)[:n_signs]
