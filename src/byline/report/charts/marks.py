"""Dot plots: one row per label, one point per series; and intervals on a common scale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from byline.formatting import isolated, percent_range, short_number, short_percent
from byline.report.charts.axes import (
    SHARES,
    Form,
    Frame,
    Point,
    Scale,
    Series,
    Tick,
    known,
    label_width,
    round_values,
    scale,
    ticks,
)
from byline.report.graphics import Label, shorten

LEFT, BAR_TOP, BOTTOM = 52, 26, 216
BAR, BETWEEN_GROUPS = 12, 12


@dataclass(frozen=True, slots=True)
class Bar:
    """The position of a bar that stands on the axis."""

    x: float
    y: float
    width: float
    height: float
    style: int
    title: str


@dataclass(frozen=True, slots=True)
class BarChart:
    """Groups of bars, one per name.

    See Also
    --------
    bar_chart : Lays out the bars.

    Examples
    --------
    >>> chart = bar_chart(["Ada", "Ben"], [Series("words", 0, [10, 20])], y_label="words")
    >>> [label.text for label in chart.labels], chart.y_ticks[-1].text
    (['Ada', 'Ben'], '20')
    """

    frame: Frame
    labels: tuple[Label, ...]
    y_ticks: tuple[Tick, ...]
    bars: tuple[Bar, ...]
    legend: tuple[Series, ...]
    y_label: str


def bar_chart(
    labels: Sequence[str], series: Sequence[Series], *, y_label: str, form: Form = short_number
) -> BarChart | None:
    """Lay out bars that start at zero, one group per label; None if no value is known.

    See Also
    --------
    mark_chart : Points, for shares that need not start at zero.

    Examples
    --------
    >>> chart = bar_chart(["Ada", "Ben"], [Series("words", 0, [10, 20])], y_label="words")
    >>> chart.bars[1].height == 2 * chart.bars[0].height
    True
    >>> bar_chart(["Ada"], [Series("words", 0, [None])], y_label="words") is None
    True
    """
    values = known(value for each in series for value in each.values)
    if not values:
        return None
    levels = round_values(0, max(values) or 1.0)
    down = scale(levels[0], levels[-1], BOTTOM, BAR_TOP)
    group = BAR * len(series) + BETWEEN_GROUPS
    right = LEFT + group * len(labels)
    return BarChart(
        frame=Frame(right + 6, BOTTOM + label_width(labels) + 12, LEFT, BAR_TOP, right, BOTTOM),
        labels=tuple(
            Label(LEFT + group * (place + 0.5) + 4, BOTTOM + 8, shorten(name), name)
            for place, name in enumerate(labels)
        ),
        y_ticks=ticks(levels, down, form),
        bars=tuple(_bars(labels, series, down, form)),
        legend=tuple(series),
        y_label=y_label,
    )


def _bars(
    labels: Sequence[str], series: Sequence[Series], down: Scale, form: Form
) -> Iterator[Bar]:
    group = BAR * len(series) + BETWEEN_GROUPS
    for number, each in enumerate(series):
        for place, value in enumerate(each.values):
            if value is not None:
                yield Bar(
                    x=LEFT + group * place + BETWEEN_GROUPS / 2 + BAR * number,
                    y=down(value),
                    width=BAR,
                    height=BOTTOM - down(value),
                    style=each.style,
                    title=f"{isolated(labels[place])}, {each.label}: {form(value)}",
                )


TOP, ROW, WIDTH = 8, 19, 238
INSET = 10  # distance of the outermost points from the frame
SPARE = 4.0  # percent of the width that stays empty at both ends of an interval plot
N_TICKS = 4


@dataclass(frozen=True, slots=True)
class Row:
    """The height of a row, and the range of its points."""

    y: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class MarkChart:
    """Points with one row per name.

    See Also
    --------
    mark_chart : Lays out the points.

    Examples
    --------
    >>> chart = mark_chart(["Ada", "Ben"], [Series("n-grams", 0, [0.5, 0.75])])
    >>> [label.text for label in chart.labels], len(chart.rows), len(chart.marks)
    (['Ada', 'Ben'], 2, 2)
    """

    frame: Frame
    labels: tuple[Label, ...]
    x_ticks: tuple[Tick, ...]
    rows: tuple[Row, ...]
    marks: tuple[tuple[Series, Point], ...]
    x_label: str = ""

    @property
    def legend(self) -> tuple[Series, ...]:
        """The series, if each has a style of its own and there are several."""
        series = {id(each): each for each, _ in self.marks}.values()
        is_clear = 1 < len(series) == len({each.style for each in series})
        return tuple(series) if is_clear else ()


def mark_chart(
    labels: Sequence[str], series: Sequence[Series], *, x_label: str = ""
) -> MarkChart | None:
    """Lay out shares with one row per label and one point per series; None if none is known.

    A point has a horizontal line if its series has intervals.

    See Also
    --------
    bar_chart : Bars that start at zero.

    Examples
    --------
    >>> chart = mark_chart(["Ada"], [Series("words", 0, [0.25]), Series("n-grams", 1, [0.5])])
    >>> words, ngrams = (point for series, point in chart.marks)
    >>> words.x < ngrams.x, words.y == ngrams.y
    (True, True)
    """
    values = known(value for each in series for value in each.values)
    if not values:
        return None
    values += [end for each in series for interval in each.intervals for end in interval]
    levels = round_values(min(values), max(values), N_TICKS, SHARES)
    left = label_width(labels) + 10
    right, bottom = left + WIDTH, TOP + ROW * len(labels)
    across = scale(levels[0], levels[-1], left + INSET, right - INSET)
    heights = [TOP + ROW * (place + 0.5) for place in range(len(labels))]
    return MarkChart(
        frame=Frame(right + 14, bottom + (40 if x_label else 22), left, TOP, right, bottom),
        labels=tuple(
            Label(left - 6, y + 4, shorten(name), name)
            for name, y in zip(labels, heights, strict=True)
        ),
        x_ticks=ticks(levels, across, short_percent),
        rows=tuple(_rows(series, heights, across)),
        marks=tuple(_marks(labels, series, heights, across)),
        x_label=x_label,
    )


def _rows(series: Sequence[Series], heights: Sequence[float], across: Scale) -> Iterator[Row]:
    for place, y in enumerate(heights):
        values = known(each.values[place] for each in series)
        if values:
            yield Row(y, across(min(values)), across(max(values)))


def _marks(
    labels: Sequence[str],
    series: Sequence[Series],
    heights: Sequence[float],
    across: Scale,
) -> Iterator[tuple[Series, Point]]:
    for each in series:
        intervals: Sequence[tuple[float, float] | None] = each.intervals or [None] * len(labels)
        for name, y, value, ends in zip(labels, heights, each.values, intervals, strict=True):
            if value is not None:
                title = f"{isolated(name)}, {each.label}: {short_percent(value)}"
                title += f" ({percent_range(*ends)})" if ends else ""
                whisker = (across(ends[0]), across(ends[1])) if ends else None
                yield each, Point(across(value), y, title, whisker)


@dataclass(frozen=True, slots=True)
class IntervalPlot:
    """Positions in percent of the width of a cell: of zero, and of the values of a row.

    See Also
    --------
    interval_plot : Chooses the scale.

    Examples
    --------
    >>> IntervalPlot(zero=10.0, step=5.0).at(2.0)
    20.0
    """

    zero: float
    step: float

    def at(self, value: float) -> float:
        """Return the position of a value."""
        return round(self.zero + value * self.step, 2)


def interval_plot(rows: Iterable[Mapping[str, Any]]) -> IntervalPlot:
    """Choose a scale that includes zero and "difference", "low", "high" and "claim" of all rows.

    Examples
    --------
    >>> plot = interval_plot([{"difference": 2.0, "low": 1.0, "high": 4.0, "claim": None}])
    >>> plot.at(0.0), plot.at(2.0), plot.at(4.0)
    (4.0, 50.0, 96.0)
    """
    keys = ("difference", "low", "high", "claim")
    values = known(row.get(key) for row in rows for key in keys)
    place = scale(min([0.0, *values]), max([0.0, *values]), SPARE, 100 - SPARE)
    zero = place(0.0)
    return IntervalPlot(zero=round(zero, 2), step=place(1.0) - zero)
