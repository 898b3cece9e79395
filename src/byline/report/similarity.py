"""Authors beside authors for readers: a plain dict, one HTML file, and text for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.tree import Tree

from byline.attribution.keyness import AuthorKeywords
from byline.attribution.similarity import CrossPerplexity, author_tree
from byline.formatting import isolated, number
from byline.report.charts.crossed import crossed_map
from byline.report.charts.tree import tree_chart
from byline.report.html import render
from byline.report.keywords import keywords_summary, print_keywords
from byline.report.summary import SCHEMA, json_values, versions
from byline.report.terminal import empty_table, plain, shorten_name

N_NEAREST = 3
WIDEST = 10  # authors whose matrix has room on a terminal
MOST_DRAWN = 100  # authors whose matrix is drawn: ten thousand cells
MARK = "*"  # behind the names of authors with a single work
OF_ONE_WORK = (
    "An author with a single work, of which parts were held out: the own model knows names and "
    "matter from its other parts, and the author seems farther from all others than is so."
)

Summary = dict[str, Any]


def similarity_summary(
    crossed: CrossPerplexity,
    keywords: Sequence[AuthorKeywords],
    *,
    corpus: str,
    n_documents: int,
    folds: int,
    random_state: int,
    language_model: str,
) -> Summary:
    """Summarise how authors stand beside each other.

    Parameters
    ----------
    crossed : CrossPerplexity
    keywords : sequence of AuthorKeywords
        One an author.
    corpus : str
        What the known texts are called.
    n_documents, folds, random_state : int
        Of the known texts.
    language_model : str
        What learnt each author.

    Returns
    -------
    dict
        "schema", "versions", "corpus", "n_documents", "folds", "random_state", "language_model",
        "authors"; "single_work_authors", "n_tokens", "cross_entropy", "perplexity", "
        ""excess" and "distances"
        as in `CrossPerplexity`; "nearest": "author", "perplexity" under the own model, and
        "others", the nearest first, with "author", "distance", "excess" and "excess_back"; "tree":
        "order" and "joins" as in `AuthorTree`; "keywords", see `keywords_summary`.
    """
    tree = author_tree(crossed.authors, crossed.distances)
    return {
        "schema": SCHEMA,
        "versions": versions(),
        "corpus": corpus,
        "n_documents": n_documents,
        "folds": folds,
        "random_state": random_state,
        "language_model": language_model,
        "authors": list(crossed.authors),
        "single_work_authors": list(crossed.single_work_authors),
        "n_tokens": crossed.n_tokens.tolist(),
        "cross_entropy": json_values(crossed.cross_entropy.tolist()),
        "perplexity": json_values(crossed.perplexity.tolist()),
        "excess": json_values(crossed.excess.tolist()),
        "distances": json_values(crossed.distances.tolist()),
        "nearest": [_nearest(crossed, place) for place in range(len(crossed.authors))],
        "tree": {
            "order": tree.order,
            "joins": [
                {"first": join.first, "second": join.second, "height": join.height}
                for join in tree.joins
            ],
        },
        "keywords": keywords_summary(keywords),
    }


def similarity_html(summary: Summary) -> str:
    """Return the report on authors beside authors as one HTML file.

    Parameters
    ----------
    summary : dict
        As `similarity_summary` returns it.
    """
    names, tree = _marked(summary), summary["tree"]
    drawn = len(names) <= MOST_DRAWN
    charts = {
        "map": crossed_map(names, tree["order"], summary["perplexity"], summary["excess"])
        if drawn
        else None,
        "tree": tree_chart(
            names, tree["order"], tree["joins"], x_label="mean excess, nats a token"
        ),
    }
    return render(
        "similarity.html.j2", {"similarity": summary, "charts": charts, "of_one_work": OF_ONE_WORK}
    )


def print_similarity(console: Console, summary: Summary) -> None:
    """Print the matrix, or of many authors the nearest ones, the tree, and keywords words.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `similarity_summary` returns it.
    """
    n_authors = len(summary["authors"])
    console.print(
        plain(
            f"{summary['corpus']}: {summary['n_documents']} documents by {n_authors} authors, held "
            f"out in {summary['folds']} parts; {summary['language_model']}"
        )
    )
    console.print()
    (_print_matrix if n_authors <= WIDEST else _print_nearest)(console, summary)
    console.print()
    console.print(_tree(summary))
    console.print("Nats a token between two groups: the mean of both excesses, average linkage.")
    if summary["single_work_authors"]:
        console.print(f"{MARK} {OF_ONE_WORK}")
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
    order, names = summary["tree"]["order"], _marked(summary)
    numbers = [str(place + 1) for place in range(len(order))]
    table = empty_table("", "texts of", *numbers, texts=2)
    for numbered, row in zip(numbers, order, strict=True):
        values = (number(summary["perplexity"][row][column], 1) for column in order)
        table.add_row(numbered, shorten_name(names[row]), *values)
    console.print(table)
    console.print(
        "Perplexity of an author's held-out texts (row) under each author's language model "
        "(column, by number)."
    )


def _print_nearest(console: Console, summary: Summary) -> None:
    table = empty_table("author", "own perplexity", "nearest, nats a token apart", texts=1)
    table.columns[-1].justify = "left"
    for name, entry in zip(_marked(summary), summary["nearest"], strict=True):
        others = (
            f"{isolated(other['author'])} {other['distance']:.3f}" for other in entry["others"]
        )
        table.add_row(shorten_name(name), number(entry["perplexity"], 1), plain(", ".join(others)))
    console.print(table)


def _marked(summary: Mapping[str, Any]) -> list[str]:
    """Names of the authors, with a mark behind those with a single work."""
    return [name + MARK * (name in summary["single_work_authors"]) for name in summary["authors"]]


def _tree(summary: Mapping[str, Any]) -> Tree:
    """Make the tree of the joins, the last one at the root."""
    groups = [Tree(shorten_name(author)) for author in _marked(summary)]
    for join in summary["tree"]["joins"]:
        group = Tree(number(join["height"], 3))
        group.children += [groups[join["first"]], groups[join["second"]]]
        groups.append(group)
    return groups[-1]
