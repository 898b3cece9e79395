"""Draw each kind of chart on a canvas, as the templates draw it as SVG in the HTML reports.

To add a kind of chart, write a function of a `Canvas` and its geometry, and register it with
``@draw_chart.register``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, singledispatch
from typing import Any

from byline.formatting import typographic
from byline.report.charts.axes import Frame, Series, Tick
from byline.report.charts.differences import DifferenceMap
from byline.report.charts.heat import CrossedMap, LogHeatMap
from byline.report.charts.lines import LineChart
from byline.report.charts.marks import BarChart, MarkChart
from byline.report.charts.rolling import RollingChart, Strip
from byline.report.charts.tree import TreeChart
from byline.report.figures.canvas import Canvas
from byline.report.figures.look import FAINT_DASHES, GRID, INK, PAPER, QUIET, is_dark, mixed
from byline.report.graphics import HeatMap, Label

MARK, LINE, WHISKER = 3.4, 1.7, 1.2
KEY_WIDTH, KEY_HEIGHT, KEY_GAP = 26.0, 18.0, 16.0  # of an entry of the legend
STEPS = 20  # of the scale of colours below a heat map
WRONG = 1  # the style of misattributions
COUNT = 10.0  # height of the digits in a cell
DrawKey = Callable[[Canvas, float, float], None]  # from the left end, at the height of the middle


@singledispatch
def draw_chart(chart: Any, canvas: Canvas) -> None:
    """Draw a chart; the first argument decides how."""
    raise TypeError(f"there is no renderer for {type(chart).__name__}")


def size_of(chart: Any) -> tuple[float, float]:
    """Return the width and height of a chart, which has them itself or in its frame."""
    frame = getattr(chart, "frame", chart)
    return frame.width, frame.height


@draw_chart.register
def _(chart: LineChart, canvas: Canvas) -> None:
    _y_axis(canvas, chart.frame, chart.y_ticks, chart.y_label)
    _x_axis(canvas, chart.frame, chart.x_ticks, chart.x_label)
    if chart.here is not None:
        _marked_place(canvas, chart.frame, chart.here)
    for line in chart.lines:
        if line.band:
            canvas.path(line.band, fill=canvas.look.line(line.series.style), opacity=0.13)
    for line in reversed(chart.lines):
        if line.path:
            canvas.path(line.path, **_line_style(canvas, line.series))
        for point in line.points:
            if point.whisker:
                _whisker(canvas, line.series, point.x, *point.whisker)
            _mark(canvas, line.series, point.x, point.y)
    _legend(canvas, chart.legend)


@draw_chart.register
def _(chart: BarChart, canvas: Canvas) -> None:
    _y_axis(canvas, chart.frame, chart.y_ticks, chart.y_label)
    for bar in chart.bars:
        draw_area(canvas, bar.style, bar.x, bar.y, bar.width, bar.height)
    _names(canvas, chart.labels, anchor="right", turned=True)
    _legend(canvas, chart.legend, of_areas=True)


@draw_chart.register
def _(chart: MarkChart, canvas: Canvas) -> None:
    _vertical_grid(canvas, chart.frame, chart.x_ticks, chart.x_label)
    _names(canvas, chart.labels, anchor="right")
    for row in chart.rows:
        canvas.line(row.start, row.y, row.end, row.y, line=QUIET, opacity=0.6)
    for series, point in reversed(chart.marks):
        if point.whisker:
            low, high = point.whisker
            colour = canvas.look.line(series.style)
            canvas.line(low, point.y, high, point.y, line=colour, thickness=WHISKER)
        _mark(canvas, series, point.x, point.y, size=1.3)
    _legend(canvas, [Series(each.label, each.style, (), joined=False) for each in chart.legend])


@draw_chart.register
def _(chart: TreeChart, canvas: Canvas) -> None:
    _vertical_grid(canvas, chart.frame, chart.x_ticks, chart.x_label)
    _names(canvas, chart.labels, anchor="right")
    series = Series("", 0, ())
    for branch in chart.branches:
        canvas.path(branch.path, **_line_style(canvas, series))
        _mark(canvas, series, branch.x, branch.y)


@draw_chart.register(LogHeatMap)
@draw_chart.register(CrossedMap)
def _(chart: LogHeatMap | CrossedMap, canvas: Canvas) -> None:
    side = chart.cell * len(chart.columns)
    canvas.rectangle(chart.left, chart.top, side, chart.cell * len(chart.rows), fill="#f5f7f9")
    for cell in chart.cells:
        colour = _shade(canvas, cell.strength)
        canvas.rectangle(cell.x, cell.y, chart.cell, chart.cell, fill=colour, line=PAPER)
        _count(canvas, cell.x + chart.cell / 2, cell.y + chart.cell / 2, cell.text, colour)
    for x, y in chart.outlined:
        style: dict[str, Any] = {"line": canvas.look.line(WRONG), "thickness": 2.5}
        canvas.rectangle(x, y, chart.cell, chart.cell, **style)
    _names(canvas, chart.columns, turned=True)
    _names(canvas, chart.rows, anchor="right")
    _scale_of_colours(chart, canvas)


@draw_chart.register
def _(chart: HeatMap, canvas: Canvas) -> None:
    width, height = chart.cell * len(chart.columns), chart.cell * len(chart.rows)
    canvas.rectangle(chart.left, chart.top, width, height, fill="#f5f7f9")
    for cell in chart.cells:
        style = 0 if cell.right else WRONG
        colour = mixed(canvas.look.line(0 if canvas.look.grey else style), 0.1 + 0.9 * cell.share)
        hatch = "" if cell.right else canvas.look.hatch(WRONG)
        edge = INK if hatch else PAPER
        style_of_cell: dict[str, Any] = {"line": edge, "thickness": 0.6, "hatch": hatch}
        canvas.rectangle(cell.x, cell.y, chart.cell, chart.cell, fill=colour, **style_of_cell)
        if hatch:  # digits on a hatch are hard to read
            canvas.rectangle(cell.x + 3, cell.y + 5, chart.cell - 6, chart.cell - 10, fill=colour)
        _count(canvas, cell.x + chart.cell / 2, cell.y + chart.cell / 2, str(cell.n), colour)
    _names(canvas, chart.columns, turned=True)
    _names(canvas, chart.rows, anchor="right")


@draw_chart.register
def _(chart: DifferenceMap, canvas: Canvas) -> None:
    for panel in chart.panels:
        canvas.text(panel.x, panel.y - 24, panel.heading, size=13, bold=True)
        for x, name in panel.columns:
            canvas.text(x, panel.y - 6, name, anchor="center")
        for y, name in panel.rows:
            canvas.text(panel.x - 6, y, name, anchor="right")
        for cell in panel.cells:
            style = 0 if cell.is_positive else WRONG
            colour = mixed(canvas.look.line(0 if canvas.look.grey else style), 0.75 * cell.strength)
            size = chart.cell_width - 1, chart.cell_height - 1
            canvas.rectangle(cell.x, cell.y, *size, fill=colour)
            middle = cell.x + chart.cell_width / 2, cell.y + chart.cell_height / 2
            _count(canvas, *middle, typographic(cell.text), colour)


@draw_chart.register
def _(chart: RollingChart, canvas: Canvas) -> None:
    frame = chart.frame
    _y_axis(canvas, frame, chart.y_ticks, chart.y_label)
    for point in chart.change_points:
        width, height = point.right - point.left, chart.ribbon + 26 - frame.top
        canvas.rectangle(point.left, frame.top - 8, width, height, fill=QUIET, opacity=0.25)
    for strip in chart.chapters:
        if strip.style < 0:
            canvas.rectangle(strip.x, chart.chapter_ribbon, strip.width, 18, fill=GRID)
        else:
            draw_area(canvas, strip.style, strip.x, chart.chapter_ribbon, strip.width, 18)
            _strip_name(canvas, strip, chart.chapter_ribbon)
    for tick in chart.chapter_ticks:
        canvas.text(tick.at, chart.foot, typographic(tick.text), anchor="center")
    for tick in chart.x_ticks:
        words = typographic(tick.text)
        canvas.text(tick.at, chart.sentence_foot, words, anchor="center", colour=QUIET)
    label = chart.x_label.lower()
    canvas.text((frame.left + frame.right) / 2, frame.height - 6, label, anchor="center")
    canvas.line(frame.left, chart.zero, frame.right, chart.zero, line=INK)
    for curve in chart.drawn_curves:
        canvas.path(curve.path, **_line_style(canvas, curve.series))
    for strip in chart.strips:
        draw_area(canvas, strip.style, strip.x, chart.ribbon, strip.width, 18)
        _strip_name(canvas, strip, chart.ribbon)
    for point in chart.change_points:
        canvas.line(point.x, frame.top - 8, point.x, chart.ribbon + 22, line=INK, dashes=(4, 2))
        canvas.text(point.x, frame.top - 12, point.number, anchor="center", bold=True)
    _legend(canvas, chart.legend)


def _strip_name(canvas: Canvas, strip: Strip, top: float) -> None:
    if strip.name:
        width = canvas.measured(strip.name) + 6
        middle = strip.x + strip.width / 2
        canvas.rectangle(middle - width / 2, top + 2, width, 14, fill=PAPER)
        canvas.text(middle, top + 13, strip.name, anchor="center")


def _y_axis(canvas: Canvas, frame: Frame, ticks: Iterable[Tick], label: str) -> None:
    canvas.text(0, frame.top - 14, label)
    for tick in ticks:
        canvas.line(frame.left, tick.at, frame.right, tick.at)
        canvas.text(frame.left - 6, tick.at + 4, typographic(tick.text), anchor="right")


def _x_axis(canvas: Canvas, frame: Frame, ticks: Iterable[Tick], label: str) -> None:
    for tick in ticks:
        canvas.line(tick.at, frame.bottom, tick.at, frame.bottom + 4, line=QUIET)
        canvas.text(tick.at, frame.bottom + 17, typographic(tick.text), anchor="center")
    canvas.text((frame.left + frame.right) / 2, frame.bottom + 36, label, anchor="center")


def _vertical_grid(canvas: Canvas, frame: Frame, ticks: Iterable[Tick], label: str = "") -> None:
    for tick in ticks:
        canvas.line(tick.at, frame.top, tick.at, frame.bottom)
        canvas.text(tick.at, frame.bottom + 15, typographic(tick.text), anchor="center")
    if label:
        canvas.text((frame.left + frame.right) / 2, frame.bottom + 34, label, anchor="center")


def _names(
    canvas: Canvas, labels: Iterable[Label], *, anchor: str = "left", turned: bool = False
) -> None:
    for label in labels:
        canvas.text(label.x, label.y, label.text, anchor=anchor, turned=turned)


def _line_style(canvas: Canvas, series: Series) -> dict[str, Any]:
    if series.faint:
        return {"line": QUIET, "thickness": 1.0, "dashes": FAINT_DASHES}
    look = canvas.look
    return {
        "line": look.line(series.style),
        "thickness": LINE,
        "dashes": look.dashes(series.style),
    }


def _mark(canvas: Canvas, series: Series, x: float, y: float, size: float = 1.0) -> None:
    colour = canvas.look.line(series.style)
    canvas.path(series.mark, fill=colour, line=PAPER, thickness=0.8, at=(x, y), size=MARK * size)


def _whisker(canvas: Canvas, series: Series, x: float, low: float, high: float) -> None:
    colour = canvas.look.line(series.style)
    canvas.line(x, low, x, high, line=colour, thickness=WHISKER)
    for y in (low, high):
        canvas.line(x - 3, y, x + 3, y, line=colour, thickness=WHISKER)


def _marked_place(canvas: Canvas, frame: Frame, x: float) -> None:
    style = {"line": canvas.look.line(WRONG), "thickness": 1.6, "dashes": (3, 2)}
    canvas.line(x, frame.top, x, frame.bottom, **style)


def draw_area(canvas: Canvas, style: int, x: float, y: float, width: float, height: float) -> None:
    """Draw a bar or an area of a series."""
    look = canvas.look
    edge = INK if look.grey else PAPER
    canvas.rectangle(
        x,
        y,
        width,
        height,
        fill=look.fill(style),
        line=edge,
        thickness=0.6,
        hatch=look.hatch(style),
    )


def _count(canvas: Canvas, x: float, y: float, words: str, colour: str) -> None:
    if words:
        ink = PAPER if is_dark(colour) else INK
        canvas.text(x, y + 3.5, words, anchor="center", size=COUNT, colour=ink)


def _shade(canvas: Canvas, strength: float) -> str:
    return mixed(canvas.look.line(0), strength)


def _scale_of_colours(chart: LogHeatMap | CrossedMap, canvas: Canvas) -> None:
    top, step = chart.height + 10, chart.key_width / STEPS
    for number in range(STEPS):
        strength = chart.faintest + (1 - chart.faintest) * (number + 0.5) / STEPS
        canvas.rectangle(
            chart.left + number * step, top, step + 0.2, 12, fill=_shade(canvas, strength)
        )
    for tick in chart.key:
        x = chart.left + tick.at * chart.key_width
        canvas.text(x, top + 26, typographic(tick.text), anchor="center")


def _legend(canvas: Canvas, series: Sequence[Series], *, of_areas: bool = False) -> None:
    write_legend(canvas, [(each.label, partial(_key, each, of_areas=of_areas)) for each in series])


def write_legend(canvas: Canvas, entries: Iterable[tuple[str, DrawKey]]) -> None:
    """Write names above the chart, in as many rows as they need, each after its symbol."""
    rows: list[list[tuple[float, str, DrawKey]]] = [[]]
    x = 0.0
    for label, key in entries:
        width = KEY_WIDTH + 6 + canvas.measured(label)
        if x and x + width > canvas.width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, label, key))
        x += width + KEY_GAP
    for row in reversed(rows):
        y = canvas.top - 10
        for x, label, key in row:
            key(canvas, x, y)
            canvas.text(x + KEY_WIDTH + 6, y + 4, label)
        canvas.top -= KEY_HEIGHT


def _key(series: Series, canvas: Canvas, x: float, y: float, *, of_areas: bool) -> None:
    if of_areas:
        draw_area(canvas, series.style, x + 8, y - 6, 12, 12)
        return
    if series.joined:
        canvas.line(x, y, x + KEY_WIDTH, y, **_line_style(canvas, series))
    if series.marked:
        _mark(canvas, series, x + KEY_WIDTH / 2, y)
