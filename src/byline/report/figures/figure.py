"""A figure of a report, with the title, caption and units that a publication needs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from byline.report.charts.axes import Series

LONGEST_NAME = 60
_NOT_IN_FILE_NAMES = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its title and its caption.

    Attributes
    ----------
    name : str
        The name of its files, without a suffix.
    title : str
        What it shows, in a few words.
    caption : str
        What a reader needs to know to read it.
    chart : object
        Geometry of `byline.report.charts`; None if there are no data for it.
    units : str
        What its numbers measure.

    Examples
    --------
    >>> from byline.report.charts import Series, line_chart
    >>> chart = line_chart([1, 5], [Series("words", 0, [0.5, 0.75])], x_label="n", y_label="share")
    >>> Figure("accuracy", "Accuracy.", "Accuracy by length.", chart, "share of texts").kind
    'lines'
    """

    name: str
    title: str
    caption: str
    chart: Any
    units: str

    @property
    def kind(self) -> str:
        """The macro of the templates that draws it."""
        return KINDS[type(self.chart).__name__]

    @property
    def sentence(self) -> str:
        """The title and the caption, as one paragraph."""
        title = self.title.rstrip(".")
        title += "" if title.endswith("?") else "."
        return f"{title} {self.caption}".strip()


KINDS = {
    "BarChart": "bars",
    "CrossedMap": "heat",
    "HeatMap": "confusions",
    "LineChart": "lines",
    "LogHeatMap": "heat",
    "MarkChart": "marks",
    "NoneType": "lines",
    "TreeChart": "tree",
}


def file_name(*parts: str) -> str:
    """Make the name of a file from names and numbers, in any script.

    Examples
    --------
    >>> file_name("tippett", "H. G. Wells: letter.txt")
    'tippett-h-g-wells-letter-txt'
    """
    plain = unicodedata.normalize("NFC", "-".join(parts)).casefold()
    return _NOT_IN_FILE_NAMES.sub("-", plain).strip("-")[:LONGEST_NAME].rstrip("-")


def point_series(
    label: str,
    values: Sequence[float | None],
    intervals: Sequence[tuple[float, float]] = (),
    style: int = 0,
) -> Series:
    """Describe values, and their intervals, as the points of one series."""
    return Series(label, style, values, joined=False, intervals=intervals)


def named_for(figures: Iterable[Figure], suffix: str, of_what: str) -> list[Figure]:
    """Add to the names and titles of figures which text or which length they are about."""
    if not suffix:
        return list(figures)
    return [
        replace(
            each,
            name=f"{each.name}{suffix}",
            title=f"{each.title}: {of_what}",
        )
        for each in figures
    ]


def drawable(figures: Iterable[Figure]) -> list[Figure]:
    """Return the figures for which there are data, with unique names."""
    found: dict[str, Figure] = {}
    for figure in figures:
        if figure.chart is None:
            continue
        name, number = figure.name, 1
        while name in found:
            number += 1
            name = f"{figure.name}-{number}"
        found[name] = replace(figure, name=name)
    return list(found.values())
