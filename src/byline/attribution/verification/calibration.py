"""From similarities to calibrated answers, and how well that does on problems held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold

from byline.array_types import Booleans, Floats
from byline.attribution.calibration import Bounds, elub_bounds
from byline.errors import TrainingError, UsageError


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
    TrainingError
        There is no problem.
    """
    truth, given = _check(same, answers)
    if not truth.size:
        raise TrainingError("c@1 of no problems is not defined; add one")
    n_right = np.count_nonzero((given > 0.5) & truth) + np.count_nonzero((given < 0.5) & ~truth)
    n_withheld = np.count_nonzero(given == 0.5)
    return float(n_right + n_withheld * n_right / truth.size) / truth.size


def roc_auc(same: ArrayLike, answers: ArrayLike) -> float:
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
    TrainingError
        There is no problem of one kind.
    """
    truth, given = _check(same, answers)
    if truth.all() or not truth.any():
        raise TrainingError(
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


MIN_OF_A_KIND = 10
N_FOLDS = 5
WIDEST_BAND = 0.25  # an answer with three chances in four is given


@dataclass(frozen=True, slots=True)
class VerificationCalibrator:
    """A logistic regression that both kinds of problems weigh the same in, bounds, and a band.

    Attributes
    ----------
    means, deviations, weights : (n_features,) float64
        Features are standardised, then weighed.
    intercept : float
    bounds : Bounds
        Of log-likelihood ratios (nats), as the problems bear them out.
    band : float
        An answer is withheld where its probability, not yet bounded, is no farther from 0.5.
    """

    means: Floats
    deviations: Floats
    weights: Floats
    intercept: float
    bounds: Bounds
    band: float

    @classmethod
    def learn(cls, features: Floats, same: Booleans) -> Self:
        """Fit the regression, and choose bounds and band, all on the same problems.

        Parameters
        ----------
        features : (n_problems, n_features) float64
        same : (n_problems,) bool
            Both kinds are there.
        """
        means, deviations = features.mean(axis=0), features.std(axis=0)
        deviations[deviations == 0] = 1.0
        line = LogisticRegression(class_weight="balanced")
        line.fit((features - means) / deviations, same)
        log_odds = line.decision_function((features - means) / deviations)
        return cls(
            *(means, deviations, line.coef_[0], float(line.intercept_[0])),
            elub_bounds(log_odds[same], log_odds[~same]),
            _best_band(expit(log_odds), same),
        )

    def log_odds(self, features: Floats) -> Floats:
        """Natural log-likelihood ratios of "the same author", not yet bounded, (n_problems,)."""
        standard = (features - self.means) / self.deviations
        log_odds: Floats = standard @ self.weights + self.intercept
        return log_odds

    def given(self, log_odds: Floats) -> Floats:
        """Return the probabilities that log-odds are, 0.5 where the answer is withheld."""
        probabilities = expit(log_odds)
        return np.where(np.abs(probabilities - 0.5) <= self.band, 0.5, probabilities)


@dataclass(frozen=True, slots=True)
class VerificationPerformance:
    """What a verifier was calibrated on, and how it did there on problems held out.

    Attributes
    ----------
    n_same, n_different : int
        Problems with the same author, and with another.
    n_authors : int
        Authors of known texts.
    auc : float
        Of the probabilities.
    c_at_1 : float
    n_withheld : int
        Problems whose answer was withheld.
    """

    n_same: int
    n_different: int
    n_authors: int
    auc: float
    c_at_1: float
    n_withheld: int


def check_kinds(same: Booleans) -> None:
    """Refuse too few problems of a kind (`TrainingError`)."""
    n_same = int(np.count_nonzero(same))
    for n, kind in ((n_same, "the same author"), (same.size - n_same, "another author")):
        if n < MIN_OF_A_KIND:
            raise TrainingError(
                f"verification is calibrated on at least {MIN_OF_A_KIND} problems whose questioned "
                f"text is by {kind}, and there are {n}; add texts"
            )


def held_out_performance(
    features: Floats, same: Booleans, groups: Sequence[str]
) -> VerificationPerformance:
    """Answer each problem by a rule that was learnt without the problems of its known author.

    Where all problems are about one author, without a part of them.

    Parameters
    ----------
    features : (n_problems, n_features) float64
    same : (n_problems,) bool
    groups : sequence of str, (n_problems,)
        The known author of each.
    """
    authors, labels = np.unique(groups, return_inverse=True)
    if len(authors) < N_FOLDS:
        labels = np.arange(len(groups))
    given, probabilities = np.zeros(len(groups)), np.zeros(len(groups))
    folds = StratifiedGroupKFold(N_FOLDS)
    for learnt, held_out in folds.split(features, same, labels):
        rule = VerificationCalibrator.learn(features[learnt], same[learnt])
        log_odds = rule.log_odds(features[held_out])
        probabilities[held_out], given[held_out] = expit(log_odds), rule.given(log_odds)
    return VerificationPerformance(
        n_same=int(np.count_nonzero(same)),
        n_different=int(np.count_nonzero(~same)),
        n_authors=len(authors),
        auc=roc_auc(same, probabilities),
        c_at_1=c_at_1(same, given),
        n_withheld=int(np.count_nonzero(given == 0.5)),
    )


def _best_band(probabilities: Floats, same: Booleans) -> float:
    """Return the narrowest band with the highest c@1."""
    distances = np.abs(probabilities - 0.5)
    bands = np.unique(np.concatenate([[0.0], distances[distances <= WIDEST_BAND]]))
    values = [c_at_1(same, np.where(distances <= band, 0.5, probabilities)) for band in bands]
    return float(bands[int(np.argmax(values))])
