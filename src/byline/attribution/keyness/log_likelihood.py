"""Dunning's log-likelihood ratio, and the log ratio as its effect size."""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from byline.array_types import Floats

SMALLEST_COUNT = 0.5  # instead of 0, as Hardie proposes


def log_likelihood_ratios(
    first: Floats, first_total: float, second: Floats, second_total: float
) -> Floats:
    """Compute Dunning's log-likelihood ratio of words in two groups of texts, with a sign.

    The ratio compares two binomial distributions, one per group, with one distribution for both
    groups. It treats all occurrences as independent, although words cluster in texts. Use it to
    rank words, and not as a significance test.

    Parameters
    ----------
    first, second : (n_words,) float64
        Counts of each word in each group.
    first_total, second_total : float
        Number of words in each group, above 0.

    Returns
    -------
    (n_words,) float64
        G2, twice the natural logarithm of the ratio, as AntConc and Sketch Engine state it;
        negative if the second group has the higher rate.

    See Also
    --------
    log_ratios : The size of the difference.

    References
    ----------
    Dunning (1993), Accurate methods for the statistics of surprise and coincidence.
    Computational Linguistics 19(1):61-74.

    Examples
    --------
    >>> import numpy as np
    >>> log_likelihood_ratios(np.array([30.0]), 1000, np.array([10.0]), 1000).round(2).tolist()
    [10.67]
    """
    word_total, total = first + second, first_total + second_total
    observed = (first, second, first_total - first, second_total - second)
    expected = (
        word_total * first_total / total,
        word_total * second_total / total,
        (total - word_total) * first_total / total,
        (total - word_total) * second_total / total,
    )
    ratio: Floats = 2 * np.sum(
        [xlogy(o, o) - xlogy(o, e) for o, e in zip(observed, expected, strict=True)], axis=0
    )
    sign: Floats = np.sign(first * second_total - second * first_total)
    return sign * np.maximum(ratio, 0.0)


def log_ratios(first: Floats, first_total: float, second: Floats, second_total: float) -> Floats:
    """Compute the binary logarithm of the ratio of two rates, as an effect size.

    Parameters
    ----------
    first, second : (n_words,) float64
        Counts of each word in each group. A count of 0 is replaced by 0.5.
    first_total, second_total : float
        Number of words in each group, above 0.

    Returns
    -------
    (n_words,) float64
        1 if the first group uses the word twice as often, 2 if four times, -1 if half as often.

    References
    ----------
    Hardie (2014), Log Ratio: an informal introduction. ESRC Centre for Corpus Approaches to
    Social Science, Lancaster.

    Examples
    --------
    >>> import numpy as np
    >>> log_ratios(np.array([40.0]), 1000, np.array([10.0]), 1000).tolist()
    [2.0]
    """
    rates = np.maximum(first, SMALLEST_COUNT) / first_total
    other_rates = np.maximum(second, SMALLEST_COUNT) / second_total
    ratio: Floats = np.log2(rates) - np.log2(other_rates)
    return ratio
