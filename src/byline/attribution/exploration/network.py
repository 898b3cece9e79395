"""The network of nearest neighbours (Eder 2017), for Gephi and other programs."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import shortest_path

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


def network_layout(n_texts: int, edges: Sequence[Edge]) -> Floats:
    """Place the texts of a network in the plane (Kamada and Kawai 1989).

    Parameters
    ----------
    n_texts : int
    edges : sequence of Edge

    Returns
    -------
    (n_texts, 2) float64
        Coordinates from -1 to 1.

    Examples
    --------
    >>> network_layout(2, [Edge(0, 1, 3)]).shape
    (2, 2)
    """
    from networkx import empty_graph, kamada_kawai_layout

    lengths = np.zeros((n_texts, n_texts))
    strongest = max((edge.weight for edge in edges), default=1)
    for edge in edges:
        lengths[edge.first, edge.second] = 1 + strongest / edge.weight
    paths = shortest_path(lengths, directed=False)
    longest = np.max(paths[np.isfinite(paths)])
    paths[~np.isfinite(paths)] = 1.5 * longest  # parts of the network without a connection
    between = {text: dict(enumerate(row)) for text, row in enumerate(paths.tolist())}
    places = kamada_kawai_layout(empty_graph(n_texts), dist=between)
    return np.array([places[text] for text in range(n_texts)], dtype=np.float64)


def network_gexf(names: Sequence[str], authors: Sequence[str], edges: Sequence[Edge]) -> bytes:
    """Write a network in the format GEXF, with the author of each text.

    Parameters
    ----------
    names, authors : sequence of str, (n_texts,)
    edges : sequence of Edge

    Examples
    --------
    >>> gexf = network_gexf(["Ada_1", "Ben_1"], ["Ada", "Ben"], [Edge(0, 1, 3)])
    >>> b'source="Ada_1" target="Ben_1"' in gexf
    True
    """
    from networkx import Graph, write_gexf

    graph = Graph()
    for name, author in zip(names, authors, strict=True):
        graph.add_node(name, author=author)
    for edge in edges:
        graph.add_edge(names[edge.first], names[edge.second], weight=float(edge.weight))
    stream = io.BytesIO()
    write_gexf(graph, stream, encoding="utf-8")
    return stream.getvalue()
