"""`byline lm nearest`: words near a word, and words that a model does not know."""

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
    """A network of one text, with stems."""
    path = tmp_path / "network.byline"
    ended = run("lm", "fit", known / "ada" / "0.txt", "-o", path, *SMALL, "--stem")
    assert ended.code == 0, ended.err
    return path


@pytest.fixture
def authors(run: Run, known: Path, tmp_path: Path) -> Path:
    """A network an author."""
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


def test_an_unknown_word_is_refused_with_what_was_done_to_it(run: Run, network: Path) -> None:
    ended = run("lm", "nearest", network, "Technologies")
    assert ended.code == 2
    assert "“Technologies”, lower-cased and stemmed: “technologi”, is not among the" in ended.err


def test_two_tokens_are_refused(run: Run, network: Path) -> None:
    ended = run("lm", "nearest", network, "loom-engine")
    assert ended.code == 2
    assert "is cut into “loom” “-” “engin”; ask for one" in ended.err


def test_every_author_is_asked_or_one(run: Run, authors: Path) -> None:
    ended = run("lm", "nearest", authors, "loom", "--json")
    found = json.loads(ended.out)["found"]
    assert [entry["author"] for entry in found] == ["ada", "ben"]
    assert found[1]["nearest"] is None  # ben never speaks of one
    assert "too rare here" in run("lm", "nearest", authors, "loom").out
    alone = json.loads(run("lm", "nearest", authors, "ship", "--author", "ben", "--json").out)
    assert [entry["author"] for entry in alone["found"]] == ["ben"]


def test_what_has_no_vectors_is_refused(run: Run, authors: Path, model: Path) -> None:
    ended = run("lm", "nearest", authors, "loom", "--author", "ben")
    assert ended.code == 2
    assert "“loom” is so rare" in ended.err
    ended = run("lm", "nearest", authors, "loom", "--author", "cy")
    assert (ended.code, "its authors are ada, ben" in ended.err) == (2, True)
    ended = run("lm", "nearest", model, "loom")
    assert ended.code == 2
    assert "kind 'ngram' has no word embeddings" in ended.err


def test_a_model_without_authors_has_no_author(run: Run, network: Path) -> None:
    ended = run("lm", "nearest", network, "loom", "--author", "ada")
    assert ended.code == 2
    assert "without authors" in ended.err
