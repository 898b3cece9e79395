"""`byline demo --write`: the demo corpus as a folder of known texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.corpus import read_corpus
from byline.corpus.demo import read_demo

Run = Callable[..., Any]

ADAMS, MADISON = "John Adams", "James Madison"


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
