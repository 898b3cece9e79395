"""Calibrate verification answers, and measure their accuracy by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.calibration import Bounds, elub_bounds
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


MIN_PER_KIND = 10
N_FOLDS = 5
MAX_MARGIN = 0.25  # answers with a probability of at least 0.75 are always given


@dataclass(frozen=True, slots=True)
class VerificationCalibrator:
    """Converts similarities to log-likelihood ratios, with bounds and a margin of indecision.

    The log-likelihood ratios come from a logistic regression in which problems with the same author
    and problems with different authors have the same total weight.

    Attributes
    ----------
    means, deviations, weights : (n_features,) float64
        Features are standardised, then weighted.
    intercept : float
        Of the logistic regression.
    bounds : Bounds
        The largest log-likelihood ratios (nats) that the problems support.
    margin : float
        An answer is withheld if its unbounded probability differs from 0.5 by at most this.

    Examples
    --------
    >>> import numpy as np
    >>> features = np.array([[0.9], [0.8], [0.1], [0.2]])
    >>> same = np.array([True, True, False, False])
    >>> calibrator = VerificationCalibrator.fit(features, same)
    >>> (calibrator.log_odds(features) > 0).tolist()
    [True, True, False, False]
    """

    means: Floats
    deviations: Floats
    weights: Floats
    intercept: float
    bounds: Bounds
    margin: float

    @classmethod
    def fit(cls, features: Floats, same: Booleans) -> Self:
        """Fit the regression, the bounds and the margin to the same problems.

        Parameters
        ----------
        features : (n_problems, n_features) float64
        same : (n_problems,) bool
            Whether the author is the same; both values occur.
        """
        means, deviations = features.mean(axis=0), features.std(axis=0)
        deviations[deviations == 0] = 1.0
        line = LogisticRegression(class_weight="balanced")
        line.fit((features - means) / deviations, same)
        log_odds = line.decision_function((features - means) / deviations)
        return cls(
            *(means, deviations, line.coef_[0], float(line.intercept_[0])),
            elub_bounds(log_odds[same], log_odds[~same]),
            _best_margin(expit(log_odds), same),
        )

    def log_odds(self, features: Floats) -> Floats:
        """Return unbounded natural log-likelihood ratios of "the same author", (n_problems,)."""
        standard = (features - self.means) / self.deviations
        log_odds: Floats = standard @ self.weights + self.intercept
        return log_odds

    def answers(self, log_odds: Floats) -> Floats:
        """Convert log-odds to probabilities, with 0.5 for withheld answers."""
        probabilities = expit(log_odds)
        return np.where(np.abs(probabilities - 0.5) <= self.margin, 0.5, probabilities)


@dataclass(frozen=True, slots=True)
class VerificationPerformance:
    """The cross-validated performance of a verifier on its calibration problems.

    Attributes
    ----------
    n_same, n_different : int
        Number of problems with the same author, and with different authors.
    n_authors : int
        Number of authors of known texts.
    auc : float
        Area under the ROC curve of the probabilities.
    c_at_1 : float
        See `c_at_1`.
    n_withheld : int
        Number of problems whose answer was withheld.

    Examples
    --------
    >>> VerificationPerformance(
    ...     n_same=20, n_different=20, n_authors=5, auc=0.97, c_at_1=0.92, n_withheld=2
    ... ).n_withheld
    2
    """

    n_same: int
    n_different: int
    n_authors: int
    auc: float
    c_at_1: float
    n_withheld: int


def check_kinds(same: Booleans) -> None:
    """Check that there are enough problems of both kinds (`TrainingError`)."""
    n_same = int(np.count_nonzero(same))
    for n, kind in ((n_same, "the same author"), (same.size - n_same, "different authors")):
        if n < MIN_PER_KIND:
            raise TrainingError(
                f"verification needs at least {MIN_PER_KIND} calibration problems with {kind}, "
                f"and there are {n}; add texts"
            )


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutAnswers:
    """Calibration problems, and the cross-validated answers about them.

    Attributes
    ----------
    features : (n_problems, n_features) float64
        The similarities of known and questioned texts.
    same : (n_problems,) bool
        Whether the author is the same.
    known_authors, questioned_authors : (n_problems,) int
        Numbers of the authors of the known texts and of the questioned text. Authors are numbered
        from 0.
    log_odds, log_lrs : (n_problems,) float64
        Unbounded and bounded natural log-likelihood ratios by calibrations that were fitted to
        other problems.
    answers : (n_problems,) float64
        Probabilities by the same calibrations, with 0.5 for withheld answers.

    See Also
    --------
    held_out_answers : Compute the answers.

    Examples
    --------
    >>> import numpy as np
    >>> answers = HeldOutAnswers(
    ...     features=np.array([[0.9], [0.1]]),
    ...     same=np.array([True, False]),
    ...     known_authors=np.array([0, 0]),
    ...     questioned_authors=np.array([0, 1]),
    ...     log_odds=np.array([2.5, -1.0]),
    ...     log_lrs=np.array([2.0, -1.0]),
    ...     answers=np.array([0.88, 0.27]),
    ... )
    >>> answers.performance().auc
    1.0
    """

    features: Floats
    same: Booleans
    known_authors: Integers
    questioned_authors: Integers
    log_odds: Floats
    log_lrs: Floats
    answers: Floats

    def performance(self) -> VerificationPerformance:
        """Summarise the answers."""
        return VerificationPerformance(
            n_same=int(np.count_nonzero(self.same)),
            n_different=int(np.count_nonzero(~self.same)),
            n_authors=len(np.unique(self.known_authors)),
            auc=roc_auc(self.same, expit(self.log_odds)),
            c_at_1=c_at_1(self.same, self.answers),
            n_withheld=int(np.count_nonzero(self.answers == 0.5)),
        )


def held_out_answers(
    features: Floats, same: Booleans, known_by: Sequence[str], questioned_by: Sequence[str]
) -> HeldOutAnswers:
    """Cross-validate the calibration, holding out all problems of a known author together.

    If there are fewer authors than folds, single problems are held out instead.

    Parameters
    ----------
    features : (n_problems, n_features) float64
        The similarities of known and questioned texts.
    same : (n_problems,) bool
        Whether the author is the same.
    known_by, questioned_by : sequence of str, (n_problems,)
        The author of each problem's known texts and of its questioned text.
    """
    _, numbers = np.unique([*known_by, *questioned_by], return_inverse=True)
    known_authors, questioned_authors = numbers[: len(same)], numbers[len(same) :]
    has_folds = len(np.unique(known_authors)) >= N_FOLDS
    groups = known_authors if has_folds else np.arange(len(same))
    log_odds, log_lrs, answers = np.zeros((3, len(same)))
    for training, held_out in StratifiedGroupKFold(N_FOLDS).split(features, same, groups):
        calibrator = VerificationCalibrator.fit(features[training], same[training])
        log_odds[held_out] = calibrator.log_odds(features[held_out])
        log_lrs[held_out] = calibrator.bounds.apply(log_odds[held_out])
        answers[held_out] = calibrator.answers(log_odds[held_out])
    return HeldOutAnswers(
        *(features, same, known_authors, questioned_authors), *(log_odds, log_lrs, answers)
    )


def _best_margin(probabilities: Floats, same: Booleans) -> float:
    """Return the smallest margin with the highest c@1."""
    distances = np.abs(probabilities - 0.5)
    is_correct = (probabilities > 0.5) == same
    margins = np.unique(np.concatenate([[0.0], distances[distances <= MAX_MARGIN]]))
    n_withheld = np.searchsorted(np.sort(distances), margins, side="right")
    n_right = is_correct.sum() - np.searchsorted(
        np.sort(distances[is_correct]), margins, side="right"
    )
    values = (n_right + n_withheld * n_right / same.size) / same.size  # see `c_at_1`
    return float(margins[int(np.argmax(values))])
