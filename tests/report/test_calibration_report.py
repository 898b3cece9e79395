"""Calibration in the HTML report and on the terminal."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from byline.attribution.calibration import CalibrationOutcomes
from byline.experiments import Evaluation
from byline.experiments.metrics import Calibration, FoldOutcomes
from byline.report import evaluation_html, evaluation_summary, print_calibration
from byline.report.charts.calibration import (
    cross_entropy_chart,
    reliability_chart,
    tippett_chart,
)

WHY = "only <2> whole known texts could be held out"


def outcomes(scale: float) -> CalibrationOutcomes:
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=60)
    return CalibrationOutcomes.of(
        scale * (rng.normal(0, 1, (60, 3)) + 2 * np.eye(3)[labels]), labels
    )


@pytest.fixture
def calibrated(evaluation: Evaluation) -> dict[str, Any]:
    """Return a summary with probabilities for whole texts, but not for five sentences."""
    whole = Calibration.of([FoldOutcomes(None, outcomes(20), outcomes(1))])
    fives = Calibration.of([FoldOutcomes(WHY, outcomes(20), None)])
    return evaluation_summary(
        replace(
            evaluation,
            whole=replace(evaluation.whole, calibration=whole),
            by_length=(replace(evaluation.by_length[0], calibration=fives),),
        )
    )


@pytest.fixture
def uncalibrated(evaluation: Evaluation) -> dict[str, Any]:
    both = [
        replace(metrics, calibration=Calibration.of([FoldOutcomes(WHY, raw, None)]))
        for metrics, raw in ((evaluation.whole, outcomes(20)), (evaluation.by_length[0], None))
    ]
    return evaluation_summary(replace(evaluation, whole=both[0], by_length=(both[1],)))


def printed(summary: dict[str, Any]) -> str:
    console = Console(file=io.StringIO(), width=100)
    print_calibration(console, summary)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_report_has_a_table_and_three_charts(calibrated: dict[str, Any]) -> None:
    html = evaluation_html(calibrated)
    for title in ("Reliability", "Tippett plot", "Empirical cross-entropy"):
        assert f">{title}.</b>" in html
    after = calibrated["calibration"]["after"]
    for key in ("ece", "brier_score", "log_loss", "cllr", "cllr_min"):
        assert f"<td>{after[key]:.3f}</td>" in html
    # Whole texts have three charts, those without probabilities one.
    assert len(re.findall('<svg class="chart lines"', html)) == 4
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_the_report_states_why_there_are_no_probabilities(uncalibrated: dict[str, Any]) -> None:
    html = evaluation_html(uncalibrated)
    assert "Uncalibrated: only &lt;2&gt; whole known texts could be held out." in html
    assert "whole texts, uncalibrated" in html
    assert "TippettCurve" not in html


def test_an_evaluation_without_calibration_has_no_section(evaluation: Evaluation) -> None:
    summary = evaluation_summary(evaluation)
    assert "can be trusted" not in evaluation_html(summary)
    assert printed(summary) == ""


def test_an_evaluation_that_declined_all_texts(evaluation: Evaluation) -> None:
    nothing = Calibration.of([FoldOutcomes(None, None, None)])
    summary = evaluation_summary(
        replace(evaluation, whole=replace(evaluation.whole, calibration=nothing))
    )
    assert "Byline did not attribute any of the texts." in evaluation_html(summary)
    assert printed(summary) == ""


def test_the_terminal_shows_before_and_after(calibrated: dict[str, Any]) -> None:
    lines = printed(calibrated).splitlines()
    before, after = (calibrated["calibration"][key] for key in ("before", "after"))
    cells = lines[1].split()
    assert cells[2:4] == ["60", f"{after['ece']:.3f}"]
    assert cells[5] == "to"  # the calibration error by chance
    assert cells[7] == f"{after['brier_score']:.3f}"
    assert lines[2].split()[:5] == ["language", "models", "alone", "60", f"{before['ece']:.3f}"]
    assert lines[3].startswith(" 5 sentences, uncalibrated")
    assert after["log_loss"] < before["log_loss"]


def test_the_terminal_states_why_there_are_no_probabilities(uncalibrated: dict[str, Any]) -> None:
    text = printed(uncalibrated)
    assert text.startswith(f"Uncalibrated: {WHY}.\n")
    assert "whole texts, uncalibrated" in text


def test_rows_are_explained_only_if_there_are_any(
    calibrated: dict[str, Any], uncalibrated: dict[str, Any]
) -> None:
    for text in (printed(calibrated), evaluation_html(calibrated)):
        assert "models alone” are probabilities before calibration" in " ".join(text.split())
    for text in (printed(uncalibrated), evaluation_html(uncalibrated)):
        assert "probabilities before calibration" not in " ".join(text.split())


def test_a_reliability_diagram_has_the_diagonal() -> None:
    bins = [
        {"confidence": 0.5, "accuracy": 0.25, "n": 1, "interval": [0.0, 0.8]},
        {"confidence": 1.0, "accuracy": 1.0, "n": 1200, "interval": [0.99, 1.0]},
    ]
    chart = reliability_chart({"told": bins})
    calibrated, honest = chart.lines
    frame = chart.frame
    low, high = (honest.path[1:].split("L")[end].split() for end in (0, 1))
    assert (float(low[1]), float(high[1])) == (frame.bottom, frame.top)
    first, last = calibrated.points
    assert first.x == pytest.approx((float(low[0]) + float(high[0])) / 2)
    assert first.y == pytest.approx(frame.bottom - (frame.bottom - frame.top) / 4)
    assert first.title == "told: 1 text, mean probability 50 %, accuracy 25 % (0 to 80.0 %)"
    assert not calibrated.path  # bins of few texts are not joined to a zigzag
    assert first.whisker is not None
    height = frame.bottom - frame.top
    # The interval from 0 to 80 % begins at the axis.
    assert first.whisker == pytest.approx((frame.bottom, frame.bottom - 0.8 * height))
    assert last.title.startswith("told: 1,200 texts")


def test_curves_keep_their_shape_and_a_few_points() -> None:
    found = outcomes(1)
    tippett = found.tippett()
    chart = tippett_chart(
        {
            "log10_thresholds": tippett.log10_thresholds,
            "targets": tippett.targets,
            "nontargets": tippett.nontargets,
        }
    )
    own, others, one = chart.lines
    assert own.path.count("L") == len(tippett.targets) - 1
    assert 10 <= len(own.points) <= 14
    assert own.points[0].y == others.points[0].y == chart.frame.top
    assert one.points == ()
    assert "log10 LR of" in own.points[0].title


def test_cross_entropy_is_drawn_from_none_to_the_highest() -> None:
    chart = cross_entropy_chart(
        {
            "log10_prior_odds": [-3.0, 0.0, 3.0],
            "observed": [0.0, 1.4, 0.0],
            "pav": [0.0, 0.5, 0.0],
            "reference": [0.0, 1.0, 0.0],
        }
    )
    observed, pav, reference = chart.lines
    assert chart.y_ticks[0].text == "0"
    assert observed.points[1].y < pav.points[1].y
    assert reference.series.faint
    assert "1.400 bits" in observed.points[1].title
