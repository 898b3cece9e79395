"""Estimators that are trained in milliseconds, one of each public class, and tiny texts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from sklearn.base import clone

from byline.attribution import (
    AuthorshipAttributor,
    BurrowsDelta,
    ChunkedClassifier,
    MostFrequentAuthor,
    NgramBlock,
    NgramProfiles,
    NgramRidge,
    NgramSVM,
    StackedAttributor,
)
from byline.lm import NgramLM
from byline.text import TextEncoder

RIDGE = NgramRidge((NgramBlock("word", (1, 1)),), min_documents=1)
DELTA = BurrowsDelta(200)
STACK: dict[str, Any] = {"folds": 2, "passage_lengths": (), "normalization": "none"}
MODELS = AuthorshipAttributor(
    NgramLM(order=1, smoothing="witten-bell"),
    TextEncoder(sentence_rule="punctuation", normalization="none"),
    n_samples=1,
)
ESTIMATORS = {
    type(estimator).__name__: estimator
    for estimator in (
        MODELS,
        DELTA,
        ChunkedClassifier(DELTA, n_words=300),
        MostFrequentAuthor(),
        RIDGE,
        NgramSVM("word", (1, 1)),
        NgramProfiles("word-without-punctuation", (1, 1)),
        StackedAttributor([("delta", DELTA)], max_held_out=20, **STACK),
    )
}
WORDS = {
    "Ann": "tide sail mast oar gull keel reef net",
    "Bob": "oats barn hay plough field calf gate rye",
    "Cleo": "lamp desk ink page book quill seal stamp",
}


class Texts(NamedTuple):
    """Texts with their authors and works."""

    texts: list[str]
    authors: list[str]
    works: list[str]

    def of(self, n_authors: int) -> Texts:
        """Return the texts of the first authors."""
        n_kept = len(self.texts) * n_authors // len(WORDS)
        return Texts(*(values[:n_kept] for values in self))


def write(author: str, seed: int) -> str:
    """Write a text of 24 words: 16 of the author's own, and 8 that all authors use."""
    rng = np.random.default_rng([seed, *author.encode()])
    own, common = WORDS[author].split(), " ".join(WORDS.values()).split()
    words = [*rng.choice(own, 16).tolist(), *rng.choice(common, 8).tolist()]
    return " ".join(words) + "."


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with the argument ``name`` for every public class."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", list(ESTIMATORS))


@pytest.fixture
def estimator(name: str) -> Any:
    """Return an unfitted estimator."""
    return clone(ESTIMATORS[name])


@pytest.fixture(scope="session")
def estimators() -> dict[str, Any]:
    """Return all unfitted estimators by the names of their classes; no test changes them."""
    return ESTIMATORS


@pytest.fixture(scope="session")
def known() -> Texts:
    """Return four works of each of three authors, two texts of each."""
    parts = [(author, work, seed) for author in WORDS for work in range(4) for seed in range(2)]
    return Texts(
        [write(author, 10 * work + seed) for author, work, seed in parts],
        [author for author, _, _ in parts],
        [f"{author} {work}" for author, work, _ in parts],
    )


@pytest.fixture(scope="session")
def questioned() -> Texts:
    """Return four texts by each of three authors."""
    parts = [(author, seed) for author in WORDS for seed in range(100, 104)]
    return Texts([write(*part) for part in parts], [author for author, _ in parts], [])
