"""Percentile intervals by the bootstrap (Efron & Tibshirani 1993, chapter 13)."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

N_RESAMPLES = 9999
LEVEL = 0.95
Interval = tuple[float, float]


def generator(*names: str | int) -> np.random.Generator:
    """Make a random generator that hangs on names alone, whatever else is drawn."""
    text = "\0".join(map(str, names)).encode()
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text).digest()))


def ratio_interval(
    parts: NDArray[np.float64], wholes: NDArray[np.float64], rng: np.random.Generator
) -> Interval:
    """Interval of ``sum(parts) / sum(wholes)``, units drawn with replacement.

    Parameters
    ----------
    parts : (n_units,) float64
    wholes : (n_units,) float64
        More than 0; ones for the interval of a mean.
    rng : numpy.random.Generator

    Returns
    -------
    low, high : float
        Of 95 %.
    """
    # A resample is told by how often it takes each kind of unit, so like units are drawn as one.
    kinds, n_alike = np.unique(np.stack([parts, wholes]), axis=1, return_counts=True)
    n_units = len(parts)
    drawn = rng.multinomial(n_units, n_alike / n_units, size=N_RESAMPLES)  # (n_resamples, n_kinds)
    sums = drawn @ kinds.T  # (n_resamples, 2)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(sums[:, 0] / sums[:, 1], [tail, 1 - tail])
    return float(low), float(high)
