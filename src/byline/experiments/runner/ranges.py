"""Where the search looks for a parameter, on which scale, and how points are spread there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp, expm1, log, log1p
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from byline.errors import UsageError

Places = NDArray[np.float64]
Scale = Literal["linear", "log", "complement-log"]

# Each with its inverse; all of them rise.
SCALES: Mapping[Scale, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "linear": (float, float),
    "log": (log, exp),
    "complement-log": (lambda value: -log1p(-value), lambda at: -expm1(-at)),
}


@dataclass(frozen=True, slots=True)
class Range:
    """Values that a parameter may take, from the lowest to the highest.

    Places in it are shares of the way from ``low`` to ``high`` on its scale, from 0 to 1.

    Parameters
    ----------
    low, high : float
    scale : {"linear", "log", "complement-log"}
        On which steps are equal. "complement-log" is for what works by its distance from 1, as
        momentum does: from 0.8 to 0.9 is the same step as from 0.9 to 0.95.
    whole : bool
        Whether only whole numbers are meant.

    Raises
    ------
    UsageError
        There is nothing between the ends, or the scale does not reach one of them.
    """

    low: float
    high: float
    scale: Scale = "linear"
    whole: bool = False

    def __post_init__(self) -> None:
        what = f"the range from {self.low:g} to {self.high:g}"
        if not self.low < self.high:
            raise UsageError(f"{what}: the low end must be below the high end")
        if self.scale == "log" and self.low <= 0:
            raise UsageError(f"{what}: on scale 'log' it must lie above 0")
        if self.scale == "complement-log" and self.high >= 1:
            raise UsageError(f"{what}: on scale 'complement-log' it must lie below 1")
        if self.whole and (self.low % 1 or self.high % 1):
            raise UsageError(f"{what}: the ends must be whole numbers, as the parameter is one")

    def place(self, value: float) -> float:
        """Place of a value; of one outside the range, that of the nearer end."""
        along, _ = SCALES[self.scale]
        low, high = along(self.low), along(self.high)
        return (along(self._within(value)) - low) / (high - low)

    def value(self, place: float) -> float:
        """Value at a place: a whole number, or one of four significant digits.

        Rounding keeps records short, and is the same where logarithms differ in their last bit.
        """
        along, back = SCALES[self.scale]
        low, high = along(self.low), along(self.high)
        value = back(low + place * (high - low))
        return self._within(round(value) if self.whole else self._rounded(value))

    def _within(self, value: float) -> float:
        kind = int if self.whole else float
        return kind(min(max(value, self.low), self.high))

    def _rounded(self, value: float) -> float:
        """Round the value, or its distance from 1 where the scale is one of that."""
        if self.scale == "complement-log":
            return round(1 - float(f"{1 - value:.4g}"), 15)
        return float(f"{value:.4g}")


def box(centre: Places, number: int) -> tuple[Places, Places]:
    """Give the ends of a round's box: all places in round 0, then half as long sides each round.

    It ends where the ranges do, so it is shorter around a centre that is near an end.

    Parameters
    ----------
    centre : (n_parameters,) float64
    number : int
        Of the round, from 0.

    Returns
    -------
    lows, highs : (n_parameters,) float64
    """
    reach = 0.5 ** (number + 1) if number else 1.0
    return np.maximum(centre - reach, 0), np.minimum(centre + reach, 1)


def latin_hypercube(rng: np.random.Generator, n: int, n_dims: int) -> Places:
    """Draw n points in the unit cube: of n equal slices along each side, every one has a point.

    It is written out, so that a search can be repeated whatever the version of SciPy.

    Returns
    -------
    (n, n_dims) float64
    """
    slices = rng.permuted(np.tile(np.arange(n), (n_dims, 1)), axis=1).T
    return (slices + rng.random((n, n_dims))) / max(n, 1)
