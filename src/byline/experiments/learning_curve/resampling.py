"""Resample the answers of a learning curve: held-out works, and samples of the known texts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from byline.array_types import Floats
from byline.experiments.metrics import AccuracyEstimate

N_RESAMPLES = 200


class Resampler:
    """Random weights of held-out works and of samples, the same for every cell.

    Works and samples are resampled independently of each other, because each sample answers the
    passages of many works.

    Parameters
    ----------
    n_works, n_samples : int

    References
    ----------
    Owen (2007), The pigeonhole bootstrap. Annals of Applied Statistics 1(2):386-411.

    Examples
    --------
    >>> resampler = Resampler(n_works=2, n_samples=1)
    >>> means = resampler.means([[3.0, 1.0]], [[4, 4]])  # 3 and 1 of 4 passages are correct
    >>> sorted(set(means.tolist()))
    [0.25, 0.5, 0.75]
    """

    def __init__(self, n_works: int, n_samples: int) -> None:
        rng = np.random.default_rng(0)
        self._works = _weights(rng, n_works)  # (n_resamples, n_works)
        self._samples = _weights(rng, n_samples)  # (n_resamples, n_samples)

    def means(self, sums: ArrayLike, counts: ArrayLike) -> Floats:
        """Return the mean over passages in each resample.

        Parameters
        ----------
        sums, counts : (n_samples, n_works)
            The sum over the passages of a work after training on a sample, and their number.

        Returns
        -------
        (n_resamples,) float64
            NaN if no passage was chosen.
        """
        total = ((self._works @ np.asarray(sums).T) * self._samples).sum(axis=1)
        number = ((self._works @ np.asarray(counts).T) * self._samples).sum(axis=1)
        with np.errstate(invalid="ignore"):
            return np.asarray(total / number)


def interval(means: Floats) -> tuple[float, float]:
    """Return the 2.5th and the 97.5th percentile of the means of the resamples."""
    low, high = np.nanquantile(means, [0.025, 0.975]).tolist()
    return low, high


def accuracy_interval(accuracy: float, means: Floats, n_works: int) -> tuple[float, float]:
    """Return the 95 % interval of an accuracy.

    If all passages, or none, were correctly attributed, all resamples are equal. Then it is the
    interval of Wilson for as many texts as there are works.

    Examples
    --------
    >>> low, high = accuracy_interval(1.0, np.ones(3), n_works=10)
    >>> round(low, 3), high
    (0.722, 1.0)
    """
    if accuracy in (0.0, 1.0):
        return AccuracyEstimate.from_counts(round(accuracy * n_works), n_works).accuracy_interval
    return interval(means)


def _weights(rng: np.random.Generator, n: int) -> Floats:
    """Return how often each of ``n`` units is chosen in each resample, (n_resamples, n)."""
    return rng.multinomial(n, np.full(n, 1 / n), size=N_RESAMPLES).astype(np.float64)
