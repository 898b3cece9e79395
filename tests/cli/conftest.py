from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from byline.cli import main

ADA = "the engine weaves numbers like any loom weaves leaves and then will compose"
BEN = "our ship sails north when winds turn cold and every sailor counts his rope"
WORDS = {author: text.split() for author, text in (("ada", ADA), ("ben", BEN))}


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


Run = Callable[..., Ended]


_LEARNT: dict[Path, bytes] = {}


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``byline`` in this process, with the warning filters of a process of its own."""

    def run_byline(*args: str | Path) -> Ended:
        import warnings

        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        printed = capfd.readouterr()
        code = ended.value.code
        assert isinstance(code, int) or code is None
        return Ended(code or 0, printed.out, printed.err)

    monkeypatch.setattr(sys, "argv", ["byline"])
    return run_byline


def _sentences(author: str, n: int, seed: int) -> str:
    """Make ``n`` sentences of an invented author's favourite words."""
    rng = np.random.default_rng([seed, len(author), ord(author[0])])
    chosen = [rng.choice(WORDS[author], size=8) for _ in range(n)]
    return " ".join(" ".join(words).capitalize() + "." for words in chosen)


@pytest.fixture(scope="session")
def sentences() -> Callable[[str, int, int], str]:
    """Make so many sentences of an author's favourite words, from a seed."""
    return _sentences


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two authors with four texts each."""
    folder = tmp_path_factory.mktemp("known")
    for author in WORDS:
        (folder / author).mkdir()
        for number in range(4):
            text = _sentences(author, 40, seed=number)
            (folder / author / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def questioned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new text in the words of ada."""
    path = tmp_path_factory.mktemp("questioned") / "letter.txt"
    path.write_text(_sentences("ada", 12, seed=99), encoding="utf-8")
    return path


@pytest.fixture
def model(run: Run, known: Path, tmp_path: Path) -> Path:
    """A model of the two authors, trained once."""
    path = tmp_path / "two.byline"
    if known in _LEARNT:
        path.write_bytes(_LEARNT[known])
    else:
        assert run("train", known, "-o", path, "--order", "2").code == 0
        _LEARNT[known] = path.read_bytes()
    return path
