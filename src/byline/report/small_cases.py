"""The benchmark of small cases as tables and as a heat map."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from rich.console import Console
from rich.table import Table

from byline.answering.provenance import versions
from byline.experiments.small_cases.answers import DEFAULT
from byline.experiments.small_cases.cells import place_of_length
from byline.experiments.small_cases.grid import FEWEST_TEXTS
from byline.experiments.small_cases.run import SmallCasesResult
from byline.formatting import join_names, number, percent, quantity, signed
from byline.report.charts.differences import DifferenceMap, difference_map
from byline.report.summary import Summary, json_values
from byline.report.terminal import empty_table, plain

SMALL_CASES_SCHEMA = 1


def small_cases_summary(result: SmallCasesResult) -> Summary:
    """Summarise the benchmark of small cases.

    Parameters
    ----------
    result : SmallCasesResult

    Returns
    -------
    dict
        "schema", "versions", "benchmark" and the attributes of `SmallCasesResult`.

    See Also
    --------
    print_small_cases : Print the summary.
    """
    values = {
        "schema": SMALL_CASES_SCHEMA,
        "versions": versions(),
        "benchmark": "small-cases",
        **result.to_dict(),
    }
    return {key: json_values(value) for key, value in values.items()}


def small_cases_map(summary: Summary) -> DifferenceMap:
    """Lay out the default's accuracy minus that of the best single method, in points.

    Parameters
    ----------
    summary : dict
        As returned by `small_cases_summary`.
    """
    panels: dict[str, dict[tuple[str, str], float]] = {name: {} for name in summary["corpora"]}
    for cell in summary["cells"]:
        key = (cell["settings"], _in_words(cell["questioned_words"]))
        panels[cell["corpus"]][key] = cell["difference"]
    lengths = sorted({cell["questioned_words"] for cell in summary["cells"]}, key=place_of_length)
    return difference_map(panels, list(map(_in_words, lengths)))


def print_small_cases(console: Console, summary: Summary) -> None:
    """Print the accuracies and probabilities of each cell, and the summary over cells.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As returned by `small_cases_summary`.
    """
    for corpus in summary["corpora"]:
        cells = [cell for cell in summary["cells"] if cell["corpus"] == corpus]
        console.print(plain(f"{corpus}, {summary['side']} side"), style="bold")
        console.print(_accuracies(cells))
        console.print()
        console.print(_methods(cells))
        console.print()
        console.print(_probabilities(cells))
        console.print()
        if corpus in summary["impossible"]:
            names = join_names(summary["impossible"][corpus])
            console.print(plain(f"Note: the corpus does not have the texts for {names}."))
            console.print()
    for method, reasons in summary["failures"].items():
        for reason, n in reasons.items():
            console.print(plain(f"Note: {method} failed in {quantity(n, 'case')}: {reason}."))
            console.print()
    console.print(_counts_of_accuracies(summary))
    console.print()
    console.print(_counts_of_probabilities(summary))
    console.print()
    console.print(
        "A cell is named by the candidates x known texts of each x words of each text. Standard "
        "errors are clustered by case. Log loss is in nats, Cllr in bits. By chance: the mean and "
        "the 95th percentile of the calibration error (ECE) of answers that are right with the "
        f"stated probabilities. The summary has the cells with {FEWEST_TEXTS} questioned texts or "
        "more. Below: worse than the best single method by more than a point and more than the "
        "standard error of the difference. This method is chosen on the texts that it is measured "
        "on; the held-out choice is, for each case, the method that is best in the other cases of "
        "the cell. Miscalibrated: ECE above .05 and above its mean by "
        f"chance; beyond: above its 95th percentile. {quantity(summary['n_cases'], 'case')}, "
        f"{quantity(summary['n_questioned'], 'questioned text')}, "
        f"{number(summary['cpu_seconds'], 0)} CPU seconds."
    )


def _accuracies(cells: list[Summary]) -> Table:
    """Make the table of the default and the best single method, with a row per cell."""
    table = empty_table(
        *("accuracy", "words", "texts", "default", "best single method", "%", "difference"),
        texts=1,
    )
    for name, cell in _named(cells):
        own, best = cell["methods"][DEFAULT], cell["best_single"]
        table.add_row(
            name,
            _in_words(cell["questioned_words"]),
            number(cell["n"], 0),
            _with_error(number(100 * own["accuracy"], 1), own["standard_error"]),
            best,
            number(100 * cell["methods"][best]["accuracy"], 1),
            _with_error(signed(100 * cell["difference"], 1), cell["difference_error"]),
        )
    return table


def _with_error(value: str, error: float) -> str:
    return f"{value} ± {number(100 * error, 1)}"


def _methods(cells: list[Summary]) -> Table:
    """Make the table of all methods' mean accuracies over cells, with a column per length."""
    lengths = sorted({cell["questioned_words"] for cell in cells}, key=place_of_length)
    by_length = [[each for each in cells if each["questioned_words"] == n] for n in lengths]
    table = empty_table("mean accuracy (%)", *map(_in_words, lengths), texts=1)
    for method in dict.fromkeys(name for cell in cells for name in cell["methods"]):
        means = (
            fmean(cell["methods"][method]["accuracy"] for cell in own if method in cell["methods"])
            for own in by_length
        )
        table.add_row(method, *(number(100 * mean, 1) for mean in means))
    return table


def _probabilities(cells: list[Summary]) -> Table:
    """Make the table of the default's probabilities and likelihood ratios."""
    table = empty_table(
        *("probabilities", "words", "log loss", "guessing", "ECE", "by chance", "Cllr"), texts=1
    )
    for name, cell in _named(cells):
        table.add_row(
            name,
            _in_words(cell["questioned_words"]),
            number(cell["log_loss"], 3),
            number(cell["log_loss_of_guessing"], 3),
            number(cell["ece"], 3),
            f"{number(cell['ece_by_chance'], 3)} to {number(cell['ece_by_chance_95'], 3)}",
            number(cell["cllr"], 3),
        )
    return table


def _counts_of_accuracies(summary: Summary) -> Table:
    table = empty_table(
        *("accuracies", "cells", "smaller", "below", "mean difference"),
        *("below held-out choice", "mean difference"),
        texts=1,
    )
    for name, counts in _by_corpus(summary):
        table.add_row(
            plain(name),
            number(counts["n"], 0),
            number(counts["n_small"], 0),
            _of(counts["n_below"], counts["n"]),
            _in_points(counts["mean_difference"]),
            _of(counts["n_below_held_out"], counts["n"]),
            _in_points(counts["mean_held_out_difference"]),
        )
    return table


def _counts_of_probabilities(summary: Summary) -> Table:
    table = empty_table("probabilities", "above guessing", "miscalibrated", "beyond", texts=1)
    for name, counts in _by_corpus(summary):
        table.add_row(
            plain(name),
            _of(counts["n_above_guessing"], counts["n"]),
            _of(counts["n_miscalibrated"], counts["n"]),
            _of(counts["n_beyond_chance"], counts["n"]),
        )
    return table


def _by_corpus(summary: Summary) -> Iterator[tuple[str, Summary]]:
    yield from summary["by_corpus"].items()
    yield "all", summary["counts"]


def _in_points(difference: float | None) -> str:
    return signed(None if difference is None else 100 * difference, 1)


def _of(n: int, total: int) -> str:
    return f"{n} ({percent(n / total, 0)})" if total else number(n, 0)


def _named(cells: list[Summary]) -> Iterator[tuple[str, Summary]]:
    """Yield cells, each with the name of its settings if they are not those of the row above."""
    before = None
    for cell in cells:
        yield ("" if cell["settings"] == before else cell["settings"]), cell
        before = cell["settings"]


def _in_words(n_words: int) -> str:
    return number(n_words, 0) if n_words else "whole"
