"""What a stack knows of texts by none of its candidates, as arrays and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution.classifiers.packing import take_array
from byline.attribution.open_set import Rejection, TriedTexts
from byline.errors import ModelFileError

_NAMES = ("sizes", "authors", "n_candidates")


def strangers_arrays(rejection: Rejection) -> dict[str, NDArray[Any]]:
    """Return what came out of strangers' texts; that of known ones a stack has already."""
    strangers = rejection.strangers
    return {name: getattr(strangers, name) for name in ("statistics", *_NAMES)}


def read_rejection(arrays: Mapping[str, NDArray[Any]], known: TriedTexts) -> Rejection:
    """Read what `strangers_arrays` returned.

    Parameters
    ----------
    arrays : mapping of name to array
    known : TriedTexts
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
    return Rejection(TriedTexts(found, sizes, authors, n_candidates, is_right), known)
