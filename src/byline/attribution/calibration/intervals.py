"""Confidence intervals of rates that were observed in groups of texts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from byline.errors import TrainingError, UsageError

_TAIL = 0.025
_ROUNDING = 1e-12


def clustered_interval(rates: ArrayLike, weights: ArrayLike | None = None) -> tuple[float, float]:
    """Compute the 95 % interval of a rate, given the rate in each group, such as each author.

    Texts by one author resemble each other, so that a hundred texts by five authors say much less
    than a hundred texts by a hundred authors. This is the exact binomial interval (Clopper &
    Pearson 1934) for the number of independent texts that would have the same standard error (Korn
    & Graubard 1998). If the rate is the same in all groups, each group counts as one
    text.

    Parameters
    ----------
    rates : (n_groups,) array
        From 0 to 1.
    weights : (n_groups,) array, optional
        What each group counts, such as its number of texts; positive. By default, all groups count
        equally.

    Returns
    -------
    lower, upper : float
        From 0 to 1. With one group, the interval is that of a single text.

    Raises
    ------
    TrainingError
        There is no group.
    UsageError
        A rate is not between 0 and 1, or a weight is not positive.

    References
    ----------
    Korn & Graubard (1998), Confidence intervals for proportions with small expected number of
    positive counts estimated from survey data. Survey Methodology 24:193-201.

    Examples
    --------
    >>> [round(end, 3) for end in clustered_interval([0.1, 0.3, 0.0, 0.2])]
    [0.015, 0.472]
    >>> [round(end, 3) for end in clustered_interval([0.0] * 9)]
    [0.0, 0.336]
    """
    values = np.asarray(rates, dtype=np.float64)
    n_groups = values.size
    if not n_groups:
        raise TrainingError("there is no group of texts to estimate a rate from; add texts")
    if not ((values >= 0) & (values <= 1)).all():
        raise UsageError("a rate is not between 0 and 1")
    shares = np.ones(n_groups) if weights is None else np.asarray(weights, dtype=np.float64)
    if shares.shape != values.shape or not (shares > 0).all():
        raise UsageError("a weight is not positive, or there are not as many weights as rates")
    shares = shares / shares.sum()
    rate = min(1.0, float(shares @ values))
    n_texts = float(n_groups)
    variance = float((shares**2) @ (values - rate) ** 2) * n_groups / max(n_groups - 1, 1)
    if variance > _ROUNDING:
        n_texts = rate * (1 - rate) / variance
        n_texts *= float((stats.norm.ppf(_TAIL) / stats.t.ppf(_TAIL, n_groups - 1)) ** 2)
        n_texts = max(n_texts, 1.0)
    n_hits = rate * n_texts
    lower = stats.beta.ppf(_TAIL, n_hits, n_texts - n_hits + 1) if n_hits > 0 else 0.0
    upper = stats.beta.ppf(1 - _TAIL, n_hits + 1, n_texts - n_hits) if n_hits < n_texts else 1.0
    return float(lower), float(upper)
