"""The network of nearest neighbours (Eder 2017)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from byline.array_types import Floats

N_NEIGHBOURS = 3


@dataclass(frozen=True, slots=True)
class Edge:
    """The connection of two texts.

    Attributes
    ----------
    first, second : int
        The indices of the texts, the smaller one first.
    weight : int
        3 for each time that one is the nearest neighbour of the other, 2 for the second nearest, 1
        for the third; summed over both texts and over all numbers of features.
    """

    first: int
    second: int
    weight: int


def nearest_neighbours(matrices: Sequence[Floats], n_neighbours: int = N_NEIGHBOURS) -> list[Edge]:
    """Connect each text with its nearest neighbours.

    Parameters
    ----------
    matrices : sequence of (n_texts, n_texts) float64
        Distances, one matrix per number of features.
    n_neighbours : int
        Number of neighbours of each text.

    Examples
    --------
    >>> distances = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 6.0], [4.0, 6.0, 0.0]])
    >>> [(edge.first, edge.second, edge.weight) for edge in nearest_neighbours([distances], 1)]
    [(0, 1, 2), (0, 2, 1)]
    """
    weights: Counter[tuple[int, int]] = Counter()
    for distances in matrices:
        for text, row in enumerate(distances):
            order = [other for other in np.argsort(row, kind="stable").tolist() if other != text]
            for rank, other in enumerate(order[:n_neighbours]):
                weights[min(text, other), max(text, other)] += n_neighbours - rank
    return [Edge(*pair, weight) for pair, weight in sorted(weights.items())]
