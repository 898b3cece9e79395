"""``evaluate --learning-curve`` on the command line: tables, JSON, report, CSV, and errors."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.cli.learning_curve import PASSAGES
from byline.experiments.learning_curve import evaluation, resampling

Run = Callable[..., Any]
MODELS = ("--method", "language-models", "--order", "2", "--samples", "1", "--folds", "2")
SIZES = ("--known-words", 50, "--known-words", 200, "--known-words", 600, "--text-words", "20")


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fit few curves, because each takes milliseconds."""
    monkeypatch.setattr(resampling, "N_RESAMPLES", 20)


def test_all_outputs_agree(run: Run, known: Path, tmp_path: Path) -> None:
    report, tables, results = (tmp_path / name for name in ("report.html", "csv", "answers.jsonl"))
    given = ("evaluate", known, *MODELS, "--learning-curve", *SIZES, "--results", results)
    ended = run(*given, "--report", report, "--csv", tables)
    assert ended.code == 0, ended.err
    written = results.read_text()
    assert len(written.splitlines()) == 6
    found = json.loads(run(*given, "--json").out)
    assert results.read_text() == written  # nothing was trained again
    assert (found["schema"], found["kind"], found["target"]) == (1, "learning-curve", 0.95)
    assert (found["authors"], found["left_out"]) == (["ada", "ben"], {})
    assert found["known_words"] == [50, 200, 600]
    assert [curve["axis"] for curve in found["curves"]] == ["known_words"]
    last = found["points"][-1]
    assert last["accuracy"] == 1.0  # the authors have different words
    with (tables / "points.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [float(row["accuracy"]) for row in rows] == [p["accuracy"] for p in found["points"]]
    assert (tables / "curves.csv").is_file()
    printed = " ".join(ended.out.split())
    assert "8 documents; 2 candidates; held out: by whole document, in 2 folds (seed 0)." in printed
    assert "600 100 %" in printed
    assert "For questioned texts of 20 words" in printed
    html = report.read_text(encoding="utf-8")
    assert "Accuracy by the amount of known text" in html


def test_the_default_sizes_suit_the_texts(run: Run, known: Path) -> None:
    found = json.loads(run("evaluate", known, *MODELS, "--learning-curve", "--json").out)
    # Each author has two of four texts of 320 words in a fold, and all texts are as long.
    assert found["known_words"] == [200, 500, 640]
    assert found["text_words"] == [50, 100, 200]
    assert {point["n_passages"] for point in found["points"]} <= {20, 12, 8}


def test_figures_are_written(run: Run, known: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    folder = tmp_path / "figures"
    assert (
        run("evaluate", known, *MODELS, "--learning-curve", *SIZES, "--figures", folder).code == 0
    )
    assert {path.stem for path in folder.glob("*.svg")} == {
        *("accuracy-by-known-words", "accuracy-by-text-words", "log-loss", "calibration-error"),
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--known-words", 50), "--known-words needs --learning-curve; add it"),
        (("--passages", 3), "--passages needs --learning-curve; add it"),
        (("--csv", "folder"), "--csv needs --learning-curve; add it"),
        (("--learning-curve", "--open-set"), "--learning-curve cannot be combined with --open-set"),
        (("--learning-curve", "--split", "sentence"), "cannot be combined with --split sentence"),
        (("--learning-curve", "--sentences", 1), "cannot be combined with --sentences"),
        (("--learning-curve", "--baselines", "all"), "cannot be combined with --baselines"),
    ],
)
def test_options_that_do_not_fit_are_errors(
    run: Run, known: Path, options: tuple[str, ...], message: str
) -> None:
    ended = run("evaluate", known, *options)
    assert ended.code == 2
    assert message in " ".join(ended.err.split())


@pytest.mark.parametrize("output", [("--report", "one.html"), ("--csv", ".")])
def test_results_are_not_replaced_by_another_output(
    run: Run, known: Path, output: tuple[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    results = "one.html" if output[0] == "--report" else "points.csv"
    ended = run("evaluate", known, "--learning-curve", "--results", results, *output)
    assert ended.code == 2
    assert f"--results {results}: another output has the same name" in " ".join(ended.err.split())


def test_too_little_text_is_an_error(run: Run, known: Path) -> None:
    given = ("--learning-curve", "--known-words", 100, "--known-words", 5000)
    ended = run("evaluate", known, *MODELS, *given)
    assert ended.code == 5
    assert "fewer than two authors have 5,000 known words" in " ".join(ended.err.split())


def test_an_interrupted_run_says_how_it_continues(
    run: Run, known: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(task: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluation, "answer_sample", interrupt)
    given = ("evaluate", known, *MODELS, "--learning-curve", *SIZES)
    ended = run(*given, "--results", tmp_path / "answers.jsonl")
    assert ended.code == 130
    assert "run the same command to continue" in ended.err


def test_the_help_states_the_default_number_of_passages() -> None:
    assert PASSAGES == evaluation.PASSAGES
