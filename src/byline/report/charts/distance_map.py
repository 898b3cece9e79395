"""Heat maps of distances between texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from byline.formatting import isolated
from byline.report.charts.axes import WIDE, label_width
from byline.report.charts.text_points import text_labels
from byline.report.graphics import Label

LEVELS = 8
MOST_WITH_TITLES = 40  # texts: with more, the titles of the cells would fill megabytes
_LARGEST_CELL = 24.0
_SMALLEST_LABELLED = 9.0
_NARROWEST_LABELLED = 12.0  # of columns, whose labels run upwards


@dataclass(frozen=True, slots=True)
class DistanceCell:
    """A cell: its corner, its darkness from 0 to `LEVELS` - 1, and the text of its tooltip."""

    x: float
    y: float
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class DistanceMap:
    """A matrix of distances between texts; a darker cell is a smaller distance.

    Attributes
    ----------
    width, height, cell : float
    rows, columns : tuple of Label
        Empty if the rows or columns are too narrow for labels, which run upwards in columns.
    cells : tuple of DistanceCell
    nearest, farthest : float
        The distances of the darkest and of the faintest cells.
    """

    width: float
    height: float
    cell: float
    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    cells: tuple[DistanceCell, ...]
    nearest: float
    farthest: float

    def path(self, level: int) -> str:
        """Return all cells of a level as one path."""
        side = f"{self.cell:.1f}"
        return "".join(
            f"M{cell.x:.1f} {cell.y:.1f}h{side}v{side}h-{side}z"
            for cell in self.cells
            if cell.level == level
        )


def distance_map(
    texts: Sequence[Mapping[str, Any]],
    order: Sequence[int],
    distances: Sequence[Sequence[float]],
    width: float,
) -> DistanceMap:
    """Lay out the distances between texts.

    Parameters
    ----------
    texts : sequence of mapping
        The "name" of each text.
    order : sequence of int
        The indices of the texts from top to bottom and from left to right.
    distances : sequence of sequence of float, (n_texts, n_texts)
    width : float
    """
    names = text_labels([text["name"] for text in texts], width)
    margin = label_width(names) + 12
    cell = min((width - margin - 2) / len(order), _LARGEST_CELL)
    is_labelled = cell >= _SMALLEST_LABELLED
    if not is_labelled:
        margin, cell = 2.0, min((width - 4) / len(order), _LARGEST_CELL)
    top = margin if cell >= _NARROWEST_LABELLED else 2.0
    values = [distances[row][column] for row in order for column in order if row != column]
    nearest, farthest = min(values), max(values)
    step = (farthest - nearest) / LEVELS or 1.0
    left = margin if width < WIDE else max(margin, (width - cell * len(order)) / 2)
    cells = [
        DistanceCell(
            x=left + cell * across,
            y=top + cell * down,
            level=LEVELS - 1 - min(int((distances[row][column] - nearest) / step), LEVELS - 1),
            title=f"{isolated(texts[row]['name'])}, {isolated(texts[column]['name'])}: "
            f"{distances[row][column]:.3f}",
        )
        for down, row in enumerate(order)
        for across, column in enumerate(order)
        if row != column
    ]
    rows = [
        Label(left - 6, top + cell * (down + 0.5) + 4, names[row], texts[row]["name"])
        for down, row in enumerate(order)
    ]
    columns = [
        Label(left + cell * (across + 0.5) + 4, top - 6, names[column], texts[column]["name"])
        for across, column in enumerate(order)
    ]
    return DistanceMap(
        width=width,
        height=top + cell * len(order) + 2,
        cell=cell,
        rows=tuple(rows) if is_labelled else (),
        columns=tuple(columns) if cell >= _NARROWEST_LABELLED else (),
        cells=tuple(cells),
        nearest=nearest,
        farthest=farthest,
    )
