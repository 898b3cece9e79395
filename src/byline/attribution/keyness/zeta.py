"""Craig's and Eder's Zeta: in how many slices of two groups of texts each word occurs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from byline.array_types import Floats, Ids

# The default of stylo's `oppose`, and smaller sizes for short texts.
SLICE_SIZES = (3000, 2000, 1000, 500, 200, 100)
MIN_SLICES = 10  # per group; the share of fewer slices has steps of more than 10 %


def choose_slice_size(first: Sequence[int], second: Sequence[int]) -> int:
    """Choose a slice size for two groups of texts.

    Parameters
    ----------
    first, second : sequence of int
        The number of words of each text.

    Returns
    -------
    int
        The largest of 3,000, 2,000, 1,000, 500 and 200 words with which each group has at least
        ten slices; otherwise 100.

    Examples
    --------
    >>> choose_slice_size([40_000], [25_000])
    2000
    """
    for size in SLICE_SIZES[:-1]:
        if min(count_slices(first, size), count_slices(second, size)) >= MIN_SLICES:
            return size
    return SLICE_SIZES[-1]


def count_slices(lengths: Sequence[int], size: int) -> int:
    """Count the slices of texts; the remaining words at the end of a text are not a slice.

    Examples
    --------
    >>> count_slices([7, 2, 6], 3)
    4
    """
    return sum(length // size for length in lengths)


def slice_shares(texts: Sequence[Ids], n_words: int, size: int) -> Floats:
    """Compute the share of slices in which each word occurs.

    As in stylo's ``oppose``, each text is divided into slices of ``size`` words without overlap.
    The remaining words at its end are left out. All slices of the group have the same weight.

    Parameters
    ----------
    texts : sequence of (n_tokens,) int32
        The word ids of each text.
    n_words : int
        Size of the vocabulary.
    size : int
        Words per slice.

    Returns
    -------
    (n_words,) float64
        NaN if no text has ``size`` words.

    Examples
    --------
    >>> import numpy as np
    >>> texts = [np.array([0, 0, 1, 0, 2], np.int32), np.array([1, 1], np.int32)]
    >>> slice_shares(texts, 3, 2).round(2).tolist()  # slices 0 0, 1 0, and 1 1
    [0.67, 0.67, 0.0]
    """
    n_slices = count_slices(list(map(len, texts)), size)
    if not n_slices:
        return np.full(n_words, np.nan)
    present = np.zeros(n_words)
    for text in texts:
        slices = text[: len(text) // size * size].astype(np.int64).reshape(-1, size)
        slices += np.arange(len(slices))[:, np.newaxis] * n_words  # one id per slice and word
        present += np.bincount(np.unique(slices) % n_words, minlength=n_words)
    return present / n_slices


def craig_zeta(first: Floats, second: Floats) -> Floats:
    """Compute Craig's Zeta: the difference between two shares of slices.

    Parameters
    ----------
    first, second : (n_words,) float64
        The share of slices in which each word occurs, per group.

    Returns
    -------
    (n_words,) float64
        From -1 (only in the second group, in all slices) to 1 (only in the first). Craig and
        Kinney add 1; Byline and stylo do not.

    See Also
    --------
    eder_zeta : A variant that favours rarer words.

    References
    ----------
    Burrows (2007), All the way through: testing for authorship in different frequency strata.
    Literary and Linguistic Computing 22(1):27-47. Craig & Kinney (2009), Shakespeare, Computers,
    and the Mystery of Authorship, chapter 2.

    Examples
    --------
    >>> import numpy as np
    >>> craig_zeta(np.array([0.75]), np.array([0.25])).tolist()
    [0.5]
    """
    return first - second


def eder_zeta(first: Floats, second: Floats) -> Floats:
    """Compute Eder's Zeta: the difference between two shares of slices, divided by their sum.

    Parameters
    ----------
    first, second : (n_words,) float64
        The share of slices in which each word occurs, per group.

    Returns
    -------
    (n_words,) float64
        From -1 to 1. A word that occurs in one group only has one of these two values, however
        often it occurs; stylo leaves such words out. NaN for a word that occurs in no slice.

    See Also
    --------
    craig_zeta : A variant that favours words in many slices of one group.

    References
    ----------
    Eder, Rybicki & Kestemont (2016), Stylometry with R. R Journal 8(1):107-121. The divisor is
    that of the Canberra distance.

    Examples
    --------
    >>> import numpy as np
    >>> eder_zeta(np.array([0.75]), np.array([0.25])).tolist()
    [0.5]
    >>> eder_zeta(np.array([0.06]), np.array([0.02])).round(2).tolist()
    [0.5]
    """
    total = first + second
    difference: Floats = np.divide(
        first - second, total, out=np.full_like(total, np.nan), where=total > 0
    )
    return difference
