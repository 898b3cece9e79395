"""Sentences, tables, figures and the report of a learning curve."""

from __future__ import annotations

import io
import math
import re
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from byline.experiments import FittedCurve, LearningCurve, LearningCurvePoint
from byline.experiments.learning_curve.fits import WordsNeeded
from byline.experiments.learning_curve.fitting import ErrorCurve
from byline.report.charts.lines import LineChart
from byline.report.figures.learning import learning_curve_figures
from byline.report.learning_curve import (
    learning_curve_html,
    learning_curve_summary,
    learning_curve_tables,
    print_learning_curve,
)
from byline.report.learning_curve_sentences import needed_sentence

Summary = dict[str, Any]
KNOWN, LENGTHS = (200, 1000, 5000), (50, 500)
REACHED = WordsNeeded(0.95, "measured", 3217.0, (2050.0, 4980.0))


def _point(known: int, length: int) -> LearningCurvePoint:
    accuracy = 0.5 + 0.1 * math.log10(known * length / 1000)
    return LearningCurvePoint(
        known_words=known,
        text_words=length,
        n_answers=40,
        n_passages=40,
        n_works=20,
        accuracy=accuracy,
        accuracy_interval=(accuracy - 0.1, accuracy + 0.1),
        log_loss=1 - accuracy,
        log_loss_interval=(0.8 - accuracy, 1.2 - accuracy),
        ece=0.05,
        ece_by_chance=0.03,
        ece_by_chance_95=0.06,
    )


def _curve(length: int, needed: WordsNeeded = REACHED) -> FittedCurve:
    words = (200.0, 1000.0, 5000.0)
    values = (0.6, 0.8, 0.9)
    low, high = (0.5, 0.75, 0.85), (0.7, 0.85, 0.95)
    return FittedCurve(
        "known_words", length, ErrorCurve(0.5, 0.0, 300.0, 1.0), words, values, low, high, needed
    )


@pytest.fixture
def found() -> LearningCurve:
    return LearningCurve(
        corpus="<b>letters",
        n_documents=60,
        split={"protocol": "document", "folds": 5, "random_state": 0},
        settings={"n_samples": 3},
        authors=("Ann", "Bob"),
        left_out={"Cyd": 150},
        known_words=KNOWN,
        text_words=LENGTHS,
        n_samples=5,
        n_passages=4,
        is_calibrated=True,
        points=tuple(_point(known, length) for known in KNOWN for length in LENGTHS),
        curves=tuple(map(_curve, LENGTHS)),
        failures={},
        caveats=("2 of 60 questioned texts are copies",),
        cpu_seconds=12.0,
    )


@pytest.fixture
def summary(found: LearningCurve) -> Summary:
    return learning_curve_summary(found)


def _printed(summary: Summary) -> str:
    console = Console(file=io.StringIO(), width=100)
    print_learning_curve(console, summary)
    return " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]


def test_the_printed_report_states_data_result_and_tables(summary: Summary) -> None:
    printed = _printed(summary)
    for words in (
        "<b>letters: 60 documents; 2 candidates; held out: by whole document, in 5 folds (seed 0).",
        "5 random samples of 200 to 5,000 words per author.",
        "passages of 50 to 500 words from held-out texts, at most 4 of each length",
        "because there is too little known text: Cyd (150 words).",
        "For questioned texts of 500 words, an accuracy of 95 % is reached at about 3,200 known "
        "words per author (95 % interval 2,000 to 5,000).",
        "known words 50 500 200 60.0 % 70.0 %",  # 0.5 + 0.1 * log10(10), and log10(100)
        "50 3,200 2,000 to 5,000",
        "5,000 0.260 0.160",  # the log losses: 0.5 - 0.1 * log10(250), and 0.1 * log10(2,500)
        "5,000 0.050 (0.060) 0.050 (0.060)",
        "random guessing has 50.0 %",
        "random guessing has a log loss of 0.69",
        "Note: 2 of 60 questioned texts are copies.",
    ):
        assert words in printed


@pytest.mark.parametrize(
    ("needed", "sentence"),
    [
        (
            WordsNeeded(0.95, "fewer", 90.0, (0.4, 150.0)),
            "For questioned texts of 500 words, the accuracy is above 95 % with 200 known words "
            "per author, the smallest number that was measured.",
        ),
        (
            WordsNeeded(0.95, "extrapolated", 16_400.0, (7300.0, None)),
            "For questioned texts of 500 words, an accuracy of 95 % is not reached in the measured "
            "range, up to 5,000 known words per author, where the fitted accuracy is 90.0 %. "
            "Extrapolated, the curve reaches it at about 16,000 (95 % interval 7,300 to more than "
            "50,000); no measurement supports this.",
        ),
        (
            WordsNeeded(0.95, "not-reached", None, (9000.0, None)),
            "For questioned texts of 500 words, an accuracy of 95 % is not reached in the measured "
            "range, up to 5,000 known words per author, where the fitted accuracy is 90.0 %. The "
            "curve does not reach it with 10 times that number either.",
        ),
    ],
)
def test_what_is_extrapolated_is_stated(
    found: LearningCurve, needed: WordsNeeded, sentence: str
) -> None:
    summary = learning_curve_summary(replace(found, curves=(_curve(500, needed),)))
    assert needed_sentence(summary["curves"][0]) == sentence
    assert sentence in _printed(summary)


def test_the_length_that_is_needed_is_stated_too(found: LearningCurve) -> None:
    curve = replace(_curve(5000), axis="text_words")
    printed = _printed(learning_curve_summary(replace(found, curves=(curve,))))
    assert (
        "With 5,000 known words per author, an accuracy of 95 % is reached at about 3,200 words of "
        "the questioned text (95 % interval 2,000 to 5,000)." in printed
    )


def test_without_curves_or_probabilities_nothing_is_invented(found: LearningCurve) -> None:
    missing: Any = dict.fromkeys(("log_loss", "log_loss_interval", "ece", "ece_by_chance"))
    points = tuple(replace(point, **missing) for point in found.points[2:])
    bare = replace(
        found,
        curves=(),
        points=points,
        is_calibrated=None,
        failures={200: "too little text"},
        left_out={},
    )
    summary = learning_curve_summary(bare)
    printed = _printed(summary)
    assert "No curve was fitted" in printed
    assert "Log loss" not in printed
    assert "needed for an accuracy" not in printed
    assert "training failed with 200 known words per author: too little text." in printed
    assert len(learning_curve_figures(summary)) == 2
    assert "Calibration of the probabilities" not in learning_curve_html(summary)


def test_uncalibrated_probabilities_are_named(found: LearningCurve) -> None:
    summary = learning_curve_summary(replace(found, is_calibrated=False))
    assert "those of the uncalibrated probabilities" in _printed(summary)
    captions = [each.caption for each in learning_curve_figures(summary)]
    assert any("(uncalibrated probabilities)" in caption for caption in captions)


def test_the_report_escapes_names_and_shows_all_figures(summary: Summary) -> None:
    html = learning_curve_html(summary)
    assert "<b>letters" not in html
    assert html.count('<svg class="chart lines"') == 4
    assert len(set(re.findall(r'id="([^"]+)"', html))) == len(re.findall(r'id="([^"]+)"', html))
    assert "no measurement supports this" not in html
    assert "Beyond the measured range, the form of the curve is an assumption." in html


def test_a_figure_has_points_with_intervals_and_a_curve_with_its_band(summary: Summary) -> None:
    accuracy, by_length, *_ = (each.chart for each in learning_curve_figures(summary))
    assert isinstance(accuracy, LineChart)
    short, long, target = accuracy.lines
    assert short.series.label == "questioned texts of 50 words"
    assert target.series.label == "95 % accuracy"
    assert len(short.points) == 3
    assert short.band.endswith("Z")
    # The points of two series are four units apart, so that both intervals are visible.
    assert long.points[0].x - short.points[0].x == pytest.approx(4)
    # 200 to 1,000 and 1,000 to 5,000 are equal ratios, and equal distances.
    first, second, third = (point.x for point in short.points)
    assert second - first == pytest.approx(third - second)
    assert [tick.text for tick in accuracy.x_ticks] == ["200", "1,000", "5,000"]
    assert all(not line.band for line in by_length.lines)  # joined points: nothing was fitted


def test_labels_of_close_numbers_of_words_do_not_overlap(found: LearningCurve) -> None:
    close = (200, 4900, 5000)
    points = tuple(
        replace(each, known_words=close[KNOWN.index(each.known_words)]) for each in found.points
    )
    summary = learning_curve_summary(replace(found, points=points, known_words=close, curves=()))
    chart = learning_curve_figures(summary)[0].chart
    assert [tick.text for tick in chart.x_ticks] == ["200", "5,000"]


def test_of_many_lengths_four_are_drawn(found: LearningCurve) -> None:
    lengths = (50, 100, 200, 500, 1000, 2000, 5000)
    points = tuple(_point(known, length) for known in KNOWN for length in lengths)
    summary = learning_curve_summary(replace(found, points=points, text_words=lengths, curves=()))
    labels = [series.label for series in learning_curve_figures(summary)[0].chart.legend]
    assert labels[:4] == [f"questioned texts of {n} words" for n in ("50", "200", "1,000", "5,000")]


def test_the_tables_have_all_points_and_curves(summary: Summary) -> None:
    tables = learning_curve_tables(summary)
    points, curves = (tables[name].to_csv().splitlines() for name in ("points", "curves"))
    assert points[0].startswith("known_words,text_words,n_answers,n_passages,n_works,accuracy,")
    assert points[1].startswith("200,50,40,40,20,0.6,0.5,0.7")
    assert len(points) == 1 + 6
    assert curves[1] == "known_words,50,200.0,0.6,0.5,0.7"
    assert len(curves) == 1 + 6
