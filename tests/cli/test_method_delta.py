"""``--method delta`` on the command line: training, answers, reports, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Sentences = Callable[[str, int, int], str]


@pytest.fixture
def model(run: Run, known: Path, tmp_path: Path) -> Path:
    path = tmp_path / "delta.byline"
    ended = run("train", known, "-o", path, "--method", "delta")
    assert ended.code == 0
    assert ended.out.endswith("2 authors: ada, ben\n")
    return path


def test_an_answer_has_a_probability_and_no_perplexity(
    run: Run, model: Path, questioned: Path
) -> None:
    ended = run("attribute", model, questioned)
    assert ended.code == 0
    assert "probability  log10 LR" in ended.out
    assert "erplexity" not in ended.out
    assert "by base classifier, before calibration (nats): cosine-delta +" in ended.out
    [text] = json.loads(run("attribute", model, questioned, "--json").out)["questioned"]
    assert text["ranking"][0]["author"] == "ada"
    assert text["ranking"][0]["probability"] > 0.5
    assert {place["perplexity"] for place in text["ranking"]} == {None}


def test_reports(run: Run, model: Path, questioned: Path, known: Path, tmp_path: Path) -> None:
    case, explained = tmp_path / "case.html", tmp_path / "explained.html"
    ended = run("attribute", model, questioned, "--report", case, "--known", known)
    assert (ended.code, ended.err) == (0, f"note: {case} was written\n")
    html = case.read_text(encoding="utf-8")
    assert ">All candidates</h2>" in html
    assert '<th scope="col">Perplexity</th>' not in html
    assert "Keywords in this text" in html
    assert run("explain", model, questioned, "--report", explained).code == 0
    assert "cosine-delta" in explained.read_text(encoding="utf-8")
    assert "cosine-delta" in run("explain", model, questioned).out


def test_short_texts_are_declined(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("The engine weaves.", encoding="utf-8")
    ended = run("attribute", model, tmp_path / "note.txt")
    assert "cannot tell: the text has 4 words and punctuation marks, and at least 10" in ended.out


def test_it_is_evaluated(run: Run, known: Path) -> None:
    ended = run("evaluate", known, "--method", "delta", "--json", "--sentences", "3")
    assert ended.code == 0
    summary = json.loads(ended.out)
    assert summary["accuracy"] == 1
    assert summary["calibration"]["before"] is None
    assert summary["calibration"]["after"]["n"] == summary["n_questioned"]


@pytest.mark.parametrize(
    "options",
    [
        ("--order", "2"),
        ("--lm", "recurrent"),
        ("--calibrate",),
        ("--samples", "2"),
        ("--keep-case",),
        ("--unit", "char"),
    ],
)
@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_options_of_language_models_are_refused(
    run: Run, known: Path, tmp_path: Path, command: str, options: tuple[str, ...]
) -> None:
    output = ("-o", tmp_path / "model") if command == "train" else ()
    ended = run(command, known, *output, "--method", "delta", *options)
    assert ended.code == 2
    assert f"{options[0]} is an option of language models" in " ".join(ended.err.split())


def test_what_needs_language_models_says_so(
    run: Run, model: Path, known: Path, tmp_path: Path
) -> None:
    ended = run("lm", "nearest", model, "engine")
    assert ended.code != 0
    assert "has no language models" in ended.err
    ended = run("add-author", model, known, "-o", tmp_path / "more")
    assert ended.code != 0
    assert "train again with all authors" in ended.err


def test_texts_of_another_language_are_declined(run: Run, model: Path, tmp_path: Path) -> None:
    text = "Hier au soir nous avons parlé longtemps avec ses voisins de cette affaire étrange."
    (tmp_path / "lettre.txt").write_text(text, encoding="utf-8")
    ended = run("attribute", model, tmp_path / "lettre.txt")
    assert "are unknown to the model, and at most 75 % may be" in " ".join(ended.out.split())
