"""Percentile intervals by the bootstrap (Efron & Tibshirani 1993, chapter 13)."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

N_RESAMPLES = 9999
LEVEL = 0.95
Interval = tuple[float, float]


def generator(*names: str | int) -> np.random.Generator:
    """Return a random generator that depends on names alone, not on what was drawn before."""
    text = "\0".join(map(str, names)).encode()
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text).digest()))


def ratio_interval(
    parts: NDArray[np.float64], wholes: NDArray[np.float64], rng: np.random.Generator
) -> Interval:
    """Return the 95 % interval of ``sum(parts) / sum(wholes)``, resampling units.

    Parameters
    ----------
    parts : (n_units,) float64
    wholes : (n_units,) float64
        Positive; ones for the interval of a mean.
    rng : numpy.random.Generator

    Returns
    -------
    low, high : float
    """
    # A resample is determined by how often it has each kind of unit, so equal units are one kind.
    kinds, n_alike = np.unique(np.stack([parts, wholes]), axis=1, return_counts=True)
    n_units = len(parts)
    drawn = rng.multinomial(n_units, n_alike / n_units, size=N_RESAMPLES)  # (n_resamples, n_kinds)
    sums = drawn @ kinds.T  # (n_resamples, 2)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(sums[:, 0] / sums[:, 1], [tail, 1 - tail])
    return float(low), float(high)
