"""From similarities to calibrated answers, and how well that does on problems held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold

from byline.attribution.calibration import Bounds, elub_bounds
from byline.attribution.verification.measures import area_under_curve, c_at_1
from byline.errors import LearningError

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

MIN_OF_A_KIND = 10
N_FOLDS = 5
WIDEST_BAND = 0.25  # an answer with three chances in four is given


@dataclass(frozen=True, slots=True)
class AnswerRule:
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
class Performance:
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
    """Refuse too few problems of a kind (`LearningError`)."""
    n_same = int(np.count_nonzero(same))
    for n, kind in ((n_same, "the same author"), (same.size - n_same, "another author")):
        if n < MIN_OF_A_KIND:
            raise LearningError(
                f"verification is calibrated on at least {MIN_OF_A_KIND} problems whose questioned "
                f"text is by {kind}, and there are {n}; add texts"
            )


def held_out_performance(features: Floats, same: Booleans, groups: Sequence[str]) -> Performance:
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
        rule = AnswerRule.learn(features[learnt], same[learnt])
        log_odds = rule.log_odds(features[held_out])
        probabilities[held_out], given[held_out] = expit(log_odds), rule.given(log_odds)
    return Performance(
        n_same=int(np.count_nonzero(same)),
        n_different=int(np.count_nonzero(~same)),
        n_authors=len(authors),
        auc=area_under_curve(same, probabilities),
        c_at_1=c_at_1(same, given),
        n_withheld=int(np.count_nonzero(given == 0.5)),
    )


def _best_band(probabilities: Floats, same: Booleans) -> float:
    """Return the narrowest band with the highest c@1."""
    distances = np.abs(probabilities - 0.5)
    bands = np.unique(np.concatenate([[0.0], distances[distances <= WIDEST_BAND]]))
    values = [c_at_1(same, np.where(distances <= band, 0.5, probabilities)) for band in bands]
    return float(bands[int(np.argmax(values))])
