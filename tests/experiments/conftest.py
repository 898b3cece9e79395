"""Generated corpora in which every author has distinctive words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from byline.attribution import AuthorshipAttributor
from byline.corpus import Corpus, Document
from byline.lm import NgramLM

MakeCorpus = Callable[..., Corpus]


def _text(author: str, rng: np.random.Generator, n_sentences: int) -> str:
    own = [f"{author.lower()}{ending}" for ending in ("ly", "ment", "ness", "ful", "ing", "ous")]
    words = [*own, "and", "the", "of"]
    sentences = (" ".join(rng.choice(words, 7)).capitalize() + "." for _ in range(n_sentences))
    return " ".join(sentences)


def generate(
    n_documents: Mapping[str, int],
    *,
    n_works: int | None = None,
    n_sentences: int = 6,
    seed: int = 0,
    name: str = "generated",
) -> Corpus:
    """Make documents of ``n_sentences`` sentences of seven words and a full stop."""
    rng = np.random.default_rng(seed)
    return Corpus(
        [
            Document(
                author=author,
                text=_text(author, rng, n_sentences),
                path=f"{author}/{number}.txt",
                work=f"{author}/{number}.txt" if n_works is None else f"work {number % n_works}",
            )
            for author, n in n_documents.items()
            for number in range(n)
        ],
        name,
    )


@pytest.fixture(scope="session")
def make_corpus() -> MakeCorpus:
    return generate


@pytest.fixture
def attributor() -> AuthorshipAttributor:
    return AuthorshipAttributor(NgramLM(order=2), n_samples=1)
