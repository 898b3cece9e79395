"""Draw maps, networks, trees and distances of texts, and keywords, on a canvas."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from byline.formatting import number, typographic
from byline.report.charts.colours import PALETTE, author_class
from byline.report.charts.distance_map import LEVELS, DistanceMap
from byline.report.charts.keyness import ROW, KeywordChart, KeywordColumn
from byline.report.charts.text_maps import TextMapChart
from byline.report.charts.text_points import PlacedLabel, TextPoint, TextStyle
from byline.report.charts.text_trees import TextTreeChart
from byline.report.exploration import QUESTIONED_TEXT
from byline.report.figures.canvas import Canvas
from byline.report.figures.look import INK, PAPER, QUIET, mixed
from byline.report.figures.renderers import KEY_WIDTH, draw_area, draw_chart, write_legend

POINT = 4.2
ANCHORS = {"start": "left", "middle": "center", "end": "right"}
STYLES = {author_class(style): style for style in range(len(PALETTE))}
SHADES = (0.04, 0.12, 0.22, 0.34, 0.48, 0.64, 0.82, 1.0)  # of distances, as in style.css
KEY_CELL = 22.0  # width of a shade in the key of distances


@draw_chart.register
def _(chart: TextMapChart, canvas: Canvas) -> None:
    if chart.axes is not None:
        x, y = chart.axes
        canvas.line(x, 0, x, chart.height - 20)
        canvas.line(0, y, chart.width, y)
        canvas.text(chart.width - 2, chart.height - 5, f"{chart.x_label} →", anchor="right")
        canvas.text(2, chart.height - 5, f"↑ {chart.y_label}")
    for each in chart.connections:
        canvas.path(each.path, line=QUIET, thickness=each.width, opacity=0.45)
    _texts(canvas, chart.points, chart.labels, on_lines=bool(chart.connections))


@draw_chart.register
def _(chart: TextTreeChart, canvas: Canvas) -> None:
    for tick in chart.x_ticks:
        canvas.line(tick.at, 4, tick.at, chart.height - 36)
        canvas.text(tick.at, chart.height - 22, typographic(tick.text), anchor="center")
    if chart.x_label:
        middle = (chart.x_ticks[0].at + chart.x_ticks[-1].at) / 2
        canvas.text(middle, chart.height - 5, chart.x_label, anchor="center")
    for branch in chart.branches:
        style = STYLES.get(branch.colour)
        dashes = canvas.look.dashes(style) if canvas.look.grey and style is not None else ()
        colour = _colour(canvas, branch.colour)
        canvas.path(branch.path, line=colour, thickness=branch.width, dashes=dashes)
    _texts(canvas, chart.points, chart.labels)


@draw_chart.register
def _(chart: DistanceMap, canvas: Canvas) -> None:
    for cell in chart.cells:
        canvas.rectangle(cell.x, cell.y, chart.cell, chart.cell, fill=_shade(canvas, cell.level))
    for label in chart.rows:
        canvas.text(label.x, label.y, label.text, anchor="right")
    for label in chart.columns:
        canvas.text(label.x, label.y, label.text, turned=True)
    top = chart.height + 10
    left = (chart.width - LEVELS * KEY_CELL) / 2
    for level in range(LEVELS):
        x = left + level * KEY_CELL
        canvas.rectangle(x, top, KEY_CELL, 12, fill=_shade(canvas, level))
    canvas.text(left - 6, top + 10, f"farthest: {number(chart.farthest, 3)}", anchor="right")
    canvas.text(left + LEVELS * KEY_CELL + 6, top + 10, f"nearest: {number(chart.nearest, 3)}")


@draw_chart.register
def _(chart: KeywordChart, canvas: Canvas) -> None:
    for column, left in ((chart.first, 0.0), (chart.second, chart.width / 2)):
        _keywords(canvas, column, left, chart)


def _keywords(canvas: Canvas, column: KeywordColumn, left: float, chart: KeywordChart) -> None:
    style = STYLES[column.colour]
    canvas.text(left, ROW - 5, f"Used more often by {column.name}", size=13, bold=True)
    start = left + chart.margin
    for row, bar in enumerate(column.bars, 1):
        y = row * ROW + 6
        canvas.text(start - 6, y + 12, bar.word, anchor="right")
        draw_area(canvas, style, start, y + 2, bar.share * chart.longest, ROW - 5)
        canvas.text(start + bar.share * chart.longest + 6, y + 12, typographic(bar.value))


def _texts(
    canvas: Canvas,
    points: Iterable[TextPoint],
    labels: Iterable[PlacedLabel],
    *,
    on_lines: bool = False,
) -> None:
    for label in labels:
        if label.leader:
            canvas.path(label.leader, line=QUIET, thickness=0.7)
    for point in points:
        _mark(canvas, point.style, point.x, point.y)
    for label in labels:
        if on_lines:  # a line would cross the name
            _free_place(canvas, label)
        canvas.text(label.x, label.y, label.text, anchor=ANCHORS[label.anchor])
    styles = {point.style for point in points}
    shown = sorted(styles, key=lambda style: (not style.author, style.author))
    write_legend(canvas, [(each.author or QUESTIONED_TEXT, partial(_key, each)) for each in shown])


def _free_place(canvas: Canvas, label: PlacedLabel) -> None:
    width = canvas.measured(label.text)
    left = label.x - {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
    canvas.rectangle(left - 1, label.y - 9, width + 2, 12, fill=PAPER, opacity=0.75)


def _key(style: TextStyle, canvas: Canvas, x: float, y: float) -> None:
    _mark(canvas, style, x + KEY_WIDTH / 2, y)


def _mark(canvas: Canvas, style: TextStyle, x: float, y: float) -> None:
    colour: dict[str, Any] = {"fill": _colour(canvas, style.colour), "line": INK}
    canvas.path(style.shape, at=(x, y), size=POINT, thickness=0.6, **colour)


def _colour(canvas: Canvas, css_class: str) -> str:
    """Return the colour of a class: that of an author, of questioned texts or of mixed groups."""
    if css_class in STYLES:
        return canvas.look.line(STYLES[css_class])
    return INK if css_class == "questioned" else QUIET


def _shade(canvas: Canvas, level: int) -> str:
    return mixed(canvas.look.line(0), SHADES[level])
