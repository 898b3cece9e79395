"""Charts of a metric by a number of words, on a logarithmic scale: points and fitted curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from byline.formatting import short_number
from byline.report.charts.axes import (
    Form,
    Frame,
    Point,
    Scale,
    Series,
    Tick,
    line_path,
    scale,
    ticks,
)
from byline.report.charts.lines import Line, LineChart

FRAME = Frame(width=500, height=332, left=50, top=26, right=488, bottom=286)
INSET = 10  # distance of the outermost points from the frame
DODGE = 4  # distance of the points of neighbouring series, so that their intervals are visible
LEAST_APART = 46  # of the labels of the x axis


@dataclass(frozen=True, slots=True)
class WordPoint:
    """A measured value with its interval.

    Attributes
    ----------
    words : int
    value : float
    interval : (float, float) or None
    title : str
        The text that appears when a reader points at it.
    """

    words: int
    value: float
    interval: tuple[float, float] | None
    title: str


@dataclass(frozen=True, slots=True)
class FittedValues:
    """A fitted curve with its interval, at some numbers of words.

    Attributes
    ----------
    words, values, low, high : sequence of float, (n_places,)
    """

    words: Sequence[float]
    values: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


@dataclass(frozen=True, slots=True)
class WordSeries:
    """The points of one series, and the curve through them.

    Attributes
    ----------
    label : str
    points : sequence of WordPoint
    curve : FittedValues or None
        None to join the points by a line.
    """

    label: str
    points: Sequence[WordPoint]
    curve: FittedValues | None = None


def word_chart(
    series: Sequence[WordSeries],
    *,
    x_label: str,
    y_label: str,
    levels: Sequence[float],
    form: Form = short_number,
    target: tuple[str, float] | None = None,
) -> LineChart | None:
    """Lay out values by numbers of words; None if there is no point.

    Parameters
    ----------
    series : sequence of WordSeries
    x_label, y_label : str
    levels : sequence of float
        Of the y axis.
    form : callable
        Formats a value of the y axis.
    target : (str, float), optional
        The name and the height of a horizontal line.

    Examples
    --------
    >>> points = [WordPoint(100, 0.5, None, "half"), WordPoint(1000, 0.75, (0.7, 0.8), "more")]
    >>> chart = word_chart(
    ...     [WordSeries("1,000 words", points)], x_label="words", y_label="accuracy", levels=[0, 1]
    ... )
    >>> [tick.text for tick in chart.x_ticks], [line.series.label for line in chart.lines]
    (['100', '1,000'], ['1,000 words'])
    """
    words = sorted({point.words for each in series for point in each.points})
    if not words:
        return None
    logarithms = scale(
        math.log10(words[0]), math.log10(words[-1]), FRAME.left + INSET, FRAME.right - INSET
    )

    def across(n_words: float) -> float:
        return logarithms(math.log10(n_words))

    down = scale(levels[0], levels[-1], FRAME.bottom, FRAME.top)
    middle = (len(series) - 1) / 2
    lines = [
        _line(number, each, across, down, DODGE * (number - middle))
        for number, each in enumerate(series)
    ]
    if target is not None:
        label, height = target
        line = Series(label, 0, (), marked=False, faint=True)
        ends = [(FRAME.left, down(height)), (FRAME.right, down(height))]
        lines.append(Line(line, line_path(ends), "", ()))
    return LineChart(
        frame=FRAME,
        x_ticks=tuple(_x_ticks(words, across)),
        y_ticks=ticks(levels, down, form),
        lines=tuple(lines),
        x_label=x_label,
        y_label=y_label,
    )


def _line(style: int, each: WordSeries, across: Scale, down: Scale, aside: float) -> Line:
    points = tuple(
        Point(
            across(point.words) + aside,
            down(point.value),
            point.title,
            point.interval and (down(point.interval[0]), down(point.interval[1])),
        )
        for point in each.points
    )
    series = Series(each.label, style, [point.value for point in each.points])
    if each.curve is None:
        path = line_path((point.x, point.y) for point in points)
        return Line(series, path, "", points)
    places = list(map(across, each.curve.words))
    fitted = line_path(zip(places, map(down, each.curve.values), strict=True))
    return Line(series, fitted, _outline(places, each.curve, down), points)


def _outline(places: Sequence[float], curve: FittedValues, down: Scale) -> str:
    upper = list(zip(places, map(down, curve.high), strict=True))
    lower = list(zip(places, map(down, curve.low), strict=True))
    return line_path([*upper, *reversed(lower)]) + "Z"


def _x_ticks(words: Iterable[int], across: Scale) -> list[Tick]:
    """Label as many of the measured numbers as there is space for, the largest first."""
    found: list[Tick] = []
    for n_words in sorted(words, reverse=True):
        at = across(n_words)
        if not found or found[-1].at - at >= LEAST_APART:
            found.append(Tick(at, f"{n_words:,}"))
    return found[::-1]
