"""Bar charts: one group of bars per label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from byline.formatting import isolated, short_number
from byline.report.charts.axes import (
    Form,
    Frame,
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

LEFT, TOP, BOTTOM = 52, 26, 216
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
    """Groups of bars, one per name."""

    frame: Frame
    labels: tuple[Label, ...]
    y_ticks: tuple[Tick, ...]
    bars: tuple[Bar, ...]
    legend: tuple[Series, ...]
    y_label: str


def bar_chart(
    labels: Sequence[str], series: Sequence[Series], *, y_label: str, form: Form = short_number
) -> BarChart | None:
    """Lay out bars that start at zero, one group per label; None if no value is known."""
    values = known(value for each in series for value in each.values)
    if not values:
        return None
    levels = round_values(0, max(values) or 1.0)
    down = scale(levels[0], levels[-1], BOTTOM, TOP)
    group = BAR * len(series) + BETWEEN_GROUPS
    right = LEFT + group * len(labels)
    return BarChart(
        frame=Frame(right + 6, BOTTOM + label_width(labels) + 12, LEFT, TOP, right, BOTTOM),
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
