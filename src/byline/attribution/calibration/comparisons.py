"""Likelihood ratios of candidates, and those of true authors apart from those of others."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp

from byline.errors import LearningError, UsageError

Floats = NDArray[np.float64]
Labels = NDArray[np.integer]


def likelihood_ratios(log_odds: ArrayLike) -> Floats:
    """Natural log-likelihood ratio of "this candidate" against "one of the others".

    The others count alike, so that for candidate ``a`` of ``k``, with log-odds ``s``, it is
    ``s[a] - log(mean(exp(s[b]) for b != a))``: what the odds of ``a`` have grown by, where every
    candidate was equally likely beforehand.

    Parameters
    ----------
    log_odds : (n_texts, n_authors) array
        Natural logarithms, up to a constant a text; two or more authors.

    Returns
    -------
    (n_texts, n_authors) float64
        Finite.

    Raises
    ------
    UsageError
        There are fewer than two columns, or a value is not finite.
    """
    scores = np.asarray(log_odds, dtype=np.float64)
    if scores.ndim != 2 or scores.shape[1] < 2:
        raise UsageError(
            f"log-odds of shape {scores.shape}: a row a text and two or more columns are needed"
        )
    if not np.isfinite(scores).all():
        raise UsageError("a log-odds is not a finite number, so neither would a ratio be")
    n_others = scores.shape[1] - 1
    if not len(scores):
        return scores
    rows, best = np.arange(len(scores)), scores.argmax(axis=1)
    total = logsumexp(scores, axis=1, keepdims=True)
    # All but one: exact where the one is no more than half of the total, which all but the best are
    share = np.minimum(np.exp(scores - total), 0.5)
    ratios = scores - total - np.log1p(-share)
    others = scores.copy()
    others[rows, best] = -np.inf
    ratios[rows, best] = scores[rows, best] - logsumexp(others, axis=1)
    finite: Floats = ratios + np.log(n_others)
    return finite


def own_and_others(llrs: ArrayLike, labels: ArrayLike) -> tuple[Floats, Floats]:
    """Part the log-likelihood ratios of true authors from those of all other candidates.

    Parameters
    ----------
    llrs : (n_texts, n_authors) array
    labels : (n_texts,) int
        Column of each text's author.

    Returns
    -------
    targets : (n_texts,) float64
    nontargets : (n_texts * (n_authors - 1),) float64
        Those of one text depend on one another.
    """
    values = np.asarray(llrs, dtype=np.float64)
    own = np.arange(values.shape[1]) == np.asarray(labels)[:, np.newaxis]
    return values[own], values[~own]


def check_comparisons(targets: ArrayLike, nontargets: ArrayLike) -> tuple[Floats, Floats]:
    """Return both kinds as flat arrays.

    Raises
    ------
    LearningError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = (np.ravel(np.asarray(v, dtype=np.float64)) for v in (targets, nontargets))
    for values, whose in ((own, "true authors"), (others, "other candidates")):
        if not values.size:
            raise LearningError(f"no comparison with {whose}: held-out texts of known authors lack")
        if not np.isfinite(values).all():
            raise UsageError(f"a value of {whose} is not a finite number; bound it beforehand")
    return own, others
