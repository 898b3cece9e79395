"""Proper scoring rules, and reliability: stated probabilities against observed accuracy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest

from byline.array_types import Floats
from byline.errors import TrainingError

_N_SIMULATIONS = 500
N_EQUAL_MASS, N_EQUAL_WIDTH = 10, 15


def brier_scores(probabilities: ArrayLike, labels: ArrayLike) -> Floats:
    """Compute the Brier score of each text: the squared distance from the truth, from 0 to 2.

    Parameters
    ----------
    probabilities : (n_texts, n_authors) array
        Rows sum to 1.
    labels : (n_texts,) int
        The column of each text's true author.

    Returns
    -------
    (n_texts,) float64

    References
    ----------
    Brier (1950), Verification of forecasts expressed in terms of probability.

    Examples
    --------
    >>> [round(score, 2) for score in brier_scores([[0.8, 0.2], [0.8, 0.2]], [0, 1]).tolist()]
    [0.08, 1.28]
    """
    stated = np.asarray(probabilities, dtype=np.float64)
    truth = np.arange(stated.shape[1]) == np.asarray(labels)[:, np.newaxis]
    distances: Floats = ((stated - truth) ** 2).sum(axis=1)
    return distances


def brier_score(probabilities: ArrayLike, labels: ArrayLike) -> float:
    """Compute the mean Brier score of one or more texts.

    Parameters
    ----------
    probabilities : (n_texts, n_authors) array
        Rows sum to 1.
    labels : (n_texts,) int
        The column of each text's true author.

    See Also
    --------
    brier_scores : The score of each text.

    Examples
    --------
    >>> round(brier_score([[0.8, 0.2], [0.8, 0.2]], [0, 1]), 2)
    0.68
    """
    return float(brier_scores(probabilities, labels).mean())


def log_losses(log_probabilities: ArrayLike, labels: ArrayLike) -> Floats:
    """Compute the logarithmic loss of each text, in nats.

    The argument is log-probabilities, because a probability that underflows to 0 still has a
    logarithm.

    Parameters
    ----------
    log_probabilities : (n_texts, n_authors) array
        Natural logarithms.
    labels : (n_texts,) int
        The column of each text's true author.

    Returns
    -------
    (n_texts,) float64

    References
    ----------
    Good (1952), Rational decisions.

    Examples
    --------
    >>> log_losses([[-0.5, -0.9]], [1]).tolist()
    [0.9]
    """
    stated = np.asarray(log_probabilities, dtype=np.float64)
    losses: Floats = -stated[np.arange(len(stated)), np.asarray(labels, dtype=np.intp)]
    return losses


def log_loss(log_probabilities: ArrayLike, labels: ArrayLike) -> float:
    """Compute the mean logarithmic loss of one or more texts, in nats.

    Parameters
    ----------
    log_probabilities : (n_texts, n_authors) array
        Natural logarithms.
    labels : (n_texts,) int
        The column of each text's true author.

    See Also
    --------
    log_losses : The loss of each text.

    Examples
    --------
    >>> log_loss([[-0.5, -0.9], [-0.3, -1.4]], [0, 0])
    0.4
    """
    return float(log_losses(log_probabilities, labels).mean())


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers of similar confidence.

    Attributes
    ----------
    confidence : float
        Mean probability of the first candidates.
    accuracy : float
        Share of the answers that are correct.
    n : int
        Number of answers, one or more.
    interval : tuple of float
        The 95 % interval of the accuracy (Wilson 1927), which assumes independent
        answers.

    Examples
    --------
    >>> found = ReliabilityBin.of(confidence=0.9, accuracy=0.85, n=20)
    >>> [round(end, 2) for end in found.interval]
    [0.64, 0.95]
    """

    confidence: float
    accuracy: float
    n: int
    interval: tuple[float, float]

    @classmethod
    def of(cls, confidence: float, accuracy: float, n: int) -> ReliabilityBin:
        """Describe ``n`` answers, and compute the interval of their accuracy."""
        interval = binomtest(round(accuracy * n), n).proportion_ci(0.95, method="wilson")
        return cls(confidence, accuracy, n, (float(interval.low), float(interval.high)))


@dataclass(frozen=True, slots=True)
class Reliability:
    """The data of a reliability diagram.

    Attributes
    ----------
    bins : tuple of ReliabilityBin
        In ascending order of confidence, without empty bins.
    ece : float
        Expected calibration error: the mean absolute difference of accuracy and confidence,
        weighted by the number of answers.

    Examples
    --------
    >>> Reliability((ReliabilityBin.of(0.9, 0.8, 10), ReliabilityBin.of(1.0, 1.0, 5)), 0.067).n
    15
    """

    bins: tuple[ReliabilityBin, ...]
    ece: float

    @property
    def n(self) -> int:
        """Number of answers in all bins."""
        return sum(each.n for each in self.bins)


def reliability(
    probabilities: ArrayLike, labels: ArrayLike, *, adaptive: bool = True
) -> Reliability:
    """Compare the probabilities of the first candidates with the accuracy of the answers.

    Parameters
    ----------
    probabilities : (n_texts, n_authors) array
        The largest value of a row belongs to the first candidate.
    labels : (n_texts,) int
        The column of each text's true author.
    adaptive : bool
        See `reliability_of_confidences`.

    Raises
    ------
    TrainingError
        There is no text.

    Examples
    --------
    >>> round(reliability([[0.8, 0.2], [0.6, 0.4]], [0, 0]).ece, 2)
    0.3
    """
    stated = np.asarray(probabilities, dtype=np.float64)
    if not len(stated):
        raise _no_answers()
    is_correct = stated.argmax(axis=1) == np.asarray(labels)
    return reliability_of_confidences(stated.max(axis=1), is_correct, adaptive=adaptive)


def reliability_of_confidences(
    confidences: ArrayLike, is_correct: ArrayLike, *, adaptive: bool = True
) -> Reliability:
    """Compare confidences with the accuracy of the answers.

    Parameters
    ----------
    confidences : (n_texts,) array
        The probability of the first candidate.
    is_correct : (n_texts,) bool
        Whether the first candidate is the true author.
    adaptive : bool
        Use ten bins with about equal numbers of answers, keeping equal confidences together
        (Nguyen & O'Connor 2015). False: use fifteen bins of equal width (Guo et al. 2017), where
        most answers fall into one bin.

    Raises
    ------
    TrainingError
        There is no answer.

    See Also
    --------
    reliability : The same from the probabilities of all candidates.

    Examples
    --------
    >>> found = reliability_of_confidences([0.5, 0.5, 1.0, 1.0], [True, False, True, True])
    >>> [(each.confidence, each.accuracy) for each in found.bins], found.ece
    ([(0.5, 0.5), (1.0, 1.0)], 0.0)
    """
    stated = np.asarray(confidences, dtype=np.float64)
    correct = np.asarray(is_correct, dtype=np.float64)
    if not stated.size:
        raise _no_answers()
    numbers = _bin_numbers(stated, adaptive)
    counts = np.bincount(numbers)
    filled = counts > 0
    means = [
        np.bincount(numbers, weights=values)[filled] / counts[filled]
        for values in (stated, correct)
    ]
    columns = (*(mean.tolist() for mean in means), counts[filled].tolist())
    bins = tuple(map(ReliabilityBin.of, *columns))
    ece = float((counts[filled] / stated.size) @ np.abs(means[0] - means[1]))
    return Reliability(bins, ece)


def errors_by_chance(confidences: ArrayLike) -> Floats:
    """Simulate the calibration errors of answers that are correct with the stated probabilities.

    With few answers, even perfectly calibrated probabilities have an expected calibration error
    above zero.

    Parameters
    ----------
    confidences : (n_texts,) array
        The probability of the first candidate.

    Returns
    -------
    (500,) float64
        The error in each simulation; the seed is fixed.

    See Also
    --------
    reliability_of_confidences : The observed error.

    Examples
    --------
    >>> bool(errors_by_chance([0.5] * 10).mean() > errors_by_chance([0.5] * 1000).mean())
    True
    """
    stated = np.asarray(confidences, dtype=np.float64)
    rng = np.random.default_rng(0)
    # As in `reliability_of_confidences`, whose confidence intervals would take most of the time.
    numbers = _bin_numbers(stated, adaptive=True)
    differences = (
        np.bincount(numbers, weights=(rng.random(len(stated)) < stated) - stated)
        for _ in range(_N_SIMULATIONS)
    )
    return np.array([np.abs(of_bins).sum() / len(stated) for of_bins in differences])


def _bin_numbers(confidences: Floats, adaptive: bool) -> NDArray[np.intp]:
    """Return the number of each answer's bin, (n_texts,)."""
    if adaptive:
        edges = np.quantile(confidences, np.linspace(0, 1, N_EQUAL_MASS + 1)[1:-1])
    else:
        edges = np.linspace(0, 1, N_EQUAL_WIDTH + 1)[1:-1]
    numbers: NDArray[np.intp] = np.searchsorted(edges, confidences, side="right")
    return numbers


def _no_answers() -> TrainingError:
    return TrainingError(
        "there are no answers to evaluate: no held-out text has a probability; add known texts"
    )
