"""What n-grams add to a difference of candidates' scores, and where they stand.

A classifier's intercept makes up for what the n-grams of any text add on average. It is shared out
among those of a text by the squares of their values, which add up to one, so that what an n-gram is
said to add is measured from what is usual.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import repeat

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from byline.array_types import Floats, Integers
from byline.attribution.classifiers import NgramRidge, NgramSVM
from byline.attribution.classifiers.blocks import FittedBlock, cut, unit_bounds
from byline.attribution.classifiers.units import (
    bounds_of_words_without_punctuation,
    split_tokens,
    split_words_without_punctuation,
    token_bounds,
)
from byline.attribution.evidence.spans import Spans
from byline.lm.ngrams.counts import NOT_FOUND

LENGTHS = ("sentence-length", "paragraph-length")  # units of blocks that no word is a part of
_WHITE_SPACE = re.compile(r"\s\s+")  # what scikit-learn puts a space for


def ridge_spans(ridge: NgramRidge, shares: Floats) -> Callable[[str], Spans]:
    """Make a function that tells where a difference of columns comes from in a text."""
    weights = ridge.known_.T @ (ridge.dual_coef_ @ shares)
    ends = np.cumsum([len(block.ngrams) for block in ridge.blocks_])
    blocks = list(zip(ridge.blocks_, ridge.block_scales, np.split(weights, ends[:-1]), strict=True))
    intercept = float(ridge.intercept_ @ shares)
    return partial(_spans_of_blocks, blocks, intercept)


def _spans_of_blocks(
    blocks: Sequence[tuple[FittedBlock, np.float32, Floats]], intercept: float, text: str
) -> Spans:
    parts = [_spans_of_block(*block, intercept, text) for block in blocks]
    has_features = any(len(part.values) for part in parts)
    return Spans.joined(parts, intercept if has_features else 0.0)


def _spans_of_block(
    learnt: FittedBlock, scale: np.float32, weights: Floats, intercept: float, text: str
) -> Spans:
    """Share the block's part of the score out, and of the intercept, which its base gives back."""
    present = learnt.features([text])
    values = (present.data * scale).astype(np.float64)
    own = intercept * values**2
    contributions = values * weights[present.indices] + own
    unit = learnt.block.unit
    columns, starts, ends = learnt.ngrams.occurrences(cut(text, learnt.block, learnt.kept))
    bounds = unit_bounds(text, unit)
    spans = Spans.of_features(
        present.indices,
        contributions,
        columns,
        bounds[starts, 0],
        bounds[ends - 1, 1],
        of_lengths=unit in LENGTHS,
    )
    return Spans.joined([spans], -float(own.sum()))


def svm_spans(svm: NgramSVM, shares: Floats) -> Callable[[str], Spans]:
    """Make a function that tells where a difference of columns comes from in a text."""
    weights, intercepts = svm.svm_.coef_, svm.svm_.intercept_
    if len(weights) == 1:  # of the second of two authors; the other's are their negatives
        shares = shares[1:] - shares[:1]
    return partial(_spans_of_terms, svm, weights.T @ shares, float(intercepts @ shares))


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


def _units(svm: NgramSVM, text: str) -> tuple[Sequence[str], Integers]:
    """Return what the classifier cuts a text into, and where each begins and ends, (n_units, 2)."""
    if svm.analyzer == "word":
        return split_tokens(text), token_bounds(text)
    if svm.analyzer == "word-without-punctuation":
        return split_words_without_punctuation(
            text, svm.language
        ), bounds_of_words_without_punctuation(text)
    is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    is_first = ~(is_space & np.append(False, is_space[:-1]))
    starts = np.flatnonzero(is_first)
    return _WHITE_SPACE.sub(" ", text), np.column_stack([starts, starts + 1])


def _occurrences(
    units: Sequence[str], joint: str, vectorizer: TfidfVectorizer
) -> tuple[Integers, Integers, Integers]:
    """Columns of known n-grams, their first units and those behind the last."""
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
