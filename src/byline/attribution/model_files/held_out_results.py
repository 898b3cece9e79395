"""A stack's answers about held-out texts, and what is learnt from them, as parts of a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution.calibration import Bounds
from byline.attribution.model_files.json_values import take, take_count
from byline.attribution.open_set import HeldOutStatistics, RejectionRule
from byline.attribution.stacking.calibrator import Calibrator, HeldOutResults
from byline.attribution.stacking.temperatures import REFERENCE_LENGTHS, Temperatures
from byline.attribution.stored_arrays import Arrays, take_array
from byline.errors import ModelFileError

_BY_LENGTH = ("sharp", "flat", "share")
_NATS = "nats_per_character"


def held_out_arrays(answers: HeldOutResults, certainty: Calibrator) -> dict[str, NDArray[Any]]:
    """Return all arrays by name."""
    values = {field.name: getattr(answers, field.name) for field in fields(answers)}
    values["n_texts"] = np.array([answers.n_texts])
    values |= {name: getattr(certainty.temperatures, name) for name in _BY_LENGTH}
    return {name: array for name, array in values.items() if array is not None}


def describe_calibrator(certainty: Calibrator) -> dict[str, Any]:
    """Return what is no array, as JSON values."""
    return {
        "uniform": certainty.temperatures.uniform,
        "lower": certainty.bounds.lower,
        "upper": certainty.bounds.upper,
        "longest": certainty.longest,
    }


def read_held_out_results(arrays: Arrays, n_authors: int) -> HeldOutResults:
    """Take answers from the arrays of a file.

    Raises
    ------
    ModelFileError
        An array is missing, or is none that a stack has.
    """
    sizes = take_array(arrays, "sizes", np.int64, (None,))
    n = len(sizes)
    labels = take_array(arrays, "labels", np.int64, (n,))
    if not n or sizes.min() < 0 or labels.min() < 0 or labels.max() >= n_authors:
        raise ModelFileError("held-out texts are none, or have no size or no author")
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
    """Rebuild from what `describe_calibrator` and `held_out_arrays` returned.

    Raises
    ------
    ModelFileError
        A value is missing, or out of its range.
    """
    sharp, flat, share = (
        take_array(arrays, name, np.float64, (len(REFERENCE_LENGTHS),)) for name in _BY_LENGTH
    )
    uniform, lower, upper = (
        take(description, name, float) for name in ("uniform", "lower", "upper")
    )
    if not 0 < uniform < 1 or not -math.inf < lower <= 0 <= upper < math.inf:
        raise ModelFileError("a share or a bound is out of its range")
    return Calibrator(
        temperatures=Temperatures(sharp, flat, share, uniform),
        bounds=Bounds(lower=lower, upper=upper),
        longest=take_count(description, "longest", 0),
    )


_NAMES = ("sizes", "authors", "n_candidates")


def unknown_author_arrays(rejection: RejectionRule) -> dict[str, NDArray[Any]]:
    """Return the statistics of texts by unknown authors; a stack stores those of known texts."""
    held_out = rejection.unknown_authors
    return {name: getattr(held_out, name) for name in ("statistics", *_NAMES)}


def read_rejection(arrays: Mapping[str, NDArray[Any]], known: HeldOutStatistics) -> RejectionRule:
    """Read what `unknown_author_arrays` returned.

    Parameters
    ----------
    arrays : mapping of name to array
    known : HeldOutStatistics
        Candidates' own texts.

    Raises
    ------
    ModelFileError
        An array is missing, or cannot be one.
    """
    found = take_array(arrays, "statistics", np.float64, (None,))
    sizes, authors, n_candidates = (
        take_array(arrays, name, np.int64, found.shape) for name in _NAMES
    )
    if set(arrays) != {"statistics", *_NAMES} or not found.size:
        raise ModelFileError("it does not have the arrays of strangers' texts, and no others")
    n_authors = int(known.n_candidates.max())
    if sizes.min() < 0 or not 0 <= authors.min() <= authors.max() < n_authors:
        raise ModelFileError("a stranger's text is of a length or an author that cannot be")
    if not 2 <= n_candidates.min() <= n_candidates.max() < n_authors:
        raise ModelFileError("a stranger's text had fewer than two candidates, or all authors")
    is_right = np.zeros(found.shape, dtype=bool)
    return RejectionRule(HeldOutStatistics(found, sizes, authors, n_candidates, is_right), known)
