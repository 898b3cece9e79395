"""Held-out scores of ridge regression equal those of a fit without the held-out texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from byline.attribution.classifiers import (
    BurrowsDelta,
    ChunkedClassifier,
    MostFrequentAuthor,
    NgramProfiles,
    NgramRidge,
    NgramSVM,
    TextClassifier,
)
from byline.attribution.classifiers.base import HeldOutSplit
from byline.attribution.classifiers.blocks import NgramBlock
from byline.errors import TrainingError

WORDS = (NgramBlock("word", (1, 3)), NgramBlock("char", (1, 3), value="root-count", weight=0.5))
AUTHORS = ["a", "a", "a", "b", "b", "b", "c", "c", "c"]


def _texts(seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    words = np.array(["tar", "oar", "mast", "rain", "ray", "row"])
    return [" ".join(rng.choice(words, rng.integers(1, 12))) for _ in AUTHORS]


@given(st.integers(0, 10_000), st.integers(1, 2), st.sampled_from(["equal-authors", "none"]))
@settings(deadline=None, max_examples=25)
def test_held_out_scores_equal_those_of_a_fit_without_the_texts(
    seed: int, min_documents: int, balance: str
) -> None:
    texts, asked = _texts(seed), [*_texts(seed + 1)[:3], "", "unheard"]
    ridge = NgramRidge(WORDS, min_documents=min_documents, balance=balance)
    held_out = np.arange(len(texts)) % 3 == seed % 3
    [found] = ridge.fit_with_held_out_scores(texts, AUTHORS, [HeldOutSplit(held_out, asked)])
    known = [place for place, held in enumerate(held_out) if not held]
    fitted = NgramRidge(WORDS, min_documents=min_documents, balance=balance)
    fitted.fit([texts[i] for i in known], [AUTHORS[i] for i in known])
    np.testing.assert_allclose(found, fitted.score_authors(asked), atol=1e-5)


def test_a_split_may_leave_no_feature() -> None:
    texts, authors = ["tar oar", "tar oar", "mast", "row"], ["a", "a", "b", "b"]
    held_out = np.array([True, False, False, False])
    ridge = NgramRidge((NgramBlock("word", (1, 1)),))
    [found] = ridge.fit_with_held_out_scores(
        texts, authors, [HeldOutSplit(held_out, ["tar", "row"])]
    )
    np.testing.assert_array_equal(found, 0.0)


def test_the_fitted_state_equals_that_of_fit() -> None:
    texts = _texts(0)
    tried, fitted = NgramRidge(WORDS), NgramRidge(WORDS).fit(texts, AUTHORS)
    assert tried.fit_with_held_out_scores(texts, AUTHORS, []) == []
    np.testing.assert_array_equal(tried.score_authors(texts), fitted.score_authors(texts))


def test_chunks_of_one_text_are_held_out_together() -> None:
    texts = [" ".join([text] * 4) for text in _texts(3)]
    chunked = ChunkedClassifier(NgramRidge(WORDS), n_words=6)
    held_out = np.arange(len(texts)) % 3 == 1
    [found] = chunked.fit_with_held_out_scores(texts, AUTHORS, [HeldOutSplit(held_out, texts[:2])])
    known = [place for place, held in enumerate(held_out) if not held]
    alone = ChunkedClassifier(NgramRidge(WORDS), n_words=6)
    alone.fit([texts[i] for i in known], [AUTHORS[i] for i in known])
    np.testing.assert_allclose(found, alone.score_authors(texts[:2]), atol=1e-5)
    again = ChunkedClassifier(NgramRidge(WORDS), n_words=6).fit(texts, AUTHORS)
    np.testing.assert_array_equal(chunked.score_authors(texts), again.score_authors(texts))


@pytest.mark.parametrize(
    "classifier",
    [
        NgramRidge(WORDS, min_documents=3),
        ChunkedClassifier(NgramSVM("word", (1, 1), min_df=1)),
        BurrowsDelta(3),
        BurrowsDelta(5, distance="cosine"),
        BurrowsDelta(5, distance="cosine", profile="text"),
        ChunkedClassifier(BurrowsDelta(5, distance="cosine"), n_words=4),
        NgramProfiles(ngram_range=(1, 3)),
        NgramProfiles("word-without-punctuation", (1, 2)),
    ],
)
def test_any_classifier_has_held_out_scores(classifier: TextClassifier) -> None:
    texts = _texts(0)
    held_out = np.arange(len(texts)) % 3 == 0
    [found] = clone(classifier).fit_with_held_out_scores(
        texts, AUTHORS, [HeldOutSplit(held_out, texts[:3])]
    )
    known = [place for place, held in enumerate(held_out) if not held]
    fitted = clone(classifier).fit([texts[i] for i in known], [AUTHORS[i] for i in known])
    np.testing.assert_allclose(found, fitted.score_authors(texts[:3]))


@pytest.mark.parametrize(
    "classifier",
    [
        NgramRidge(WORDS),
        NgramSVM("word", (1, 1), min_df=1),
        MostFrequentAuthor(),
        BurrowsDelta(5),
        BurrowsDelta(5, distance="cosine", profile="text"),
        NgramProfiles(ngram_range=(1, 3)),
    ],
)
def test_an_author_without_known_texts_has_the_lowest_score(classifier: TextClassifier) -> None:
    texts = _texts(0)
    held_out = np.array(AUTHORS) == "c"
    [found] = classifier.fit_with_held_out_scores(texts, AUTHORS, [HeldOutSplit(held_out, texts)])
    assert (found[:, 2] <= found.min(axis=1) + 1e-12).all()


def test_held_out_scores_of_real_texts(shared: Path) -> None:
    paths = sorted((shared / "corpora/federalist/known").glob("*/*.txt"))[-30:]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    authors = [path.parent.name for path in paths]
    held_out = np.arange(len(texts)) % 5 == 0
    blocks = (NgramBlock("char", (2, 4)), NgramBlock("capitals-masked", (1, 2)))
    asked = [texts[0], texts[5][:400]]
    [found] = NgramRidge(blocks).fit_with_held_out_scores(
        texts, authors, [HeldOutSplit(held_out, asked)]
    )
    known = [place for place, held in enumerate(held_out) if not held]
    fitted = NgramRidge(blocks).fit([texts[i] for i in known], [authors[i] for i in known])
    np.testing.assert_allclose(found, fitted.score_authors(asked), atol=1e-5)


def test_a_failed_fit_leaves_no_fitted_state() -> None:
    ridge = NgramRidge(WORDS).fit(_texts(0), AUTHORS)
    with pytest.raises(TrainingError):
        ridge.fit(["!", "?"], ["a", "b"])
    with pytest.raises(NotFittedError):
        ridge.score_authors(["tar"])
