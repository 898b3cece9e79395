"""Whether answers are right as often as their probabilities say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from byline.array_types import Floats
from byline.errors import TrainingError


def brier_scores(probabilities: ArrayLike, labels: ArrayLike) -> Floats:
    """Squared distance of each text's probabilities from the truth, from 0 to 2 (Brier 1950).

    Parameters
    ----------
    probabilities : (n_texts, n_authors) array
        Rows sum to 1.
    labels : (n_texts,) int
        Column of each text's author.

    Returns
    -------
    (n_texts,) float64
    """
    guessed = np.asarray(probabilities, dtype=np.float64)
    truth = np.arange(guessed.shape[1]) == np.asarray(labels)[:, np.newaxis]
    distances: Floats = ((guessed - truth) ** 2).sum(axis=1)
    return distances


def brier_score(probabilities: ArrayLike, labels: ArrayLike) -> float:
    """Mean of `brier_scores`.

    Parameters
    ----------
    probabilities : (n_texts, n_authors) array
    labels : (n_texts,) int
        Column of each text's author; one or more texts are needed.

    Returns
    -------
    float
    """
    return float(brier_scores(probabilities, labels).mean())


def log_losses(log_probabilities: ArrayLike, labels: ArrayLike) -> Floats:
    """Nats by which each text's author came as a surprise (Good 1952).

    It takes logarithms, as a probability that is too small for a number has one all the same.

    Parameters
    ----------
    log_probabilities : (n_texts, n_authors) array
        Natural logarithms.
    labels : (n_texts,) int
        Column of each text's author.

    Returns
    -------
    (n_texts,) float64
    """
    guessed = np.asarray(log_probabilities, dtype=np.float64)
    losses: Floats = -guessed[np.arange(len(guessed)), np.asarray(labels, dtype=np.intp)]
    return losses


def log_loss(log_probabilities: ArrayLike, labels: ArrayLike) -> float:
    """Mean of `log_losses`, in nats.

    Parameters
    ----------
    log_probabilities : (n_texts, n_authors) array
    labels : (n_texts,) int
        Column of each text's author; one or more texts are needed.

    Returns
    -------
    float
    """
    return float(log_losses(log_probabilities, labels).mean())


N_EQUAL_MASS, N_EQUAL_WIDTH = 10, 15


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers of about one confidence.

    Attributes
    ----------
    confidence : float
        Mean probability of the named authors.
    accuracy : float
        Share of the answers that are right.
    n : int
        Answers, one or more.
    """

    confidence: float
    accuracy: float
    n: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """What a reliability diagram shows.

    Attributes
    ----------
    bins : tuple of Bin
        By confidence, from the lowest; empty ones are left out.
    ece : float
        Expected calibration error: how far accuracy is from confidence, averaged over answers.
    """

    bins: tuple[ReliabilityBin, ...]
    ece: float

    @property
    def n(self) -> int:
        """Answers in all bins."""
        return sum(each.n for each in self.bins)


def reliability(
    probabilities: ArrayLike, labels: ArrayLike, *, adaptive: bool = True
) -> Reliability:
    """Set the probabilities of the named authors beside how often these were right.

    Parameters
    ----------
    probabilities : (n_texts, n_authors) array
        The largest of a row is the named author's.
    labels : (n_texts,) int
        Column of each text's author.
    adaptive : bool
        See `reliability_of_confidences`.

    Raises
    ------
    TrainingError
        There is no text.
    """
    guessed = np.asarray(probabilities, dtype=np.float64)
    if not len(guessed):
        raise _nothing()
    right = guessed.argmax(axis=1) == np.asarray(labels)
    return reliability_of_confidences(guessed.max(axis=1), right, adaptive=adaptive)


def reliability_of_confidences(
    confidences: ArrayLike, right: ArrayLike, *, adaptive: bool = True
) -> Reliability:
    """Set confidences beside how often answers were right.

    Parameters
    ----------
    confidences : (n_texts,) array
        Probability of the named author.
    right : (n_texts,) bool
        Whether the named author is the true one.
    adaptive : bool
        Whether to use ten bins of about as many answers each, those of equal confidence together
        (Nguyen & O'Connor 2015), instead of fifteen of equal width (Guo et al. 2017), where most
        answers share one bin.

    Raises
    ------
    TrainingError
        There is no text.
    """
    sure, hits = np.asarray(confidences, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if not sure.size:
        raise _nothing()
    places = _places(sure, adaptive)
    counts = np.bincount(places)
    filled = counts > 0
    means = [
        (np.bincount(places, weights=values)[filled] / counts[filled]) for values in (sure, hits)
    ]
    bins = tuple(map(ReliabilityBin, *(mean.tolist() for mean in means), counts[filled].tolist()))
    ece = float((counts[filled] / sure.size) @ np.abs(means[0] - means[1]))
    return Reliability(bins, ece)


def _places(confidences: NDArray[np.float64], adaptive: bool) -> NDArray[np.intp]:
    """Return the number of each answer's bin."""
    if adaptive:
        edges = np.quantile(confidences, np.linspace(0, 1, N_EQUAL_MASS + 1)[1:-1])
    else:
        edges = np.linspace(0, 1, N_EQUAL_WIDTH + 1)[1:-1]
    places: NDArray[np.intp] = np.searchsorted(edges, confidences, side="right")
    return places


def _nothing() -> TrainingError:
    return TrainingError("no answer to judge: no held-out text has a probability")
