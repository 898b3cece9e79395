"""Dispersion: how evenly a word is spread over the parts of a group of texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from byline.array_types import Floats, Ids, Integers


def count_in_parts(
    texts: Sequence[Ids], n_words: int, size: int
) -> tuple[sparse.csr_array, Integers]:
    """Divide texts into parts of about equal size, and count each word in each part.

    No word is left out. A text is divided into as many parts as ``size`` fits into its length,
    rounded, and at least one.

    Parameters
    ----------
    texts : sequence of (n_tokens,) int32
        The word ids of each text.
    n_words : int
        Size of the vocabulary.
    size : int
        Words per part, approximately.

    Returns
    -------
    counts : (n_parts, n_words) sparse int64
    sizes : (n_parts,) int64
        The number of words of each part.

    Examples
    --------
    >>> import numpy as np
    >>> counts, sizes = count_in_parts([np.array([0, 0, 1, 0, 2, 2], np.int32)], 3, 3)
    >>> counts.toarray().tolist(), sizes.tolist()
    ([[2, 1, 0], [1, 0, 2]], [3, 3])
    """
    parts = [part for text in texts if len(text) for part in _parts(text, size)]
    sizes = np.array(list(map(len, parts)), dtype=np.int64)
    rows = np.repeat(np.arange(len(parts)), sizes)
    columns = np.concatenate(parts) if parts else np.zeros(0, np.int32)
    counts = sparse.coo_array(
        (np.ones(len(columns), dtype=np.int64), (rows, columns)), shape=(len(parts), n_words)
    )
    return counts.tocsr(), sizes


def _parts(text: Ids, size: int) -> list[Ids]:
    n_parts = max(round(len(text) / size), 1)
    bounds = np.round(np.linspace(0, len(text), n_parts + 1)).astype(int)
    return np.split(text, bounds[1:-1])


def deviation_of_proportions(counts: sparse.csr_array, sizes: Integers) -> Floats:
    """Compute Gries's normalised deviation of proportions (DPnorm) of each word.

    Parameters
    ----------
    counts : (n_parts, n_words) sparse
        Counts of each word in each part.
    sizes : (n_parts,) int64
        Number of words in each part.

    Returns
    -------
    (n_words,) float64
        0 for a word that is spread in proportion to the sizes of the parts; 1 for a word that
        occurs in the smallest part only. NaN for a word that does not occur, or if there is only
        one part.

    See Also
    --------
    juilland_d : An older measure.

    References
    ----------
    Gries (2008), Dispersions and adjusted frequencies in corpora. International Journal of Corpus
    Linguistics 13(4):403-437. Lijffijt & Gries (2012), Correction to this article,
    IJCL 17(1):147-149.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> counts = sparse.csr_array(np.array([[4, 2], [0, 2]]))
    >>> deviation_of_proportions(counts, np.array([10, 10])).tolist()
    [1.0, 0.0]
    """
    totals = _column_sums(counts)
    if len(sizes) < 2:
        return np.full(len(totals), np.nan)
    expected = sizes / sizes.sum()
    cells = counts.tocoo()
    observed = cells.data / totals[cells.col]
    # Every part without the word contributes its share; the sum of all shares is 1.
    excess = np.abs(observed - expected[cells.row]) - expected[cells.row]
    deviation = (1 + np.bincount(cells.col, weights=excess, minlength=len(totals))) / 2
    normalised: Floats = np.maximum(deviation, 0.0) / (1 - expected.min())
    return np.where(totals > 0, normalised, np.nan)


def juilland_d(counts: sparse.csr_array, sizes: Integers) -> Floats:
    """Compute Juilland's D of each word from its rates in the parts.

    Parameters
    ----------
    counts : (n_parts, n_words) sparse
        Counts of each word in each part.
    sizes : (n_parts,) int64
        Number of words in each part.

    Returns
    -------
    (n_words,) float64
        1 for a word with the same rate in all parts, 0 for a word that occurs in one part only.
        NaN for a word that does not occur, or if there is only one part.

    See Also
    --------
    deviation_of_proportions : A measure that takes the sizes of the parts into account.

    References
    ----------
    Juilland & Chang-Rodriguez (1964), Frequency Dictionary of Spanish Words. The formula is
    1 - V / sqrt(n - 1), where V is the coefficient of variation of the n rates.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> counts = sparse.csr_array(np.array([[4, 2], [0, 2]]))
    >>> juilland_d(counts, np.array([10, 10])).tolist()
    [0.0, 1.0]
    """
    n_parts, totals = len(sizes), _column_sums(counts)
    if n_parts < 2:
        return np.full(len(totals), np.nan)
    cells = counts.tocoo()
    rates = cells.data / sizes[cells.row]
    mean = np.bincount(cells.col, weights=rates, minlength=len(totals)) / n_parts
    square = np.bincount(cells.col, weights=rates**2, minlength=len(totals)) / n_parts
    deviation = np.sqrt(np.maximum(square - mean**2, 0.0))
    variation = np.divide(deviation, mean, out=np.full_like(mean, np.nan), where=mean > 0)
    dispersion: Floats = np.maximum(1 - variation / np.sqrt(n_parts - 1), 0.0)
    return dispersion


def _column_sums(counts: sparse.csr_array) -> Floats:
    return np.asarray(counts.sum(axis=0), dtype=np.float64)
