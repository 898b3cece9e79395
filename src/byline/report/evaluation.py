"""The HTML report on an evaluation, and the text on its calibration."""

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
    """Calibration charts for texts of one length; None if there are no data for a chart."""

    reliability: LineChart | None
    tippett: LineChart | None
    cross_entropy: LineChart | None

    @classmethod
    def of(cls, calibration: Summary) -> CalibrationCharts:
        """Make the charts from the "calibration" of a row."""
        by_stage = {AFTER: calibration["after"], BEFORE: calibration["before"]}
        bins = {label: each["reliability"] if each else [] for label, each in by_stage.items()}
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
        As returned by :func:`byline.report.evaluation_summary`.

    See Also
    --------
    print_calibration : The calibration as text.
    """
    charts = [
        (row, CalibrationCharts.of(row["calibration"])) for row in rows_with_calibration(summary)
    ]
    return render("evaluation.html.j2", {"evaluation": summary, "calibrations": charts})


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
        "texts not declined", "texts", "ECE", "Brier", "log loss", "Cllr", "Cllr min", texts=1
    )
    for row in rows:
        for label, metrics in _labelled(row):
            table.add_row(label, *_numbers(metrics))
    console.print(table)
    console.print(
        "ECE, the expected calibration error, is the mean difference between stated probabilities "
        "and accuracy. Log loss is in nats, Cllr in bits. A Cllr of 1 means no information; Cllr "
        f"min is what the best possible calibration would reach. “{BEFORE}” are probabilities "
        "before calibration, which treat tokens as independent."
    )


def _labelled(row: Summary) -> Iterator[tuple[str, dict[str, Any]]]:
    after, before = _metrics(row["calibration"])
    length = in_sentences(row["sentences"])
    if after:
        yield length, after
    if before:
        yield f"  {BEFORE}" if after else f"{length}, uncalibrated", before


def _metrics(calibration: Summary) -> tuple[Any, Any]:
    return calibration["after"], calibration["before"]


def _numbers(metrics: dict[str, Any]) -> Iterator[str]:
    yield number(metrics["n"], 0)
    for key in ("ece", "brier_score", "log_loss", "cllr", "cllr_min"):
        yield number(metrics[key], 3)
