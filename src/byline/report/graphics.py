"""Geometry of the figures in a report; the templates draw them as SVG."""

from __future__ import annotations

import math
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
LONGEST_CAVEAT = 170  # characters of a caveat on the first screen
SHADES = (1 / 6, 1 / 2, 1)  # shares of a strong word's log-LR from which a word is darker


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a heat map: its position, its count, and the share of the count in its row."""

    x: float
    y: float
    n: int
    share: float
    right: bool
    title: str


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a row or column, shortened to fit and in full."""

    x: float
    y: float
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A confusion matrix with one row per true author and one column per predicted author."""

    width: float
    height: float
    left: float
    top: float
    cell: int
    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    cells: tuple[Cell, ...]


def heat_map(confusion: Mapping[str, Any]) -> HeatMap:
    """Lay out a confusion matrix, without authors who are neither true nor predicted authors.

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
    """Return the most frequent confusions as dicts with "author", "predicted", "n" and "of".

    Examples
    --------
    >>> confusions({"labels": ["Ann", "Bob"], "matrix": [[3, 1], [0, 4]]})
    [{'author': 'Ann', 'predicted': 'Bob', 'n': 1, 'of': 4}]
    """
    labels, matrix = confusion["labels"], confusion["matrix"]
    pairs = [
        {"author": labels[row], "predicted": labels[column], "n": n, "of": sum(counts)}
        for row, counts in enumerate(matrix)
        for column, n in enumerate(counts)
        if n and row != column
    ]
    return sorted(pairs, key=lambda pair: -pair["n"])[:N_CONFUSIONS]


def behind(entry: Mapping[str, Any]) -> list[float | None]:
    """Return the distance of each candidate from the best; None if unknown.

    In nats: a stack's log-odds of the whole text, otherwise log-likelihoods a token.
    """
    by = "score" if entry["scored_by"] == LOG_ODDS else "log_likelihood_per_token"
    scores = [place[by] for place in entry["ranking"]]
    best = scores[0]
    return [None if best is None or value is None else best - value for value in scores]


def relative_to_best(entry: Mapping[str, Any]) -> list[float]:
    """Return how well each candidate fits, relative to the best one, from 0 to 1; 0 if unknown.

    For language models, this is the perplexity of the best model divided by that of the candidate's
    model. For a stack, it is the odds of the candidate divided by those of the best one.

    Examples
    --------
    >>> ranking = [{"author": "Ann", "log_likelihood_per_token": -1.0}]
    >>> ranking += [{"author": "Ben", "log_likelihood_per_token": -1.6931}]
    >>> fits = relative_to_best({"scored_by": "log-likelihood", "ranking": ranking})
    >>> [round(fit, 2) for fit in fits]
    [1.0, 0.5]
    """
    return [0.0 if nats is None else math.exp(-nats) for nats in behind(entry)]


def has_perplexities(entry: Mapping[str, Any]) -> bool:
    """Return whether language models scored a text, so that the candidates have perplexities.

    Examples
    --------
    >>> has_perplexities({"ranking": [{"author": "Ann", "perplexity": None}]})
    False
    """
    return any(place["perplexity"] is not None for place in entry["ranking"])


def shade(log_lr: float | None, strong: float) -> str:
    """Return a token's CSS class: ``f1`` to ``f3`` for the first candidate, ``s1`` to ``s3``."""
    strength = sum(abs(log_lr or 0.0) >= step * strong for step in SHADES)
    return f"{'f' if (log_lr or 0.0) > 0 else 's'}{strength}" if strength else ""


def _title(labels: Sequence[str], counts: Sequence[int], row: int, column: int) -> str:
    return f"{counts[column]} of {sum(counts)} by {labels[row]}: attributed to {labels[column]}"


def place_labels(
    labels: Sequence[str],
    indices: Sequence[int],
    place: Callable[[int], tuple[float, float]],
) -> tuple[Label, ...]:
    """Label the items with these indices; ``place`` returns the position of each label."""
    return tuple(
        Label(*place(number), shorten(labels[index]), labels[index])
        for number, index in enumerate(indices)
    )


def shorten(name: str) -> str:
    """Shorten a name to the length of a label.

    Examples
    --------
    >>> shorten("Ann")
    'Ann'
    """
    return name if len(name) <= LONGEST_LABEL else isolated(name[: LONGEST_LABEL - 1] + "…")


def long_caveats(entry: Mapping[str, Any], longest: int = LONGEST_CAVEAT) -> list[Any]:
    """Return the caveats of a text that its first screen shortens.

    Examples
    --------
    >>> long_caveats({"caveats": [{"sentence": "Short."}]})
    []
    """
    return [caveat for caveat in entry["caveats"] if len(caveat["sentence"]) > longest]
