"""Geometry of charts; the templates draw them as SVG."""

from byline.report.charts.axes import SHARES, Frame, Series, Tick
from byline.report.charts.colours import author_class, author_colours, author_shape
from byline.report.charts.heat import LogHeatMap, log_heat_map
from byline.report.charts.lines import LineChart, line_chart
from byline.report.charts.marks import (
    BarChart,
    IntervalPlot,
    MarkChart,
    bar_chart,
    interval_plot,
    mark_chart,
)

__all__ = [
    "SHARES",
    "BarChart",
    "Frame",
    "IntervalPlot",
    "LineChart",
    "LogHeatMap",
    "MarkChart",
    "Series",
    "Tick",
    "author_class",
    "author_colours",
    "author_shape",
    "bar_chart",
    "interval_plot",
    "line_chart",
    "log_heat_map",
    "mark_chart",
]
