"""Small generated corpora in the layouts of the benchmarks; authors have distinctive words."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from byline.cli import main

Layout = Callable[[Path], Path]
COMMON = ["and", "the", "of", "we", "to"]


def words_of(author: str) -> list[str]:
    return [f"{author.lower()}{ending}" for ending in ("ly", "ment", "ness", "ful", "ing")]


def lines(author: str, n: int, *seed: int) -> list[str]:
    """Make sentences of seven words, some distinctive of the author and some common."""
    rng = np.random.default_rng([*map(ord, author), *seed])
    chosen = [rng.choice([*words_of(author), *COMMON], 7) for _ in range(n)]
    return [" ".join(words) + " ." for words in chosen]


def write(path: Path, author: str, *seed: int, n: int = 5) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines(author, n, *seed)), encoding="utf-8")


def lay_out_ccat50(data: Path) -> Path:
    """Write two authors with ten training texts, of which eight are listed, and three tests."""
    listed = []
    for author in ("AnnLee", "BobRay"):
        for number in range(10):
            # The order of the names differs from the order in time: 95 comes before 100.
            write(data / "train" / author / f"{95 + number}.txt", author, number)
        for number in range(3):
            write(data / "test" / author / f"{500 + number}.txt", author, number)
        listed += [f"{author}\t{95 + number}.txt" for number in range(8)]
    (data / "train40.tsv").write_text("\n".join(listed) + "\n", encoding="utf-8")
    return data


def lay_out_cmcc(data: Path) -> Path:
    """Write two authors in two genres on three topics."""
    for place, genre in enumerate(("Blogs", "Essays")):
        for author in ("S1", "S2"):
            for topic in "CGI":
                write(data / genre / author / f"{topic}.txt", author, place, ord(topic))
    return data


def lay_out_federalist(data: Path) -> Path:
    """Write four essays by Hamilton, three by Madison, one by Jay, two disputed ones."""
    for author, n in (("Hamilton", 4), ("Madison", 3), ("Jay", 1)):
        for number in range(n):
            write(data / "known" / author / f"{number + 1:02}.txt", author, number)
    for number in (49, 50):
        write(data / "disputed" / "DISPUTED" / f"{number}.txt", "Madison", number)
    return data


def lay_out_lectures16(data: Path) -> Path:
    """Write four courses of forty sentences and five lectures; 7 and 16 share their words."""
    for number in (1, 2, 7, 16):
        course, voice = f"course-{number:02}", f"c{'abcdefg'[min(number, 7) - 1]}"
        write(data / "stemmed" / f"{course}.txt", voice, number, n=40)
        for lecture in range(1, 6):
            write(data / "raw" / course / f"lecture-{lecture:03}.txt", voice, number, lecture)
    return data


LAYOUTS: dict[str, Layout] = {
    "ccat50": lay_out_ccat50,
    "cmcc": lay_out_cmcc,
    "federalist": lay_out_federalist,
    "lectures16": lay_out_lectures16,
}


@pytest.fixture
def lay_out(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that writes the small corpus of a benchmark."""
    return lambda name: LAYOUTS[name](tmp_path / name)


@dataclass(frozen=True)
class Ended:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs ``byline benchmark`` in this process."""

    def run_byline(*args: str | Path) -> Ended:
        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
            main(["benchmark", *map(str, args)])
        printed = capfd.readouterr()
        return Ended(int(ended.value.code or 0), printed.out, printed.err)

    return run_byline
