"""The network of texts: its layout in a figure, and a file for Gephi and other programs."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import numpy as np
from scipy.sparse.csgraph import shortest_path

from byline.array_types import Floats
from byline.attribution.exploration.network import Edge

_DATE = re.compile(rb' lastmodifieddate="[^"]*"')


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

    The same network gives the same bytes: the date that networkx writes is removed.

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
    return _DATE.sub(b"", stream.getvalue(), count=1)
