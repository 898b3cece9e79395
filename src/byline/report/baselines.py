"""An evaluation's comparison with simple methods, declined texts and caveats, for reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console

from byline.experiments.baselines import BASE_CLASSIFIER
from byline.experiments.shortlist_recall import WANTED_RECALL
from byline.formatting import number, percent, percent_range, quantity
from byline.report.summary import Summary
from byline.report.terminal import empty_table, plain

_LOWEST_P_VALUE = 0.0001
_MANY_CANDIDATES = 20  # from here on, a shortlist of the best ten leaves most of them out
NOTE = (
    "All methods attribute the same held-out texts after training on the same known texts. Only "
    "it, only the first: texts that only this method, or only the first one in the table, "
    "correctly attributed. p: McNemar's exact test of these texts, which assumes that texts are "
    "independent; for simple methods, adjusted for their number (Holm)."
)
BASE_NOTE = " (base): base classifiers of the first method."


def answers_sentences(summary: Summary) -> Iterator[str]:
    """State how many texts as they were held out were declined, and how many have caveats.

    With many candidates, also state how often the author is among the best ones.

    Parameters
    ----------
    summary : dict
        As :func:`byline.report.evaluation_summary` returns it.

    Examples
    --------
    >>> counts = {"counts": {}, "n_with": 0, "n_correct_with": 0, "n_without": 9}
    >>> list(answers_sentences({"n_authors": 3, "n_declined": 0, "answer_caveats": counts}))
    []
    """
    if summary["n_authors"] > _MANY_CANDIDATES:
        recall, size = summary["shortlist"]["recall"], summary["shortlist"]["size"]
        shares = [
            f"among the best {int(best):,} candidates for {percent(share)}"
            for best, share in recall.items()
            if int(best) > 1
        ]
        yield (
            f"The author is {' and '.join(shares)} of the texts. The author of "
            f"{percent(WANTED_RECALL, 0)} of the texts is among the best {size:,}."
        )
    if summary["n_declined"]:
        n, n_declined = summary["n_questioned"], summary["n_declined"]
        others = ""
        if n_declined < n:
            others = f" Of the others, {percent(summary['accuracy_answered'])} are correct."
        yield (
            f"Byline declines to attribute {n_declined:,} of {quantity(n, 'text')}.{others} A "
            "declined text counts by its highest-scoring candidate in the accuracy, and with equal "
            "probabilities of all candidates in the calibration."
        )
    found = summary["answer_caveats"]
    if found and found["n_with"]:
        counts = ", ".join(f"{code} {count:,}" for code, count in found["counts"].items())
        n = found["n_with"] + found["n_without"]
        without = ""
        if found["n_without"]:
            without = f", and {found['n_correct_without']:,} of the {found['n_without']:,} without"
        yield (
            f"Answers with caveats: {found['n_with']:,} of {n:,} ({counts}). Correct: "
            f"{found['n_correct_with']:,} of these{without}."
        )


def print_baselines(console: Console, summary: Summary) -> None:
    """Print the methods on the same held-out texts, and whether a simple one is clearly better.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As :func:`byline.report.evaluation_summary` returns it; nothing is printed if its
        "comparison" is None.
    """
    found = summary["comparison"]
    if found is None:
        return
    headings = ("correct", "accuracy", "95 % interval", "only it", "only the first", "p")
    table = empty_table("method", *headings, texts=1)
    for row in comparison_rows(found):
        table.add_row(plain(row["title"]), *row["cells"])
    console.print(table)
    for row in found["methods"]:
        if row["failure"]:
            console.print(plain(f"{row['title']}: {row['failure']}."))
    console.print(comparison_note(found))
    first, *others = found["verdict"]
    console.print(plain(first), style="bold")
    if others:
        console.print(plain(" ".join(others)))


def comparison_note(found: Summary) -> str:
    """Explain the columns of the table of methods, given the "comparison" of an evaluation.

    Examples
    --------
    >>> comparison_note({"methods": [{"kind": "simple"}]}).endswith("for their number (Holm).")
    True
    """
    has_parts = any(row["kind"] == BASE_CLASSIFIER for row in found["methods"])
    return NOTE + (BASE_NOTE if has_parts else "")


def comparison_rows(found: Summary) -> list[dict[str, Any]]:
    """Return the rows of the table of methods: "title" and "cells", the evaluated method first.

    Parameters
    ----------
    found : dict
        The "comparison" of an evaluation.
    """
    first = found["n_correct"], found["n_correct"] / found["n"], found["accuracy_interval"]
    rows = [
        {
            "title": found["evaluated"],
            "kind": "evaluated",
            "cells": [*_accuracy(*first), "", "", ""],
        }
    ]
    for row in found["methods"]:
        cells = ["–"] * 6
        if not row["failure"]:
            cells = [
                *_accuracy(row["n_correct"], row["accuracy"], row["accuracy_interval"]),
                number(row["n_only_method"], 0),
                number(row["n_only_evaluated"], 0),
                "" if row["p_value"] is None else _p_value(row["p_value"]),
            ]
        part = " (base)" if row["kind"] == BASE_CLASSIFIER else ""
        rows.append({"title": row["title"] + part, "kind": row["kind"], "cells": cells})
    return rows


def _accuracy(n_correct: int, accuracy: float, interval: list[float]) -> list[str]:
    low, high = interval
    return [number(n_correct, 0), percent(accuracy), percent_range(low, high)]


def _p_value(value: float) -> str:
    return f"< {_LOWEST_P_VALUE}" if value < _LOWEST_P_VALUE else f"{value:.2g}"
