"""How an answer changes in variations, as data for JSON, the terminal and reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console

from byline.answering import Sensitivity, VariedAnswer
from byline.answering.variations import (
    CANDIDATES,
    KNOWN_TEXTS,
    MASKED_WORDS,
    RANDOM_SAMPLES,
    TRAINED_AGAIN,
)
from byline.formatting import MISSING, bounded_percent, signed
from byline.report.charts.axes import Series
from byline.report.charts.marks import MarkChart, mark_chart
from byline.report.summary import Summary, json_values
from byline.report.terminal import empty_table, plain, shorten_name

KINDS = {
    TRAINED_AGAIN: "no change",
    KNOWN_TEXTS: "known texts",
    RANDOM_SAMPLES: "random samples",
    MASKED_WORDS: "masked words",
    CANDIDATES: "candidates",
}
EACH_ROW = "Each row is a model that was trained again."
EXPLANATION = (
    f"{EACH_ROW} Probability: of the first candidate of the row. "
    "Change of log10 LR: of the first candidate of the answer."
)
NOT_COMPARABLE = (
    "* With other candidates or with masked words. The probability and the change of the "
    "likelihood ratio cannot be compared with those of the other rows or with the answer."
)


def sensitivity_summary(found: Sensitivity) -> Summary:
    """Summarise how an answer changes in variations.

    Returns
    -------
    dict
        "verdict"; "first" and "log10_lr" of the answer that was varied; "n_planned", "n_computed",
        "n_answered" and "n_changed"; "n_comparable", the number of probabilities with the same
        candidates and unmasked words, and "probability_range", the lowest and highest of them for
        the first candidate of the answer (None without calibration); "notes"; "variations", each
        with "kind", "name", "comparable", "first", "probability" (of that candidate),
        "probability_of_answer", "log10_lr", "log10_lr_change" and "reason" (why there is no
        answer).
    """
    own = found.answer.ranking[0] if found.answer.ranking else None
    base = None if own is None else own.log10_lr
    return {
        "verdict": found.verdict,
        "first": own and own.author,
        "log10_lr": base,
        "n_planned": found.n_planned,
        "n_computed": len(found.varied),
        "n_answered": len(found.answered),
        "n_changed": len(found.changed),
        "n_comparable": len(found.comparable_probabilities),
        "probability_range": json_values(found.probability_range),
        "notes": list(found.notes),
        "variations": [_variation(each, base) for each in found.varied],
    }


def _variation(varied: VariedAnswer, base: float | None) -> Summary:
    change = None if varied.log10_lr is None or base is None else varied.log10_lr - base
    return {
        "kind": varied.variation.kind,
        "name": varied.variation.name,
        "comparable": varied.variation.is_comparable,
        "first": varied.first,
        "probability": varied.first_probability,
        "probability_of_answer": varied.probability,
        "log10_lr": varied.log10_lr,
        "log10_lr_change": change,
        "reason": varied.reason,
    }


def print_sensitivity(console: Console, sensitivity: Mapping[str, Any]) -> None:
    """Print the verdict, and a table with one row per variation.

    Parameters
    ----------
    console : rich.console.Console
    sensitivity : dict
        As `sensitivity_summary` returns it.
    """
    console.print(plain(f"  Sensitivity: {sensitivity['verdict']}"))
    for note in sensitivity["notes"]:
        console.print(plain(f"  {note}"))
    if not sensitivity["variations"]:
        return
    is_calibrated = sensitivity["log10_lr"] is not None
    numbers = ["probability", "change of\nlog10 LR"] if is_calibrated else []
    table = empty_table("  variation", "first", *numbers, texts=2)
    for row in sensitivity["variations"]:
        mark = "*" if is_calibrated and not row["comparable"] else ""
        name = plain(f"  {row['name']}{mark}")
        if row["first"] is None:
            table.add_row(name, plain(f"no answer: {row['reason']}"))
            continue
        stated = MISSING if row["probability"] is None else bounded_percent(row["probability"])
        values = stated, signed(row["log10_lr_change"])
        table.add_row(name, shorten_name(row["first"]), *(values if is_calibrated else ()))
    console.print(table)
    console.print(plain(f"  {EXPLANATION if is_calibrated else EACH_ROW}"))
    if is_calibrated and _has_incomparable(sensitivity):
        console.print(plain(f"  {NOT_COMPARABLE}"))


def _has_incomparable(sensitivity: Mapping[str, Any]) -> bool:
    """Return whether a variation has other candidates or masked words."""
    return not all(row["comparable"] for row in sensitivity["variations"])


def sensitivity_chart(sensitivity: Mapping[str, Any]) -> MarkChart | None:
    """Lay out the comparable probabilities of the first candidate, one row per kind of variation.

    Parameters
    ----------
    sensitivity : dict
        As `sensitivity_summary` returns it.

    Returns
    -------
    MarkChart or None
        None without comparable probabilities. Variations in which another candidate is the first
        have points of another shape.
    """
    rows = [
        row for row in sensitivity["variations"] if row["first"] is not None and row["comparable"]
    ]
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    series = [
        Series(
            label=row["name"],
            style=int(row["first"] != sensitivity["first"]),
            values=[
                row["probability_of_answer"] if row["kind"] == kind else None for kind in kinds
            ],
        )
        for row in rows
    ]
    return mark_chart([KINDS[kind] for kind in kinds], series)
