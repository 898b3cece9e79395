"""Proper scoring rules of probabilities: the lower, the better, and honest ones are the best."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


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
