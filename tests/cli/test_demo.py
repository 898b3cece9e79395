"""`byline demo`: an answer with a probability, and the demo corpus as a folder."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from byline.cli.demo import QUESTIONED
from byline.cli.train import TrainSettings
from byline.corpus import read_corpus
from byline.corpus.demo import read_demo

Run = Callable[..., Any]

ADAMS, MADISON = "John Adams", "James Madison"


def test_the_demo_answers_as_the_commands_do(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two candidates, and a quick method in place of the default, so that the test is short.
    monkeypatch.setattr("byline.corpus.demo.CANDIDATES", (ADAMS, MADISON))
    monkeypatch.setattr("byline.cli.train.TrainSettings", partial(TrainSettings, method="delta"))
    ended = run("demo", "--report", tmp_path / "demo.html")
    assert ended.code == 0
    probability = re.search(r" 1 +James Madison +([\d.]+ %)", ended.out)
    assert probability is not None
    assert "The actual author is James Madison." in ended.out
    assert "Accuracy in such cases: Of " in ended.out

    folder, text, model = tmp_path / "known", tmp_path / QUESTIONED, tmp_path / "model.byline"
    run("demo", "--write", folder, "--author", ADAMS, "--author", MADISON)
    (folder / MADISON / QUESTIONED).rename(text)
    run("train", folder, "-o", model, "--method", "delta")
    answered = run("attribute", model, text, "--known", folder)
    assert f"James Madison {probability[1]}" in " ".join(answered.out.split())
    page = (tmp_path / "demo.html").read_text("utf-8")
    assert "<title>Who wrote 1814-Madison-1.txt?</title>" in page


def test_written_texts_are_read_back_unchanged(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "known"
    ended = run("demo", "--write", folder, "--author", ADAMS, "--author", MADISON)
    assert (ended.code, ended.out) == (0, f"{folder}: 12 texts by 2 authors\n")  # 4 and 8 years
    written = {text.path: text for text in read_corpus(folder)}
    demo = [text for text in read_demo() if text.author in (ADAMS, MADISON)]
    assert {f"{text.author}/{text.path}" for text in demo} == set(written)
    for text in demo:
        again = written[f"{text.author}/{text.path}"]
        assert (again.author, again.text) == (text.author, text.text)


def test_a_folder_with_files_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    ended = run("demo", "--write", tmp_path)
    assert ended.code == 7
    assert "is not empty; name a new folder" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--write", "known", "--author", "Nobody"],
            "--author Nobody: the demo has no such author",
        ),
        (["--author", ADAMS], "--author requires --write"),
    ],
)
def test_wrong_authors(
    run: Run, options: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = run("demo", *options)
    assert ended.code == 2
    assert message in ended.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_created_is_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = run("demo", "--write", tmp_path / "file" / "known", "--author", ADAMS)
    assert ended.code == 7
    assert "name another folder" in ended.err
