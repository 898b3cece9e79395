"""How surely the first candidate wrote a text at all, in one number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from byline.errors import UsageError

Floats = NDArray[np.float64]


def statistics(log_odds: NDArray[np.floating]) -> Floats:
    """Log-odds of each text's first candidate above the mean of all other candidates'.

    The largest logit tells known from unknown classes as well as probabilities do or better, as
    it does not fall where a second candidate is near (Vaze et al. 2022; Hendrycks et al. 2022).
    Taken above the others' mean, it is the same whatever is added to a row, and of one scale for
    any number of candidates.

    Parameters
    ----------
    log_odds : (n, n_authors) float
        Of a stack, in nats; minus infinity for who was no candidate. Two or more were.

    Returns
    -------
    (n,) float64, nats, 0 or more

    Raises
    ------
    UsageError
        A text has fewer than two candidates, or log-odds that are no numbers.
    """
    is_candidate = ~np.isneginf(log_odds)
    n_others = is_candidate.sum(axis=1) - 1
    finite = np.where(is_candidate, log_odds, 0.0)
    if (n_others < 1).any() or not np.isfinite(finite).all():
        raise UsageError("every text needs finite log-odds of at least two candidates")
    first = log_odds.max(axis=1)
    below = np.where(is_candidate, first[:, np.newaxis] - finite, 0.0).sum(axis=1)
    return np.asarray(below / n_others, dtype=np.float64)
