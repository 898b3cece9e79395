"""``byline benchmark pan19`` and ``open-set``: tables, JSON, continuation and options."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.experiments.open_set import benchmark
from byline.experiments.open_set.benchmark import CaseResult, MeasuredCase, MethodMeans
from byline.experiments.open_set.methods import OPEN_SET_METHODS

from .test_open_set_metrics import ANSWERS

Run = Callable[..., Any]
DELTA = ("--method", "delta")


def test_problems_are_measured_and_continued(
    run: Run, pan19: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "results.jsonl"
    ended = run("pan19", pan19, *DELTA, "--results", results)
    assert ended.code == 0, ended.err
    for words in ("problem01", "problem07", "pan19-svm", "own rule", "even odds", "0.690"):
        assert words in ended.out
    assert len(results.read_text(encoding="utf-8").splitlines()) == 6  # problems x methods

    def refuse(*_: Any) -> CaseResult:
        raise AssertionError("a case was answered again")

    monkeypatch.setattr(benchmark, "answer_open_set_case", refuse)
    found = json.loads(run("pan19", pan19, *DELTA, "--results", results, "--json").out)
    assert (found["schema"], found["benchmark"]) == (1, "pan19")
    assert [(each["case"], each["method"]) for each in found["cases"]] == [
        (problem, method)
        for problem in ("problem01", "problem07")
        for method in ("delta", "pan19-svm", "char-ngram-svm")
    ]
    for case in found["cases"]:
        assert (case["n_known"], case["n_unknown"], case["n_candidates"]) == (6, 4, 3)
        assert case["n_unknown_authors"] is None
    delta, svm, character = found["means"]
    assert delta["accuracy"] > 0.9  # the invented authors differ clearly
    assert [row["rate"] for row in delta["by_rate"]] == ["even-odds", 0.05, 0.1, 0.2]
    assert [row["rate"] for row in svm["by_rate"]] == [None]
    assert character["by_rate"] == []
    assert svm["by_rate"][0]["stated_missed_rate"] is None
    values = [case["macro_f1_without_rejection"] for case in found["cases"][::3]]
    assert delta["macro_f1_without_rejection"] == pytest.approx(sum(values) / 2)


def test_one_problem_or_side_is_chosen(run: Run, pan19: Path) -> None:
    given = ("pan19", pan19, *DELTA, "--no-baselines", "--json")
    for choice in (("--problems", "problem07"), ("--side", "test")):
        found = json.loads(run(*given, *choice).out)
        assert [each["case"] for each in found["cases"]] == ["problem07"]
    assert run(*given, "--problems", "problem02").code == 2


def test_draws_of_ccat50(run: Run, ccat50: Path) -> None:
    given = ("open-set", ccat50, *DELTA, "--no-baselines", "--draws", "2")
    found = json.loads(run(*given, "--seed", "3", "--json").out)
    assert [each["case"] for each in found["cases"]] == ["test 3", "test 4"]
    [means] = found["means"]
    assert means["n_cases"] == 2
    row = means["by_rate"][0]
    assert row["false_attribution_lowest"] <= row["false_attribution_rate"]
    assert row["false_attribution_rate"] <= row["false_attribution_highest"]
    assert found["published"] == []


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("pan19", "--draws", "3"), "pan19 does not have --draws"),
        (("pan19", "--task", "test"), "pan19 does not have --task"),
        (("open-set", "--problems", "problem01"), "open-set does not have --problems"),
        (("open-set", "--task", "late", "--task", "early"), "runs one task at a time"),
        (("pan19", "--method", "burrows-delta"), "there is no method burrows-delta for open"),
        (("pan19", "--no-baselines", "--baseline", "pan19-svm"), "exclude each other"),
        (("cmcc", "--problems", "problem01"), "cmcc does not have --problems"),
    ],
)
def test_wrong_options(
    run: Run, pan19: Path, ccat50: Path, args: tuple[str, ...], words: str
) -> None:
    name, *options = args
    ended = run(name, ccat50 if name == "open-set" else pan19, *options)
    assert (ended.code, words in " ".join(ended.err.split())) == (2, True)


def test_a_file_of_something_else_is_refused(run: Run, pan19: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text('{"digest": "a", "case": "b"}\n')
    ended = run("pan19", pan19, *DELTA, "--results", results)
    assert (ended.code, "line 1: this is not a result" in ended.err) == (2, True)


def test_means_of_two_cases() -> None:
    first = MeasuredCase.of(CaseResult("a", "one", "delta", ANSWERS, 1.0))
    means = MethodMeans.of([first, first])
    assert (means.n_cases, means.title) == (2, OPEN_SET_METHODS["delta"].title)
    assert means.accuracy == pytest.approx(4 / 5)
    assert means.cpu_seconds == 2.0
    [row] = means.by_rate
    assert row["macro_f1"] == pytest.approx(2 / 3)
    assert row["false_attribution_error"] == 0.0  # both are equal
    assert MethodMeans.of([first]).by_rate[0]["false_attribution_error"] is None
