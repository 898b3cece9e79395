"""The exploration of texts as a dictionary, as text for the terminal, and as files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from rich.console import Console

from byline.answering.provenance import versions
from byline.attribution.exploration import TextExploration
from byline.attribution.exploration.consensus import Clade
from byline.attribution.exploration.maps import TextMap
from byline.formatting import isolated, number, percent, quantity
from byline.named_settings import setting
from byline.report.data_table import DataTable
from byline.report.summary import json_values
from byline.report.terminal import empty_table, plain
from byline.report.text_network import network_gexf

EXPLORATION_SCHEMA = 1
_DISTANCE_WIDTH = 11  # of the last column of the table in a terminal
DISTANCE_NAMES: Mapping[str, str] = {
    "burrows": "Burrows’s Delta",
    "eder": "Eder’s Delta",
    "argamon": "Argamon’s Delta",
    "simple": "Eder’s simple distance",
    "cosine": "cosine distance of frequencies",
    "wurzburg": "cosine Delta (Würzburg)",
    "entropy": "entropy distance",
    "minmax": "min-max distance",
    "manhattan": "Manhattan distance",
    "js": "Jensen-Shannon distance",
    "char-ngrams": "cosine distance of character n-grams",
    "cross-perplexity": "cross-perplexity of language models (nats per token)",
}
QUESTIONED_TEXT = "questioned text"
_MAX_LOADINGS = 8

Summary = dict[str, Any]


def exploration_summary(found: TextExploration, corpus: str | None = None) -> Summary:
    """Summarise an exploration of texts.

    Parameters
    ----------
    found : TextExploration
    corpus : str, optional
        The name of the texts.

    Returns
    -------
    dict
        "schema", "versions", "corpus", "distance", "kind" (of the features), "n_features",
        "features", "texts" ("name", "author", which is None for a questioned text, "nearest" text,
        "nearest_author" and "nearest_distance"), "distances", "maps" ("method", "coordinates",
        "shares", "loadings"), "tree" ("order", "joins", "newick"), "consensus" (None, or "linkage",
        "n_trees", "sizes", "groups" with "texts" and "share", and "newick"), "edges" ("first",
        "second", "weight") and "quality" (see `ClusterQuality`).
    """
    names = found.features.names
    return {
        "schema": EXPLORATION_SCHEMA,
        "versions": versions(),
        "corpus": corpus,
        "distance": found.distance,
        "kind": found.features.kind,
        "n_features": len(found.features.features),
        "features": list(found.features.features),
        "texts": list(_texts(found)),
        "distances": json_values(found.distances.tolist()),
        "maps": [_map(found, each) for each in found.maps],
        "tree": {
            "order": found.tree.order,
            "joins": list(map(asdict, found.tree.joins)),
            "newick": found.tree.to_newick(),
        },
        "consensus": _consensus(found),
        "edges": [
            {"first": names[edge.first], "second": names[edge.second], "weight": edge.weight}
            for edge in found.edges
        ],
        "quality": asdict(found.quality),
    }


def _texts(found: TextExploration) -> Iterator[Summary]:
    names, authors = found.features.names, found.features.authors
    for text, nearest in enumerate(found.nearest):
        yield {
            "name": names[text],
            "author": authors[text] or None,
            "nearest": names[nearest],
            "nearest_author": authors[nearest] or None,
            "nearest_distance": float(found.distances[text, nearest]),
        }


def _map(found: TextExploration, each: TextMap) -> Summary:
    loadings = None
    if each.loadings is not None:
        loadings = [
            {"feature": feature, "values": row}
            for feature, row in zip(found.features.features, each.loadings.tolist(), strict=True)
        ]
    return {
        "method": each.method,
        "coordinates": each.coordinates.tolist(),
        "shares": list(each.shares),
        "loadings": loadings,
    }


def _consensus(found: TextExploration) -> Summary | None:
    if found.consensus is None:
        return None
    names = found.features.names
    return {
        "linkage": found.linkage,
        "n_trees": found.consensus.n_trees,
        "sizes": list(found.sizes),
        "groups": [
            {"texts": [names[text] for text in clade.texts], "share": clade.share}
            for clade in _groups(found.consensus.root)
        ],
        "newick": found.consensus.to_newick(),
    }


def _groups(clade: Clade) -> Iterator[Clade]:
    for child in clade.children:
        yield child
        yield from _groups(child)


def quality_sentences(summary: Summary) -> list[str]:
    """State how well the texts are grouped by author.

    Examples
    --------
    >>> quality = {"adjusted_rand": 1.0, "nearest_same": 4, "nearest_total": 5}
    >>> for sentence in quality_sentences({"quality": quality}):
    ...     print(sentence)
    Nearest neighbour by the same author: 4 of 5 texts (80 %).
    Adjusted Rand index of the clusters: 1.00 (1: the clusters equal the authors; 0: chance level).
    """
    quality = summary["quality"]
    sentences = []
    if total := quality["nearest_total"]:
        same = quality["nearest_same"]
        sentences.append(
            f"Nearest neighbour by the same author: {same:,} of {total:,} texts "
            f"({percent(same / total, 0)})."
        )
    if quality["adjusted_rand"] is not None:
        sentences.append(
            f"Adjusted Rand index of the clusters: {number(quality['adjusted_rand'], 2)} "
            "(1: the clusters equal the authors; 0: chance level)."
        )
    return sentences


def heading(summary: Summary) -> str:
    """State what was compared, and with which distance."""
    texts = quantity(len(summary["texts"]), "text")
    authors = quantity(len({each["author"] for each in summary["texts"]} - {None}), "author")
    by = DISTANCE_NAMES.get(summary["distance"], summary["distance"])
    if summary["distance"] != "cross-perplexity":
        by += f", {summary['n_features']:,} {summary['kind']}"
    prefix = f"{summary['corpus']}: " if summary["corpus"] else ""
    return f"{prefix}{texts} by {authors}; {by}"


def print_exploration(console: Console, summary: Summary) -> None:
    """Print the nearest text of each text, and how well the texts are grouped.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `exploration_summary` returns it.
    """
    console.print(plain(heading(summary)))
    console.print()
    texts = [summary["texts"][place] for place in summary["tree"]["order"]]
    is_named = all(each["name"].startswith(f"{each['author']}_") for each in texts)
    authors = [] if is_named else ["author"]  # otherwise the names of the texts state the authors
    headings = ("text", *authors, "nearest text", "distance")
    table = empty_table(*headings, texts=len(headings) - 1)
    width = (console.width - _DISTANCE_WIDTH) // (len(headings) - 1) - 2
    for each in texts:
        table.add_row(
            plain(name_on_one_line(each["name"], width)),
            *(plain(name_on_one_line(each["author"] or QUESTIONED_TEXT, width)) for _ in authors),
            plain(name_on_one_line(each["nearest"], width)),
            number(each["nearest_distance"], 3),
        )
    console.print(table)
    console.print("The texts are in the order of the cluster tree.")
    for sentence in quality_sentences(summary):
        console.print(sentence)
    _print_loadings(console, summary)


def name_on_one_line(name: str, width: int) -> str:
    """Cut a name in its middle to a width, so that it remains on one line.

    Examples
    --------
    >>> [name_on_one_line("George Washington_1791", width) for width in (22, 15)]
    ['George Washington_1791', 'George …on_1791']
    """
    at_start = (width - 1) // 2
    cut = name if len(name) <= width else f"{name[:at_start]}…{name[at_start + 1 - width :]}"
    return isolated(cut)


def _print_loadings(console: Console, summary: Summary) -> None:
    for each in summary["maps"]:
        if each["loadings"] is None:
            continue
        for axis, share in enumerate(each["shares"]):
            low, high = strongest_loadings(each["loadings"], axis)
            console.print(
                plain(
                    f"{each['method']}, axis {axis + 1} ({percent(share, 1)} of the variance): "
                    f"{', '.join(low)} <-> {', '.join(high)}"
                )
            )


def strongest_loadings(
    loadings: list[Summary], axis: int, at_most: int = _MAX_LOADINGS
) -> tuple[list[str], list[str]]:
    """Return the features at both ends of an axis of a map, the strongest first.

    Examples
    --------
    >>> loadings = [{"feature": "the", "values": [0.6]}, {"feature": "i", "values": [-0.8]}]
    >>> strongest_loadings(loadings, 0)
    (['i'], ['the'])
    """
    ordered = sorted(loadings, key=lambda each: each["values"][axis])
    low = [each["feature"] for each in ordered if each["values"][axis] < 0][:at_most]
    high = [each["feature"] for each in reversed(ordered) if each["values"][axis] > 0][:at_most]
    return low, high


def exploration_files(found: TextExploration) -> dict[str, bytes]:
    """Return the tables, trees and the network as files.

    Returns
    -------
    dict of str to bytes
        The content of each file by its name: frequencies.csv, distances.csv, coordinates.csv,
        loadings.csv, edges.csv, tree.nwk, consensus.nwk, network.gexf and features.txt.
    """
    names, features = found.features.names, found.features.features
    files = {f"{name}.csv": table.to_csv() for name, table in exploration_tables(found).items()}
    files["tree.nwk"] = found.tree.to_newick() + "\n"
    if found.consensus is not None:
        files["consensus.nwk"] = found.consensus.to_newick() + "\n"
    files["features.txt"] = (
        f"# You can edit this list and use it with {setting('features')}. Lines that begin with # "
        "are ignored.\n" + "".join(f"{feature}\n" for feature in features)
    )
    authors = [author or QUESTIONED_TEXT for author in found.features.authors]
    encoded = {name: text.encode("utf-8", "backslashreplace") for name, text in files.items()}
    return {**encoded, "network.gexf": network_gexf(names, authors, found.edges)}


def exploration_tables(found: TextExploration) -> dict[str, DataTable]:
    """Return the tables of an exploration by their names."""
    names, authors = found.features.names, found.features.authors
    tables = {
        "distances": _named("text", names, names, found.distances.tolist()),
        "frequencies": _named(
            "text", found.features.features, names, found.features.values.tolist()
        ),
    }
    columns = [f"{each.method}{axis}" for each in found.maps for axis in (1, 2)]
    places = np.hstack([each.coordinates for each in found.maps]).tolist()
    rows = [(name, author, *row) for name, author, row in zip(names, authors, places, strict=True)]
    tables["coordinates"] = DataTable(("text", "author", *columns), rows)
    for each in found.maps:
        if each.loadings is not None:
            axes = [f"{each.method}{axis}" for axis in (1, 2)]
            features = found.features.features
            tables["loadings"] = _named("feature", axes, features, each.loadings.tolist())
    edges = [(names[edge.first], names[edge.second], edge.weight) for edge in found.edges]
    tables["edges"] = DataTable(("source", "target", "weight"), edges)
    return tables


def _named(
    what: str, columns: Sequence[str], names: Sequence[str], rows: list[list[float]]
) -> DataTable:
    return DataTable(
        (what, *columns), [(name, *row) for name, row in zip(names, rows, strict=True)]
    )
