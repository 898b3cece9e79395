"""The benchmark of verification as a dict, and as tables on the terminal."""

from __future__ import annotations

from rich.console import Console

from byline.answering.provenance import versions
from byline.experiments.pan14.benchmark import VerificationBenchmark
from byline.formatting import number, percent
from byline.report.summary import Summary, json_values
from byline.report.terminal import empty_table, plain

VERIFICATION_BENCHMARK_SCHEMA = 1
SCORE_COLUMNS = ("problems", "AUC", "c@1", "product", "AUC of all", "F0.5u", "no answer", "CPU s")
PROBABILITY_COLUMNS = ("training problems", "ECE", "by chance", "beyond 90 %", "wrong")


def verification_benchmark_summary(result: VerificationBenchmark) -> Summary:
    """Summarise the benchmark of verification.

    Parameters
    ----------
    result : VerificationBenchmark

    Returns
    -------
    dict
        "schema", "versions" and the keys of `VerificationBenchmark.to_dict`.

    See Also
    --------
    print_verification_benchmark : Print the summary.
    """
    values = {"schema": VERIFICATION_BENCHMARK_SCHEMA, "versions": versions(), **result.to_dict()}
    return {key: json_values(value) for key, value in values.items()}


def print_verification_benchmark(console: Console, summary: Summary) -> None:
    """Print the metrics of each set and method.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As returned by `verification_benchmark_summary`.
    """
    console.print(plain(summary["benchmark"]), style="bold")
    scores = empty_table("set", "method", *SCORE_COLUMNS, texts=2)
    for row in summary["sets"]:
        scores.add_row(
            plain(row["problem_set"]),
            plain(row["method"]),
            number(row["n"], 0),
            *(number(row[key], 3) for key in ("auc", "c_at_1", "product", "auc_of_all", "f_05_u")),
            percent(row["withheld_rate"]),
            number(row["cpu_seconds"], 0),
        )
    console.print(scores)
    console.print()
    probabilities = empty_table("set", "method", *PROBABILITY_COLUMNS, texts=2)
    for row in summary["sets"]:
        probabilities.add_row(
            plain(row["problem_set"]),
            plain(row["method"]),
            " to ".join(number(n, 0) for n in row["n_training"]),
            number(row["ece"], 3),
            number(row["ece_by_chance"], 3),
            number(row["n_confident"], 0),
            number(row["n_confident_wrong"], 0),
        )
    console.print(probabilities)
    console.print()
    means = [f"{name} {number(mean, 3)}" for name, mean in summary["mean_products"].items()]
    console.print(plain(f"Mean product over the sets: {', '.join(means)}."))
    console.print(
        "Problems are answered in ten folds. No text of a training problem, and no text that "
        "shares half of its sequences of eight words with one, is in a questioned problem. As in "
        "PAN 2014, a withheld answer counts as 0.5 in the AUC; c@1 counts it as the mean of the "
        "answers, and F0.5u as a false negative. ECE: calibration error of the stated "
        "probabilities; by chance: its mean if they are right. Beyond 90 %: answers with a stated "
        "probability above .9 or below .1."
    )
