"""How well problems of verification were answered."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import roc_auc_score

from byline.errors import LearningError, UsageError


def c_at_1(same: ArrayLike, answers: ArrayLike) -> float:
    """Share of right answers, where an answer withheld counts as the answered ones do on average.

    ``(n_right + n_withheld * n_right / n) / n``: withholding an answer is better than a wrong one,
    and worse than a right one (Peñas & Rodrigo 2011, "A simple measure to assess non-response").

    Parameters
    ----------
    same : (n_problems,) bool
        Whether the author is the same.
    answers : (n_problems,) float
        Above 0.5 means yes, below it no, and 0.5 itself that the answer is withheld.

    Raises
    ------
    UsageError
        There are not as many answers as problems, or an answer is not within 0 and 1.
    LearningError
        There is no problem.
    """
    truth, given = _check(same, answers)
    if not truth.size:
        raise LearningError("c@1 of no problems is not defined; add one")
    n_right = np.count_nonzero((given > 0.5) & truth) + np.count_nonzero((given < 0.5) & ~truth)
    n_withheld = np.count_nonzero(given == 0.5)
    return float(n_right + n_withheld * n_right / truth.size) / truth.size


def area_under_curve(same: ArrayLike, answers: ArrayLike) -> float:
    """How often, of two problems, the one with the same author has the higher answer (AUC).

    Equal answers count half, so that withheld ones at 0.5, as PAN took them, cost something.

    Parameters
    ----------
    same : (n_problems,) bool
        Whether the author is the same.
    answers : (n_problems,) float
        From 0 to 1.

    Raises
    ------
    UsageError
        There are not as many answers as problems, or an answer is not within 0 and 1.
    LearningError
        There is no problem of one kind.
    """
    truth, given = _check(same, answers)
    if truth.all() or not truth.any():
        raise LearningError(
            "AUC needs a problem whose author is the same and one whose author is not; add one"
        )
    return float(roc_auc_score(truth, given))


def _check(same: ArrayLike, answers: ArrayLike) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    truth, given = np.asarray(same, dtype=bool), np.asarray(answers, dtype=np.float64)
    if truth.ndim != 1 or truth.shape != given.shape:
        raise UsageError(
            f"problems of shape {truth.shape} need answers of that shape, but {given.shape} came"
        )
    if not ((given >= 0) & (given <= 1)).all():
        raise UsageError("an answer is a probability from 0 to 1, and one is not")
    return truth, given
