"""Small invented corpora in the layouts of PAN 2019 and CCAT50."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from byline.cli import main

WORDS = np.array([a + b for a in ("ba", "de", "fi", "go", "ku", "lo") for b in "lmnrstvz"])
CANDIDATES = ("candidate1", "candidate2", "candidate3")


def invent_text(author: str, seed: int) -> str:
    """Write twelve sentences in which words have the author's own order of frequency."""
    own = np.random.default_rng(list(map(ord, author))).permutation(WORDS)
    shares = 1 / np.arange(1, len(own) + 1) ** 0.7
    rng = np.random.default_rng([seed, *map(ord, author)])
    chosen = [rng.choice(own, size=9, p=shares / shares.sum()) for _ in range(12)]
    return " ".join(" ".join(words).capitalize() + "." for words in chosen)


def _write(path: Path, author: str, seed: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(invent_text(author, seed), encoding="utf-8")


@pytest.fixture(scope="session")
def pan19(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write one problem of each side, with three candidates and two unknown authors."""
    data = tmp_path_factory.mktemp("corpora") / "pan19"
    table = ["problem\tlanguage\tquestioned\tby_none"]
    for problem, language in (("problem01", "en"), ("problem07", "fr")):
        folder = data / problem
        table.append(f"{problem}\t{language}\t10\t4")
        for author in CANDIDATES:
            for seed in range(4):
                _write(folder / "known" / author / f"known{seed}.txt", f"{problem}{author}", seed)
        truth = []
        for number, author in enumerate([*CANDIDATES, "eve", "fay"] * 2):
            name = f"unknown{number:02}.txt"
            _write(folder / "unknown" / name, f"{problem}{author}", 100 + number)
            truth.append(f"{name}\t{author if author in CANDIDATES else '<UNK>'}")
        (folder / "truth.tsv").write_text("\n".join(truth) + "\n", encoding="utf-8")
    (data / "problems.tsv").write_text("\n".join(table) + "\n", encoding="utf-8")
    return data


@pytest.fixture(scope="session")
def ccat50(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write six authors with five training texts, of which four are listed, and two tests."""
    data = tmp_path_factory.mktemp("corpora") / "ccat50"
    listed = []
    for author in ("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay"):
        for number in range(5):
            _write(data / "train" / author / f"{95 + number}.txt", author, number)
        for number in range(2):
            _write(data / "test" / author / f"{500 + number}.txt", author, 50 + number)
        listed += [f"{author}\t{95 + number}.txt" for number in range(4)]
    (data / "train40.tsv").write_text("\n".join(listed) + "\n", encoding="utf-8")
    return data


@dataclass(frozen=True)
class Ended:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Return a function that runs ``byline benchmark`` in this process."""

    def run_byline(*args: str | Path) -> Ended:
        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
            main(["benchmark", *map(str, args)])
        printed = capfd.readouterr()
        return Ended(int(ended.value.code or 0), printed.out, printed.err)

    return run_byline
