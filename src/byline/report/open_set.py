"""An open-set evaluation as a dict, as tables on the terminal, and as an HTML report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from byline.answering.provenance import versions
from byline.experiments.open_set.evaluation import OpenSetEvaluation
from byline.formatting import number, percent, percent_range, quantity, short_percent
from byline.report.html import render
from byline.report.summary import Summary, how_split, json_values
from byline.report.terminal import empty_table, plain

OPEN_SET_SCHEMA = 1
OF_ERRORS = (
    "False attributions: texts by unknown authors that were attributed to a candidate. Missed: "
    "texts by candidates that were not attributed to their author; among them wrong: attributed to "
    "another candidate. Stated: the mean of the rates that the answers stated. 95 % interval: for "
    "texts that depend on each other within an author. Even odds: a text is attributed if it is "
    "more probable that a candidate wrote it than that an unknown author did."
)
OF_SCORES = (
    "No answer: texts that are undecided or declined. c@1: accuracy over all texts, in which a "
    "text without an answer counts as the mean. F0.5u: favours precision, and counts a text "
    "without an answer as missed. Macro-F1: mean over candidates, in which texts by unknown "
    "authors are false positives (PAN 2019)."
)
ERROR_HEADINGS = (
    *("false attributions", "95 % interval", "stated"),
    *("missed", "95 % interval", "stated", "wrong"),
)
SCORE_HEADINGS = ("no answer", "c@1", "F0.5u", "macro-F1")
_DASH = "–"


def open_set_summary(evaluation: OpenSetEvaluation) -> Summary:
    """Summarise an open-set evaluation.

    Parameters
    ----------
    evaluation : OpenSetEvaluation

    Returns
    -------
    dict
        "schema", "versions", "kind" (``"open-set"``) and the keys of `OpenSetEvaluation.figures`.

    See Also
    --------
    print_open_set, open_set_html : Show it.

    Examples
    --------
    >>> from byline.attribution.stacking import delta_attributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import evaluate_open_set
    >>> words = {"Ann": "a cat sat", "Bob": "the dog ran", "Cyd": "my owl flew", "Dan": "an ox ate"}
    >>> documents = [
    ...     Document(author, " ".join([own, f"and it was {n} then"] * 20), f"{author}/{n}.txt")
    ...     for author, own in words.items()
    ...     for n in range(4)
    ... ]
    >>> found = evaluate_open_set(Corpus(documents, "toy"), delta_attributor(), folds=1)
    >>> summary = open_set_summary(found)
    >>> summary["kind"], summary["n_known"], summary["n_unknown"]
    ('open-set', 3, 4)
    """
    values = {
        "schema": OPEN_SET_SCHEMA,
        "versions": versions(),
        "kind": "open-set",
        **evaluation.figures(),
    }
    return {key: json_values(value) for key, value in values.items()}


def print_open_set(console: Console, summary: Summary) -> None:
    """Print the metrics at each false-attribution rate, and the caveats.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As returned by `open_set_summary`.

    Examples
    --------
    >>> from byline.attribution.stacking import delta_attributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import evaluate_open_set
    >>> words = {"Ann": "a cat sat", "Bob": "the dog ran", "Cyd": "my owl flew", "Dan": "an ox ate"}
    >>> documents = [
    ...     Document(author, " ".join([own, f"and it was {n} then"] * 20), f"{author}/{n}.txt")
    ...     for author, own in words.items()
    ...     for n in range(4)
    ... ]
    >>> found = evaluate_open_set(Corpus(documents, "toy"), delta_attributor(), folds=1)
    >>> import io
    >>> from rich.console import Console
    >>> console = Console(file=io.StringIO(), width=100)
    >>> print_open_set(console, open_set_summary(found))
    >>> console.file.getvalue().splitlines()[0][:54]
    'toy: 16 documents by 4 authors; held out: authors and '
    """
    for sentence in open_set_sentences(summary):
        console.print(plain(sentence))
    console.print()
    console.print(_table(("requested", *ERROR_HEADINGS), map(error_cells, summary["by_rate"])))
    console.print(OF_ERRORS)
    console.print()
    console.print(_table(("requested", *SCORE_HEADINGS), map(score_cells, score_rows(summary))))
    console.print(OF_SCORES)
    for entry in summary["unavailable"]:
        console.print(plain(unavailable_sentence(entry)))
    for caveat in summary["caveats"]:
        console.print(plain(f"Note: {caveat}."))


def open_set_html(summary: Summary) -> str:
    """Return the report on an open-set evaluation as one HTML file.

    Parameters
    ----------
    summary : dict
        As returned by `open_set_summary`.

    Examples
    --------
    >>> from byline.attribution.stacking import delta_attributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import evaluate_open_set
    >>> words = {"Ann": "a cat sat", "Bob": "the dog ran", "Cyd": "my owl flew", "Dan": "an ox ate"}
    >>> documents = [
    ...     Document(author, " ".join([own, f"and it was {n} then"] * 20), f"{author}/{n}.txt")
    ...     for author, own in words.items()
    ...     for n in range(4)
    ... ]
    >>> found = evaluate_open_set(Corpus(documents, "toy"), delta_attributor(), folds=1)
    >>> open_set_html(open_set_summary(found)).startswith("<!doctype html>")
    True
    """
    return render("open_set.html.j2", _shown(summary))


def open_set_section(summary: Summary) -> str:
    """Return the main part of the report in HTML, for a notebook.

    Parameters
    ----------
    summary : dict
        As returned by `open_set_summary`.
    """
    return render("notebook_open_set.html.j2", _shown(summary))


def _shown(summary: Summary) -> dict[str, Any]:
    return {
        "evaluation": summary,
        "sentences": open_set_sentences(summary),
        "asked": [
            row | {"name": rate_name(row)}
            for row in summary["by_rate"]
            if row["rate"] == summary["false_attribution_rate"]
        ],
        "errors": list(map(error_cells, summary["by_rate"])),
        "error_headings": ERROR_HEADINGS,
        "of_errors": OF_ERRORS,
        "scores": list(map(score_cells, score_rows(summary))),
        "score_headings": SCORE_HEADINGS,
        "of_scores": OF_SCORES,
        "unavailable": list(map(unavailable_sentence, summary["unavailable"])),
    }


def open_set_sentences(summary: Summary) -> list[str]:
    """Describe the data, and the metrics that do not depend on a rate.

    Parameters
    ----------
    summary : dict
        As returned by `open_set_summary`.
    """
    unknown = summary["n_unknown_authors"]
    of_unknown = number(summary["n_unknown"], 0)
    of_unknown += "" if unknown is None else f" by {quantity(unknown, 'author')}"
    auc = "unknown" if summary["auc"] is None else f"AUC {number(summary['auc'], 3)}"
    interval = percent_range(*summary["accuracy_interval"])
    return [
        f"{summary['corpus']}: {quantity(summary['n_documents'], 'document')} by "
        f"{quantity(summary['n_authors'], 'author')}; held out: "
        f"{how_split_open(summary['split'])}.",
        f"Texts by candidates: {number(summary['n_known'], 0)}. The author is the first candidate "
        f"of {percent(summary['accuracy'])} (95 % interval {interval}, Wilson).",
        f"Texts by unknown authors: {of_unknown}. How well they are discriminated from texts by "
        f"candidates: {auc}.",
    ]


def how_split_open(split: Summary) -> str:
    """Describe how authors and texts were held out, given an evaluation's "split".

    Examples
    --------
    >>> how_split_open({"protocol": "document", "folds": 5, "random_state": 0})
    "authors and a part of the other authors' texts, by whole document, in 5 folds (seed 0)"
    """
    if split["protocol"] == "test":
        return how_split(split)
    return f"authors and a part of the other authors' texts, {how_split(split)}"


def unavailable_sentence(entry: Summary) -> str:
    """State that a rate could not be measured."""
    return f"Note: the rate {short_percent(entry['rate'])} was not measured: {entry['reason']}."


def error_cells(row: Summary) -> list[str]:
    """Return the cells of a rate's errors, the name of the rate first."""
    return [
        rate_name(row),
        percent(row["false_attribution_rate"]),
        percent_range(*row["false_attribution_interval"]),
        percent(row["stated_false_rate"]),
        percent(row["missed_rate"]),
        percent_range(*row["missed_interval"]),
        percent(row["stated_missed_rate"]),
        percent(row["misattribution_rate"]),
    ]


def score_rows(summary: Summary) -> list[Summary]:
    """Return the metrics of each rate, and the macro-F1 without rejection last."""
    last = {"macro_f1": summary["macro_f1_without_rejection"], "rate": None}
    return [*summary["by_rate"], last]


def score_cells(row: Summary) -> list[str]:
    """Return the cells of a rate's scores, the name of the rate first."""
    if "c_at_1" not in row:
        return ["no rejection", _DASH, _DASH, _DASH, number(row["macro_f1"], 3)]
    return [
        rate_name(row),
        percent(row["withheld_rate"]),
        *(number(row[key], 3) for key in ("c_at_1", "f_05_u", "macro_f1")),
    ]


def rate_name(row: Summary) -> str:
    """Return the criterion in words; a method may have a rule of its own."""
    if isinstance(row["rate"], float):
        return short_percent(row["rate"])
    return "own rule" if row["rate"] is None else "even odds"


def _table(headings: Sequence[str], rows: Iterator[list[str]]) -> Table:
    table = empty_table(*headings, texts=1)
    for cells in rows:
        table.add_row(*cells)
    return table
