"""The contributions of n-grams to a difference of candidates' scores, and their positions.

A classifier's intercept compensates for what the n-grams of any text contribute on average. It is
divided among the n-grams of a text in proportion to their squared values, which sum to one. So the
contribution of an n-gram is measured relative to the usual one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import repeat

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from byline.array_types import Floats, Integers
from byline.attribution.classifiers import NgramProfiles, NgramRidge, NgramSVM
from byline.attribution.classifiers.blocks import FittedBlock, split_units, unit_spans
from byline.attribution.classifiers.units import (
    join_white_space,
    spans_of_characters,
    spans_of_tokens,
    spans_of_words_without_punctuation,
    split_tokens,
    split_words_without_punctuation,
)
from byline.attribution.evidence.spans import Spans
from byline.lm.ngrams.counts import NOT_FOUND

LENGTHS = ("sentence-length", "paragraph-length")  # units that consist of no words
Weights = Callable[[NDArray[np.integer]], Floats]


def ridge_spans(ridge: NgramRidge, coefficients: Floats) -> Callable[[str], Spans]:
    """Create a function that divides a difference of columns among the spans of a text."""
    of_texts = ridge.dual_coef_ @ coefficients
    sizes = [len(block.ngrams) for block in ridge.blocks_]
    starts = np.cumsum([0, *sizes[:-1]])
    weights = [partial(_weights_in_block, ridge, of_texts, start) for start in starts.tolist()]
    blocks = list(zip(ridge.blocks_, ridge.block_scales, weights, strict=True))
    intercept = float(ridge.intercept_ @ coefficients)
    return partial(_spans_of_blocks, blocks, intercept)


def _weights_in_block(
    ridge: NgramRidge, of_texts: Floats, start: int, features: NDArray[np.integer]
) -> Floats:
    return ridge.feature_weights(features + start, of_texts)


def _spans_of_blocks(
    blocks: Sequence[tuple[FittedBlock, np.float32, Weights]], intercept: float, text: str
) -> Spans:
    parts = [_spans_of_block(*block, intercept, text) for block in blocks]
    has_features = any(len(part.values) for part in parts)
    return Spans.joined(parts, intercept if has_features else 0.0)


def _spans_of_block(
    fitted: FittedBlock, scale: np.float32, weights: Weights, intercept: float, text: str
) -> Spans:
    """Divide the score of a block and its share of the intercept, which the constant subtracts."""
    present = fitted.features([text])
    values = (present.data * scale).astype(np.float64)
    own = intercept * values**2
    contributions = values * weights(present.indices) + own
    unit = fitted.block.unit
    columns, starts, ends = fitted.ngrams.occurrences(
        split_units(text, fitted.block, fitted.unmasked)
    )
    bounds = unit_spans(text, fitted.block)
    spans = Spans.of_features(
        present.indices,
        contributions,
        columns,
        bounds[starts, 0],
        bounds[ends - 1, 1],
        is_length=unit in LENGTHS,
    )
    return Spans.joined([spans], -float(own.sum()))


def svm_spans(svm: NgramSVM, coefficients: Floats) -> Callable[[str], Spans]:
    """Create a function that divides a difference of columns among the spans of a text."""
    weights, intercepts = svm.weights_, svm.intercept_
    if len(intercepts) == 1:  # two authors: weights of the second; those of the first are negative
        coefficients = coefficients[1:] - coefficients[:1]
    compared = np.flatnonzero(coefficients)  # often two candidates
    differences = weights[:, compared].astype(np.float64) @ coefficients[compared]
    return partial(_spans_of_terms, svm, differences, float(intercepts @ coefficients))


def _spans_of_terms(svm: NgramSVM, weights: Floats, intercept: float, text: str) -> Spans:
    present = svm.vectorizer_.transform([text])
    if not present.nnz:
        return Spans.none()
    units, bounds = _units(svm, text)
    joint = "" if svm.analyzer == "char" else " "
    columns, starts, ends = _occurrences(units, joint, svm.vectorizer_)
    own = intercept * present.data**2
    spans = Spans.of_features(
        present.indices,
        present.data * weights[present.indices] + own,
        columns,
        bounds[starts, 0],
        bounds[ends - 1, 1],
    )
    return Spans.joined([spans], intercept - float(own.sum()))


def profile_spans(profiles: NgramProfiles, coefficients: Floats) -> Callable[[str], Spans]:
    """Create a function that divides a difference of columns among the spans of a text."""
    return partial(_spans_of_profiles, profiles, profiles.profiles_.weights @ coefficients)


def _spans_of_profiles(profiles: NgramProfiles, differences: Floats, text: str) -> Spans:
    features, weights = profiles.weigh(text)
    contributions = weights * differences[features]
    return Spans.of_features(features, contributions, *profiles.occurrences(text))


def _units(svm: NgramSVM, text: str) -> tuple[Sequence[str], Integers]:
    """Return the units of a text, and their starts and ends, (n_units, 2)."""
    if svm.analyzer == "word":
        return split_tokens(text), spans_of_tokens(text)
    if svm.analyzer == "word-without-punctuation":
        return split_words_without_punctuation(
            text, svm.language
        ), spans_of_words_without_punctuation(text)
    return join_white_space(text), spans_of_characters(text)


def _occurrences(
    units: Sequence[str], joint: str, vectorizer: TfidfVectorizer
) -> tuple[Integers, Integers, Integers]:
    """Return the columns of known n-grams, their first units and the ones after the last."""
    column_of = vectorizer.vocabulary_.get
    lowest, highest = vectorizer.ngram_range
    columns, starts, ends = [], [], []
    for order in range(lowest, highest + 1):
        ngrams = map(joint.join, zip(*(units[place:] for place in range(order)), strict=False))
        found = np.fromiter(map(column_of, ngrams, repeat(NOT_FOUND)), dtype=np.int64)
        starts.append(np.flatnonzero(found != NOT_FOUND))
        ends.append(starts[-1] + order)
        columns.append(found[starts[-1]])
    return np.concatenate(columns), np.concatenate(starts), np.concatenate(ends)
