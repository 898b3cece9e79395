"""The record of known texts as it stands in a file that cannot be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution.classifiers.packing import take_array
from byline.corpus.fingerprints import PASSAGE, WINDOW, Hashes
from byline.errors import ModelFileError

_HEX = frozenset("0123456789abcdef")
_WORDS = ("author", "work", "sha256")
_SIZES = ("n_characters", "n_words")
HABITS = ("means", "variances", "distances")  # arrays of habits
_ARRAYS = {"fingerprints": np.uint64, "fingerprint_counts": np.int64}


def check_passages(data: Mapping[str, Any]) -> None:
    """Refuse fingerprints of passages of another length (`ModelFileError`)."""
    if (data.get("passage"), data.get("window")) != (PASSAGE, WINDOW):
        raise ModelFileError("its fingerprints are of other passages than this Byline's")


def read_documents(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what describes each known text.

    Raises
    ------
    ModelFileError
        It does not.
    """
    documents = data.get("documents")
    if not isinstance(documents, list):
        raise ModelFileError("the known texts are no list")
    for document in documents:
        _check_document(document)
    return documents


def _check_document(data: object) -> None:
    if not isinstance(data, dict) or set(data) != {*_WORDS, *_SIZES}:
        raise ModelFileError("a known text is not described by its author, work, hash and length")
    if not all(isinstance(data[name], str) for name in _WORDS):
        raise ModelFileError("a known text's author, work or hash is no string")
    if len(data["sha256"]) != 64 or not _HEX.issuperset(data["sha256"]):
        raise ModelFileError(f"{data['sha256']!r:.70} is no SHA-256")
    if not all(type(data[name]) is int and data[name] >= 0 for name in _SIZES):
        raise ModelFileError("a known text's length is no number of characters or words")


def read_fingerprints(arrays: Mapping[str, NDArray[Any]], n_authors: int) -> list[Hashes]:
    """Return each author's fingerprints.

    Raises
    ------
    ModelFileError
        An array is missing or of another kind, or there are not as many numbers as it takes.
    """
    for name, kind in _ARRAYS.items():
        if name not in arrays or arrays[name].dtype != kind or arrays[name].ndim != 1:
            raise ModelFileError(f"the array {name} is missing, or not what it should be")
    hashes, counts = arrays["fingerprints"], arrays["fingerprint_counts"]
    largest = len(hashes)
    if len(counts) != n_authors or not ((counts >= 0) & (counts <= largest)).all():
        raise ModelFileError("fingerprint_counts are not one number an author")
    if int(counts.sum()) != largest:
        raise ModelFileError(f"fingerprint_counts do not add up to the {largest:,} fingerprints")
    each: list[Hashes] = np.split(hashes, np.cumsum(counts)[:-1]) if n_authors else []
    if not all((known[1:] > known[:-1]).all() for known in each):
        raise ModelFileError("an author's fingerprints do not ascend")
    return each


def read_habits(
    data: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> tuple[tuple[str, ...], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the words of `Habits`, their means and variances, and the known texts' distances.

    Raises
    ------
    ModelFileError
        They are not such.
    """
    words = data.get("habits")
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ModelFileError("the known texts' commonest words are no list of words")
    n_words = (len(words),)
    means = take_array(arrays, "habit_means", np.float64, n_words)
    variances = take_array(arrays, "habit_variances", np.float64, n_words)
    distances = take_array(arrays, "habit_distances", np.float64, (None,))
    for array in (means, variances, distances):
        if not (np.isfinite(array).all() and (array >= 0).all()):
            raise ModelFileError("the known texts' habits are no shares, variances or distances")
    return tuple(words), means, variances, distances
