"""`byline lm nearest`: similar words, and words outside the vocabulary."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
SMALL = ("--lm", "feedforward", "--embedding-dim", "3", "--hidden-dim", "4", "--epochs", "1")


@pytest.fixture
def network(run: Run, known: Path, tmp_path: Path) -> Path:
    """A neural model of one text, with stemming."""
    path = tmp_path / "network.byline"
    ended = run("lm", "fit", known / "ada" / "0.txt", "-o", path, *SMALL, "--stem")
    assert ended.code == 0, ended.err
    return path


@pytest.fixture
def authors(run: Run, known: Path, tmp_path: Path) -> Path:
    """One neural model per author."""
    path = tmp_path / "authors.byline"
    ended = run("train", known, "-o", path, "--method", "language-models", *SMALL)
    assert ended.code == 0, ended.err
    return path


def test_nearest_words_are_printed(run: Run, network: Path) -> None:
    ended = run("lm", "nearest", network, "Engines", "loom", "--top", "3")
    assert ended.code == 0, ended.err
    first, near, *rest = ended.out.splitlines()
    assert first == f"engin ({network})"
    assert len(near.split(", ")) == 3
    assert rest[0] == f"loom ({network})"


def test_json_has_cosines(run: Run, network: Path) -> None:
    ended = run("lm", "nearest", network, "loom", "--json", "--top", "4")
    [entry] = json.loads(ended.out)["found"]
    assert (entry["word"], entry["token"], entry["author"]) == ("loom", "loom", None)
    cosines = [near["cosine"] for near in entry["nearest"]]
    assert cosines == sorted(cosines, reverse=True)
    assert len(cosines) == 4
    assert "loom" not in [near["word"] for near in entry["nearest"]]


def test_an_unknown_word_is_rejected_and_shown_as_the_model_reads_it(
    run: Run, network: Path
) -> None:
    ended = run("lm", "nearest", network, "Technologies")
    assert ended.code == 2
    assert (
        "“Technologies” (lower-cased and stemmed: “technologi”) is not in the vocabulary"
        in ended.err
    )


def test_two_tokens_are_rejected(run: Run, network: Path) -> None:
    ended = run("lm", "nearest", network, "loom-engine")
    assert ended.code == 2
    assert "splits it into “loom” “-” “engin”. Use one of its tokens." in ended.err


def test_models_of_all_authors_or_of_one(run: Run, authors: Path) -> None:
    ended = run("lm", "nearest", authors, "loom", "--json")
    found = json.loads(ended.out)["found"]
    assert [entry["author"] for entry in found] == ["ada", "ben"]
    assert found[1]["nearest"] is None  # ben never uses the word
    assert "too rare in these texts" in run("lm", "nearest", authors, "loom").out
    alone = json.loads(run("lm", "nearest", authors, "ship", "--author", "ben", "--json").out)
    assert [entry["author"] for entry in alone["found"]] == ["ben"]


def test_words_and_models_without_vectors_are_rejected(
    run: Run, authors: Path, model: Path
) -> None:
    ended = run("lm", "nearest", authors, "loom", "--author", "ben")
    assert ended.code == 2
    assert "“loom” is too rare" in ended.err
    ended = run("lm", "nearest", authors, "loom", "--author", "cy")
    assert (ended.code, "Its authors are ada and ben" in ended.err) == (2, True)
    ended = run("lm", "nearest", model, "loom")
    assert ended.code == 2
    assert "kind 'ngram' has no word embeddings" in ended.err


def test_a_model_without_authors_rejects_the_author_option(run: Run, network: Path) -> None:
    ended = run("lm", "nearest", network, "loom", "--author", "ada")
    assert ended.code == 2
    assert "without authors" in ended.err
