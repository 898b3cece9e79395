"""Why a questioned text is declined: it is too short, unknown, or without a preference."""

from __future__ import annotations

import numpy as np

from byline.array_types import Booleans, Floats
from byline.formatting import percent, quantity

#: Why a text is declined whose best candidates have equal scores.
TIED = "the best candidates have equal scores"
_ROUNDING = 1e-12  # relative error of sums
_CHARACTERS_PER_WORD = 5  # min_tokens counts words; a character model needs as much text

_UNITS = {
    "word": ("word or punctuation mark", "words and punctuation marks", 1),
    "char": ("character", "characters", _CHARACTERS_PER_WORD),
    "subword": ("subword", "subwords", 1),
}


def reason_to_decline(
    n_tokens: int,
    n_unknown: int,
    has_words: bool,
    *,
    unit: str,
    min_tokens: int,
    max_unknown: float,
) -> str | None:
    """Return why a text must be declined, or None if it need not be.

    Parameters
    ----------
    n_tokens, n_unknown : int
        Number of tokens, and of tokens that no candidate's vocabulary contains.
    has_words : bool
        Whether a token contains a letter or a digit.
    unit : {"word", "char", "subword"}
        What a token is. A text of characters needs five times ``min_tokens``.
    min_tokens : int
        Minimum number of words and punctuation marks.
    max_unknown : float
        Maximum proportion of unknown tokens.
    """
    singular, plural, factor = _UNITS[unit]
    length = quantity(n_tokens, singular, plural)
    needed = min_tokens * factor
    if n_tokens == 0:
        return "the text is empty"
    if not has_words:
        return "the text contains no word"
    if n_tokens < needed:
        return f"the text has {length}, and at least {needed} are needed"
    if n_unknown > max_unknown * n_tokens:
        return (
            f"{n_unknown} of the text's {length} ({percent(n_unknown / n_tokens, 0)}) are unknown "
            f"to the model, and at most {percent(max_unknown, 0)} may be"
        )
    return None


def are_tied(scores: Floats) -> Booleans:
    """Return whether the two best candidates of each text have equal scores, (n_documents,).

    Parameters
    ----------
    scores : (n_documents, n_authors) float64
        Differences that rounding errors can cause do not count.
    """
    second, first = np.partition(scores, -2, axis=1)[:, -2:].T
    tied: Booleans = first - second <= _ROUNDING * np.abs(scores).max(axis=1)
    return tied
