"""``evaluate --baselines`` on the command line and in the report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]
MODELS = ("--method", "language-models", "--order", "2", "--samples", "1", "--folds", "2")


def words_of(text: str) -> str:
    return " ".join(text.split())


def test_the_table_and_the_verdict_are_printed(run: Run, known: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    given = ("evaluate", known, *MODELS, "--baselines", "delta, svm", "--report", report)
    ended = run(*given)
    assert (ended.code, ended.err) == (0, f"note: {report} was written\n")
    lines = [line.split() for line in ended.out.splitlines()]
    assert ["Burrows's", "Delta", "8", "100", "%"] in [line[:5] for line in lines]
    verdict = "No simple method is clearly better than the evaluated method on these texts."
    assert verdict in words_of(ended.out)
    html = report.read_text(encoding="utf-8")
    assert "<h2>Comparison with simple methods</h2>" in html
    assert verdict in words_of(html)
    summary = json.loads(run(*given[:-2], "--json").out)
    assert [row["method"] for row in summary["comparison"]["methods"]] == [
        "burrows-delta",
        "char-ngram-svm",
        "most-frequent-author",
    ]
    assert summary["comparison"]["verdict"][0] == verdict


def test_without_baselines_there_is_no_table(run: Run, known: Path) -> None:
    ended = run("evaluate", known, *MODELS)
    assert "simple method" not in ended.out
    assert json.loads(run("evaluate", known, *MODELS, "--json").out)["comparison"] is None


def test_the_evaluated_method_is_no_baseline_of_its_own(run: Run, known: Path) -> None:
    ended = run("evaluate", known, *MODELS, "--baselines", "all")
    assert "language models alone: they are the evaluated method." in ended.out
    assert "(base)" not in ended.out
    delta = run("evaluate", known, "--method", "delta", "--folds", "2", "--baselines", "svm")
    assert "Cosine Delta (base)" in delta.out
    assert "(base): base classifiers of the first method." in words_of(delta.out)


def test_unknown_and_missing_names_are_refused(run: Run, known: Path) -> None:
    ended = run("evaluate", known, *MODELS, "--baselines", "delta,lda")
    assert ended.code != 0
    assert "there is no simple method 'lda'; choose from delta, cosine-delta, svm" in ended.err
    ended = run("evaluate", known, *MODELS, "--baselines", ",")
    assert ended.code != 0
    assert "no simple method is named" in ended.err
