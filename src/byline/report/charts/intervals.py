"""Differences with their intervals, on a common scale for all rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from byline.report.charts.axes import known, scale

SPARE = 4.0  # percent of the width that stays empty at both ends


@dataclass(frozen=True, slots=True)
class IntervalPlot:
    """Positions in percent of the width of a cell: of zero, and of the values of a row."""

    zero: float
    step: float

    def at(self, value: float) -> float:
        """Return the position of a value."""
        return round(self.zero + value * self.step, 2)


def interval_plot(rows: Iterable[Mapping[str, Any]]) -> IntervalPlot:
    """Choose a scale that includes zero and "difference", "low", "high" and "claim" of all rows."""
    keys = ("difference", "low", "high", "claim")
    values = known(row.get(key) for row in rows for key in keys)
    place = scale(min([0.0, *values]), max([0.0, *values]), SPARE, 100 - SPARE)
    zero = place(0.0)
    return IntervalPlot(zero=round(zero, 2), step=place(1.0) - zero)
