"""The HTML report on an evaluation, and the text on its calibration."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from byline.answering.provenance import versions
from byline.experiments.benchmarks import BenchmarkResult
from byline.formatting import number, percent, signed
from byline.report.baselines import answers_sentences, comparison_note, comparison_rows
from byline.report.figures.performance import BEFORE, calibration_figures
from byline.report.html import render
from byline.report.summary import SCHEMA, Summary, json_values
from byline.report.terminal import empty_table, in_sentences, plain


def evaluation_html(summary: Summary) -> str:
    """Return the report on an evaluation as one HTML file.

    Parameters
    ----------
    summary : dict
        As returned by :func:`byline.report.evaluation_summary`.

    See Also
    --------
    byline.report.evaluation_summary : The summary.
    print_calibration : The calibration as text.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import Fold, evaluate_fitted
    >>> from byline.lm import NgramLM
    >>> known = [
    ...     Document("Ann", "The cat sat on the mat. The cat slept.", "ann/1.txt"),
    ...     Document("Bob", "A dog ran in a park. A dog barked.", "bob/1.txt"),
    ... ]
    >>> questioned = [Document("Ann", "The cat sat.", "ann/2.txt")]
    >>> fold = Fold(Corpus(known, "toy"), Corpus(questioned, "toy"))
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> attributor = attributor.fit(fold.known.texts, fold.known.authors)
    >>> from byline.report import evaluation_summary
    >>> page = evaluation_html(evaluation_summary(evaluate_fitted(attributor, fold)))
    >>> page.startswith("<!doctype html>")
    True
    """
    figures = [
        (row, calibration_figures(row["calibration"], f"c{number}-", explained=not number))
        for number, row in enumerate(rows_with_calibration(summary))
    ]
    comparison = summary["comparison"]
    shown = {
        "evaluation": summary,
        "calibrations": figures,
        "error_by_chance": error_by_chance,
        "answers_sentences": list(answers_sentences(summary)),
        "comparison": comparison and comparison_rows(comparison),
        "comparison_note": comparison and comparison_note(comparison),
    }
    return render("evaluation.html.j2", shown)


def rows_with_calibration(summary: Summary) -> list[Summary]:
    """Return the metrics of each length that have calibration metrics, whole texts first."""
    rows = [summary, *summary["by_length"]]
    return [row for row in rows if row["calibration"] and any(_metrics(row["calibration"]))]


def print_calibration(console: Console, summary: Summary) -> None:
    """Print calibration metrics by length of text, or why there are none.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As returned by :func:`byline.report.evaluation_summary`.

    See Also
    --------
    evaluation_html : The full report.

    Examples
    --------
    >>> import io
    >>> from rich.console import Console
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import Fold, evaluate_fitted
    >>> from byline.lm import NgramLM
    >>> known = [
    ...     Document("Ann", "The cat sat on the mat. The cat slept.", "ann/1.txt"),
    ...     Document("Bob", "A dog ran in a park. A dog barked.", "bob/1.txt"),
    ... ]
    >>> questioned = [Document("Ann", "The cat sat.", "ann/2.txt")]
    >>> fold = Fold(Corpus(known, "toy"), Corpus(questioned, "toy"))
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> attributor = attributor.fit(fold.known.texts, fold.known.authors)
    >>> from byline.report import evaluation_summary
    >>> console = Console(file=io.StringIO(), width=100)
    >>> print_calibration(console, evaluation_summary(evaluate_fitted(attributor, fold)))
    >>> console.file.getvalue().splitlines()[0]
    'Uncalibrated: no known texts were held out for calibration.'
    """
    calibration = summary["calibration"]
    if calibration is None:
        return
    if calibration["calibration_unavailable_reason"]:
        console.print(plain(f"Uncalibrated: {calibration['calibration_unavailable_reason']}."))
    rows = rows_with_calibration(summary)
    if not rows:
        return
    table = empty_table(
        "length", "texts", "ECE", "by chance", "Brier", "log loss", "Cllr", "Cllr min", texts=1
    )
    for row in rows:
        for label, metrics, by_chance in _labelled(row):
            table.add_row(label, *_numbers(metrics, by_chance))
    console.print(table)
    before = f" “{BEFORE}” are probabilities before calibration, which treat tokens as independent."
    console.print(
        "ECE, the expected calibration error, is the mean difference between stated probabilities "
        "and accuracy; by chance: its mean and 95th percentile if the probabilities are right. Log "
        "loss is in nats, Cllr in bits. A Cllr of 1 means no information; Cllr "
        "min is what the best possible calibration would reach."
        + (before if any(all(_metrics(row["calibration"])) for row in rows) else "")
    )


def _labelled(row: Summary) -> Iterator[tuple[str, dict[str, Any], str]]:
    after, before = _metrics(row["calibration"])
    length = in_sentences(row["sentences"])
    if after:
        yield length, after, error_by_chance(row["calibration"])
    if before:
        yield f"  {BEFORE}" if after else f"{length}, uncalibrated", before, ""


def error_by_chance(calibration: Summary) -> str:
    """Return the mean and the 95th percentile of the calibration error by chance, as text."""
    mean, high = calibration["ece_by_chance"], calibration["ece_by_chance_95"]
    return "" if mean is None else f"{number(mean, 3)} to {number(high, 3)}"


def _metrics(calibration: Summary) -> tuple[Any, Any]:
    return calibration["after"], calibration["before"]


def _numbers(metrics: dict[str, Any], by_chance: str) -> Iterator[str]:
    yield number(metrics["n"], 0)
    yield number(metrics["ece"], 3)
    yield by_chance
    for key in ("brier_score", "log_loss", "cllr", "cllr_min"):
        yield number(metrics[key], 3)


# Subsets for which accuracy is shown: heading, and largest number of rows of a table.
SUBSETS = {
    "by_author": ("correct by author", 5),
    "by_fold": ("accuracy by fold", 12),
    "by_tokens": ("accuracy by length", 12),
}
LOWEST_P_VALUE = 0.0001


def benchmark_summary(result: BenchmarkResult) -> Summary:
    """Summarise a benchmark.

    Parameters
    ----------
    result : BenchmarkResult

    Returns
    -------
    dict
        "schema", "versions"; "benchmark", "data", "seed"; for the first length of the first task
        "task", "sentences", "method", "accuracy", "macro_f1", "interval" (95 %, Wilson), "n", and
        "baselines" with the same four values by name; "published": "system", "accuracy" (None if
        the source gives a "statement" only), "source"; "tasks" with all other results.

    See Also
    --------
    print_benchmark : Print the summary.
    """
    values = {"schema": SCHEMA, "versions": versions(), **result.to_dict()}
    return {key: json_values(value) for key, value in values.items()}


def print_benchmark(console: Console, summary: Summary) -> None:
    """Print accuracies, published results and comparisons of the classifiers for each task.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As returned by `benchmark_summary`.
    """
    for task in summary["tasks"]:
        console.print(plain(f"{summary['benchmark']}: {task['task']}"), style="bold")
        console.print(plain(task["protocol"]))
        for table in _tables(task):
            console.print()
            console.print(table)
        console.print()
        for caveat in task["caveats"]:
            console.print(plain(f"Note: {caveat}."))
            console.print()
    console.print(
        "Accuracy is the share of questioned texts whose highest-scoring author is the true one. "
        "Its 95 % interval (Wilson) assumes that texts are independent. Differences are in "
        "percentage points of accuracy on the same texts, with a 95 % interval by bootstrap over "
        "texts; p is from McNemar's exact test."
    )


def benchmark_decisions(result: BenchmarkResult) -> str:
    """Return every decision as a JSON line: "task", "method" and the fields of a `Decision`."""
    return "".join(
        json.dumps({"task": task.task, "method": method, **asdict(decision)}) + "\n"
        for task in result.tasks
        for method, decisions in task.decisions.items()
        for decision in decisions
    )


def _tables(task: Summary) -> Iterator[Table]:
    yield _accuracies(task)
    if task["published"]:
        yield _published(task)
    if task["tables"][0]["comparisons"]:
        yield _comparisons(task)
    for subset, (heading, limit) in SUBSETS.items():
        if 1 < len(task["tables"][0]["methods"][0][subset]) <= limit:
            yield _subset_table(task, subset, heading)


def _accuracies(task: Summary) -> Table:
    """Make the table of all methods by length of text."""
    table = empty_table(
        *("measured", "texts", "accuracy", "95 % interval", "macro-F1", "CPU s"), texts=1
    )
    for entry in task["tables"]:
        for row in entry["methods"]:
            low, high = row["interval"]
            table.add_row(
                _title(row["title"], entry["sentences"]),
                number(row["n"], 0),
                percent(row["accuracy"]),
                f"{percent(low)} to {percent(high)}",
                number(row["macro_f1"], 3),
                number(sum(task["cpu_seconds"][row["method"]].values()), 1),
            )
    return table


def _published(task: Summary) -> Table:
    table = empty_table("published", "accuracy", "source", texts=1)
    table.columns[-1].justify = "left"
    for row in task["published"]:
        result = row["statement"] or percent(row["accuracy"])
        table.add_row(_title(row["system"], row["sentences"]), result, row["source"])
    return table


def _title(title: str, sentences: int | None) -> Text:
    return plain(title if sentences is None else f"{title}, {in_sentences(sentences)}")


def _subset_table(task: Summary, subset: str, heading: str) -> Table:
    """Make the table of correct answers, with a row per subset and a column per method."""
    methods = task["tables"][0]["methods"]
    table = empty_table(heading, "texts", *(row["title"] for row in methods), texts=1)
    for index, first in enumerate(methods[0][subset]):
        cells = (_correct(row[subset][index], subset) for row in methods)
        table.add_row(plain(first["name"]), number(first["n"], 0), *cells)
    return table


def _correct(part: Summary, subset: str) -> str:
    return number(part["n_correct"], 0) if subset == "by_author" else percent(part["accuracy"])


def _comparisons(task: Summary) -> Table:
    first = task["tables"][0]["methods"][0]["title"]
    headings = ("points", "95 % interval", "only it correct", "only other correct", "p")
    table = empty_table(f"{first} against", *headings, texts=1)
    for cells in _compared(task):
        table.add_row(*cells)
    return table


def _compared(task: Summary) -> Iterator[tuple[str | Text, ...]]:
    for entry in task["tables"]:
        titles = {row["method"]: row["title"] for row in entry["methods"]}
        for found in entry["comparisons"]:
            low, high = found["interval"]
            yield (
                _title(titles[found["second"]], entry["sentences"]),
                signed(100 * found["difference"], 1),
                f"{signed(100 * low, 1)} to {signed(100 * high, 1)}",
                number(found["n_only_first"], 0),
                number(found["n_only_second"], 0),
                _p_value(found["p_value"]),
            )


def _p_value(value: float) -> str:
    return f"< {LOWEST_P_VALUE}" if value < LOWEST_P_VALUE else f"{value:.4f}"
