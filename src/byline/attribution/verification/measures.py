"""Measures of the accuracy of verification answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import roc_auc_score

from byline.array_types import Booleans, Floats
from byline.errors import TrainingError, UsageError


def c_at_1(same: ArrayLike, answers: ArrayLike) -> float:
    """Compute c@1: accuracy in which a withheld answer counts as the mean of the given ones.

    ``(n_correct + n_withheld * n_correct / n) / n``. Withholding an answer is better than a wrong
    answer and worse than a correct one.

    Parameters
    ----------
    same : (n_problems,) bool
        Whether the author is the same.
    answers : (n_problems,) float
        Values above 0.5 mean yes, below 0.5 no. 0.5 means that the answer is withheld.

    Raises
    ------
    UsageError
        There are not as many answers as problems, or an answer is not between 0 and 1.
    TrainingError
        There is no problem.

    References
    ----------
    Peñas & Rodrigo (2011), A simple measure to assess non-response.

    Examples
    --------
    >>> c_at_1([True, True, False, False], [0.9, 0.2, 0.1, 0.5])
    0.625
    """
    truth, given = _check(same, answers)
    if not truth.size:
        raise TrainingError("c@1 is undefined without problems; add at least one")
    n_correct = np.count_nonzero((given > 0.5) & truth) + np.count_nonzero((given < 0.5) & ~truth)
    n_withheld = np.count_nonzero(given == 0.5)
    return float(n_correct + n_withheld * n_correct / truth.size) / truth.size


def roc_auc(same: ArrayLike, answers: ArrayLike) -> float:
    """Compute the area under the ROC curve (AUC).

    It is the probability that a problem with the same author has a higher answer than a problem
    with different authors. Equal answers count one half, so withheld answers (0.5, as in the PAN
    evaluations) lower the AUC.

    Parameters
    ----------
    same : (n_problems,) bool
        Whether the author is the same.
    answers : (n_problems,) float
        From 0 to 1.

    Raises
    ------
    UsageError
        There are not as many answers as problems, or an answer is not between 0 and 1.
    TrainingError
        All authors are the same, or all are different.

    Examples
    --------
    >>> roc_auc([True, True, False], [0.9, 0.5, 0.5])
    0.75
    """
    truth, given = _check(same, answers)
    if truth.all() or not truth.any():
        raise TrainingError(
            "AUC needs problems with the same author and with different authors; add some"
        )
    return float(roc_auc_score(truth, given))


def _check(same: ArrayLike, answers: ArrayLike) -> tuple[Booleans, Floats]:
    truth, given = np.asarray(same, dtype=bool), np.asarray(answers, dtype=np.float64)
    if truth.ndim != 1 or truth.shape != given.shape:
        raise UsageError(
            f"problems have the shape {truth.shape} and answers {given.shape}; give one answer per "
            "problem"
        )
    if not ((given >= 0) & (given <= 1)).all():
        raise UsageError("an answer is not between 0 and 1; give probabilities")
    return truth, given
