"""The figures of an exploration of texts, each for a window and for a telephone."""

from __future__ import annotations

from typing import Any

from byline.attribution.exploration.network import Edge
from byline.report.charts.axes import NARROW, WIDE
from byline.report.charts.distance_map import distance_map
from byline.report.charts.text_maps import network_chart, text_map_chart
from byline.report.charts.text_points import text_styles
from byline.report.charts.text_trees import (
    cluster_node,
    consensus_node,
    text_tree_chart,
    unrooted_tree_chart,
)
from byline.report.exploration import Summary
from byline.report.text_network import network_layout

_MAP_TITLES = {
    "PCA": "Map by principal components",
    "MDS": "Map by multidimensional scaling",
    "UMAP": "Map by UMAP",
}
_MAP_EXPLANATIONS = {
    "PCA": "Each point is a text. The axes are the two combinations of features along which the "
    "texts differ most (principal components of the correlation matrix). In brackets: the share of "
    "the variance.",
    "MDS": "Each point is a text. Texts are near each other if their distance is small (classical "
    "multidimensional scaling). In brackets: the share of the eigenvalues.",
    "UMAP": "Each point is a text. Neighbours are near each other; large distances and the sizes "
    "of clusters mean nothing.",
}


def exploration_charts(summary: Summary) -> list[Summary]:
    """Lay out the figures of an exploration, each for a window and for a telephone.

    Returns
    -------
    list of dict
        "name", "title", "caption", "kind" ("tree", "map", "network" or "heat"), "wide" and
        "narrow", the charts.
    """
    return [
        _tree(summary),
        *map(_map_of(summary), summary["maps"]),
        *([] if summary["consensus"] is None else [_consensus(summary)]),
        _network(summary),
        _heat(summary),
    ]


def _figure(name: str, kind: str, title: str, caption: str, draw: Any) -> Summary:
    charts = {"wide": draw(WIDE), "narrow": draw(NARROW)}
    return {"name": name, "kind": kind, "title": title, "caption": caption, **charts}


def _tree(summary: Summary) -> Summary:
    texts, styles = _drawn(summary)
    root = cluster_node(len(texts), summary["tree"]["joins"])
    return _figure(
        "tree",
        "tree",
        "Cluster tree",
        "Texts that are joined near the right are similar (Ward’s method). A branch has the colour "
        "of an author if all its texts are by this author. Any set of texts gives such a tree, "
        "even if the texts do not form groups.",
        lambda width: text_tree_chart(texts, styles, root, width, x_label="height"),
    )


def _map_of(summary: Summary) -> Any:
    texts, styles = _drawn(summary)

    def draw(found: Summary) -> Summary:
        method = found["method"]
        return _figure(
            method.lower(),
            "map",
            _MAP_TITLES[method],
            _MAP_EXPLANATIONS[method],
            lambda width: text_map_chart(texts, styles, found, width),
        )

    return draw


def _consensus(summary: Summary) -> Summary:
    texts, styles = _drawn(summary)
    consensus = summary["consensus"]
    index = {text["name"]: place for place, text in enumerate(texts)}
    groups = [
        ([index[name] for name in group["texts"]], group["share"]) for group in consensus["groups"]
    ]
    root = consensus_node(len(texts), groups)
    sizes = consensus["sizes"]
    method = "neighbour joining" if consensus["linkage"] == "nj" else "Ward’s method"
    return _figure(
        "consensus",
        "tree",
        "Bootstrap consensus tree",
        f"Groups that occur in more than half of {consensus['n_trees']} trees. The trees use "
        f"{sizes[0]:,} to {sizes[-1]:,} {summary['kind']} ({method}; Eder 2017). The wider a line "
        "is, the more trees contain the group. Texts that are joined only in the middle belong to "
        "no stable group.",
        lambda width: unrooted_tree_chart(texts, styles, root, width),
    )


def _network(summary: Summary) -> Summary:
    texts, styles = _drawn(summary)
    index = {text["name"]: place for place, text in enumerate(texts)}
    edges = [
        Edge(index[edge["first"]], index[edge["second"]], edge["weight"])
        for edge in summary["edges"]
    ]
    positions = network_layout(len(texts), edges).tolist()
    return _figure(
        "network",
        "network",
        "Network of nearest neighbours",
        "Each text is connected with its three nearest neighbours. A line is wider if the texts "
        "are nearer, and if they are neighbours for more numbers of features. The positions of "
        "the texts have no meaning of their own.",
        lambda width: network_chart(texts, styles, positions, summary["edges"], width),
    )


def _heat(summary: Summary) -> Summary:
    order, distances = summary["tree"]["order"], summary["distances"]
    return _figure(
        "distances",
        "heat",
        "Distances",
        "The stronger the colour of a cell, the smaller the distance between its two texts. The "
        "texts are in the order of the cluster tree, from top to bottom and from left to right.",
        lambda width: distance_map(summary["texts"], order, distances, width),
    )


def _drawn(summary: Summary) -> tuple[list[Summary], Any]:
    texts = summary["texts"]
    return texts, text_styles(text["author"] for text in texts)
