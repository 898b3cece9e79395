"""A stack's results for held-out texts, and what is fitted to them, as parts of a model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution.model_files.json_values import take, take_count
from byline.attribution.open_set import HeldOutStatistics, RejectionRule
from byline.attribution.similar_cases import SimilarCases
from byline.attribution.stacking.calibrator import Calibrator, HeldOutResults
from byline.attribution.stacking.combination import REFERENCE_LENGTHS, Combination
from byline.attribution.stored_arrays import Arrays, take_array
from byline.errors import ModelFileError

_NATS = "nats_per_character"
_LARGEST_LOG_WEIGHT = 100.0  # far above any fitted one, and far below an overflow
_OF_UNKNOWN_AUTHORS = ("sizes", "authors", "n_candidates")


def combination_arrays(combination: Combination) -> dict[str, NDArray[Any]]:
    """Return the arrays of a combination by name."""
    return {field.name: getattr(combination, field.name) for field in fields(combination)}


def read_combination(arrays: Arrays, n_classifiers: int, n_authors: int) -> Combination:
    """Rebuild a combination from what `combination_arrays` returned.

    Raises
    ------
    ModelFileError
        If an array is missing or invalid.
    """
    n_lengths = len(REFERENCE_LENGTHS)
    log_weights = take_array(arrays, "log_weights", np.float64, (n_classifiers, n_lengths))
    if np.abs(log_weights).max() > _LARGEST_LOG_WEIGHT:
        raise ModelFileError("a weight is out of its range")
    return Combination(
        log_weights,
        take_array(arrays, "of_amounts", np.float64, (n_classifiers, 3)),
        take_array(arrays, "shortages", np.float64, (n_authors,)),
        take_array(arrays, "biases", np.float64, (n_authors,)),
        take_array(arrays, "are_sums", np.bool_, (n_classifiers,)),
    )


def held_out_arrays(results: HeldOutResults) -> dict[str, NDArray[Any]]:
    """Return all arrays of the results by name."""
    values = {field.name: getattr(results, field.name) for field in fields(results)}
    values["n_texts"] = np.array([results.n_texts])
    return {name: array for name, array in values.items() if array is not None}


def describe_calibrator(calibrator: Calibrator) -> dict[str, Any]:
    """Return the values of the calibrator as JSON values."""
    return asdict(calibrator)


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
    shares = take_array(arrays, "shares", np.float64, (n,))
    # A share may exceed one: the only passage of some length counts for all texts of its work.
    are_valid = (sizes >= 0) & (shares > 0) & (labels >= 0) & (labels < n_authors)
    if not are_valid.all():
        raise ModelFileError("a held-out text has an invalid size, share or author")
    n_texts = int(take_array(arrays, "n_texts", np.int64, (1,))[0])
    if n_texts < 0 or (n_texts == 0) != (n == 0):
        raise ModelFileError("the number of held-out texts is invalid")
    return HeldOutResults(
        n_texts=n_texts,
        sizes=sizes,
        labels=labels,
        shares=shares,
        is_whole=take_array(arrays, "is_whole", np.bool_, (n,)),
        log_odds=take_array(arrays, "log_odds", np.float32, (n, n_authors)),
        nats_per_character=(
            take_array(arrays, _NATS, np.float32, (n,)) if _NATS in arrays else None
        ),
    )


def read_calibrator(description: Mapping[str, Any]) -> Calibrator:
    """Rebuild a calibrator from what `describe_calibrator` returned.

    Raises
    ------
    ModelFileError
        If a value is missing or out of its range.
    """
    uniform = take(description, "uniform", float)
    if not 0 < uniform < 1:
        raise ModelFileError("a probability is out of its range")
    n_held_out, n_simulated = (
        take_count(description, name, 0) for name in ("n_held_out", "n_simulated")
    )
    similar = take(description, "similar_cases", list)
    if not all(isinstance(each, dict) for each in similar):
        raise ModelFileError("a simulated case is not a JSON object")
    cases = tuple(map(SimilarCases.from_dict, similar))
    return Calibrator(uniform, n_held_out, n_simulated, cases, take(description, "reference", str))


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
    if sizes.min() < 0 or authors.min() < 0:
        raise ModelFileError("a text by an unknown author has an invalid length or author")
    # People of a reference population, numbered after the candidates, were compared with them all.
    most = np.where(authors < n_authors, n_authors - 1, n_authors)
    if n_candidates.min() < 2 or (n_candidates > most).any():
        raise ModelFileError(
            "a text by an unknown author had fewer than two candidates, or was compared with itself"
        )
    is_right = np.zeros(found.shape, dtype=bool)
    return RejectionRule(HeldOutStatistics(found, sizes, authors, n_candidates, is_right), known)
