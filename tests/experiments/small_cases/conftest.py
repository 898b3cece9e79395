"""Small invented corpora in the layouts of those from which small cases are taken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from byline.attribution.stacking import default_base_classifiers
from byline.experiments.small_cases import answers, run
from byline.experiments.small_cases.grid import parse_settings
from byline.experiments.small_cases.sources import Source, SourceText

COMMON = ["and", "the", "of", "we", "to", "a"]


def invent_text(author: str, seed: str, n_words: int) -> str:
    """Return sentences of ten words, some distinctive of the author."""
    rng = np.random.default_rng([*map(ord, author + seed)])
    own = [f"{author.lower()}{ending}" for ending in ("ly", "ment", "ness", "ful")]
    words = rng.choice([*own, *COMMON], n_words).tolist()
    return "\n".join(f"{' '.join(words[i : i + 10])}." for i in range(0, n_words, 10))


def write(path: Path, author: str, n_words: int = 100) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(invent_text(author, path.name, n_words), encoding="utf-8")


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    """Write CMCC with three authors on each side, and two problems of PAN 2019."""
    for author in ("S1", "S3", "S4", "S11", "S12", "S13"):
        for genre in ("Blogs", "Essays"):
            for topic in "CGI":
                write(tmp_path / "cmcc" / genre / author / f"{topic}.txt", author)
    table = ["problem\tlanguage\tquestioned\tby_none"]
    for problem, language in (("problem01", "en"), ("problem07", "fr")):
        folder = tmp_path / "pan19" / problem
        table.append(f"{problem}\t{language}\t3\t1")
        truth = []
        for number, author in enumerate(("candidate1", "candidate2", "<UNK>"), 1):
            if author != "<UNK>":
                for known in (1, 2):
                    write(folder / "known" / author / f"known{known}.txt", author)
            write(folder / "unknown" / f"unknown{number}.txt", author.strip("<>"))
            truth.append(f"unknown{number}.txt\t{author}")
        (folder / "truth.tsv").write_text("\n".join(truth) + "\n", encoding="utf-8")
    (tmp_path / "pan19" / "problems.tsv").write_text("\n".join(table) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="session")
def source() -> Source:
    """Return texts by five authors: four works of 300 words each, on two topics."""
    texts = [
        SourceText(
            author, f"{author}/{n}.txt", f"topic {n % 2}", "", invent_text(author, str(n), 300)
        )
        for author in ("Ann", "Bob", "Cem", "Dan", "Eve")
        for n in range(4)
    ]
    return Source("toy", "en", tuple(texts))


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the grid by two settings with two cases each, and the default by one classifier."""
    names = ("2x1x40", "3x2x40/topic")
    monkeypatch.setattr(
        run, "settings_of_grid", lambda grid, corpus: list(map(parse_settings, names))
    )
    monkeypatch.setattr(run, "MOST_CASES", {"short": 2, "full": 3})
    own = dict(default_base_classifiers())["characters"]
    character_ngrams = [("characters", own)]
    monkeypatch.setattr(answers, "default_base_classifiers", lambda *_, **__: character_ngrams)
