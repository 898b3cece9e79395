"""A stack's answers about held-out texts, and what is learnt from them, as parts of a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution.calibration import Bounds
from byline.attribution.classifiers.packing import Arrays, take_array
from byline.attribution.stacking.answers import HeldOutAnswers
from byline.attribution.stacking.certainty import Certainty
from byline.attribution.stacking.temperatures import LENGTHS, Temperatures
from byline.attribution.storing.json_values import take, take_count
from byline.errors import ModelFileError

_BY_LENGTH = ("sharp", "flat", "share")
_NATS = "nats_per_character"


def answers_arrays(answers: HeldOutAnswers, certainty: Certainty) -> dict[str, NDArray[Any]]:
    """Return all arrays by name."""
    values = {field.name: getattr(answers, field.name) for field in fields(answers)}
    values["n_texts"] = np.array([answers.n_texts])
    values |= {name: getattr(certainty.temperatures, name) for name in _BY_LENGTH}
    return {name: array for name, array in values.items() if array is not None}


def describe_certainty(certainty: Certainty) -> dict[str, Any]:
    """Return what is no array, as JSON values."""
    return {
        "uniform": certainty.temperatures.uniform,
        "lower": certainty.bounds.lower,
        "upper": certainty.bounds.upper,
        "longest": certainty.longest,
    }


def read_answers(arrays: Arrays, n_authors: int) -> HeldOutAnswers:
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
    return HeldOutAnswers(
        n_texts=n_texts,
        sizes=sizes,
        labels=labels,
        is_whole=take_array(arrays, "is_whole", np.bool_, (n,)),
        log_odds=take_array(arrays, "log_odds", np.float32, (n, n_authors)),
        nats_per_character=(
            take_array(arrays, _NATS, np.float32, (n,)) if _NATS in arrays else None
        ),
    )


def read_certainty(description: Mapping[str, Any], arrays: Arrays) -> Certainty:
    """Rebuild from what `describe_certainty` and `answers_arrays` returned.

    Raises
    ------
    ModelFileError
        A value is missing, or out of its range.
    """
    sharp, flat, share = (
        take_array(arrays, name, np.float64, (len(LENGTHS),)) for name in _BY_LENGTH
    )
    uniform, lower, upper = (
        take(description, name, float) for name in ("uniform", "lower", "upper")
    )
    if not 0 < uniform < 1 or not -math.inf < lower <= 0 <= upper < math.inf:
        raise ModelFileError("a share or a bound is out of its range")
    return Certainty(
        temperatures=Temperatures(sharp, flat, share, uniform),
        bounds=Bounds(lower=lower, upper=upper),
        longest=take_count(description, "longest", 0),
    )
