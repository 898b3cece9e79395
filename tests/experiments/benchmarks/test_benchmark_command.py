"""``byline benchmark``: the whole command, on small corpora."""

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
def test_json_has_the_documented_keys(run: Any, lay_out: LayOut, name: str) -> None:
    method = "default" if name == "cmcc" else "delta"  # which trains in a tenth of the time
    ended = run(name, lay_out(name), "--json", "--method", method)
    document = json.loads(ended.out)
    assert ended.code == 0
    assert document["schema"] == 2
    assert document["benchmark"] == name
    assert document["method"] == method
    assert document["accuracy"] >= 0.75  # every author has distinctive words
    assert 0 <= document["macro_f1"] <= 1
    low, high = document["interval"]
    assert low <= document["accuracy"] <= high
    assert list(document["baselines"]) == list(BASELINES)
    for baseline in document["baselines"].values():
        assert {"accuracy", "macro_f1", "interval", "n"} == set(baseline)
    assert [task["task"] for task in document["tasks"]] == list(BENCHMARKS[name].default_tasks)
    assert {figure["benchmark"] for figure in document["published"]} <= {name}


def test_text_has_the_protocol_and_measured_and_published_results(
    run: Any, lay_out: LayOut
) -> None:
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
        "correct by author",
    ):
        assert words in ended.out.replace("\u00a0", " "), words


def test_an_incomplete_corpus_gives_a_warning(run: Any, lay_out: LayOut) -> None:
    ended = run("cmcc", lay_out("cmcc"), "--task", "topic")
    assert "there are 12 questioned texts, but the task topic of cmcc has 756" in ended.err
    assert "Note: there are 12 questioned texts" in ended.out.replace("\n", " ")


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
    # 4 test sentences of each of two courses: single, three joined, and none of five or ten
    assert [table["sentences"] for table in task["tables"]] == [1, 3]
    metrics = [table["methods"][0] for table in task["tables"]]
    assert [row["n"] for row in metrics] == [8, 2]
    # seven words and a full stop
    assert [part["name"] for part in metrics[0]["by_tokens"]] == ["8 to 14 tokens"]
    assert [part["n"] for part in metrics[0]["by_tokens"]] == [8]
    assert metrics[1]["by_tokens"] == []


def test_decisions_are_written_as_lines(run: Any, lay_out: LayOut, tmp_path: Path) -> None:
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
        (("--task", "tset"), 2, "use leave-one-out, disputed"),
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
def test_another_folder_is_an_error(run: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / "other").mkdir()
    ended = run(name, tmp_path)
    assert ended.code == 3
    assert ended.err.startswith("error: ")
    assert str(tmp_path) in ended.err


def test_an_unknown_benchmark(run: Any, tmp_path: Path) -> None:
    ended = run("ccat10", tmp_path)
    assert ended.code == 2
    assert "ccat50" in ended.err
