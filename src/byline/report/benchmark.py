"""A benchmark's result: a summary, and from it text for the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from byline.experiments.benchmarks import BenchmarkResult
from byline.formatting import number, percent, signed
from byline.report.summary import SCHEMA, Summary, json_values, versions
from byline.report.terminal import empty_table, in_sentences, plain

# By what right answers are told apart, and with how many rows at most that is worth a table.
PARTS = {
    "by_author": ("right by author", 5),
    "by_fold": ("accuracy by fold", 12),
    "by_tokens": ("accuracy by length", 12),
}
NO_P_BELOW = 0.0001


def benchmark_summary(result: BenchmarkResult) -> Summary:
    """Summarise a benchmark.

    Parameters
    ----------
    result : BenchmarkResult

    Returns
    -------
    dict
        "schema", "versions"; "benchmark", "data", "seed"; of the first task, on its first length
        of text, "task", "sentences", "method", "accuracy", "macro_f1", "interval" (95 %, Wilson),
        "n" and "baselines" (by name the same four); "published": "system", "accuracy" (a share,
        or None where the source has words: "said"), "source"; and "tasks" with all the rest.
    """
    values = {"schema": SCHEMA, "versions": versions(), **result.to_dict()}
    return {key: json_values(value) for key, value in values.items()}


def print_benchmark(console: Console, summary: Summary) -> None:
    """Print each task's accuracies beside published ones, and what lies between the methods.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `benchmark_summary` returns it.
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
        "Accuracy: share of questioned texts whose best-scoring author is right; 95 % interval "
        "(Wilson), texts taken as independent. Differences are in points of accuracy on the same "
        "texts: 95 % interval by bootstrap over texts; p by McNemar's exact test."
    )


def benchmark_decisions(result: BenchmarkResult) -> str:
    """Write every decision as a JSON line: "task", "method" and the fields of a `Decision`."""
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
    for part, (heading, limit) in PARTS.items():
        if 1 < len(task["tables"][0]["figures"][0][part]) <= limit:
            yield _parts(task, part, heading)


def _accuracies(task: Summary) -> Table:
    """Lay out all methods by length of text."""
    table = empty_table(
        *("measured here", "texts", "accuracy", "95 % interval", "macro-F1", "CPU s"), texts=1
    )
    for entry in task["tables"]:
        for row in entry["figures"]:
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
        said = row["said"] or percent(row["accuracy"])
        table.add_row(_title(row["system"], row["sentences"]), said, row["source"])
    return table


def _title(title: str, sentences: int | None) -> Text:
    return plain(title if sentences is None else f"{title}, {in_sentences(sentences)}")


def _parts(task: Summary, part: str, heading: str) -> Table:
    """Lay out the right answers of one part of the texts a row, of one method a column."""
    figures = task["tables"][0]["figures"]
    table = empty_table(heading, "texts", *(row["title"] for row in figures), texts=1)
    for place, first in enumerate(figures[0][part]):
        shown = (_right(row[part][place], part) for row in figures)
        table.add_row(plain(first["name"]), number(first["n"], 0), *shown)
    return table


def _right(part: Summary, kind: str) -> str:
    return number(part["n_right"], 0) if kind == "by_author" else percent(part["accuracy"])


def _comparisons(task: Summary) -> Table:
    first = task["tables"][0]["figures"][0]["title"]
    table = empty_table(
        f"{first} against", "points", "95 % interval", "it alone", "other alone", "p", texts=1
    )
    for cells in _compared(task):
        table.add_row(*cells)
    return table


def _compared(task: Summary) -> Iterator[tuple[str | Text, ...]]:
    for entry in task["tables"]:
        titles = {row["method"]: row["title"] for row in entry["figures"]}
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
    return f"< {NO_P_BELOW}" if value < NO_P_BELOW else f"{value:.4f}"
