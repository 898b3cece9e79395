"""Line charts with bands."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from byline.formatting import short_number, short_percent
from byline.report.charts.axes import (
    NO_BOUNDS,
    SHARES,
    Form,
    Frame,
    Point,
    Scale,
    Series,
    Tick,
    line_path,
    round_values,
    scale,
    ticks,
)

FRAME = Frame(width=500, height=332, left=50, top=26, right=488, bottom=286)
INSET = 8  # distance of the outermost values from the frame
MOST_TICKS = 12


@dataclass(frozen=True, slots=True)
class Line:
    """A series as a line: the paths of the line and of the band, and its points."""

    series: Series
    path: str
    band: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines with a number on the x axis.

    Attributes
    ----------
    here : float or None
        The position of the questioned text on the x axis, which is marked.

    See Also
    --------
    line_chart : Lays out the lines.

    Examples
    --------
    >>> series = Series("n-grams", 0, [0.5, 0.75])
    >>> chart = line_chart([1, 5], [series], x_label="sentences", y_label="accuracy")
    >>> [series.label for series in chart.legend], [tick.text for tick in chart.x_ticks]
    (['n-grams'], ['1', '5'])
    """

    frame: Frame
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]
    x_label: str
    y_label: str
    here: float | None = None

    @property
    def legend(self) -> tuple[Series, ...]:
        """The series that have a name, in their order."""
        return tuple(line.series for line in self.lines if line.series.label)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """How values are mapped to positions."""

    across: Scale
    down: Scale
    bounds: tuple[float, float]
    form: Form

    def place(self, x: float, y: float) -> tuple[float, float]:
        return self.across(x), self.down(y)

    def path(self, run: Sequence[tuple[float, float]]) -> str:
        return line_path(self.place(x, y) for x, y in run)


def line_chart(
    x: Sequence[float],
    series: Sequence[Series],
    *,
    x_label: str,
    y_label: str,
    form: Form = short_number,
    bounds: tuple[float, float] = NO_BOUNDS,
) -> LineChart | None:
    """Lay out lines, each with a band of one standard deviation above and below.

    Parameters
    ----------
    x : sequence of float
    series : sequence of Series
        Their values belong to ``x``.
    x_label, y_label : str
    form : callable
        Formats a value.
    bounds : tuple of float
        Bands and the axis end at these values.

    Returns
    -------
    LineChart or None
        None if no value is known.

    See Also
    --------
    byline.report.charts.bar_chart, byline.report.charts.mark_chart : Charts with a name per value.

    Examples
    --------
    >>> series = Series("n-grams", 0, [0.5, None, 0.75])  # the second value is unknown
    >>> chart = line_chart([1, 5, 10], [series], x_label="sentences", y_label="accuracy")
    >>> [point.title for point in chart.lines[0].points]
    ['n-grams, 1: 0.5', 'n-grams, 10: 0.75']
    """
    ends = [end for each in series for pair in _bands(each, bounds) if pair for end in pair]
    if not ends:
        return None
    levels = round_values(min(ends), max(ends), bounds=bounds)
    draw = _Drawing(
        across=scale(min(x), max(x), FRAME.left + INSET, FRAME.right - INSET),
        down=scale(levels[0], levels[-1], FRAME.bottom, FRAME.top),
        bounds=bounds,
        form=form,
    )
    return LineChart(
        frame=FRAME,
        x_ticks=ticks(_thinned(x), draw.across, short_number),
        y_ticks=ticks(levels, draw.down, form),
        lines=tuple(_line(x, each, draw) for each in series),
        x_label=x_label,
        y_label=y_label,
    )


def _line(x: Sequence[float], series: Series, draw: _Drawing) -> Line:
    runs = _runs(x, series.values)
    return Line(
        series=series,
        path="".join(map(draw.path, runs)) if series.joined else "",
        band="".join(_outlines(x, series, draw)) if series.spread else "",
        points=()
        if not series.marked
        else tuple(
            Point(*draw.place(at, value), f"{series.label}, {short_number(at)}: {draw.form(value)}")
            for run in runs
            for at, value in run
        ),
    )


def _outlines(x: Sequence[float], series: Series, draw: _Drawing) -> Iterator[str]:
    bands = _bands(series, draw.bounds)
    lower = _runs(x, [band and band[0] for band in bands])
    upper = _runs(x, [band and band[1] for band in bands])
    for below, above in zip(lower, upper, strict=True):
        yield draw.path([*above, *reversed(below)]) + "Z"


def _bands(series: Series, bounds: tuple[float, float]) -> list[tuple[float, float] | None]:
    """Return the band of each known value; an unknown standard deviation counts as 0."""
    spreads = series.spread or [None] * len(series.values)
    return [
        None
        if value is None
        else (max(value - (spread or 0.0), bounds[0]), min(value + (spread or 0.0), bounds[1]))
        for value, spread in zip(series.values, spreads, strict=True)
    ]


def _runs(x: Sequence[float], values: Sequence[float | None]) -> list[list[tuple[float, float]]]:
    """Split a series at its gaps into lists of pairs of x and value."""
    runs: list[list[tuple[float, float]]] = [[]]
    for at, value in zip(x, values, strict=True):
        if value is not None:
            runs[-1].append((at, value))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _thinned(x: Sequence[float]) -> list[float]:
    """Choose ticks: every value if they are few, otherwise the first and the multiples of 5."""
    few = len(x) <= MOST_TICKS
    return [at for place, at in enumerate(x) if few or not place or not at % 5]


LENGTH_FRAME = Frame(width=500, height=270, left=50, top=26, right=466, bottom=224)
LENGTH_INSET = 14
MOST_POWERS = 5
_LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


def length_chart(rows: Sequence[Mapping[str, Any]], size: int | None = None) -> LineChart | None:
    """Lay out accuracy by length on a logarithmic scale; None if there are no rows.

    Parameters
    ----------
    rows : sequence of mapping
        With "shortest", "longest", "n", "accuracy" and "accuracy_interval"; shortest first.
    size : int, optional
        The length of the questioned text.
    """
    if not rows:
        return None
    lengths = [max(row[end], 1) for row in rows for end in ("shortest", "longest")]
    lengths += [max(size, 1)] if size is not None else []
    low, high = math.log10(min(lengths)), math.log10(max(lengths))
    across = scale(low, high, LENGTH_FRAME.left + LENGTH_INSET, LENGTH_FRAME.right - LENGTH_INSET)
    down = scale(*SHARES, LENGTH_FRAME.bottom, LENGTH_FRAME.top)
    points = tuple(_point(row, across, down) for row in rows)
    path = line_path((point.x, point.y) for point in points)
    return LineChart(
        frame=LENGTH_FRAME,
        x_ticks=tuple(
            Tick(across(math.log10(n)), short_number(n)) for n in _round_lengths(low, high)
        ),
        y_ticks=ticks(_LEVELS, down, short_percent),
        lines=(Line(Series("", 0, ()), path, "", points),),
        x_label="characters, white space not counted",
        y_label="accuracy",
        here=None if size is None else across(math.log10(max(size, 1))),
    )


def _round_lengths(low: float, high: float) -> list[int]:
    """Return round lengths between two decimal logarithms.

    They are powers of ten, at most five, because long numbers need space. If there are fewer than
    two, they are also 2 and 5 times a power of ten. If there are still fewer than two, they are
    both ends.
    """
    powers = [10**power for power in range(math.ceil(low), math.floor(high) + 1)]
    if len(powers) > 1:
        return powers[:: math.ceil(len(powers) / MOST_POWERS)]
    steps = [k * 10**power for power in range(math.floor(high) + 1) for k in (1, 2, 5)]
    inside = [n for n in steps if low <= math.log10(n) <= high]
    return inside if len(inside) > 1 else sorted({round(10**low), round(10**high)})


def _point(row: Mapping[str, Any], across: Scale, down: Scale) -> Point:
    low, high = row["accuracy_interval"]
    middle = math.log10(max(row["shortest"], 1) * max(row["longest"], 1)) / 2
    return Point(
        x=across(middle),
        y=down(row["accuracy"]),
        title=f"{row['n']:,} texts of {row['shortest']:,} to {row['longest']:,} characters: "
        f"{short_percent(row['accuracy'])}, {short_percent(low)} to {short_percent(high)}",
        whisker=(down(low), down(high)),
    )
