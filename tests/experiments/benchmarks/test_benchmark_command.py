"""``byline benchmark`` from its folder to what it prints."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.experiments.benchmarks import BASELINES, BENCHMARKS

LayOut = Callable[[str], Path]
NAMES = sorted(BENCHMARKS)


@pytest.mark.parametrize("name", NAMES)
def test_json_has_the_promised_keys(run: Any, lay_out: LayOut, name: str) -> None:
    ended = run(name, lay_out(name), "--json")
    document = json.loads(ended.out)
    assert ended.code == 0
    assert document["schema"] == 1
    assert document["benchmark"] == name
    assert document["method"] == "default"
    assert document["accuracy"] >= 0.75  # every author has words of its own
    assert 0 <= document["macro_f1"] <= 1
    low, high = document["interval"]
    assert low <= document["accuracy"] <= high
    assert list(document["baselines"]) == list(BASELINES)
    for baseline in document["baselines"].values():
        assert {"accuracy", "macro_f1", "interval", "n"} == set(baseline)
    assert [task["task"] for task in document["tasks"]] == list(BENCHMARKS[name].usual)
    assert {figure["benchmark"] for figure in document["published"]} <= {name}


def test_text_has_protocol_figures_and_published_ones(run: Any, lay_out: LayOut) -> None:
    ended = run("ccat50", lay_out("ccat50"))
    assert ended.code == 0
    for words in (
        "ccat50: test",
        "Byline's default",
        "GPT-2 tuned to each author",
        "74.9 %",
        "Huang",
        "train40.tsv",
        "95 % interval",
        "right by author",
    ):
        assert words in ended.out.replace("\u00a0", " "), words


def test_a_small_corpus_is_said_to_be_no_match_for_published_figures(
    run: Any, lay_out: LayOut
) -> None:
    ended = run("cmcc", lay_out("cmcc"), "--task", "topic")
    assert "12 texts are asked about, where cmcc has 756 (topic)" in ended.err
    assert "Note: 12 texts are asked about" in ended.out.replace("\n", " ")


def test_tasks_can_be_chosen(run: Any, lay_out: LayOut) -> None:
    data = lay_out("ccat50")
    ended = run("ccat50", data, "--task", "validation", "--task", "validation-late", "--json")
    document = json.loads(ended.out)
    assert [task["task"] for task in document["tasks"]] == ["validation", "validation-late"]
    assert document["published"] == []
    shutil.rmtree(data / "test/AnnLee")
    assert run("ccat50", data, "--task", "validation").code == 0


def test_sentences_are_joined_and_sorted_by_length(run: Any, lay_out: LayOut) -> None:
    ended = run("lectures16", lay_out("lectures16"), "--task", "sentences", "--json")
    [task] = json.loads(ended.out)["tasks"]
    # 4 test sentences of each of two courses: runs of one, of three, and none of five or ten
    assert [table["sentences"] for table in task["tables"]] == [1, 3]
    figures = [table["figures"][0] for table in task["tables"]]
    assert [row["n"] for row in figures] == [8, 2]
    # seven words and a full stop
    assert [part["name"] for part in figures[0]["by_tokens"]] == ["8 to 14 tokens"]
    assert [part["n"] for part in figures[0]["by_tokens"]] == [8]
    assert figures[1]["by_tokens"] == []


def test_decisions_are_written_a_line_each(run: Any, lay_out: LayOut, tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    data = lay_out("federalist")
    options = ("--method", "language-models", "--no-baselines", "--json", "--decisions", file)
    ended = run("federalist", data, *options)
    assert ended.code == 0
    assert json.loads(ended.out)["baselines"] == {}
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["task"] for line in lines] == ["leave-one-out"] * 7 + ["disputed"] * 2
    assert {line["path"] for line in lines[:7]} >= {"known/Madison/01.txt"}
    assert {line["method"] for line in lines} == {"language-models"}
    assert run("federalist", data, "--decisions", tmp_path / "no" / "where").code == 7


def test_folds_are_shown_for_a_leave_one_topic_out(run: Any, lay_out: LayOut) -> None:
    out = run("cmcc", lay_out("cmcc"), "--task", "topic").out
    assert "accuracy by fold" in out
    assert "topic C" in out


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("--task", "tset"), 2, "its tasks are leave-one-out, disputed"),
        (("--method", "mine"), 2, "there is no method mine"),
        (("--baseline", "mine"), 2, "there is no method mine"),
        (("--no-baselines", "--baseline", "default"), 2, "exclude each other"),
    ],
)
def test_wrong_options(
    run: Any, lay_out: LayOut, args: tuple[str, ...], code: int, words: str
) -> None:
    ended = run("federalist", lay_out("federalist"), *args)
    assert ended.code == code
    assert words in ended.err


@pytest.mark.parametrize("name", NAMES)
def test_another_folder_is_an_error_of_the_corpus(run: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / "other").mkdir()
    ended = run(name, tmp_path)
    assert ended.code == 3
    assert ended.err.startswith("error: ")
    assert str(tmp_path) in ended.err


def test_an_unknown_benchmark(run: Any, tmp_path: Path) -> None:
    ended = run("ccat10", tmp_path)
    assert ended.code == 2
    assert "ccat50" in ended.err
