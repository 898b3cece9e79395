"""``--figures`` and ``--grey`` of the commands that have a report."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

COMMANDS = [
    ("attribute",),
    ("compare",),
    ("demo",),
    ("evaluate",),
    ("experiment", "report"),
    ("explain",),
    ("explore",),
    ("keywords",),
    ("rolling",),
    ("verify",),
]
SENTENCES = {
    "Ada": "The engine weaves numbers like any loom. It weaves leaves, and it counts.",
    "Ben": "Our ship sails north. The wind turns cold, and every sailor counts the rope.",
}


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    for author, text in SENTENCES.items():
        (tmp_path / "known" / author).mkdir(parents=True)
        for number in range(4):
            path = tmp_path / "known" / author / f"{number}.txt"
            path.write_text(f"{text} " * (3 + number), encoding="utf-8")
    return tmp_path / "known"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_with_a_report_has_figures(run: Run, command: tuple[str, ...]) -> None:
    shown = run(*command, "--help").out
    assert "--figures FOLDER" in shown
    assert "--grey" in shown


@pytest.mark.parametrize("grey", [(), ("--grey",)])
def test_compare_writes_figures_without_a_report(
    run: Run, texts: Path, grey: tuple[str, ...]
) -> None:
    folder = texts.parent / "figures"
    done = run("compare", texts, "--folds", "2", "--figures", folder, *grey)
    assert done.code == 0, done.err
    written = sorted(path.name for path in folder.iterdir())
    kinds = ("pdf", "png", "svg")
    expected = [f"{name}.{kind}" for name in ("crossed", "tree") for kind in kinds]
    assert written == sorted([*expected, "captions.md"])
    captions = (folder / "captions.md").read_text("utf-8")
    assert "## tree\n\n**Tree of authors.** Authors and clusters are joined" in captions
    assert "Units: nats per token." in captions
    assert ">Ada<" in (folder / "tree.svg").read_text("utf-8")


def test_grey_without_figures_is_refused(run: Run, texts: Path) -> None:
    done = run("compare", texts, "--grey")
    assert done.code != 0
    assert "--grey changes only figures; give --figures FOLDER too" in done.err


def test_figures_among_the_texts_are_refused(run: Run, texts: Path) -> None:
    done = run("compare", texts, "--figures", texts / "Ada")
    assert done.code != 0
    assert "would be inside" in done.err
    assert not list(texts.rglob("*.svg"))


def test_a_file_instead_of_a_folder_is_refused(run: Run, texts: Path) -> None:
    done = run("compare", texts, "--figures", texts / "Ada" / "0.txt")
    assert done.code != 0
    assert "is not a folder; give the name of a folder" in done.err


def test_the_parent_folder_must_exist(run: Run, texts: Path) -> None:
    done = run("compare", texts, "--figures", texts.parent / "no" / "figures")
    assert done.code != 0
    assert "does not exist; create it, or choose another" in done.err


def test_without_matplotlib_nothing_is_computed(
    run: Run, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("compare", texts, "--figures", texts.parent / "figures")
    assert done.code != 0
    assert 'python -m pip install "byline[figures]"' in done.err
    assert not (texts.parent / "figures").exists()
