"""A learning curve as a dict, as tables on the terminal, as CSV, and as an HTML report."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.table import Table

from byline.answering.provenance import versions
from byline.experiments.learning_curve.evaluation import LearningCurve
from byline.experiments.learning_curve.fits import FARTHEST, TARGET
from byline.formatting import (
    number,
    percent,
    short_number,
    short_percent,
)
from byline.report.data_table import DataTable
from byline.report.figures.learning import CALIBRATION, learning_curve_figures
from byline.report.html import render
from byline.report.learning_curve_sentences import (
    curves_of,
    data_sentences,
    needed_interval,
    result_sentences,
    round_words,
)
from byline.report.summary import Summary, json_values
from byline.report.terminal import empty_table, plain

LEARNING_CURVE_SCHEMA = 1
HEADING = "known words"
BY_WORDS = "by known words per author (rows) and words of the questioned text (columns)"
NEEDED = (
    (
        "known_words",
        "Known words per author",
        ("words of the questioned text", "known words needed", "95 % interval"),
    ),
    (
        "text_words",
        "Words of the questioned text",
        ("known words per author", "words of the text needed", "95 % interval"),
    ),
)
_POINT_COLUMNS = (
    *("known_words", "text_words", "n_answers", "n_passages", "n_works"),
    *("accuracy", "accuracy_low", "accuracy_high", "log_loss", "log_loss_low", "log_loss_high"),
    *("ece", "ece_by_chance", "ece_by_chance_95"),
)
_CURVE_COLUMNS = ("axis", "fixed", "words", "accuracy", "accuracy_low", "accuracy_high")
Grid = tuple[str, list[str], list[list[str]]]  # a caption, headings, and rows of cells


def learning_curve_summary(found: LearningCurve) -> Summary:
    """Summarise a learning curve.

    Parameters
    ----------
    found : LearningCurve

    Returns
    -------
    dict
        "schema", "versions", "kind" (``"learning-curve"``), "target" (the accuracy for which
        numbers of words are stated), "log_loss_of_guessing", and the attributes of `LearningCurve`.

    See Also
    --------
    print_learning_curve, learning_curve_html : Show it.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import evaluate_learning_curve
    >>> from byline.lm import NgramLM
    >>> texts = {"Ann": "The cat sat on the mat. ", "Bob": "A dog ran in a park. "}
    >>> documents = [
    ...     Document(author, text * 5 + f"Then it was {n}.", f"{author}/{n}.txt")
    ...     for author, text in texts.items()
    ...     for n in range(4)
    ... ]
    >>> corpus = Corpus(documents, "toy")
    >>> models = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> found = evaluate_learning_curve(
    ...     corpus, models, known_words=[10, 20, 50], text_words=[5], folds=2
    ... )
    >>> summary = learning_curve_summary(found)
    >>> summary["target"], len(summary["points"]), len(summary["curves"])
    (0.95, 3, 1)
    """
    values = {
        "schema": LEARNING_CURVE_SCHEMA,
        "versions": versions(),
        "kind": "learning-curve",
        "target": TARGET,
        "log_loss_of_guessing": math.log(len(found.authors)),
        **found.figures(),
    }
    return {key: json_values(value) for key, value in values.items()}


def print_learning_curve(console: Console, summary: Summary) -> None:
    """Print how many words are needed, and accuracy and calibration by both numbers of words.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As returned by `learning_curve_summary`.

    See Also
    --------
    learning_curve_html : The report, which also has the curves.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import evaluate_learning_curve
    >>> from byline.lm import NgramLM
    >>> texts = {"Ann": "The cat sat on the mat. ", "Bob": "A dog ran in a park. "}
    >>> documents = [
    ...     Document(author, text * 5 + f"Then it was {n}.", f"{author}/{n}.txt")
    ...     for author, text in texts.items()
    ...     for n in range(4)
    ... ]
    >>> corpus = Corpus(documents, "toy")
    >>> models = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> found = evaluate_learning_curve(
    ...     corpus, models, known_words=[10, 20, 50], text_words=[5], folds=2
    ... )
    >>> import io
    >>> from rich.console import Console
    >>> console = Console(file=io.StringIO(), width=100)
    >>> print_learning_curve(console, learning_curve_summary(found))
    >>> console.file.getvalue().splitlines()[0]
    'toy: 8 documents; 2 candidates; held out: by whole document, in 2 folds (seed 0).'
    """
    for sentence in data_sentences(summary):
        console.print(plain(sentence))
    console.print()
    for sentence in result_sentences(summary):
        console.print(plain(sentence))
    for caption, headings, rows in (*accuracy_tables(summary), *calibration_tables(summary)):
        console.print()
        console.print(plain(caption), style="bold")
        console.print(_table(headings, rows))
    console.print()
    console.print(plain(explain_metrics(summary)))
    for note in notes(summary):
        console.print(plain(f"Note: {note}."))


def learning_curve_html(summary: Summary) -> str:
    """Return the report on a learning curve as one HTML file.

    Parameters
    ----------
    summary : dict
        As returned by `learning_curve_summary`.

    See Also
    --------
    print_learning_curve : The same numbers as text.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import evaluate_learning_curve
    >>> from byline.lm import NgramLM
    >>> texts = {"Ann": "The cat sat on the mat. ", "Bob": "A dog ran in a park. "}
    >>> documents = [
    ...     Document(author, text * 5 + f"Then it was {n}.", f"{author}/{n}.txt")
    ...     for author, text in texts.items()
    ...     for n in range(4)
    ... ]
    >>> corpus = Corpus(documents, "toy")
    >>> models = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> found = evaluate_learning_curve(
    ...     corpus, models, known_words=[10, 20, 50], text_words=[5], folds=2
    ... )
    >>> learning_curve_html(learning_curve_summary(found)).startswith("<!doctype html>")
    True
    """
    return render("learning_curve.html.j2", _shown(summary))


def learning_curve_section(summary: Summary) -> str:
    """Return the main part of the report in HTML, for a notebook.

    Parameters
    ----------
    summary : dict
        As returned by `learning_curve_summary`.
    """
    return render("notebook_learning_curve.html.j2", _shown(summary))


def learning_curve_tables(summary: Summary) -> dict[str, DataTable]:
    """Return the measured points and the fitted curves as tables.

    Parameters
    ----------
    summary : dict
        As returned by `learning_curve_summary`.
    """
    points = [
        each
        | _ends("accuracy", each["accuracy_interval"])
        | _ends("log_loss", each["log_loss_interval"])
        for each in summary["points"]
    ]
    curves = [
        (each["axis"], each["fixed"], *values)
        for each in summary["curves"]
        for values in zip(*(each[key] for key in ("words", "fitted", "low", "high")), strict=True)
    ]
    return {
        "points": DataTable.of(_POINT_COLUMNS, points),
        "curves": DataTable(_CURVE_COLUMNS, curves),
    }


def accuracy_tables(summary: Summary) -> Iterator[Grid]:
    """Yield the tables of accuracies, and of the words that an accuracy needs."""
    yield _grid(summary, "Accuracy", lambda point: percent(point["accuracy"]))
    of_target = f"needed for an accuracy of {short_percent(summary['target'])}"
    for axis, caption, headings in NEEDED:
        rows = [_needed_row(curve) for curve in curves_of(summary, axis)]
        if rows:
            yield f"{caption} {of_target}", list(headings), rows


def calibration_tables(summary: Summary) -> Iterator[Grid]:
    """Yield the tables of the log loss and the calibration error, if there are probabilities."""
    if any(point["log_loss"] is not None for point in summary["points"]):
        yield _grid(summary, "Log loss (nats)", lambda point: number(point["log_loss"], 3))
        yield _grid(
            summary,
            "Expected calibration error, and its 95th percentile by chance",
            lambda point: (
                ""
                if point["ece"] is None
                else f"{number(point['ece'], 3)} ({number(point['ece_by_chance_95'], 3)})"
            ),
        )


def explain_metrics(summary: Summary) -> str:
    """Explain what the numbers mean."""
    sentences = [
        "Accuracy is the share of passages whose highest-ranked candidate is the true author; "
        f"random guessing has {percent(1 / len(summary['authors']))}. Words needed are read from "
        "fitted curves. Intervals are by resampling held-out works and samples of known texts."
    ]
    if any(point["log_loss"] is not None for point in summary["points"]):
        kind = CALIBRATION[summary["is_calibrated"]] or "stated"
        sentences.append(
            f"Log loss and calibration error are those of the {kind} probabilities; random "
            f"guessing has a log loss of {number(summary['log_loss_of_guessing'], 2)}. The "
            "calibration error by chance is the one that occurs if the probabilities are right."
        )
        if summary["is_calibrated"] is False:
            sentences.append("Uncalibrated probabilities treat tokens as independent.")
    return " ".join(sentences)


def notes(summary: Summary) -> list[str]:
    """Return the caveats, and why training failed."""
    failures = [
        f"training failed with {short_number(int(words))} known words per author: {reason}"
        for words, reason in summary["failures"].items()
    ]
    return [*summary["caveats"], *failures]


def _shown(summary: Summary) -> dict[str, Any]:
    return {
        "curve": summary,
        "data_sentences": data_sentences(summary),
        "result_sentences": result_sentences(summary),
        "figures": learning_curve_figures(summary),
        "accuracies": list(accuracy_tables(summary)),
        "calibration": list(calibration_tables(summary)),
        "explanation": explain_metrics(summary),
        "notes": notes(summary),
    }


def _grid(summary: Summary, caption: str, cell: Callable[[Summary], str]) -> Grid:
    """Make a table with a row per amount of known text and a column per length of passages."""
    points = {(each["known_words"], each["text_words"]): each for each in summary["points"]}
    lengths = summary["text_words"]
    rows = [
        [short_number(known), *(cell(points[known, length]) for length in lengths)]
        for known in summary["known_words"]
        if (known, lengths[0]) in points
    ]
    return f"{caption}, {BY_WORDS}", [HEADING, *map(short_number, lengths)], rows


def _needed_row(curve: Summary) -> list[str]:
    needed = curve["needed"]
    most = round_words(FARTHEST * curve["words"][-1])
    least = short_number(round(curve["words"][0]))
    words = needed["words"]
    written = {
        "measured": words and round_words(words),
        "fewer": f"fewer than {least}",
        "extrapolated": words and f"{round_words(words)} (extrapolated)",
        "not-reached": f"not reached within {most}",
    }[needed["where"]]
    return [short_number(curve["fixed"]), written, needed_interval(curve)]


def _ends(name: str, interval: list[float] | None) -> dict[str, float | None]:
    low, high = interval or (None, None)
    return {f"{name}_low": low, f"{name}_high": high}


def _table(headings: list[str], rows: list[list[str]]) -> Table:
    table = empty_table(*headings, texts=0)
    for cells in rows:
        table.add_row(*cells)
    return table
