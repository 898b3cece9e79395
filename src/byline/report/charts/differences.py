"""Heat maps of differences: blue above zero, orange below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from byline.formatting import signed
from byline.report.charts.axes import label_width

WIDTH, HEIGHT = 44, 20  # of a cell
HEADING, GAP = 44, 28
STRONGEST = 0.15  # a difference of this size has the full colour
FAINTEST = 0.06


@dataclass(frozen=True, slots=True)
class DifferenceCell:
    """A cell: its position, its text, its sign and the strength of its colour (0 to 1)."""

    x: float
    y: float
    text: str
    title: str
    is_positive: bool
    strength: float


@dataclass(frozen=True, slots=True)
class DifferencePanel:
    """A matrix with a heading; the labels are pairs of a position and a text."""

    x: float
    y: float
    heading: str
    rows: tuple[tuple[float, str], ...]
    columns: tuple[tuple[float, str], ...]
    cells: tuple[DifferenceCell, ...]


@dataclass(frozen=True, slots=True)
class DifferenceMap:
    """Panels next to each other.

    See Also
    --------
    difference_map : Lays out the panels.

    Examples
    --------
    >>> differences = {("2x1x150", "50"): 0.05, ("2x1x150", "150"): -0.02}
    >>> found = difference_map({"toy": differences}, ["50", "150"])
    >>> [(cell.text, cell.is_positive) for cell in found.panels[0].cells]
    [('+5.0', True), ('-2.0', False)]
    """

    width: float
    height: float
    cell_width: int
    cell_height: int
    panels: tuple[DifferencePanel, ...]


def difference_map(
    panels: Mapping[str, Mapping[tuple[str, str], float]],
    columns: Sequence[str],
    *,
    per_line: int = 3,
) -> DifferenceMap:
    """Lay out one matrix of differences of shares for each heading.

    Parameters
    ----------
    panels : mapping of heading to mapping of (row, column) to difference
        Rows are in the order in which they first occur. A cell may be missing.
    columns : sequence of str
        In the order in which they are shown.
    per_line : int
        Number of panels next to each other.
    """
    margin = label_width([row for cells in panels.values() for row, _ in cells]) + 10
    panel_width = margin + WIDTH * len(columns) + GAP
    laid_out: list[DifferencePanel] = []
    top = bottom = 0.0
    for place, (heading, cells) in enumerate(panels.items()):
        across = place % per_line
        if across == 0:
            top = bottom
        rows = list(dict.fromkeys(row for row, _ in cells))
        laid_out.append(_panel(heading, cells, rows, columns, across * panel_width + margin, top))
        bottom = max(bottom, top + HEADING + HEIGHT * len(rows) + GAP)
    width = panel_width * min(per_line, len(panels))
    return DifferenceMap(width, bottom, WIDTH, HEIGHT, tuple(laid_out))


def _panel(
    heading: str,
    cells: Mapping[tuple[str, str], float],
    rows: Sequence[str],
    columns: Sequence[str],
    left: float,
    top: float,
) -> DifferencePanel:
    first = top + HEADING
    return DifferencePanel(
        x=left,
        y=first,
        heading=heading,
        rows=tuple((first + HEIGHT * (place + 0.7), row) for place, row in enumerate(rows)),
        columns=tuple((left + WIDTH * (place + 0.5), name) for place, name in enumerate(columns)),
        cells=tuple(
            DifferenceCell(
                x=left + WIDTH * columns.index(column),
                y=first + HEIGHT * rows.index(row),
                text=signed(100 * difference, 1),
                title=f"{heading}, {row}, {column}: {signed(100 * difference, 1)} points",
                is_positive=difference >= 0,
                strength=FAINTEST + (1 - FAINTEST) * min(abs(difference) / STRONGEST, 1.0),
            )
            for (row, column), difference in cells.items()
        ),
    )
