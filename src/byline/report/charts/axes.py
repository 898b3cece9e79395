"""Scales and ticks of charts, and the marks that tell one series from another."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from byline.report.graphics import LETTER, shorten

N_TICKS = 5
NO_BOUNDS = (float("-inf"), float("inf"))
SHARES = (0.0, 1.0)
WIDE_LETTER, CAPITAL = 11.5, 8.6  # widths of letters in the units of a figure
# Outlines of marks around (0, 0), one unit each way: circle, square, triangle, diamond.
MARKS = (
    "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0Z",
    "M-.9-.9H.9V.9H-.9Z",
    "M0-1.2L1.1.8H-1.1Z",
    "M0-1.3L1.2 0L0 1.3L-1.2 0Z",
)

Scale = Callable[[float], float]
Form = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Series:
    """What one line, one set of bars or one set of marks shows.

    Attributes
    ----------
    label : str
        Its name in the legend.
    style : int
        Which colour, dash and mark.
    values : sequence of float or None
        One a place on the other axis; None where there is none.
    spread : sequence of float or None
        Standard deviations of the values; empty where there are none.
    joined, marked : bool
        Whether a line joins the values, and whether each has a mark.
    faint : bool
        Whether it is there only to compare the others with: thin, dashed, of no model's colour.
    """

    label: str
    style: int
    values: Sequence[float | None]
    spread: Sequence[float | None] = ()
    joined: bool = True
    marked: bool = True
    faint: bool = False

    @property
    def mark(self) -> str:
        """Path of its mark, around (0, 0) and about one unit each way."""
        return MARKS[self.style % len(MARKS)]


@dataclass(frozen=True, slots=True)
class Frame:
    """A figure's size, and where in it the axes stand; y grows downwards."""

    width: float
    height: float
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis, in the figure's units, and what is written there."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Point:
    """A value's place, and what a reader who points at it is told."""

    x: float
    y: float
    title: str


def scale(low: float, high: float, start: float, end: float) -> Scale:
    """Map values from ``low`` to ``high`` on places from ``start`` to ``end``."""
    step = (end - start) / ((high - low) or 1.0)
    return lambda value: start + (value - low) * step


def round_values(
    low: float, high: float, n: int = N_TICKS, bounds: tuple[float, float] = NO_BOUNDS
) -> list[float]:
    """Give about ``n`` round values, the first at or below ``low``, the last at or above ``high``.

    Parameters
    ----------
    low, high : float
        Finite, within ``bounds``; equal ones are drawn apart.
    n : int
    bounds : tuple of float
        Round values beyond which there are none.
    """
    if low == high:
        apart = max(0.5, abs(low) / 10)
        low, high = max(low - apart, bounds[0]), min(high + apart, bounds[1])
    step = _round_step((high - low) / n)
    first, last = math.floor(round(low / step, 6)), math.ceil(round(high / step, 6))
    values = (round(place * step, 10) for place in range(first, last + 1))
    return [value for value in values if bounds[0] <= value <= bounds[1]]


def ticks(values: Iterable[float], places: Scale, form: Form) -> tuple[Tick, ...]:
    """Write values at their places."""
    return tuple(Tick(places(value), form(value)) for value in values)


def known(values: Iterable[float | None]) -> list[float]:
    """Leave out what is None."""
    return [value for value in values if value is not None]


def label_width(labels: Iterable[str]) -> float:
    """Estimate how wide the widest name is, once shortened."""
    return max(sum(map(_letter_width, shorten(name))) for name in labels)


def _letter_width(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return WIDE_LETTER
    return CAPITAL if letter.isupper() else LETTER


def _round_step(step: float) -> float:
    power = float(10 ** math.floor(math.log10(step)))
    return min((power, 2 * power, 5 * power, 10 * power), key=lambda near: abs(near - step))
