"""Spans of a classifier's n-grams add up to the difference of its scores."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from byline.attribution.classifiers import (
    BurrowsDelta,
    ChunkedClassifier,
    MostFrequentAuthor,
    NgramBlock,
    NgramProfiles,
    NgramRidge,
    NgramSVM,
)
from byline.attribution.evidence.stack import spans_by
from byline.attribution.inputs import check_texts
from byline.errors import UsageError

BLOCKS = (
    NgramBlock("char", (2, 4), weight=0.5),
    NgramBlock("masked", (1, 2), keep=2, value="root-count", weight=0.3),
    NgramBlock("capitals-masked", (1, 3), weight=0.7),
    NgramBlock("word", (2, 2)),
)
LENGTHS = (
    NgramBlock("sentence-length", (1, 1), value="root-count", weight=0.2),
    NgramBlock("paragraph-length", (1, 2), value="root-count", weight=0.2),
)
CLASSIFIERS: dict[str, Any] = {
    "ridge": NgramRidge(BLOCKS, min_documents=1),
    "lengths": NgramRidge(BLOCKS[:1] + LENGTHS, min_documents=1),
    "frequent": NgramRidge(BLOCKS[:1]),
    "default svm": NgramSVM(),
    "characters": NgramSVM("char", (1, 3), min_df=1),
    "words": NgramSVM("word", (1, 3), min_df=1),
    "pairs": NgramSVM("word", (2, 3), min_df=1),
    "words without punctuation": NgramSVM("word-without-punctuation", (1, 2), min_df=1),
}
PROFILES = {
    "profiles of characters": NgramProfiles("char", (2, 3)),
    "profiles of words": NgramProfiles("word-without-punctuation", (1, 2), min_authors=1),
    "profiles of masked words": NgramProfiles("masked", (1, 3), keep=2),
}
PIECEWISE = {
    "ridge in chunks": ChunkedClassifier(CLASSIFIERS["ridge"], n_words=3),
    "svm in chunks": ChunkedClassifier(CLASSIFIERS["characters"], n_words=2),
}
DELTAS = {
    f"delta, {distance}, {profile}": BurrowsDelta(n_words, distance=distance, profile=profile)
    for distance, profile, n_words in (
        ("burrows", "author", 9),
        ("burrows", "text", 9),
        ("cosine", "author", 2),
        ("cosine", "text", 99),
    )
} | {"delta in chunks": ChunkedClassifier(BurrowsDelta(9, distance="cosine"), n_words=3)}
PIECES = [
    *(
        "oats",
        "Oats",
        "rye",
        "I\u0130",
        "\u03a3\u03c2",
        "e\u0301",
        "don\u2019t",
        "...",
        "\n",
        "\n\n",
    ),
    *(
        " ",
        "  ",
        "\t\n",
        "\u2028",
        "\x1c",
        "\xa0",
        "1996",
        "\U0001f600",
        ",",
        "[laughter]",
        "\ud800",
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=30)
KNOWN = st.lists(TEXTS.map("oats rye ".__add__), min_size=6, max_size=6)


def between(n_authors: int, first: int, second: int) -> NDArray[np.float64]:
    """Shares of the columns in the first less the second."""
    shares = np.zeros(n_authors)
    shares[first], shares[second] = 1, -1
    return shares


@pytest.mark.parametrize("n_authors", [2, 3])
@pytest.mark.parametrize("name", [*CLASSIFIERS, *PROFILES, *PIECEWISE, *DELTAS])
@pytest.mark.filterwarnings("ignore:all words are equally frequent")
@settings(deadline=None, max_examples=12)
@given(known=KNOWN, text=TEXTS)
def test_spans_sum_to_the_difference_of_scores(
    name: str, n_authors: int, known: list[str], text: str
) -> None:
    classifier = (CLASSIFIERS | PROFILES | PIECEWISE | DELTAS)[name]
    classifier.fit(known, ["alder", "brook", "cedar"][:n_authors] * (6 // n_authors))
    [text] = check_texts([text])  # whose line ends are those of the scored text
    scores = classifier.score_authors([text])[0]
    for first, second in [*pairwise(range(n_authors)), (n_authors - 1, 0)]:
        spans = spans_by(classifier, between(n_authors, first, second))(text)
        expected = scores[first] - scores[second]
        assert spans.total == pytest.approx(expected, rel=1e-9, abs=1e-11)
        assert (spans.starts >= 0).all()
        assert (spans.starts < spans.ends).all()
        assert (spans.ends <= len(text)).all()
    against_all = np.full(n_authors, -1 / (n_authors - 1))
    against_all[1] = 1
    total = spans_by(classifier, against_all)(text).total
    assert total == pytest.approx(scores @ against_all, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("name", CLASSIFIERS)
@settings(deadline=None, max_examples=20)
@given(text=TEXTS)
def test_everything_is_located_if_every_kind_of_ngram_occurs(name: str, text: str) -> None:
    classifier = CLASSIFIERS[name]
    classifier.fit(["oats rye", "oats rye, oats", "rye rye"] * 2, ["a", "b", "c"] * 2)
    spans = spans_by(classifier, between(3, 0, 1))(text)
    is_ridge = isinstance(classifier, NgramRidge)
    intercepts = classifier.intercept_
    missing = 0.0  # what has no n-gram to be shared out among
    if is_ridge and len(spans.values):
        shares = np.array([block.weight for block in classifier.blocks])
        is_found = [bool(block.features([text]).nnz) for block in classifier.blocks_]
        missing = 1 - shares[is_found].sum() / shares.sum()
    base = missing * (intercepts[0] - intercepts[1])
    assert spans.constant == pytest.approx(base, abs=1e-6)


def test_a_text_without_a_known_ngram_has_no_spans() -> None:
    texts, authors = ["oats oats", "rye rye", "oats rye"], ["a", "b", "a"]
    for classifier in (NgramRidge(BLOCKS[3:], min_documents=1), NgramSVM("word", min_df=1)):
        spans = spans_by(classifier.fit(texts, authors), between(2, 0, 1))("tide")
        assert (len(spans.values), spans.constant) == (0, 0)


def test_contributions_have_known_values() -> None:
    # Root counts of oats (4) and rye (1), scaled to length 1: 2 and 1 by the root of 5. Each of
    # the four oats has a quarter.
    ridge = NgramRidge((NgramBlock("word", (1, 1), value="root-count"),), min_documents=1)
    ridge.fit(["oats", "rye", "oats rye"], ["a", "b", "a"])
    weights = ridge.known_.T.toarray() @ (ridge.dual_coef_[:, 0] - ridge.dual_coef_[:, 1])
    spans = spans_by(ridge, between(2, 0, 1))("oats oats rye oats oats")
    assert spans.starts.tolist() == [0, 5, 10, 14, 19]
    assert spans.ends.tolist() == [4, 9, 13, 18, 23]
    # The intercept is shared out by the squares, 4 and 1 in 5.
    intercept = ridge.intercept_[0] - ridge.intercept_[1]
    oats = (2 / 5**0.5 * weights[0] + 4 / 5 * intercept) / 4
    rye = 1 / 5**0.5 * weights[1] + 1 / 5 * intercept
    np.testing.assert_allclose(spans.values, [oats, oats, rye, oats, oats], rtol=1e-6)


def test_positions_refer_to_the_text_before_white_space_is_normalised() -> None:
    svm = NgramSVM("char", (3, 3), min_df=1).fit(["a b", "c d", "a b"], ["a", "b", "a"])
    spans = spans_by(svm, between(2, 0, 1))("x a \n b\t")  # "x a b\t" to the vectorizer
    assert (spans.starts.tolist(), spans.ends.tolist()) == ([2], [7])


def test_words_of_delta_have_known_values() -> None:
    known = ["oats oats rye hay", "rye rye oats bran"]
    delta = BurrowsDelta(distance="cosine").fit(known, ["a", "b"])
    # Of two texts, all z-scores are the root of a half, and have the same length.
    assert delta.words_.tolist() == ["oats", "rye", "bran", "hay"]
    spans = spans_by(delta, between(2, 0, 1))("Rye, oats; oats: tar")
    assert (spans.starts.tolist(), spans.ends.tolist()) == ([0, 5, 11], [3, 9, 15])
    # Frequencies of .5, .25, 0 and 0; the means are .375 twice and .125 twice, and the deviations
    # the root of a half times .25. All z-scores are the same but for their signs.
    # So the difference of cosines is 2 * (1 + 1 + 1 - 1) / 4, of which oats have 1/2 in a's favour,
    # rye 1/2 too, as it is rarer than usual, and the absence of bran and hay cancels out.
    np.testing.assert_allclose(spans.values, [0.5, 0.25, 0.25])
    assert spans.constant == pytest.approx(0)
    assert len(spans_by(delta, between(2, 0, 1))("tar").values) == 0


def test_exchanging_the_columns_changes_the_sign() -> None:
    texts, authors = ["oats oats", "rye rye", "oats rye"], ["a", "b", "a"]
    for classifier in (
        NgramRidge(BLOCKS),
        NgramSVM("word-without-punctuation", (1, 1), min_df=1),
        BurrowsDelta(distance="cosine"),
    ):
        classifier.fit(texts * 2, authors * 2)
        there, back = (
            spans_by(classifier, between(2, *pair))("rye oats") for pair in ((0, 1), (1, 0))
        )
        np.testing.assert_array_equal(there.values, -back.values)
        assert there.constant == -back.constant


def test_chunks_are_averaged() -> None:
    texts, authors = ["oats oats", "rye rye", "oats rye"], ["a", "b", "a"]
    words = NgramSVM("word-without-punctuation", (1, 1), min_df=1)
    pieces = ChunkedClassifier(words, n_words=2).fit(texts, authors)
    whole = words.fit(texts, authors)
    spans = spans_by(pieces, between(2, 0, 1))("rye oats  oats rye")
    apart = [spans_by(whole, between(2, 0, 1))(text) for text in ("rye oats  ", "oats rye")]
    assert spans.starts.tolist() == [0, 4, 10, 15]
    values = [*(apart[0].values / 2).tolist(), *(apart[1].values / 2).tolist()]
    np.testing.assert_allclose(spans.values, values)
    assert spans.constant == pytest.approx(apart[0].constant)


def test_scores_that_are_no_sums_belong_to_the_text_as_a_whole() -> None:
    known = ["oats oats rye", "rye rye oats", "rye"], ["a", "b", "b"]
    whole = MostFrequentAuthor().fit(*known)
    pieces = ChunkedClassifier(MostFrequentAuthor()).fit(*known)
    for classifier in (whole, pieces):
        spans = spans_by(classifier, between(2, 0, 1))("oats")
        scores = classifier.score_authors(["oats"])[0]
        assert len(spans.starts) == 0
        assert spans.constant == spans.total == pytest.approx(scores[0] - scores[1]) != 0
    with pytest.raises(UsageError, match="scores of a str are not sums over the words"):
        spans_by("no classifier", between(2, 0, 1))
