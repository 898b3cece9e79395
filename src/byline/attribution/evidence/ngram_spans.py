"""What n-grams add to the difference of two candidates' scores, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from byline.attribution.classifiers import NgramRidge, NgramSVM
from byline.attribution.classifiers.blocks import LearntBlock, cut
from byline.attribution.classifiers.words import (
    plain_word_bounds,
    split_plain_words,
    split_tokens,
    token_bounds,
)
from byline.attribution.evidence.spans import Spans
from byline.lm.counts import NONE

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_WHITE_SPACE = re.compile(r"\s\s+")  # what scikit-learn puts a space for


def ridge_spans(ridge: NgramRidge, text: str, first: int, second: int) -> Spans:
    """Tell where the difference of two columns of the classifier's scores comes from."""
    coefficients = ridge.dual_coef_[:, first] - ridge.dual_coef_[:, second]
    weights = ridge.known_.T @ coefficients  # (n_features,)
    sizes = [len(block.ngrams) for block in ridge.blocks_]
    shares = np.array([learnt.block.weight for learnt in ridge.blocks_])
    scales = np.sqrt(shares / shares.sum()).astype(np.float32)  # to which features are rounded
    parts = [
        _block_spans(block, text, scale, weights_of_block)
        for block, scale, weights_of_block in zip(
            ridge.blocks_, scales, np.split(weights, np.cumsum(sizes)[:-1]), strict=True
        )
    ]
    if not any(len(part.values) for part in parts):
        return Spans.none()
    return Spans(
        np.concatenate([part.starts for part in parts]),
        np.concatenate([part.ends for part in parts]),
        np.concatenate([part.values for part in parts]),
        float(ridge.intercept_[first] - ridge.intercept_[second]),
    )


def _block_spans(learnt: LearntBlock, text: str, scale: np.float32, weights: Floats) -> Spans:
    present = learnt.features([text])
    contributions = np.zeros(len(weights))
    contributions[present.indices] = (present.data * scale) * weights[present.indices]
    unit = learnt.block.unit
    columns, starts, ends = learnt.ngrams.occurrences(cut(text, unit, learnt.kept))
    if unit != "char":
        bounds = token_bounds(text)
        starts, ends = bounds[starts, 0], bounds[ends - 1, 1]
    return Spans.of_features(contributions, columns, starts, ends)


def svm_spans(svm: NgramSVM, text: str, first: int, second: int) -> Spans:
    """Tell where the difference of two columns of the classifier's scores comes from."""
    present = svm.vectorizer_.transform([text])
    if not present.nnz:
        return Spans.none()
    weights, base = _difference(svm, first, second)
    contributions = np.zeros(len(weights))
    contributions[present.indices] = present.data * weights[present.indices]
    units, bounds = _units(svm, text)
    joint = "" if svm.analyzer == "char" else " "
    found = _occurrences(units, joint, svm.vectorizer_.vocabulary_, svm.vectorizer_.ngram_range)
    columns, starts, ends = map(np.concatenate, zip(*found, strict=True))
    spans = Spans.of_features(contributions, columns, bounds[starts, 0], bounds[ends - 1, 1])
    return Spans(spans.starts, spans.ends, spans.values, spans.base + base)


def _difference(svm: NgramSVM, first: int, second: int) -> tuple[Floats, float]:
    """Weights and intercept of the first author less those of the second."""
    weights, intercepts = svm.svm_.coef_, svm.svm_.intercept_
    if len(weights) == 1:  # of the second of two authors; the other's are their negatives
        sign = 2 * (first - second)
        return sign * weights[0], float(sign * intercepts[0])
    return weights[first] - weights[second], float(intercepts[first] - intercepts[second])


def _units(svm: NgramSVM, text: str) -> tuple[Sequence[str], Integers]:
    """Return what the classifier cuts a text into, and where each begins and ends, (n_units, 2)."""
    if svm.analyzer == "word":
        return split_tokens(text), token_bounds(text)
    if svm.analyzer == "plain-word":
        return split_plain_words(text), plain_word_bounds(text)
    is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    is_first = ~(is_space & np.append(False, is_space[:-1]))
    starts = np.flatnonzero(is_first)
    return _WHITE_SPACE.sub(" ", text), np.column_stack([starts, starts + 1])


def _occurrences(
    units: Sequence[str], joint: str, vocabulary: Mapping[str, int], orders: tuple[int, int]
) -> Iterator[tuple[Integers, Integers, Integers]]:
    """For each order, columns of known n-grams, their first units and those behind the last."""
    for order in range(orders[0], orders[1] + 1):
        ngrams = map(joint.join, zip(*(units[place:] for place in range(order)), strict=False))
        columns = np.fromiter(map(vocabulary.get, ngrams, repeat(NONE)), dtype=np.int64)
        starts = np.flatnonzero(columns != NONE)
        yield columns[starts], starts, starts + order
