"""An open-set benchmark as a dict, and as tables on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from byline.answering.provenance import versions
from byline.experiments.open_set.benchmark import OpenSetBenchmark
from byline.formatting import number, percent, percent_range, quantity
from byline.report.open_set import OF_SCORES, rate_name
from byline.report.summary import Summary, json_values
from byline.report.terminal import empty_table, plain

OPEN_SET_BENCHMARK_SCHEMA = 1
_DASH = "–"


def open_set_benchmark_summary(result: OpenSetBenchmark) -> Summary:
    """Summarise an open-set benchmark.

    Parameters
    ----------
    result : OpenSetBenchmark

    Returns
    -------
    dict
        "schema", "versions" and the keys of `OpenSetBenchmark.to_dict`.

    See Also
    --------
    print_open_set_benchmark : Print the summary.
    """
    values = {"schema": OPEN_SET_BENCHMARK_SCHEMA, "versions": versions(), **result.to_dict()}
    return {key: json_values(value) for key, value in values.items()}


def print_open_set_benchmark(console: Console, summary: Summary) -> None:
    """Print the metrics of each case, their means, and published scores.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As returned by `open_set_benchmark_summary`.
    """
    console.print(plain(summary["benchmark"]), style="bold")
    console.print(_cases(summary))
    console.print()
    console.print(_closed_set(summary))
    console.print()
    console.print(_errors(summary))
    console.print()
    console.print(_scores(summary))
    console.print()
    if summary["published"]:
        console.print(_published(summary))
        console.print()
    n_cases = quantity(summary["means"][0]["n_cases"], "case")
    console.print(
        "F1: macro-F1 over candidates if each text is attributed to its first candidate, and at "
        f"each requested rate. Means over {n_cases} with the same weight. Accuracy: closed set. "
        "AUC: texts by candidates against texts by unknown authors. False attributions: texts by "
        "unknown authors that were attributed to a candidate, with the standard error of the mean "
        "and the range over cases. "
        "Missed: texts by candidates that were not attributed to their author; among them wrong: "
        "attributed to another candidate. Stated: the rates that the answers stated."
    )
    console.print(OF_SCORES)


def _rates(summary: Summary) -> list[float | str | None]:
    rates = [row["rate"] for each in summary["means"] for row in each["by_rate"]]
    return list(dict.fromkeys(rates))


def _cases(summary: Summary) -> Table:
    """Make the table with a row per case and method: the macro-F1 at each rate."""
    rates = _rates(summary)
    headings = [rate_name({"rate": rate}) for rate in rates]
    table = empty_table("case", "method", "texts", "accuracy", "AUC", "F1", *headings, texts=2)
    for case in summary["cases"]:
        by_rate = {row["rate"]: row["macro_f1"] for row in case["by_rate"]}
        table.add_row(
            plain(case["case"]),
            plain(case["method"]),
            number(case["n_known"] + case["n_unknown"], 0),
            percent(case["accuracy"]),
            number(case["auc"], 3),
            number(case["macro_f1_without_rejection"], 3),
            *(number(by_rate.get(rate), 3) for rate in rates),
        )
    return table


def _closed_set(summary: Summary) -> Table:
    table = empty_table("mean", "cases", "accuracy", "AUC", "F1, no rejection", "CPU s", texts=1)
    for each in summary["means"]:
        table.add_row(
            plain(each["title"]),
            number(each["n_cases"], 0),
            percent(each["accuracy"]),
            number(each["auc"], 3),
            number(each["macro_f1_without_rejection"], 3),
            number(each["cpu_seconds"], 0),
        )
    return table


def _errors(summary: Summary) -> Table:
    headings = ("false attr.", "s.e.", "range", "stated", "missed", "stated", "wrong")
    table = empty_table("mean", "requested", *headings, texts=2)
    for each in summary["means"]:
        for row in each["by_rate"]:
            low, high = row["false_attribution_lowest"], row["false_attribution_highest"]
            table.add_row(
                plain(each["method"]),
                rate_name(row),
                percent(row["false_attribution_rate"]),
                percent(row["false_attribution_error"]),
                percent_range(low, high),
                percent(row["stated_false_rate"]),
                percent(row["missed_rate"]),
                percent(row["stated_missed_rate"]),
                percent(row["misattribution_rate"]),
            )
    return table


def _scores(summary: Summary) -> Table:
    headings = ("no answer", "c@1", "F0.5u", "macro-F1")
    table = empty_table("mean", "requested", *headings, texts=2)
    for each in summary["means"]:
        for row in each["by_rate"]:
            scores = [number(row[key], 3) for key in ("c_at_1", "f_05_u", "macro_f1")]
            table.add_row(
                plain(each["method"]), rate_name(row), percent(row["withheld_rate"]), *scores
            )
        last = number(each["macro_f1_without_rejection"], 3)
        table.add_row(plain(each["method"]), "no rejection", _DASH, _DASH, _DASH, last)
    return table


def _published(summary: Summary) -> Table:
    table = empty_table("published", "macro-F1", "source", texts=1)
    table.columns[-1].justify = "left"
    for row in summary["published"]:
        table.add_row(plain(row["system"]), number(row["macro_f1"], 3), plain(row["source"]))
    return table
