"""The report on an evaluation, and what it says about calibration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from byline.formatting import number
from byline.report.charts import LineChart
from byline.report.charts.calibration import (
    cross_entropy_chart,
    reliability_chart,
    tippett_chart,
)
from byline.report.html import render
from byline.report.summary import Summary
from byline.report.terminal import empty_table, in_sentences, plain

AFTER, BEFORE = "probabilities", "language models alone"


@dataclass(frozen=True, slots=True)
class CalibrationCharts:
    """Charts of one length of text, None where there is nothing to draw."""

    reliability: LineChart | None
    tippett: LineChart | None
    cross_entropy: LineChart | None

    @classmethod
    def of(cls, calibration: Summary) -> CalibrationCharts:
        """Draw a row's "calibration"."""
        judged = {AFTER: calibration["after"], BEFORE: calibration["before"]}
        bins = {label: each["reliability"] if each else [] for label, each in judged.items()}
        tippett, entropy = calibration["tippett"], calibration["cross_entropy"]
        return cls(
            reliability=reliability_chart(bins) if any(bins.values()) else None,
            tippett=tippett and tippett_chart(tippett),
            cross_entropy=entropy and cross_entropy_chart(entropy),
        )


def evaluation_html(summary: Summary) -> str:
    """Return the report on an evaluation as one HTML file.

    Parameters
    ----------
    summary : dict
        As :func:`byline.report.evaluation_summary` returns it.
    """
    charts = [
        (row, CalibrationCharts.of(row["calibration"])) for row in rows_with_calibration(summary)
    ]
    return render("evaluation.html.j2", {"evaluation": summary, "calibrations": charts})


def rows_with_calibration(summary: Summary) -> list[Summary]:
    """Return the figures of each length whose answers were judged, whole texts first."""
    rows = [summary, *summary["by_length"]]
    return [row for row in rows if row["calibration"] and any(_judgements(row["calibration"]))]


def print_calibration(console: Console, summary: Summary) -> None:
    """Print how far probabilities can be trusted, by length of text, or why there are none.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As :func:`byline.report.evaluation_summary` returns it.
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
        "answered texts", "texts", "ECE", "Brier", "log loss", "Cllr", "Cllr min", texts=1
    )
    for row in rows:
        for label, judged in _labelled(row):
            table.add_row(label, *_figures(judged))
    console.print(table)
    console.print(
        "ECE: expected calibration error, how far probabilities of named authors are from the "
        "share of right ones; log loss in nats; Cllr in bits: 1 is no evidence, Cllr min what the "
        f"best calibration would leave. “{BEFORE}” takes tokens as independent: what "
        "calibration mends."
    )


def _labelled(row: Summary) -> Iterator[tuple[str, dict[str, Any]]]:
    after, before = _judgements(row["calibration"])
    length = in_sentences(row["sentences"])
    if after:
        yield length, after
    if before:
        yield f"  {BEFORE}" if after else f"{length}, uncalibrated", before


def _judgements(calibration: Summary) -> tuple[Any, Any]:
    return calibration["after"], calibration["before"]


def _figures(judged: dict[str, Any]) -> Iterator[str]:
    yield number(judged["n"], 0)
    for key in ("ece", "brier_score", "log_loss", "cllr", "cllr_min"):
        yield number(judged[key], 3)
