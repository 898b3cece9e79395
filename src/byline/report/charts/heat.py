"""Heat maps with a logarithmic colour scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from byline.formatting import isolated, number, short_number, short_percent, signed
from byline.report.charts.axes import Tick, label_width
from byline.report.graphics import Label, place_labels

CELL = 27
FAINTEST = 0.07  # opacity of the smallest share drawn
SMALLEST_FLOOR, LARGEST_FLOOR = 1e-5, 1e-1
SCALE_WIDTH = 220


@dataclass(frozen=True, slots=True)
class ShadedCell:
    """A cell: its position, its darkness (0 to 1), its label, and the text for a reader."""

    x: float
    y: float
    strength: float
    text: str
    title: str


@dataclass(frozen=True, slots=True)
class LogHeatMap:
    """A matrix of shares with one row per true author, without empty cells.

    Attributes
    ----------
    outlined : tuple of pairs of float
        Corners of the cells with an outline, including empty ones.
    key : tuple of Tick
        Powers of ten from the faintest colour (0) to the darkest (1).

    See Also
    --------
    log_heat_map : Lays out the cells.

    Examples
    --------
    >>> heat = log_heat_map(["Ada", "Ben"], [[0.99, 0.01], [0.0, 1.0]])
    >>> [cell.title for cell in heat.cells]
    ['Ada → Ada: 99 %', 'Ada → Ben: 1 %', 'Ben → Ben: 100 %']
    >>> [tick.text for tick in heat.key]
    ['1 %', '10 %', '100 %']
    """

    width: float
    height: float
    left: float
    top: float
    cell: int
    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    cells: tuple[ShadedCell, ...]
    outlined: tuple[tuple[float, float], ...]
    key: tuple[Tick, ...]
    faintest: float = FAINTEST
    key_width: float = SCALE_WIDTH


def log_heat_map(
    labels: Sequence[str],
    shares: Sequence[Sequence[float | None]],
    marked: Iterable[tuple[str, str]] = (),
    smallest: float | None = None,
) -> LogHeatMap | None:
    """Lay out a matrix; darker cells have a larger logarithm of the share.

    Parameters
    ----------
    labels : sequence of str
        The labels of the rows and columns.
    shares : sequence of sequence of float or None, shape (n_labels, n_labels)
        The shares of each row's total.
    marked : iterable of pairs of str
        Rows and columns of the cells with an outline.
    smallest : float, optional
        The smallest share on the scale, so that several maps can have the same scale; by default
        the map's own smallest.

    Returns
    -------
    LogHeatMap or None
        None if no share is above 0.

    Examples
    --------
    >>> heat = log_heat_map(["Ada", "Ben"], [[0.99, 0.01], [0.0, 1.0]], marked=[("Ada", "Ben")])
    >>> len(heat.cells), len(heat.outlined)  # an empty cell is not drawn
    (3, 1)
    >>> heat.cells[0].strength > heat.cells[1].strength
    True
    """
    positive = [share for row in shares for share in row if share]
    if not positive:
        return None
    floor = _floor(min(positive) if smallest is None else smallest)
    margin = label_width(labels) + 12
    side = margin + CELL * len(labels) + 2
    order = range(len(labels))
    return LogHeatMap(
        width=side,
        height=side,
        left=margin,
        top=margin,
        cell=CELL,
        rows=place_labels(
            labels, order, lambda place: (margin - 6, margin + CELL * (place + 0.65))
        ),
        columns=place_labels(
            labels, order, lambda place: (margin + CELL * (place + 0.65), margin - 6)
        ),
        cells=tuple(_cells(labels, shares, margin, floor)),
        outlined=tuple(
            (margin + CELL * labels.index(named), margin + CELL * labels.index(author))
            for author, named in marked
        ),
        key=tuple(_key(floor)),
    )


def _cells(
    labels: Sequence[str],
    shares: Sequence[Sequence[float | None]],
    margin: float,
    floor: float,
) -> Iterator[ShadedCell]:
    for down, row in enumerate(shares):
        for across, share in enumerate(row):
            if share:
                yield ShadedCell(
                    x=margin + CELL * across,
                    y=margin + CELL * down,
                    strength=_strength(share, floor),
                    text=_two_letters(share),
                    title=f"{isolated(labels[down])} → {isolated(labels[across])}: "
                    + short_percent(share),
                )


def _floor(smallest: float) -> float:
    """Return the faint end of the scale: the power of ten at or below the smallest share."""
    power = float(10.0 ** math.floor(math.log10(smallest)))
    return min(max(power, SMALLEST_FLOOR), LARGEST_FLOOR)


def _strength(share: float, floor: float) -> float:
    position = 1 - math.log(max(share, floor)) / math.log(floor)
    return FAINTEST + (1 - FAINTEST) * min(position, 1.0)


def _key(floor: float) -> Iterator[Tick]:
    n_powers = round(-math.log10(floor))
    for power in range(n_powers + 1):
        yield Tick(power / n_powers, short_percent(10.0 ** (power - n_powers)))


def _two_letters(share: float) -> str:
    """Write a percentage in two characters: ``94``, ``5``, ``.3``; nothing below 0.05."""
    if share >= 0.0095:
        return f"{100 * share:.0f}"
    return f"{100 * share:.1f}"[1:] if share >= 0.0005 else ""


Matrix = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class CrossedMap:
    """A matrix with one row per author's texts and one column per author's model.

    Attributes
    ----------
    outlined : tuple of pairs of float
        Corners of the cells that are better than the cell of the row's own author.
    key : tuple of Tick
        What the faintest colour (0) and the darkest (1) stand for.
    """

    width: float
    height: float
    left: float
    top: float
    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    cells: tuple[ShadedCell, ...]
    outlined: tuple[tuple[float, float], ...]
    key: tuple[Tick, ...]
    cell: int = CELL
    faintest: float = FAINTEST
    key_width: float = SCALE_WIDTH


def crossed_map(
    names: Sequence[str], order: Sequence[int], perplexity: Matrix, excess: Matrix
) -> CrossedMap:
    """Lay out a matrix; darker cells are closer to the row's own author.

    Parameters
    ----------
    names : sequence of str, (n_authors,)
        The authors of the rows and columns.
    order : sequence of int, (n_authors,)
        The authors' indices from top to bottom and from left to right.
    perplexity, excess : (n_authors, n_authors)
        As in `byline.attribution.similarity.CrossPerplexity`.
    """
    margin = label_width(names) + 12
    side = margin + CELL * len(names) + 2
    farthest = max(map(max, excess)) or 1.0
    return CrossedMap(
        width=side,
        height=side,
        left=margin,
        top=margin,
        rows=place_labels(names, order, lambda place: (margin - 6, margin + CELL * (place + 0.65))),
        columns=place_labels(
            names, order, lambda place: (margin + CELL * (place + 0.65), margin - 6)
        ),
        cells=tuple(_crossed_cells(names, order, perplexity, excess, margin, farthest)),
        outlined=tuple(
            (margin + CELL * across, margin + CELL * down)
            for down, row in enumerate(order)
            for across, column in enumerate(order)
            if excess[row][column] < 0
        ),
        key=tuple(
            Tick(1 - share, short_number(round(share * farthest, 2)))
            for share in (1, 0.75, 0.5, 0.25, 0)
        ),
    )


def _crossed_cells(
    names: Sequence[str],
    order: Sequence[int],
    perplexity: Matrix,
    excess: Matrix,
    margin: float,
    farthest: float,
) -> Iterator[ShadedCell]:
    for down, row in enumerate(order):
        for across, column in enumerate(order):
            nearness = 1 - max(excess[row][column], 0.0) / farthest
            texts, model = isolated(names[row]), isolated(names[column])
            title = f"texts of {texts}, model of {model}: perplexity "
            title += number(perplexity[row][column], 1)
            if row != column:
                title += f", {signed(excess[row][column], 3)} nats per token"
            yield ShadedCell(
                x=margin + CELL * across,
                y=margin + CELL * down,
                strength=FAINTEST + (1 - FAINTEST) * nearness,
                text="" if row == column else _short(excess[row][column]),
                title=title,
            )


def _short(excess: float) -> str:
    """Write nats in at most three characters: ``.31``, ``1.2``, ``12``."""
    if excess >= 9.95:
        return f"{excess:.0f}"
    if excess >= 0.995:
        return f"{excess:.1f}"
    return f"{excess:.2f}".replace("0.", ".").replace("-", "\u2212")
