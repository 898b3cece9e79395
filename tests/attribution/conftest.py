"""Artificial authors whose sentences are drawn from random bigram distributions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from byline.attribution import AuthorshipAttributor
from byline.lm import NgramLM
from byline.text import TextEncoder

SYLLABLES = ["ba", "de", "fi", "go", "ku", "lo", "ma", "ne", "ri"]
WORDS = ["".join(syllables) for syllables in product(SYLLABLES, repeat=3)]
WriteText = Callable[[str, int, int], str]


@cache
def transitions(author: str) -> NDArray[np.float64]:
    """Return an author's cumulative bigram distributions: Zipf's law, changed for each context.

    ``school/author`` applies a further change to what all authors of a school share.

    Returns
    -------
    (n_words, n_words) float64, one row per context
    """
    weights = np.tile(1 / np.arange(1, len(WORDS) + 1), (len(WORDS), 1))
    for name, strength in zip(author.split("/"), (1.2, 0.7), strict=False):
        rng = np.random.default_rng(list(name.encode()))
        weights *= np.exp(rng.normal(scale=strength, size=weights.shape))
    return np.asarray((weights / weights.sum(axis=1, keepdims=True)).cumsum(axis=1))


@pytest.fixture(scope="session")
def write() -> WriteText:
    """Return ``write(author, n_sentences, seed)``, which writes a text by that author."""

    @cache
    def write_text(author: str, n_sentences: int, seed: int) -> str:
        rng = np.random.default_rng([seed, *author.encode()])
        steps = transitions(author)
        sentences = []
        for _ in range(n_sentences):
            words = [int(rng.integers(len(WORDS)))]
            for draw in rng.random(int(rng.integers(3, 12))):
                words.append(min(int(np.searchsorted(steps[words[-1]], draw)), len(WORDS) - 1))
            sentences.append(" ".join(WORDS[word] for word in words).capitalize() + ".")
        return " ".join(sentences)

    return write_text


@pytest.fixture(scope="session")
def known(write: WriteText) -> tuple[list[str], list[str]]:
    """Return known texts of three authors and their names: 4, 2 and 3 texts of 300 sentences."""
    authors = ["brook"] * 4 + ["alder"] * 2 + ["cedar"] * 3
    return [write(author, 300, number) for number, author in enumerate(authors)], authors


@pytest.fixture(scope="session")
def questioned(write: WriteText) -> list[str]:
    """Return texts of 25 sentences by each of the three authors in turn, twice."""
    return [write(author, 25, 100 + i) for i, author in enumerate(["alder", "brook", "cedar"] * 2)]


@pytest.fixture
def prototype() -> AuthorshipAttributor:
    """Return an unfitted attributor with explicit prototypes."""
    return AuthorshipAttributor(NgramLM(order=2), TextEncoder(), n_samples=2)


@pytest.fixture(scope="session")
def fitted(known: tuple[list[str], list[str]]) -> AuthorshipAttributor:
    """Return an attributor fitted to ``known``, which no test changes."""
    return AuthorshipAttributor(NgramLM(order=2), TextEncoder(), n_samples=2).fit(*known)
