"""Figures of reports that can be published: the charts of the HTML, drawn by matplotlib.

`byline.report.figures.figure` has what a figure consists of. `performance`, `cases`, `studies` and
`texts` list the figures of each report, for its HTML too, so that no caption is written twice.
`renderers` draws each kind of chart on a `canvas`, and `writing` writes the files.
"""

from byline.report.figures.figure import Figure
from byline.report.figures.writing import write_figures

__all__ = ["Figure", "write_figures"]
