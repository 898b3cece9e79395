"""Distances between texts, as stylo defines them.

References
----------
S. Argamon. Interpreting Burrows's Delta: geometric and probabilistic foundations. Literary and
Linguistic Computing 23, 2008.

J. Burrows. "Delta": a measure of stylistic difference and a guide to likely authorship. Literary
and Linguistic Computing 17, 2002.

M. Eder. Taking stylometry to the limits. Digital Humanities 2015.

S. Evert et al. Understanding and explaining Delta measures for authorship attribution. Digital
Scholarship in the Humanities 32, 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from scipy.spatial.distance import pdist, squareform

from byline.array_types import Floats
from byline.attribution.exploration.frequencies import TextMatrix, texts_without
from byline.attribution.inputs import check_choice
from byline.errors import UsageError
from byline.formatting import join_names

_MAX_SHOWN = 5


def z_scores(values: Floats) -> Floats:
    """Scale each feature to mean 0 and sample standard deviation 1 over all texts.

    A feature that is the same in all texts becomes 0.

    Parameters
    ----------
    values : (n_texts, n_features) float64

    Examples
    --------
    >>> z_scores(np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])).tolist()
    [[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]
    """
    deviations = values.std(axis=0, ddof=1)
    constant = np.ptp(values, axis=0) == 0
    return np.asarray((values - values.mean(axis=0)) / np.where(constant, 1.0, deviations))


def _burrows(values: Floats) -> Floats:
    return np.asarray(_manhattan(z_scores(values)) / values.shape[1])


def _eder(values: Floats) -> Floats:
    """Weight the z-scores of n features by their rank: (n + 1) / n, n / n, ..., 2 / n."""
    n_features = values.shape[1]
    return _manhattan(z_scores(values) * np.arange(n_features + 1, 1, -1) / n_features)


def _argamon(values: Floats) -> Floats:
    return np.asarray(pdist(z_scores(values)) / values.shape[1])


def _simple(values: Floats) -> Floats:
    return _manhattan(np.sqrt(values))


def _cosine(values: Floats) -> Floats:
    return np.asarray(pdist(values, "cosine"))


def _wurzburg(values: Floats) -> Floats:
    return _cosine(z_scores(values))


def _entropy(values: Floats) -> Floats:
    """Divide the logarithms of frequencies by the entropy of a feature over the texts."""
    shares = (values + 1) / (values + 1).sum(axis=0)
    entropies = -(shares * np.log(shares)).sum(axis=0)
    return _manhattan(np.log(values + 2) / entropies)


def _minmax(values: Floats) -> Floats:
    """Compute 1 - sum of minima / sum of maxima, from |a - b| = max - min and a + b = max + min."""
    sums = values.sum(axis=1)
    both = pdist(sums[:, np.newaxis], lambda first, second: float(first[0] + second[0]))
    differences = _manhattan(values)
    return np.asarray(1 - (both - differences) / (both + differences))


def _manhattan(values: Floats) -> Floats:
    return np.asarray(pdist(values, "cityblock"))


def _jensen_shannon(values: Floats) -> Floats:
    found = pdist(values / values.sum(axis=1, keepdims=True), "jensenshannon")
    # The divergence of two equal texts may be below zero by a rounding error, and has no root.
    return np.nan_to_num(found, nan=0.0)


#: The distances of texts by name: functions of values, (n_texts, n_features), that return one
#: distance per pair of texts.
DISTANCES: Mapping[str, Callable[[Floats], Floats]] = {
    "burrows": _burrows,
    "eder": _eder,
    "argamon": _argamon,
    "simple": _simple,
    "cosine": _cosine,
    "wurzburg": _wurzburg,
    "entropy": _entropy,
    "minmax": _minmax,
    "manhattan": _manhattan,
    "js": _jensen_shannon,
    "char-ngrams": _wurzburg,
}
_OF_FREQUENCIES = ("simple", "entropy", "minmax", "js")


def text_distances(features: TextMatrix, distance: str) -> Floats:
    """Compute the distance between every two texts.

    Parameters
    ----------
    features : TextMatrix
        At least two texts. z-scores are computed over all of them.
    distance : str
        A key of `DISTANCES`: Burrows's, Eder's or Argamon's Delta, Eder's simple distance, the
        cosine distance of frequencies, the cosine distance of z-scores (Würzburg, also called
        cosine Delta), entropy, min-max (Ružička) and Manhattan distance, the Jensen-Shannon
        distance (the square root of the divergence, with natural logarithms), or the cosine
        distance of the z-scores of character n-grams.

    Returns
    -------
    (n_texts, n_texts) float64
        Symmetric, zero on the diagonal.

    Raises
    ------
    UsageError
        There is no such distance; a text contains none of the features; or the distance is defined
        for frequencies, but there are negative values.

    Examples
    --------
    >>> values = np.array([[4.0, 1.0], [3.0, 2.0]])
    >>> table = TextMatrix(("Ada_1", "Ben_1"), ("Ada", "Ben"), ("the", "of"), values, "words")
    >>> text_distances(table, "manhattan").tolist()
    [[0.0, 2.0], [2.0, 0.0]]
    """
    check_choice("distance", distance, list(DISTANCES))
    if empty := list(texts_without(features)):
        raise UsageError(
            f"none of the {len(features.features):,} {features.kind} occurs in "
            f"{join_names(empty, _MAX_SHOWN)}. Use more {features.kind}, or leave these texts out."
        )
    if distance in _OF_FREQUENCIES and features.values.min() < 0:
        raise UsageError(
            f"the distance {distance!r} is defined for frequencies, but the table contains "
            "negative values. Choose burrows, argamon, wurzburg, cosine or manhattan."
        )
    found = np.maximum(DISTANCES[distance](features.values), 0.0)  # rounding errors may be negative
    return np.asarray(squareform(found, checks=False), dtype=np.float64)
