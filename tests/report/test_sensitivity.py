"""How an answer changes in variations, in JSON, on the terminal and in the report."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from rich.console import Console

from byline.answering import Sensitivity, Variation, VariedAnswer
from byline.attribution import Attribution
from byline.report import attribution_summary
from byline.report.figures.cases import sensitivity_figure
from byline.report.html import _environment
from byline.report.sensitivity import (
    EXPLANATION,
    NOT_COMPARABLE,
    print_sensitivity,
    sensitivity_chart,
    sensitivity_summary,
)


def _varied(kind: str, name: str, first: str | None, probability: float | None) -> VariedAnswer:
    ratio = None if probability is None else 1.0
    reason = "an author has no <token>" if first is None else None
    stated = None if probability is None else 0.7
    return VariedAnswer(
        Variation(kind, name, (0,), (0,)), first, stated, probability, ratio, reason
    )


@pytest.fixture
def summary(calibrated: Attribution) -> dict[str, Any]:
    varied = (
        _varied("known-texts", "without the text <b>.txt", "Ada", 0.8),
        _varied("known-texts", "without the text 2.txt", None, None),
        _varied("masked-words", "with words masked", "Zoe", 0.2),
    )
    found = Sensitivity(calibrated, varied, 4, ("A note about <b>.",))
    [entry] = attribution_summary([calibrated])["questioned"]
    return {"questioned": [entry | {"sensitivity": sensitivity_summary(found)}]}


def _html(entry: dict[str, Any]) -> str:
    """Return the section of the report."""
    given = {
        "found": entry["sensitivity"],
        "figure_of": sensitivity_figure,
        "explanation": EXPLANATION,
        "not_comparable": NOT_COMPARABLE,
    }
    template = (
        '{% import "sensitivity.html.j2" as parts with context %}'
        '{{ parts.sensitivity(found, 1, "h2", figure_of) }}'
    )
    return _environment("byline.report").from_string(template).render(given)


def test_json_has_the_verdict_and_all_variations(summary: dict[str, Any]) -> None:
    found = json.loads(json.dumps(summary))["questioned"][0]["sensitivity"]
    variations = found.pop("variations")
    assert found == {
        "verdict": "The answer changes to Zoe with words masked. In the other variation the first "
        "candidate is Ada. In the one variation with the same candidates and unmasked words, the "
        "probability of Ada is 80.0 %. In 1 variation there is no answer. "
        "Only 3 of 4 variations were computed before the interruption.",
        "first": "Ada",
        "log10_lr": 1.25527,
        "n_planned": 4,
        "n_computed": 3,
        "n_answered": 2,
        "n_changed": 1,
        "n_comparable": 1,
        "probability_range": [0.8, 0.8],
        "notes": ["A note about <b>."],
    }
    assert variations[0] == {
        "kind": "known-texts",
        "name": "without the text <b>.txt",
        "comparable": True,
        "first": "Ada",
        "probability": 0.7,
        "probability_of_answer": 0.8,
        "log10_lr": 1.0,
        "log10_lr_change": pytest.approx(-0.25527),
        "reason": None,
    }
    assert variations[1]["reason"] == "an author has no <token>"
    assert variations[1]["log10_lr_change"] is None
    assert [row["comparable"] for row in variations] == [True, True, False]


def test_the_table_has_one_row_per_variation(summary: dict[str, Any]) -> None:
    console = Console(file=io.StringIO(), width=100)
    print_sensitivity(console, summary["questioned"][0]["sensitivity"])
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    rows = [" ".join(line.split()) for line in printed.splitlines()]
    assert "without the text <b>.txt Ada 70.0 % -0.26" in rows
    assert "without the text 2.txt no answer: an author has no <token>" in rows
    assert "with words masked* Zoe 70.0 % -0.26" in rows
    assert "* With other candidates or with masked words." in " ".join(rows)
    assert "A note about <b>." in rows


def test_a_point_shows_the_probability_of_the_answer(calibrated: Attribution) -> None:
    varied = (
        _varied("known-texts", "without the text 1.txt", "Ada", 0.8),
        _varied("random-samples", "with other random samples", "Zoe", 0.2),
    )
    found = Sensitivity(calibrated, varied, 2, ())
    chart = sensitivity_chart(sensitivity_summary(found))
    assert chart is not None
    assert [label.text for label in chart.labels] == ["known texts", "random samples"]
    (same, high), (other, low) = chart.marks
    assert (same.style, other.style) == (0, 1)
    assert high.x > low.x
    assert high.y < low.y


def test_the_chart_has_only_comparable_probabilities(summary: dict[str, Any]) -> None:
    chart = sensitivity_chart(summary["questioned"][0]["sensitivity"])
    assert chart is not None
    assert [label.text for label in chart.labels] == ["known texts"]
    assert len(chart.marks) == 1


def test_without_calibration_there_is_no_chart(attribution: Attribution) -> None:
    varied = (_varied("candidates", "without the candidate Zoe", "Ada", None),)
    found = Sensitivity(attribution, varied, 1, ())
    entry = {"sensitivity": sensitivity_summary(found)}
    assert sensitivity_chart(entry["sensitivity"]) is None
    console = Console(file=io.StringIO(), width=100)
    print_sensitivity(console, entry["sensitivity"])
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "probability" not in printed.partition("\n")[2]
    assert "probability" not in _html(entry).lower()


def test_the_report_escapes_names_and_marks_changes(summary: dict[str, Any]) -> None:
    [entry] = summary["questioned"]
    html = _html(entry)
    assert "without the text &lt;b&gt;.txt" in html
    assert "<b><bdi>Zoe</bdi></b>" in html
    assert "no answer: an author has no &lt;token&gt;" in html
    assert html.count('class="mark m') == 1
    assert "with words masked*</th>" in html
    assert "without the text 2.txt</th>" in html
    assert NOT_COMPARABLE in html


def test_without_other_candidates_and_masked_words_nothing_has_an_asterisk(
    calibrated: Attribution,
) -> None:
    varied = (_varied("random-samples", "with other random samples", "Ada", 0.8),)
    found = Sensitivity(calibrated, varied, 1, ())
    entry = {"sensitivity": sensitivity_summary(found)}
    console = Console(file=io.StringIO(), width=100)
    print_sensitivity(console, entry["sensitivity"])
    assert "*" not in console.file.getvalue()  # type: ignore[attr-defined]
    assert NOT_COMPARABLE not in _html(entry)
