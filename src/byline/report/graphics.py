"""Geometry of the figures in a report; the templates draw them as SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from byline.attribution import LOG_ODDS
from byline.formatting import isolated

SMALLEST_CELL = 22  # units of a heat map's cell
DIGIT = 6.4  # width of a digit in the same units
LETTER = 6.6  # width of a letter of a label
LONGEST_LABEL = 24  # letters
N_CONFUSIONS = 10
SHADES = (1 / 6, 1 / 2, 1)  # of a strong word's log-LR, from which a word is darker


@dataclass(frozen=True, slots=True)
class Cell:
    """A filled cell of a heat map: its place, its count, and the count's share of the row."""

    x: float
    y: float
    n: int
    share: float
    right: bool
    title: str


@dataclass(frozen=True, slots=True)
class Label:
    """A row's or column's name, shortened to fit, and in full."""

    x: float
    y: float
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A confusion matrix, laid out: a row a true author, a column a named one."""

    width: float
    height: float
    left: float
    top: float
    cell: int
    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    cells: tuple[Cell, ...]


def heat_map(confusion: Mapping[str, Any]) -> HeatMap:
    """Lay out a confusion matrix, without authors who were neither questioned nor named.

    Parameters
    ----------
    confusion : mapping
        "labels" (n_authors,) and "matrix" (n_authors, n_authors).
    """
    labels, matrix = confusion["labels"], confusion["matrix"]
    totals = [sum(row) for row in matrix]
    rows = [index for index, total in enumerate(totals) if total]
    named = {column for row in matrix for column, n in enumerate(row) if n}
    columns = sorted(named.union(rows))
    digits = len(str(max(map(max, matrix))))
    cell = max(SMALLEST_CELL, round(DIGIT * digits + 6))
    margin = LETTER * max(len(shorten(labels[index])) for index in columns) + SMALLEST_CELL / 2
    cells = tuple(
        Cell(
            x=margin + cell * across,
            y=margin + cell * down,
            n=matrix[row][column],
            share=matrix[row][column] / totals[row],
            right=row == column,
            title=_title(labels, matrix[row], row, column),
        )
        for down, row in enumerate(rows)
        for across, column in enumerate(columns)
        if matrix[row][column]
    )
    return HeatMap(
        width=margin + cell * len(columns) + 1,
        height=margin + cell * len(rows) + 1,
        left=margin,
        top=margin,
        cell=cell,
        rows=place_labels(labels, rows, lambda place: (margin - 5, margin + cell * (place + 0.68))),
        columns=place_labels(
            labels, columns, lambda place: (margin + cell * (place + 0.68), margin - 5)
        ),
        cells=cells,
    )


def confusions(confusion: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the most frequent confusions: "author", "predicted", "n", and "of" all texts."""
    labels, matrix = confusion["labels"], confusion["matrix"]
    pairs = [
        {"author": labels[row], "predicted": labels[column], "n": n, "of": sum(counts)}
        for row, counts in enumerate(matrix)
        for column, n in enumerate(counts)
        if n and row != column
    ]
    return sorted(pairs, key=lambda pair: -pair["n"])[:N_CONFUSIONS]


def behind(entry: Mapping[str, Any]) -> list[float | None]:
    """How far each candidate is behind the best; None where that is unknown.

    In nats: a stack's log-odds of the whole text, otherwise log-likelihoods a token.
    """
    by = "score" if entry["scored_by"] == LOG_ODDS else "log_likelihood_per_token"
    scores = [place[by] for place in entry["ranking"]]
    best = scores[0]
    return [None if best is None or value is None else best - value for value in scores]


def shade(log_lr: float | None, strong: float) -> str:
    """Name a token's style: ``f`` for the first candidate, ``s`` the second, 1 to 3; or none."""
    strength = sum(abs(log_lr or 0.0) >= step * strong for step in SHADES)
    return f"{'f' if (log_lr or 0.0) > 0 else 's'}{strength}" if strength else ""


def _title(labels: Sequence[str], counts: Sequence[int], row: int, column: int) -> str:
    return f"{counts[column]} of {sum(counts)} by {labels[row]}: {labels[column]} named"


def place_labels(
    labels: Sequence[str],
    indices: Sequence[int],
    place: Callable[[int], tuple[float, float]],
) -> tuple[Label, ...]:
    """Label what has these indices; ``place`` says where the label of each number stands."""
    return tuple(
        Label(*place(number), shorten(labels[index]), labels[index])
        for number, index in enumerate(indices)
    )


def shorten(name: str) -> str:
    """Cut a name to a label's length."""
    return name if len(name) <= LONGEST_LABEL else isolated(name[: LONGEST_LABEL - 1] + "…")
