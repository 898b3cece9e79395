"""The network of texts: its layout, and its file."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
from scipy.spatial.distance import squareform

from byline.attribution.exploration.network import nearest_neighbours
from byline.report.text_network import network_gexf, network_layout


def test_a_network_without_connections_has_a_layout() -> None:
    edges = nearest_neighbours([squareform([1.0, 9, 9, 9, 9, 1.0])], 1)
    places = network_layout(4, edges)
    assert np.isfinite(places).all()
    assert len({tuple(place) for place in places.tolist()}) == 4


def test_gexf_is_xml_with_weights_and_authors_and_without_a_date() -> None:
    [edge] = nearest_neighbours([squareform([1.0])])
    gexf = network_gexf(["A&B_1", "Ben_1"], ["A&B", "Ben"], [edge])
    root = ElementTree.fromstring(gexf)  # noqa: S314
    space = {"g": root.tag[1:].split("}")[0]}
    assert [node.get("label") for node in root.iterfind(".//g:node", space)] == ["A&B_1", "Ben_1"]
    [meta] = root.iterfind(".//g:meta", space)
    assert not meta.attrib
    assert [edge.get("weight") for edge in root.iterfind(".//g:edge", space)] == ["6.0"]
