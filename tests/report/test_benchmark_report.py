"""The summary of a benchmark and its text: measurements, published results, comparisons."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from byline.experiments import Decision
from byline.experiments.benchmarks import BenchmarkResult, TaskResult, compare_methods
from byline.experiments.benchmarks.classifier_runs import Cost
from byline.experiments.benchmarks.metrics import MethodMetrics
from byline.experiments.benchmarks.results import TaskTable, published_for
from byline.report.evaluation import benchmark_decisions, benchmark_summary, print_benchmark

# Of ten texts, the first classifier has nine correct, the other six of these nine.
NAMED = {"default": "aaaaabbbba", "svm": "aaabbbbbaa"}
WRITTEN = "aaaaabbbbb"


def _decisions(method: str) -> list[Decision]:
    return [
        Decision(
            f"{place}.txt", place % 2, None, author, predicted, 1 + (author != predicted), False
        )
        for place, (author, predicted) in enumerate(zip(WRITTEN, NAMED[method], strict=True))
    ]


@pytest.fixture
def result() -> BenchmarkResult:
    decisions = {method: _decisions(method) for method in NAMED}
    titles = {"default": "Byline's default", "svm": "An SVM [red]"}
    folds = ["topic [C]", "topic G"]
    right = {
        method: [d.author == d.predicted for d in decided] for method, decided in decisions.items()
    }
    table = TaskTable(
        sentences=None,
        methods=tuple(MethodMetrics.of(m, titles[m], decisions[m], folds, {}) for m in NAMED),
        comparisons=(compare_methods("default", "svm", right["default"], right["svm"]),),
    )
    task = TaskResult(
        task="test",
        protocol="Trained on some, tested on others.",
        n_folds=2,
        n_questioned=10,
        caveats=("two texts are copies",),
        tables=(table,),
        costs={"default": Cost(1.25, 0.5, 2.0), "svm": Cost(3.0, 0.25, 4.0)},
        published=published_for("ccat50", "test"),
        decisions={method: tuple(decided) for method, decided in decisions.items()},
    )
    return BenchmarkResult("ccat50", "corpora/ccat50", 0, (task,))


def _printed(result: BenchmarkResult) -> str:
    console = Console(file=io.StringIO(), width=100, highlight=False)
    print_benchmark(console, benchmark_summary(result))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().replace("\u00a0", " ")


def test_the_summary_is_json_with_the_first_method_at_the_top(result: BenchmarkResult) -> None:
    summary = benchmark_summary(result)
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert summary["schema"] == 2
    assert summary["accuracy"] == 0.9
    assert summary["method"] == "default"
    assert list(summary["baselines"]) == ["svm"]
    assert summary["baselines"]["svm"]["accuracy"] == 0.6
    assert [figure["accuracy"] for figure in summary["published"]] == [0.767, 0.749, 0.694, 0.657]
    assert summary["tasks"][0]["cpu_seconds"]["svm"] == {"training": 3.0, "attribution": 0.25}
    assert summary["tasks"][0]["wall_seconds"]["svm"] == 4.0


def test_the_text_has_each_method_in_a_row(result: BenchmarkResult) -> None:
    rows = [line.split() for line in _printed(result).splitlines()]
    # 1.25 and 0.5 seconds
    assert any(row[:3] == ["Byline's", "default", "10"] and row[-1] == "1.8" for row in rows)
    assert any("[red]" in row and "60.0" in row for row in rows)


def test_the_text_has_the_difference_in_points(result: BenchmarkResult) -> None:
    out = _printed(result)
    # 3 of 10 texts more; 3 against 0 only one is correct: p = 2 / 2**3
    [row] = [line for line in out.splitlines() if "0.2500" in line]
    assert "+30.0" in row
    assert row.split()[-3:] == ["3", "0", "0.2500"]


def test_the_text_has_subsets_published_results_and_caveats(result: BenchmarkResult) -> None:
    out = _printed(result)
    for words in (
        "ccat50: test",
        "Trained on some, tested on others.",
        "correct by author",
        "topic [C]",
        "accuracy by fold",
        "ensemble of n-gram models",
        "76.7 %",
        "Tyo",
        "Note: two texts are copies.",
        "McNemar's exact test",
    ):
        assert words in " ".join(out.split())


def test_small_p_values_are_bounds(result: BenchmarkResult) -> None:
    summary = benchmark_summary(result)
    summary["tasks"][0]["tables"][0]["comparisons"][0]["p_value"] = 1e-9
    console = Console(file=io.StringIO(), width=100)
    print_benchmark(console, summary)
    assert isinstance(console.file, io.StringIO)
    assert "< 0.0001" in console.file.getvalue()


def test_decisions_are_lines(result: BenchmarkResult) -> None:
    lines = [json.loads(line) for line in benchmark_decisions(result).splitlines()]
    assert len(lines) == 20
    assert lines[0]["task"] == "test"
    assert lines[0]["method"] == "default"
    assert Decision(**{k: v for k, v in lines[0].items() if k not in ("task", "method")})
