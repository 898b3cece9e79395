"""``byline explain`` prints the evidence, and whether the author changes."""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

Run = Callable[..., Any]
Sentences = Callable[[str, int, int], str]


@pytest.fixture
def stitched(tmp_path: Path, sentences: Sentences) -> Path:
    """Thirty sentences in the words of ada, then thirty in those of ben."""
    path = tmp_path / "stitched.txt"
    path.write_text(sentences("ada", 30, 71) + "\n" + sentences("ben", 30, 72), encoding="utf-8")
    return path


def test_words_sentences_and_segments_are_printed(run: Run, model: Path, stitched: Path) -> None:
    ended = run("explain", model, stitched, "--first", "ada")
    assert (ended.code, ended.err) == (0, "")
    assert "Evidence for ada rather than ben: " in ended.out
    assert "\x1b" not in ended.out
    assert "Evidence for ada\n" in ended.out
    assert "Evidence for ben\n" in ended.out
    assert "1 to 30" in ended.out
    assert "31 to 60" in ended.out
    assert "--whole shows all" in ended.out
    assert "--whole shows all" not in run("explain", model, stitched, "--whole").out


def test_json_has_every_token_and_the_sum(run: Run, model: Path, stitched: Path) -> None:
    ended = run("explain", model, stitched, "--json", "--first", "ben")
    document = json.loads(ended.out)
    assert (document["schema"], document["declined"]) == (2, None)
    evidence = document["evidence"]
    assert (evidence["first"], evidence["second"]) == ("ben", "ada")
    assert len(evidence["shown"]) == evidence["n_sentences"] == 60
    tokens = [token["log_lr"] for sentence in evidence["shown"] for token in sentence["tokens"]]
    assert len(tokens) == evidence["n_tokens"]
    total = math.fsum([evidence["constant"], evidence["length_log_lr"], *tokens])
    assert total == pytest.approx(evidence["log_lr"], abs=1e-9)
    [point] = document["rolling"]["change_points"]
    assert (point["sentence"], point["before"], point["after"]) == (31, "ada", "ben")


def test_a_report_is_written(run: Run, model: Path, stitched: Path, tmp_path: Path) -> None:
    report = tmp_path / "why.html"
    ended = run("explain", model, stitched, "--report", report)
    assert "Evidence for " in ended.out
    html = report.read_text(encoding="utf-8")
    assert html.lower().startswith("<!doctype html>")
    assert "The author may change at sentence 31" in html


def test_a_declined_text_is_explained_too(run: Run, model: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.txt"
    short.write_text("The engine weaves.")
    ended = run("explain", model, short)
    assert ended.code == 0
    assert "no author would be named: the text has" in ended.out
    assert "Evidence for ada rather than ben: " in ended.out
    assert "no result: the text has 1 sentence; rolling attribution needs at least 10" in ended.out


def test_an_empty_text_has_no_evidence(run: Run, model: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text(" \n")
    ended = run("explain", model, empty)
    assert (ended.code, ended.out) == (
        0,
        f"{empty}\n  no author would be named: the text is empty\n",
    )
    assert json.loads(run("explain", model, empty, "--json").out)["evidence"]["shown"] == []


def test_of_two_candidates_all_others_are_the_other_one(
    run: Run, model: Path, questioned: Path
) -> None:
    document = json.loads(run("explain", model, questioned, "--all", "--json").out)
    assert (document["evidence"]["first"], document["evidence"]["second"]) == ("ada", "ben")
    ended = run("explain", model, questioned, "--all", "--second", "ben")
    assert ended.code == 2
    assert "cannot be compared with 'ben' and with all others" in ended.err


def test_candidates_must_be_known(run: Run, model: Path, questioned: Path) -> None:
    ended = run("explain", model, questioned, "--first", "zoe")
    assert ended.code == 2
    assert "'zoe' is not a candidate; choose from ada and ben" in ended.err


def test_the_report_does_not_replace_an_input(run: Run, model: Path, questioned: Path) -> None:
    ended = run("explain", model, questioned, "--report", questioned)
    assert ended.code != 0
    assert "would be replaced" in ended.err


def test_standard_input_is_a_text(
    run: Run, model: Path, monkeypatch: pytest.MonkeyPatch, sentences: Sentences
) -> None:
    data = sentences("ben", 12, 5).encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    document = json.loads(run("explain", model, "-", "--json").out)
    assert (document["path"], document["evidence"]["first"]) == ("standard input", "ben")


def test_the_caveats_are_those_of_the_answer(
    run: Run, model: Path, known: Path, tmp_path: Path, sentences: Sentences
) -> None:
    copied, whole = tmp_path / "copied.txt", (known / "ada" / "0.txt").read_text(encoding="utf-8")
    copied.write_text(f"{whole} {sentences('ada', 40, 99)}", encoding="utf-8")
    explained = json.loads(run("explain", model, copied, "--json").out)["caveats"]
    answered = json.loads(run("attribute", model, copied, "--json").out)["questioned"][0]
    assert explained == answered["caveats"] != []
