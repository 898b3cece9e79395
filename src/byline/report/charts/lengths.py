"""Accuracy by text length, with intervals and the length of a questioned text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from byline.formatting import short_number, short_percent
from byline.report.charts.axes import SHARES, Frame, Scale, Tick, scale, ticks

FRAME = Frame(width=500, height=270, left=50, top=26, right=488, bottom=224)
INSET = 14
_LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class LengthPoint:
    """The accuracy for texts of one length, and the ends of its interval; y grows downwards."""

    x: float
    y: float
    low: float
    high: float
    title: str


@dataclass(frozen=True, slots=True)
class LengthChart:
    """A curve with lengths on a logarithmic scale.

    Attributes
    ----------
    here : float or None
        The position of the length of the questioned text.
    """

    frame: Frame
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    points: tuple[LengthPoint, ...]
    path: str
    here: float | None
    y_label: str = "accuracy"
    x_label: str = "characters, white space not counted"


def length_chart(rows: Sequence[Mapping[str, Any]], size: int | None = None) -> LengthChart | None:
    """Lay out accuracy by length; None if there are no rows.

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
    across = scale(low, high, FRAME.left + INSET, FRAME.right - INSET)
    down = scale(*SHARES, FRAME.bottom, FRAME.top)
    points = tuple(_point(row, across, down) for row in rows)
    powers = range(math.ceil(low), math.floor(high) + 1)
    return LengthChart(
        frame=FRAME,
        x_ticks=tuple(Tick(across(power), short_number(10**power)) for power in powers),
        y_ticks=ticks(_LEVELS, down, short_percent),
        points=points,
        path="M" + "L".join(f"{point.x:.1f} {point.y:.1f}" for point in points),
        here=None if size is None else across(math.log10(max(size, 1))),
    )


def _point(row: Mapping[str, Any], across: Scale, down: Scale) -> LengthPoint:
    low, high = row["accuracy_interval"]
    middle = math.log10(max(row["shortest"], 1) * max(row["longest"], 1)) / 2
    return LengthPoint(
        x=across(middle),
        y=down(row["accuracy"]),
        low=down(low),
        high=down(high),
        title=f"{row['n']:,} texts of {row['shortest']:,} to {row['longest']:,} characters: "
        f"{short_percent(row['accuracy'])}, {short_percent(low)} to {short_percent(high)}",
    )
