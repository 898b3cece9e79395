"""Contributions of ranges of characters to a difference of two candidates' scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Floats, Integers
from byline.text.alignment import TokenPositions


@dataclass(frozen=True, slots=True)
class Spans:
    """A difference of two candidates' scores, divided among spans of characters.

    Attributes
    ----------
    starts, ends : (n_spans,) int64
        Positions of the first character and of the one after the last. Spans may overlap.
    values : (n_spans,) float64
        The contribution of each span, in the unit of the scores.
    is_length : (n_spans,) bool
        Whether a value belongs to the length of the span (a sentence or a paragraph), and so to no
        word in it.
    constant : float
        The part of the difference that belongs to no span.
    """

    starts: Integers
    ends: Integers
    values: Floats
    is_length: Booleans
    constant: float = 0.0

    @classmethod
    def of_words(
        cls, starts: Integers, ends: Integers, values: Floats, constant: float = 0.0
    ) -> Self:
        """Create spans of words: no value belongs to a length."""
        return cls(starts, ends, values, np.zeros(len(values), dtype=bool), constant)

    @classmethod
    def none(cls) -> Self:
        """Create an empty set of spans, for two candidates with equal scores."""
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
        is_length: bool = False,
    ) -> Self:
        """Divide the contribution of each feature evenly among its occurrences.

        The contribution of a feature without occurrences goes to the constant.

        Parameters
        ----------
        features : (n_features,) int
            The columns of the features, in ascending order.
        contributions : (n_features,) float64
            The contribution of each feature.
        columns, starts, ends : (n_occurrences,) int64
            The column of each occurrence, which is one of ``features``, and its position.
        is_length : bool
            Whether the features are lengths.
        """
        places = np.searchsorted(features, columns)
        counts = np.bincount(places, minlength=len(features))
        constant = float(contributions[counts == 0].sum())
        values = (contributions / np.maximum(counts, 1))[places]
        return cls(starts, ends, values, np.full(len(values), is_length), constant)

    @classmethod
    def joined(cls, parts: Sequence[Spans], constant: float = 0.0) -> Self:
        """Concatenate spans of one text, and add to the constant."""
        return cls(
            np.concatenate([part.starts for part in parts]),
            np.concatenate([part.ends for part in parts]),
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.is_length for part in parts]),
            math.fsum([constant, *(part.constant for part in parts)]),
        )

    def moved(self, by: int) -> Spans:
        """Return the spans of a longer text in which this text begins at character ``by``."""
        return replace(self, starts=self.starts + by, ends=self.ends + by)

    def scaled(self, factor: float) -> Spans:
        """Return the spans of scores multiplied by a factor."""
        return replace(self, values=factor * self.values, constant=factor * self.constant)

    def divided(self) -> tuple[Spans, Spans]:
        """Separate the spans of words, with the constant, from those of lengths, without it."""
        words = replace(self._chosen(~self.is_length), constant=self.constant)
        return words, self._chosen(self.is_length)

    def condensed(self, text: str) -> Spans:
        """Return equivalent spans, about one per character, to save memory.

        About a dozen known n-grams cover every character of a text. Their values are summed by
        character, which does not change the sums by token. Spans of lengths, and spans that contain
        only white space, are not changed.

        Parameters
        ----------
        text : str
            The text that the spans refer to.
        """
        if len(self.values) <= len(text):
            return self
        is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
        first, end = self._in_visible_characters(is_space)
        is_spread = (end > first) & ~self.is_length
        by_character = _spread(first[is_spread], end[is_spread], self.values[is_spread])
        visible = np.flatnonzero(~is_space)[: len(by_character)]
        spread = Spans.of_words(visible, visible + 1, by_character, self.constant)
        return Spans.joined([spread, self._chosen(~is_spread)])

    def _chosen(self, which: Booleans) -> Spans:
        """Return some of the spans, without the constant."""
        return Spans(
            self.starts[which], self.ends[which], self.values[which], self.is_length[which]
        )

    def _in_visible_characters(self, is_space: Booleans) -> tuple[Integers, Integers]:
        """Return starts and ends, counted in characters that are not white space."""
        before = np.concatenate([[0], np.cumsum(~is_space)])
        return before[self.starts], before[self.ends]

    @property
    def total(self) -> float:
        """The whole difference."""
        return float(self.values.sum()) + self.constant

    def by_token(self, places: TokenPositions, is_space: Booleans) -> Floats:
        """Sum the values, without the constant, by token.

        A value is divided evenly among the characters of the span that are not white space. A span
        without such characters gives its whole value to one token: to the end mark at its position
        if the span is empty, and otherwise to the token before it.

        Parameters
        ----------
        places : TokenPositions
            The positions of one or more tokens.
        is_space : (n_characters,) bool
            Which characters of the text are white space.

        Returns
        -------
        (n_tokens,) float64
        """
        visible = np.flatnonzero(~is_space)
        first, end = self._in_visible_characters(is_space)
        is_wide = end > first
        by_character = _spread(first[is_wide], end[is_wide], self.values[is_wide])
        owners = places.tokens_of_characters(visible[: len(by_character)])
        sums = np.bincount(owners, by_character, len(places))
        gap_owners = places.tokens_of_gaps(self.starts[~is_wide], self.ends[~is_wide])
        return np.asarray(sums + np.bincount(gap_owners, self.values[~is_wide], len(places)))


def _spread(first: Integers, end: Integers, values: Floats) -> Floats:
    """Divide each value evenly among its characters, and sum by character."""
    densities = values / (end - first)
    n_characters = int(end.max(initial=0))
    steps = np.bincount(first, densities, n_characters + 1).astype(np.float64)
    steps -= np.bincount(end, densities, n_characters + 1)
    return np.cumsum(steps, dtype=np.float64)[:n_characters]
