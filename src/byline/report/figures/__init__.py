"""Figures of reports for publication: the charts of the HTML, drawn with matplotlib.

`byline.report.figures.figure` defines a figure. `performance`, `cases`, `studies` and `texts` list
the figures of each report. The HTML uses these lists too, so that no caption is written twice.
`renderers` draws each kind of chart on a `canvas`, and `writing` writes the files.
"""

from byline.report.figures.figure import Figure
from byline.report.figures.writing import write_figures

__all__ = ["Figure", "write_figures"]
