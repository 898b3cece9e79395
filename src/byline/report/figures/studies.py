"""Figures of reports on many texts: comparisons of authors, experiments and benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from byline.formatting import isolated
from byline.report.charts.heat import crossed_map
from byline.report.charts.tree import tree_chart
from byline.report.experiment_charts import (
    Group,
    coverage_chart,
    groups,
    search_chart,
    vocabulary_chart,
)
from byline.report.figures.figure import Figure, file_name
from byline.report.small_cases import small_cases_map

Summary = Mapping[str, Any]
MAX_DRAWN = 100  # authors whose matrix is drawn: ten thousand cells
PERPLEXITY_UNITS = "nats per token"


def similarity_figures(summary: Summary, names: list[str]) -> list[Figure]:
    """List the figures of a comparison of authors: a heat map and a tree.

    Parameters
    ----------
    summary : mapping
        As `byline.report.similarity.similarity_summary` returns it.
    names : list of str
        The authors' names as they are shown.
    """
    tree = summary["tree"]
    drawn = len(names) <= MAX_DRAWN
    return [
        Figure(
            "crossed",
            "How much worse is another author’s model?",
            "A row is the texts of an author, and a column is an author’s language model. A cell "
            "shows the excess cross-entropy over that under the author’s own model, in nats per "
            "token. The stronger the colour is, the lower is the excess. The diagonal is each "
            "author’s own model. An orange outline (in grey: dark) means that another author’s "
            "model predicts the texts better than the author’s own model.",
            crossed_map(names, tree["order"], summary["perplexity"], summary["excess"])
            if drawn
            else None,
            PERPLEXITY_UNITS,
        ),
        Figure(
            "tree",
            "Tree of authors",
            "Authors and clusters are joined at their mean distance: the further to the right they "
            "are joined, the less similar they are.",
            tree_chart(names, tree["order"], tree["joins"], x_label="distance, nats per token"),
            PERPLEXITY_UNITS,
        ),
    ]


def small_cases_figures(summary: Summary) -> list[Figure]:
    """List the figure of the benchmark of small cases: a heat map of differences in accuracy.

    Parameters
    ----------
    summary : mapping
        As `byline.report.small_cases.small_cases_summary` returns it.
    """
    return [
        Figure(
            "differences",
            "Accuracy of the default minus that of the best single method",
            "Rows: candidates x known texts of each x words of each text. Columns: words of the "
            "questioned text. A positive difference is blue, and a negative difference is orange "
            "(in grey: with a minus sign).",
            small_cases_map(dict(summary)),
            "percentage points",
        )
    ]


def experiment_figures(summary: Summary) -> list[Figure]:
    """List the figures of an experiment.

    Parameters
    ----------
    summary : mapping
        As `byline.report.experiment_summary` returns it.
    """
    return [*_vocabulary(summary), *_searches(summary), *_accuracies(summary)]


def vocabulary_figures(rows: Any) -> list[Figure]:
    """Return the size of the authors' vocabularies, and what their frequent words cover."""
    return [
        Figure(
            "vocabulary",
            "Size of the vocabulary",
            "Stemming merges the forms of a word, and pruning removes rare stems: each step leaves "
            "fewer distinct words.",
            vocabulary_chart(rows),
            "number of distinct words",
        ),
        Figure(
            "coverage",
            "Coverage of the text by its most frequent words",
            "The height of a bar is the share of an author’s running words that are among the most "
            "frequent words.",
            coverage_chart(rows),
            "share of running words",
        ),
    ]


def search_figure(search: Summary, number: int) -> Figure:
    """Return the costs of the trials of a search."""
    return Figure(
        f"search-{number}",
        "Cost of each trial",
        "Each point is one setting. The line shows the lowest cost so far.",
        search_chart(search),
        "nats per word, by number of the trial",
    )


def _vocabulary(summary: Summary) -> list[Figure]:
    rows = (summary["profile"] or {}).get("rows")
    return vocabulary_figures(rows) if rows else []


def _searches(summary: Summary) -> Iterator[Figure]:
    for number, search in enumerate(summary["search"], 1):
        figure = search_figure(search, number)
        yield Figure(
            figure.name,
            f"{figure.title}: {isolated(search['author'])}",
            figure.caption,
            figure.chart,
            figure.units,
        )


def _accuracies(summary: Summary) -> Iterator[Figure]:
    for group in groups(summary, "accuracy"):
        where = f"{group.split}, {group.rule}"
        yield from _of_group(group, where)
    for group in groups(summary, "confusion"):
        where = f"{group.split}, {group.rule}"
        for entry, chart in group.maps:
            yield Figure(
                file_name("confusions", group.split, group.rule, entry["model"]),
                f"{entry['label']} ({where})",
                "A cell shows how many of 100 sentences by the author of the row were attributed "
                "to the candidate of the column.",
                chart,
                "percent of sentences, on a logarithmic scale of colours",
            )


def _of_group(group: Group, where: str) -> Iterator[Figure]:
    names = [("mean", "Mean of the authors", group.mean)]
    one = group.entries[0]["highlighted"]
    if one is not None:
        names.append(("highlighted", isolated(one["author"]), group.highlighted))
    for name, title, chart in names:
        yield Figure(
            file_name(name, group.split, group.rule),
            f"{title} ({where})",
            "Accuracy by number of sentences in the questioned text. Bands are standard "
            "deviations.",
            chart,
            "share of texts, by number of sentences",
        )
    for stage, marks in group.stages:
        yield Figure(
            file_name("stage", stage, group.split, group.rule),
            f"Accuracy on texts of {stage} sentence{'' if stage == '1' else 's'} ({where})",
            "A row is an author and a symbol is a model. The further right a symbol is, the higher "
            "is the accuracy.",
            marks,
            "share of texts",
        )
