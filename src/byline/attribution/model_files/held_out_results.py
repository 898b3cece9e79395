"""A stack's results for held-out texts, and what is fitted to them, as parts of a model file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution.calibration import Bounds
from byline.attribution.calibration.temperatures import REFERENCE_LENGTHS, Temperatures
from byline.attribution.model_files.json_values import take, take_count
from byline.attribution.open_set import HeldOutStatistics, RejectionRule
from byline.attribution.stacking.calibrator import Calibrator, HeldOutResults
from byline.attribution.stored_arrays import Arrays, take_array
from byline.errors import ModelFileError

_BY_LENGTH = ("sharp", "flat", "share")
_NATS = "nats_per_character"
_OF_UNKNOWN_AUTHORS = ("sizes", "authors", "n_candidates")


def held_out_arrays(results: HeldOutResults, calibrator: Calibrator) -> dict[str, NDArray[Any]]:
    """Return all arrays of the results and of the calibrator by name."""
    values = {field.name: getattr(results, field.name) for field in fields(results)}
    values["n_texts"] = np.array([results.n_texts])
    values |= {name: getattr(calibrator.temperatures, name) for name in _BY_LENGTH}
    return {name: array for name, array in values.items() if array is not None}


def describe_calibrator(calibrator: Calibrator) -> dict[str, Any]:
    """Return the values of the calibrator that are not arrays as JSON values."""
    return {
        "uniform": calibrator.temperatures.uniform,
        "lower": calibrator.bounds.lower,
        "upper": calibrator.bounds.upper,
        "longest": calibrator.longest,
    }


def read_held_out_results(arrays: Arrays, n_authors: int) -> HeldOutResults:
    """Rebuild the results from the arrays of a file.

    Raises
    ------
    ModelFileError
        If an array is missing or invalid.
    """
    sizes = take_array(arrays, "sizes", np.int64, (None,))
    n = len(sizes)
    labels = take_array(arrays, "labels", np.int64, (n,))
    if not n or sizes.min() < 0 or labels.min() < 0 or labels.max() >= n_authors:
        raise ModelFileError("there are no held-out texts, or one has an invalid size or author")
    n_texts = int(take_array(arrays, "n_texts", np.int64, (1,))[0])
    if n_texts < 1:
        raise ModelFileError("no text was held out")
    return HeldOutResults(
        n_texts=n_texts,
        sizes=sizes,
        labels=labels,
        is_whole=take_array(arrays, "is_whole", np.bool_, (n,)),
        log_odds=take_array(arrays, "log_odds", np.float32, (n, n_authors)),
        nats_per_character=(
            take_array(arrays, _NATS, np.float32, (n,)) if _NATS in arrays else None
        ),
    )


def read_calibrator(description: Mapping[str, Any], arrays: Arrays) -> Calibrator:
    """Rebuild a calibrator from what `describe_calibrator` and `held_out_arrays` returned.

    Raises
    ------
    ModelFileError
        If a value is missing or out of its range.
    """
    sharp, flat, share = (
        take_array(arrays, name, np.float64, (len(REFERENCE_LENGTHS),)) for name in _BY_LENGTH
    )
    uniform, lower, upper = (
        take(description, name, float) for name in ("uniform", "lower", "upper")
    )
    if not 0 < uniform < 1 or not -math.inf < lower <= 0 <= upper < math.inf:
        raise ModelFileError("a probability or a bound is out of its range")
    return Calibrator(
        temperatures=Temperatures(sharp, flat, share, uniform),
        bounds=Bounds(lower=lower, upper=upper),
        longest=take_count(description, "longest", 0),
    )


def unknown_author_arrays(rule: RejectionRule) -> dict[str, NDArray[Any]]:
    """Return the statistics of texts by unknown authors; the stack has those of candidates."""
    unknown = rule.unknown_authors
    return {name: getattr(unknown, name) for name in ("statistics", *_OF_UNKNOWN_AUTHORS)}


def read_rejection_rule(
    arrays: Mapping[str, NDArray[Any]], known: HeldOutStatistics
) -> RejectionRule:
    """Rebuild a rejection rule from what `unknown_author_arrays` returned.

    Parameters
    ----------
    arrays : mapping of name to array
    known : HeldOutStatistics
        Of texts that were written by candidates.

    Raises
    ------
    ModelFileError
        If an array is missing or invalid.
    """
    found = take_array(arrays, "statistics", np.float64, (None,))
    sizes, authors, n_candidates = (
        take_array(arrays, name, np.int64, found.shape) for name in _OF_UNKNOWN_AUTHORS
    )
    if set(arrays) != {"statistics", *_OF_UNKNOWN_AUTHORS} or not found.size:
        raise ModelFileError("it does not contain exactly the arrays of texts by unknown authors")
    n_authors = int(known.n_candidates.max())
    if sizes.min() < 0 or not 0 <= authors.min() <= authors.max() < n_authors:
        raise ModelFileError("a text by an unknown author has an invalid length or author")
    if not 2 <= n_candidates.min() <= n_candidates.max() < n_authors:
        raise ModelFileError(
            "a text by an unknown author had fewer than two candidates, or all authors"
        )
    is_right = np.zeros(found.shape, dtype=bool)
    return RejectionRule(HeldOutStatistics(found, sizes, authors, n_candidates, is_right), known)
