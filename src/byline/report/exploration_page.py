"""The report on an exploration of texts as one HTML file."""

from __future__ import annotations

from typing import Any

from byline.attribution.exploration.network import Edge, network_layout
from byline.report.charts.distance_map import LEVELS, MOST_WITH_TITLES, distance_map
from byline.report.charts.text_maps import network_chart, text_map_chart
from byline.report.charts.text_points import NARROW, WIDE, text_styles
from byline.report.charts.text_trees import (
    cluster_node,
    consensus_node,
    text_tree_chart,
    unrooted_tree_chart,
)
from byline.report.exploration import (
    DISTANCE_NAMES,
    QUESTIONED_TEXT,
    Summary,
    heading,
    quality_sentences,
    strongest_loadings,
)
from byline.report.html import render

_N_LOADINGS = 15
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


def exploration_html(summary: Summary) -> str:
    """Return the report on an exploration of texts as one HTML file.

    Parameters
    ----------
    summary : dict
        As `exploration_summary` returns it.
    """
    return render("exploration.html.j2", _shown(summary))


def exploration_section(summary: Summary) -> str:
    """Return the main part of the report in HTML, for a notebook.

    Parameters
    ----------
    summary : dict
        As `exploration_summary` returns it.
    """
    return render("notebook_exploration.html.j2", _shown(summary))


def _shown(summary: Summary) -> Summary:
    styles = text_styles(text["author"] for text in summary["texts"])
    return {
        "exploration": summary,
        "heading": heading(summary),
        "sentences": quality_sentences(summary),
        "distance_name": DISTANCE_NAMES.get(summary["distance"], summary["distance"]),
        "legend": [
            {"style": style, "label": author or QUESTIONED_TEXT} for author, style in styles.items()
        ],
        "charts": exploration_charts(summary),
        "loadings": _loadings(summary),
        "levels": list(range(LEVELS)),
        "has_cell_titles": len(summary["texts"]) <= MOST_WITH_TITLES,
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
        "of an author if all its texts are by this author. A tree can be drawn of any texts, even "
        "if they do not form groups.",
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
        f"Groups that more than half of {consensus['n_trees']} trees have, with {sizes[0]:,} to "
        f"{sizes[-1]:,} {summary['kind']} ({method}; Eder 2017). The wider a line, the more trees "
        "have the group. What is joined in the middle only has no stable group.",
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
        "Each text is connected with its three nearest neighbours; the nearer and the more often "
        "for different numbers of features, the wider the line. Positions have no meaning of their "
        "own.",
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


def _loadings(summary: Summary) -> list[Summary]:
    """Return the features at both ends of each axis of a map."""
    found = []
    for each in summary["maps"]:
        for axis in range(len(each["shares"]) if each["loadings"] else 0):
            low, high = strongest_loadings(each["loadings"], axis, _N_LOADINGS)
            found.append({"method": each["method"], "axis": axis + 1, "low": low, "high": high})
    return found
