"""Charts of calibration: reliability diagram, Tippett plot and empirical cross-entropy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from byline.formatting import number, percent_range, short_number, short_percent
from byline.report.charts.axes import (
    SHARES,
    Form,
    Frame,
    Point,
    Scale,
    Series,
    line_path,
    round_values,
    scale,
    ticks,
)
from byline.report.charts.lines import Line, LineChart

FRAME = Frame(width=364, height=286, left=48, top=26, right=348, bottom=240)  # three in a row
INSET = 8  # of the outermost values
N_MARKS = 12  # approximate number of points on a curve
PERFECT = "perfect calibration"
THIS_TEXT = "the questioned text"
SIDES = (("targets", "true authors"), ("nontargets", "other candidates"))
ENTROPIES = (
    ("observed", "likelihood ratios"),
    ("pav", "after optimal calibration"),
    ("reference", "no evidence"),
)

Bins = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Curve:
    """A series with its own x values, and a text for each point."""

    x: Sequence[float]
    series: Series
    titles: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Axis:
    """Round values along an axis, their format, and the label of the axis."""

    levels: Sequence[float]
    label: str
    form: Form = short_number

    def scale(self, start: float, end: float) -> Scale:
        """Map the values to positions from ``start`` to ``end``."""
        return scale(self.levels[0], self.levels[-1], start, end)


def reliability_chart(bins: Mapping[str, Bins], observed: str = "accuracy") -> LineChart:
    """Lay out a reliability diagram: accuracy against stated probability.

    Parameters
    ----------
    bins : mapping of label to sequence of dict
        "confidence", "accuracy", "n" and "interval" of each bin, by confidence. The style of a
        label follows from its position, even if another label has no bin. The values of bins with
        few texts scatter, so no line joins them, and each has its interval.
    observed : str
        The label of the y axis.
    """
    curves = [
        Curve(
            [each["confidence"] for each in own],
            Series(
                label,
                style,
                [each["accuracy"] for each in own],
                joined=False,
                intervals=[each["interval"] for each in own],
            ),
            [_bin_title(label, each) for each in own],
        )
        for style, (label, own) in enumerate(bins.items())
        if own
    ]
    perfect = Curve(SHARES, Series(PERFECT, 0, SHARES, marked=False, faint=True))
    levels = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    return curve_chart(
        [*curves, perfect],
        Axis(levels, "stated probability", short_percent),
        Axis(levels, observed, short_percent),
    )


def tippett_chart(
    data: Mapping[str, Sequence[float]],
    sides: Sequence[tuple[str, str]] = SIDES,
    here: float | None = None,
) -> LineChart:
    """Lay out a Tippett plot: the share of likelihood ratios at or above each threshold.

    Parameters
    ----------
    data : mapping
        "log10_thresholds", "targets" and "nontargets", as of
        `byline.attribution.calibration.Tippett`.
    sides : sequence of (str, str)
        The keys and the labels of the two curves.
    here : float, optional
        The log10 likelihood ratio of the questioned text, to be marked.
    """
    x = data["log10_thresholds"]
    curves = [
        Curve(
            x,
            Series(label, style, data[side]),
            [
                f"{label}, log10 LR of {number(at, 2)} or more: {short_percent(share)}"
                for at, share in zip(x, data[side], strict=True)
            ],
        )
        for style, (side, label) in enumerate(sides)
    ]
    one = Curve((0.0, 0.0), Series("likelihood ratio 1", 0, SHARES, marked=False, faint=True))
    own = [] if here is None else [Curve((here, here), Series(THIS_TEXT, 3, SHARES, marked=False))]
    values = [0.0, *x, *(curve.x[0] for curve in own)]
    return curve_chart(
        [*curves, one, *own],
        Axis(round_values(min(values), max(values), 4), "log10 of the likelihood ratio"),
        Axis([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], "share at or above", short_percent),
    )


def cross_entropy_chart(data: Mapping[str, Sequence[float]]) -> LineChart:
    """Lay out the empirical cross-entropy against the prior odds.

    Parameters
    ----------
    data : mapping
        "log10_prior_odds", "observed", "pav" and "reference", as of
        `byline.attribution.calibration.CrossEntropyCurve`.
    """
    x = data["log10_prior_odds"]
    curves = [
        Curve(
            x,
            Series(label, style, data[key], marked=key != "reference", faint=key == "reference"),
            [
                f"{label}, log10 prior odds {number(at, 1)}: {number(bits, 3)} bits"
                for at, bits in zip(x, data[key], strict=True)
            ],
        )
        for style, (key, label) in enumerate(ENTROPIES)
    ]
    highest = max(max(data[key]) for key, _ in ENTROPIES)
    return curve_chart(
        curves,
        Axis([-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0], "log10 of the prior odds"),
        Axis(round_values(0.0, highest), "cross-entropy (bits)"),
    )


def curve_chart(curves: Sequence[Curve], x: Axis, y: Axis) -> LineChart:
    """Lay out curves with their own x values; of a long curve, only some points are marked."""
    across = x.scale(FRAME.left + INSET, FRAME.right - INSET)
    down = y.scale(FRAME.bottom, FRAME.top)
    return LineChart(
        frame=FRAME,
        x_ticks=ticks(x.levels, across, x.form),
        y_ticks=ticks(y.levels, down, y.form),
        lines=tuple(_line(curve, across, down) for curve in curves),
        x_label=x.label,
        y_label=y.label,
    )


def _line(curve: Curve, across: Scale, down: Scale) -> Line:
    values = [value for value in curve.series.values if value is not None]
    places = [(across(at), down(value)) for at, value in zip(curve.x, values, strict=True)]
    whiskers = [(down(low), down(high)) for low, high in curve.series.intervals]
    found = zip_longest(places, curve.titles, whiskers)
    points = tuple(Point(x, y, title, whisker) for (x, y), title, whisker in found if title)
    step = max(1, round(len(places) / N_MARKS))
    return Line(
        series=curve.series,
        path=line_path(places) if curve.series.joined else "",
        band="",
        points=points[::step] if curve.series.marked else (),
    )


def _bin_title(label: str, each: Mapping[str, Any]) -> str:
    texts = f"{each['n']:,} text" + ("s" if each["n"] != 1 else "")
    return (
        f"{label}: {texts}, mean probability {short_percent(each['confidence'])}, "
        f"accuracy {short_percent(each['accuracy'])} ({percent_range(*each['interval'])})"
    )
