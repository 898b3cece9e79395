"""The contributions of words to a difference of Burrows's Delta, and their positions.

A word's z-score says how much more often than usual it occurs in the text. So its contribution
favours the candidate who uses it as often, and may be divided among its occurrences. Words that do
not occur in the text contribute by their absence, which no place in the text shows: their sum is
the constant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from byline.array_types import Floats
from byline.attribution.classifiers import BurrowsDelta
from byline.attribution.classifiers.units import words_with_elision
from byline.attribution.evidence.spans import Spans
from byline.typography.letter_case import lowercase_function


def delta_spans(delta: BurrowsDelta, coefficients: Floats) -> Callable[[str], Spans]:
    """Create a function that divides a difference of columns among the words of a text."""
    words = delta.words_.tolist()
    columns = dict(zip(words, range(len(words)), strict=True))
    return partial(_spans_of_words, delta, columns, coefficients)


def _spans_of_words(
    delta: BurrowsDelta, columns: Mapping[str, int], coefficients: Floats, text: str
) -> Spans:
    lowercase = lowercase_function(delta.language)
    found = [
        (columns[word], *match.span())
        for match in words_with_elision(delta.language).of(text).finditer(text)
        if (word := lowercase(match[0])) in columns
    ]
    occurrences = np.array(found, dtype=np.int64).reshape(-1, 3)
    contributions = delta.contributions(text) @ coefficients
    return Spans.of_features(np.arange(len(columns)), contributions, *occurrences.T)
