from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.cli import main

Run = Callable[..., Any]
LETTERS = [*"abcdefghijklmnopqrst"]


def _write(author: int, seed: int) -> str:
    own = np.random.default_rng(author).dirichlet(np.ones(len(LETTERS)))
    words = np.random.default_rng([author, seed]).choice(LETTERS, size=120, p=own)
    return "\n".join(" ".join(words[n : n + 8]) + "." for n in range(0, 120, 8))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of four authors with four texts each."""
    folder = tmp_path_factory.mktemp("population")
    for author, name in enumerate(("ada", "ben", "cleo", "dan")):
        (folder / name).mkdir()
        for seed in range(4):
            (folder / name / f"{seed}.txt").write_text(_write(author, seed))
    return folder


@pytest.fixture(scope="module")
def questioned(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return a text by ada, one by ben, and one that is too short."""
    folder = tmp_path_factory.mktemp("questioned")
    texts = {"ada.txt": _write(0, 99), "ben.txt": _write(1, 99), "short.txt": "Too short."}
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


def test_texts_are_verified_against_the_other_authors(
    run: Run, corpus: Path, questioned: list[Path]
) -> None:
    ended = run("verify", corpus, *questioned, "--author", "ada", "--json")
    summary = json.loads(ended.out)
    own, other, short = summary["questioned"]
    assert own["answer"] == "yes" and own["probability"] > 0.5 and own["log10_lr"] > 0
    assert other["answer"] == "no" and other["probability"] < 0.5 and other["log10_lr"] < 0
    assert short["answer"] == "cannot tell" and short["probability"] is None
    assert "2 words" in short["declined"]
    assert summary["n_known"] == 4
    assert summary["reference"] == {"name": corpus.name, "n_authors": 3, "n_texts": 12}
    basis = own["calibrated_on"]
    assert basis["n_same"] == basis["n_different"] == 16
    assert basis["auc"] > 0.9


def test_the_same_seed_gives_the_same_answer(
    run: Run, corpus: Path, questioned: list[Path]
) -> None:
    first, again = (
        run("verify", corpus, questioned[0], "--author", "ada", "--seed", "3") for _ in range(2)
    )
    assert first.out == again.out
    words = " ".join(first.out.split())
    assert (
        "Did ada write the text? It is compared with 4 known texts by ada and 12 reference" in words
    )
    assert "yes, written by ada (probability" in words
    assert "Calibrated on" in words and "AUC" in words


def test_a_reference_corpus_replaces_the_other_authors(
    run: Run, corpus: Path, questioned: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "letter.txt").write_text(_write(0, 50))
    ended = run(
        "verify", tmp_path, questioned[0], "--author", "ada", "--reference", corpus, "--json"
    )
    assert "4 texts by ada in" in ended.err
    summary = json.loads(ended.out)
    assert summary["n_known"] == 1
    assert summary["reference"]["n_authors"] == 3  # without ada's own texts
    assert summary["questioned"][0]["answer"] in ("yes", "cannot tell")


def test_one_text_by_one_author_is_rejected(
    run: Run, questioned: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "letter.txt").write_text(_write(0, 50))
    ended = run("verify", tmp_path, questioned[0], "--author", "ada")
    assert ended.code == 5
    for part in ("1 text by 1 author", "at least 3 authors", "--reference"):
        assert part in ended.err


def test_an_unknown_author_is_rejected(run: Run, corpus: Path, questioned: list[Path]) -> None:
    ended = run("verify", corpus, questioned[0], "--author", "eve")
    assert ended.code == 2
    assert "no text by 'eve'; choose from ada, ben" in ended.err


def test_main_knows_the_command() -> None:
    with pytest.raises(SystemExit) as ended:
        main(["verify", "--help"])
    assert ended.value.code == 0
