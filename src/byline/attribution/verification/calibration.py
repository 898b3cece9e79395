"""Calibrate verification answers, and measure their accuracy by cross-validation."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.special import expit
from sklearn.model_selection import StratifiedGroupKFold

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.calibration import Bounds, elub_bounds
from byline.attribution.verification.measures import c_at_1, roc_auc
from byline.attribution.verification.prior import CalibrationPrior
from byline.errors import TrainingError

MIN_PER_KIND = 10
N_FOLDS = 5
COUNT_OF_FURTHER = 0.2  # a problem that was sampled from the texts of others counts as so many
MIN_SUPPORT = math.log(2)  # smaller ratios support neither side on the verbal scale
MAX_MARGIN = 0.25  # answers with a probability of at least 0.75 are always given


@dataclass(frozen=True, slots=True, eq=False)
class FurtherProblems:
    """Problems that were sampled from the texts of the calibration problems.

    Attributes
    ----------
    features : (n_problems, n_features) float64
        The similarities of known and questioned texts.
    same : (n_problems,) bool
        Whether the author is the same.
    known_by, questioned_by : list of str, (n_problems,)
        The author of each problem's known texts and of its questioned text.
    """

    features: Floats
    same: Booleans
    known_by: list[str]
    questioned_by: list[str]

    def without(self, authors: Collection[str]) -> FurtherProblems:
        """Return the problems without texts by some authors."""
        pairs = list(zip(self.known_by, self.questioned_by, strict=True))
        kept = [n for n, pair in enumerate(pairs) if not set(pair) & set(authors)]
        return FurtherProblems(
            self.features[kept],
            self.same[kept],
            [self.known_by[n] for n in kept],
            [self.questioned_by[n] for n in kept],
        )


def _with_more(
    features: Floats, same: Booleans, more: FurtherProblems | None
) -> tuple[Floats, Booleans, Floats]:
    """Return features and answers, and how many problems each counts as."""
    if more is None or not more.same.size:
        return features, same, balanced_counts(same)
    return (
        np.concatenate([features, more.features]),
        np.concatenate([same, more.same]),
        np.concatenate([balanced_counts(same), COUNT_OF_FURTHER * balanced_counts(more.same)]),
    )


def _weak_prior(n_features: int) -> CalibrationPrior:
    """Return a prior for standardised features that nothing is known about."""
    return CalibrationPrior(np.zeros(n_features + 1), np.array([*[1.0] * n_features, 0.0]))


def balanced_counts(same: Booleans) -> Floats:
    """Return weights with which both kinds have the same total, (n_problems,)."""
    n_same = int(np.count_nonzero(same))
    return np.where(
        same, same.size / 2 / max(n_same, 1), same.size / 2 / max(same.size - n_same, 1)
    )


@dataclass(frozen=True, slots=True)
class VerificationCalibrator:
    """Converts similarities to log-likelihood ratios, with bounds and a margin of indecision.

    The log-likelihood ratios come from a logistic regression in which problems with the same author
    and problems with different authors have the same total weight. No feature has a negative
    weight.

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
    def fit(
        cls,
        features: Floats,
        same: Booleans,
        *,
        prior: CalibrationPrior | None = None,
        more: FurtherProblems | None = None,
    ) -> Self:
        """Fit the regression, the bounds and the margin to the same problems.

        Parameters
        ----------
        features : (n_problems, n_features) float64
        same : (n_problems,) bool
            Whether the author is the same; both values occur.
        prior : CalibrationPrior, optional
            What the weights of these features are likely to be.
        more : FurtherProblems, optional
            Problems for the regression alone, if there is a prior.
        """
        means, deviations = features.mean(axis=0), features.std(axis=0)
        deviations[deviations == 0] = 1.0
        if prior is None:
            standard = (features - means) / deviations
            *found, constant = _weak_prior(len(means)).fit(standard, same, balanced_counts(same))
            weights, intercept = np.array(found), float(constant)
        else:
            *found, constant = prior.fit(*_with_more(features, same, more))
            weights = np.array(found) * deviations
            intercept = float(constant + found @ means)
        log_odds = (features - means) / deviations @ weights + intercept
        return cls(
            *(means, deviations, weights, intercept),
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
    prior : CalibrationPrior or None
        The prior of all calibrations.

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
    prior: CalibrationPrior | None = None

    @property
    def n_authors(self) -> int:
        """Number of authors of all texts."""
        return 1 + int(max(self.known_authors.max(), self.questioned_authors.max()))

    @property
    def withheld(self) -> Booleans:
        """Which answers `AuthorshipVerifier.verify` would withhold, (n_problems,)."""
        withheld: Booleans = (self.answers == 0.5) | (np.abs(self.log_lrs) < MIN_SUPPORT)
        return withheld

    def performance(self) -> VerificationPerformance:
        """Summarise the answers."""
        return VerificationPerformance(
            n_same=int(np.count_nonzero(self.same)),
            n_different=int(np.count_nonzero(~self.same)),
            n_authors=len(np.unique(self.known_authors)),
            auc=roc_auc(self.same, expit(self.log_odds)),
            c_at_1=c_at_1(self.same, np.where(self.withheld, 0.5, self.answers)),
            n_withheld=int(np.count_nonzero(self.withheld)),
        )


def held_out_answers(
    features: Floats,
    same: Booleans,
    known_by: Sequence[str],
    questioned_by: Sequence[str],
    *,
    prior: CalibrationPrior | None = None,
    more: FurtherProblems | None = None,
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
    prior, more : optional
        As in `VerificationCalibrator.fit`. Further problems with a text by the author of held-out
        known texts are left out.
    """
    _, numbers = np.unique([*known_by, *questioned_by], return_inverse=True)
    known_authors, questioned_authors = numbers[: len(same)], numbers[len(same) :]
    has_folds = len(np.unique(known_authors)) >= N_FOLDS
    groups = known_authors if has_folds else np.arange(len(same))
    log_odds, log_lrs, answers = np.zeros((3, len(same)))
    for training, held_out in StratifiedGroupKFold(N_FOLDS).split(features, same, groups):
        authors = {known_by[n] for n in held_out.tolist()}
        others = None if more is None else more.without(authors)
        calibrator = VerificationCalibrator.fit(
            features[training], same[training], prior=prior, more=others
        )
        log_odds[held_out] = calibrator.log_odds(features[held_out])
        log_lrs[held_out] = calibrator.bounds.apply(log_odds[held_out])
        answers[held_out] = calibrator.answers(log_odds[held_out])
    return HeldOutAnswers(
        *(features, same, known_authors, questioned_authors), *(log_odds, log_lrs, answers, prior)
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
