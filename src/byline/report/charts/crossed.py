"""Heat maps of texts against models: the excess cross-entropy under other authors' models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from byline.formatting import isolated, number, short_number, signed
from byline.report.charts.axes import Tick, label_width
from byline.report.charts.heat import CELL, FAINTEST, SCALE_WIDTH, ShadedCell
from byline.report.graphics import Label, place_labels

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
        cells=tuple(_cells(names, order, perplexity, excess, margin, farthest)),
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


def _cells(
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
