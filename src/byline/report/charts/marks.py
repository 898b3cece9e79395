"""Dot plots: one row per label, one point per series."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from byline.formatting import isolated, short_percent
from byline.report.charts.axes import (
    SHARES,
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

TOP, ROW, WIDTH = 8, 19, 238
INSET = 10  # distance of the outermost points from the frame
N_TICKS = 4


@dataclass(frozen=True, slots=True)
class Row:
    """The height of a row, and the range of its points."""

    y: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class MarkChart:
    """Points with one row per name."""

    frame: Frame
    labels: tuple[Label, ...]
    x_ticks: tuple[Tick, ...]
    rows: tuple[Row, ...]
    marks: tuple[tuple[Series, Point], ...]


def mark_chart(labels: Sequence[str], series: Sequence[Series]) -> MarkChart | None:
    """Lay out shares with one row per label and one point per series; None if none is known."""
    values = known(value for each in series for value in each.values)
    if not values:
        return None
    levels = round_values(min(values), max(values), N_TICKS, SHARES)
    left = label_width(labels) + 10
    right, bottom = left + WIDTH, TOP + ROW * len(labels)
    across = scale(levels[0], levels[-1], left + INSET, right - INSET)
    heights = [TOP + ROW * (place + 0.5) for place in range(len(labels))]
    return MarkChart(
        frame=Frame(right + 14, bottom + 22, left, TOP, right, bottom),
        labels=tuple(
            Label(left - 6, y + 4, shorten(name), name)
            for name, y in zip(labels, heights, strict=True)
        ),
        x_ticks=ticks(levels, across, short_percent),
        rows=tuple(_rows(series, heights, across)),
        marks=tuple(_marks(labels, series, heights, across)),
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
        for name, y, value in zip(labels, heights, each.values, strict=True):
            if value is not None:
                title = f"{isolated(name)}, {each.label}: {short_percent(value)}"
                yield each, Point(across(value), y, title)
