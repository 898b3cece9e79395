"""The similarity of authors as a dictionary, as HTML and as text for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.tree import Tree

from byline.answering import AuthorSimilarity
from byline.answering.provenance import versions
from byline.attribution.similarity import CrossPerplexity, author_tree
from byline.formatting import isolated, number, quantity
from byline.report.figures.studies import similarity_figures
from byline.report.html import render
from byline.report.keywords import keywords_summary, print_keywords
from byline.report.summary import SCHEMA, json_values
from byline.report.terminal import empty_table, plain, shorten_name

N_NEAREST = 3
MAX_PRINTED = 10  # authors whose matrix fits on a terminal
FOOTNOTE_SIGN = "*"  # after the names of authors with a single work
SINGLE_WORK_NOTE = (
    "An author with a single work, of which parts were held out. The author's own model knows its "
    "names and subject from the other parts, so the distances to other authors are too large."
)

Summary = dict[str, Any]


def similarity_summary(found: AuthorSimilarity) -> Summary:
    """Summarise the similarity of authors.

    Parameters
    ----------
    found : AuthorSimilarity

    Returns
    -------
    dict
        "schema", "versions", "corpus", "n_documents", "folds", "random_state", "language_model",
        "normalization", "authors"; "single_work_authors", "n_tokens", "cross_entropy",
        "perplexity", "excess" and "distances" (see `CrossPerplexity`); "nearest": "author",
        "perplexity" under the author's own model, and "others" in ascending order of distance with
        "author", "distance", "excess" and "excess_back"; "tree": "order" and "joins" (see
        `AuthorTree`); "keywords" (see `keywords_summary`).
    """
    crossed = found.crossed
    tree = author_tree(crossed.authors, crossed.distances)
    return {
        "schema": SCHEMA,
        "versions": versions(),
        "corpus": found.corpus,
        "n_documents": found.n_documents,
        "folds": found.folds,
        "random_state": found.random_state,
        "language_model": found.language_model,
        "normalization": found.normalization,
        "authors": list(crossed.authors),
        "single_work_authors": list(crossed.single_work_authors),
        "n_tokens": crossed.n_tokens.tolist(),
        "cross_entropy": json_values(crossed.cross_entropy.tolist()),
        "perplexity": json_values(crossed.perplexity.tolist()),
        "excess": json_values(crossed.excess.tolist()),
        "distances": json_values(crossed.distances.tolist()),
        "nearest": [_nearest(crossed, place) for place in range(len(crossed.authors))],
        "tree": {"order": tree.order, "joins": list(map(asdict, tree.joins))},
        "keywords": keywords_summary(found.keywords),
    }


def similarity_html(summary: Summary) -> str:
    """Return the report on the similarity of authors as one HTML file.

    Parameters
    ----------
    summary : dict
        As `similarity_summary` returns it.
    """
    return render("similarity.html.j2", _shown(summary))


def similarity_section(summary: Summary) -> str:
    """Return the main part of the report in HTML, for a notebook.

    Parameters
    ----------
    summary : dict
        As `similarity_summary` returns it.
    """
    return render("notebook_similarity.html.j2", _shown(summary))


def _shown(summary: Summary) -> Summary:
    figures = similarity_figures(summary, names_with_footnotes(summary))
    return {"similarity": summary, "figures": figures, "single_work_note": SINGLE_WORK_NOTE}


def print_similarity(console: Console, summary: Summary) -> None:
    """Print the matrix, or for many authors the nearest ones, the tree, and the keywords.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `similarity_summary` returns it.
    """
    n_authors = len(summary["authors"])
    console.print(
        plain(
            f"{summary['corpus']}: {quantity(summary['n_documents'], 'document')} by "
            f"{quantity(n_authors, 'author')}, {summary['folds']}-fold cross-validation; "
            f"{summary['language_model']}"
        )
    )
    console.print()
    (_print_matrix if n_authors <= MAX_PRINTED else _print_nearest)(console, summary)
    console.print()
    console.print(_tree(summary))
    console.print("Distances in nats per token between clusters (average linkage).")
    if summary["single_work_authors"]:
        console.print(f"{FOOTNOTE_SIGN} {SINGLE_WORK_NOTE}")
    console.print()
    print_keywords(console, summary["keywords"])


def _nearest(crossed: CrossPerplexity, place: int) -> Summary:
    author, excess = crossed.authors[place], crossed.excess
    others = [crossed.authors.index(name) for name in crossed.nearest(author, N_NEAREST)]
    return {
        "author": author,
        "perplexity": float(crossed.perplexity[place, place]),
        "others": [
            {
                "author": crossed.authors[other],
                "distance": float(crossed.distances[place, other]),
                "excess": float(excess[place, other]),
                "excess_back": float(excess[other, place]),
            }
            for other in others
        ],
    }


def _print_matrix(console: Console, summary: Summary) -> None:
    order, names = summary["tree"]["order"], names_with_footnotes(summary)
    numbers = [str(place + 1) for place in range(len(order))]
    table = empty_table("", "texts of", *numbers, texts=2)
    for numbered, row in zip(numbers, order, strict=True):
        values = (number(summary["perplexity"][row][column], 1) for column in order)
        table.add_row(numbered, shorten_name(names[row]), *values)
    console.print(table)
    console.print(
        "Perplexity of each author's held-out texts (row) under each author's language model "
        "(column, by number)."
    )


def _print_nearest(console: Console, summary: Summary) -> None:
    table = empty_table("author", "own perplexity", "nearest authors, nats per token", texts=1)
    table.columns[-1].justify = "left"
    for name, entry in zip(names_with_footnotes(summary), summary["nearest"], strict=True):
        others = (
            f"{isolated(other['author'])} {other['distance']:.3f}" for other in entry["others"]
        )
        table.add_row(shorten_name(name), number(entry["perplexity"], 1), plain(", ".join(others)))
    console.print(table)


def names_with_footnotes(summary: Mapping[str, Any]) -> list[str]:
    """Return the authors' names, with a footnote sign after those with a single work."""
    return [
        name + FOOTNOTE_SIGN * (name in summary["single_work_authors"])
        for name in summary["authors"]
    ]


def _tree(summary: Mapping[str, Any]) -> Tree:
    """Create the tree of the joins, with the last join as its root."""
    groups = [Tree(shorten_name(author)) for author in names_with_footnotes(summary)]
    for join in summary["tree"]["joins"]:
        group = Tree(number(join["height"], 3))
        group.children += [groups[join["first"]], groups[join["second"]]]
        groups.append(group)
    return groups[-1]
