"""Scales and ticks of charts, and the shapes that distinguish series."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from byline.report.graphics import LETTER, shorten

N_TICKS = 5
NO_BOUNDS = (float("-inf"), float("inf"))
SHARES = (0.0, 1.0)
WIDE, NARROW = 1000.0, 360.0  # units of a figure's width in a window and on a telephone
WIDE_LETTER, CAPITAL = 11.5, 8.6  # widths of letters in the units of a figure
# Outlines of points around (0, 0), one unit in each direction: circle, square, triangle, diamond.
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
    """The data of one line, one set of bars or one set of points.

    Attributes
    ----------
    label : str
        The name in the legend.
    style : int
        Selects a colour, a dash pattern and the shape of the points.
    values : sequence of float or None
        One per place on the other axis; None if unknown.
    spread : sequence of float or None
        Standard deviations of the values; may be empty.
    joined, marked : bool
        Whether a line joins the values, and whether each has a point.
    faint : bool
        Whether it is only a reference for the others: thin, dashed and grey.
    intervals : sequence of pairs of float
        The confidence interval of each value; may be empty.

    See Also
    --------
    byline.report.charts.line_chart, byline.report.charts.bar_chart : Draw series.

    Examples
    --------
    >>> words, ngrams = Series("words", 0, [0.5, None]), Series("n-grams", 1, [0.6, 0.8])
    >>> words.mark != ngrams.mark  # points of different shapes
    True
    """

    label: str
    style: int
    values: Sequence[float | None]
    spread: Sequence[float | None] = ()
    joined: bool = True
    marked: bool = True
    faint: bool = False
    intervals: Sequence[tuple[float, float]] = ()

    @property
    def mark(self) -> str:
        """Path of the shape of its points, around (0, 0) with a radius of about one unit."""
        return MARKS[self.style % len(MARKS)]


@dataclass(frozen=True, slots=True)
class Frame:
    """The size of a figure, and the position of its axes; y grows downwards.

    Examples
    --------
    >>> frame = Frame(width=500, height=300, left=50, top=20, right=480, bottom=260)
    >>> frame.bottom - frame.top  # the height of the plot
    240
    """

    width: float
    height: float
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A position on an axis, in the units of the figure, and its label.

    Examples
    --------
    >>> Tick(at=50.0, text="0.5").text
    '0.5'
    """

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Point:
    """The position of a value, and the text that appears when a reader points at it.

    Attributes
    ----------
    x, y : float
    title : str
    whisker : pair of float or None
        The ends of the interval of the value, along its axis.
    """

    x: float
    y: float
    title: str
    whisker: tuple[float, float] | None = None


def line_path(places: Iterable[tuple[float, float]]) -> str:
    """Return the path of a line through places.

    Examples
    --------
    >>> line_path([(0, 1), (2, 3)])
    'M0.0 1.0L2.0 3.0'
    """
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def scale(low: float, high: float, start: float, end: float) -> Scale:
    """Map values from ``low`` to ``high`` to positions from ``start`` to ``end``.

    Examples
    --------
    >>> scale(0.0, 1.0, 100.0, 200.0)(0.25)
    125.0
    """
    step = (end - start) / ((high - low) or 1.0)
    return lambda value: start + (value - low) * step


def round_values(
    low: float, high: float, n: int = N_TICKS, bounds: tuple[float, float] = NO_BOUNDS
) -> list[float]:
    """Return about ``n`` round values from at or below ``low`` to at or above ``high``.

    Parameters
    ----------
    low, high : float
        Finite and within ``bounds``. If they are equal, the range is widened.
    n : int
    bounds : tuple of float
        No value lies outside of these.
    """
    if low == high:
        apart = max(0.5, abs(low) / 10)
        low, high = max(low - apart, bounds[0]), min(high + apart, bounds[1])
    step = _round_step((high - low) / n)
    first, last = math.floor(round(low / step, 6)), math.ceil(round(high / step, 6))
    values = (round(place * step, 10) for place in range(first, last + 1))
    return [value for value in values if bounds[0] <= value <= bounds[1]]


def ticks(values: Iterable[float], places: Scale, form: Form) -> tuple[Tick, ...]:
    """Return a tick at the position of each value."""
    return tuple(Tick(places(value), form(value)) for value in values)


def known(values: Iterable[float | None]) -> list[float]:
    """Return the values that are not None."""
    return [value for value in values if value is not None]


def label_width(labels: Iterable[str]) -> float:
    """Estimate the width of the widest name after shortening."""
    return max(sum(map(_letter_width, shorten(name))) for name in labels)


def _letter_width(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return WIDE_LETTER
    return CAPITAL if letter.isupper() else LETTER


def _round_step(step: float) -> float:
    power = float(10 ** math.floor(math.log10(step)))
    return min((power, 2 * power, 5 * power, 10 * power), key=lambda near: abs(near - step))
