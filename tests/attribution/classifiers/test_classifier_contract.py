"""The contract of all text classifiers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from byline.attribution.classifiers import (
    BurrowsDelta,
    MostFrequentAuthor,
    NgramBlock,
    NgramProfiles,
    NgramRidge,
    NgramSVM,
    TextClassifier,
)
from byline.errors import TrainingError, UsageError

Known = tuple[list[str], list[str]]
WriteText = Callable[[str, int, int], str]
BLOCKS = (
    NgramBlock("word", (1, 2)),
    NgramBlock("char", (1, 3)),
    NgramBlock("masked", (1, 2), keep=9),
    NgramBlock("paragraph-length", (1, 2)),
)
CLASSIFIERS = [
    MostFrequentAuthor(),
    BurrowsDelta(40),
    BurrowsDelta(40, distance="cosine"),
    BurrowsDelta(40, distance="cosine", profile="text"),
    NgramSVM(ngram_range=(1, 3)),
    NgramSVM("word", (1, 2)),
    NgramRidge(BLOCKS),
    NgramProfiles(ngram_range=(1, 4)),
    NgramProfiles("word-without-punctuation", (1, 2)),
    NgramProfiles("masked", (1, 2), keep=9),
]
READERS = CLASSIFIERS[1:]  # those whose scores depend on the questioned text
SOME_WORDS = st.lists(st.sampled_from(["Tide", "tide", "of", "oats,", "42", "\n"]), max_size=9)


@pytest.fixture(params=CLASSIFIERS, ids=repr)
def classifier(request: pytest.FixtureRequest) -> TextClassifier:
    """Return each classifier in turn, unfitted."""
    copy: TextClassifier = clone(request.param)
    return copy


@pytest.fixture(scope="session")
def fitted_readers(known: Known) -> list[TextClassifier]:
    """Return each classifier that reads the text, fitted to ``known``; no test changes it."""
    return [clone(reader).fit(*known) for reader in READERS]


def test_columns_are_the_sorted_authors(
    classifier: TextClassifier, known: Known, questioned: list[str]
) -> None:
    scores = classifier.fit(*known).score_authors(questioned)
    assert classifier.classes_.tolist() == ["alder", "brook", "cedar"]
    assert scores.shape == (6, 3)
    assert scores.dtype == np.float64
    assert np.isfinite(scores).all()


def test_two_authors_have_two_columns_of_scores_and_one_decision_value(
    classifier: TextClassifier, known: Known, questioned: list[str]
) -> None:
    texts, authors = known
    classifier.fit(texts[:6], authors[:6])
    first, second = classifier.score_authors(questioned).T
    np.testing.assert_array_equal(classifier.decision_function(questioned), second - first)
    assert classifier.score_authors([]).shape == (0, 2)
    assert classifier.decision_function([]).shape == (0,)
    assert classifier.predict([]).shape == (0,)


@pytest.mark.parametrize("number", [4, 5])  # these authors differ in their bigrams
def test_discriminates_between_authors(
    number: int, fitted_readers: list[TextClassifier], write: WriteText
) -> None:
    truth = ["alder", "brook", "cedar"] * 2
    texts = [write(author, 200, 200 + i) for i, author in enumerate(truth)]
    assert fitted_readers[number].predict(texts).tolist() == truth


@pytest.mark.parametrize("number", range(len(READERS)))
def test_permuting_documents_permutes_rows(
    number: int, fitted_readers: list[TextClassifier], questioned: list[str]
) -> None:
    reader = fitted_readers[number]
    order = np.random.default_rng(0).permutation(len(questioned))
    rows = reader.score_authors(questioned)
    permuted = reader.score_authors([questioned[i] for i in order])
    np.testing.assert_allclose(permuted, rows[order], rtol=1e-12)
    one_by_one = [reader.score_authors([text])[0] for text in questioned]
    np.testing.assert_allclose(one_by_one, rows, rtol=1e-12)


@settings(deadline=None, max_examples=30)
@given(texts=st.lists(SOME_WORDS.map(" ".join), min_size=1, max_size=4), seed=st.integers(0, 99))
def test_any_text_has_finite_scores(
    texts: list[str], seed: int, fitted_readers: list[TextClassifier]
) -> None:
    order = np.random.default_rng(seed).permutation(len(texts))
    for reader in fitted_readers:
        rows = reader.score_authors(texts)
        assert np.isfinite(rows).all()
        shuffled = reader.score_authors([texts[i] for i in order])
        np.testing.assert_allclose(shuffled, rows[order], rtol=1e-12)


@pytest.mark.parametrize("text", ["", "\t", "\u263a\u263a"])
def test_a_text_without_features_gives_a_tie(
    text: str, fitted_readers: list[TextClassifier]
) -> None:
    for reader in fitted_readers:
        assert np.ptp(reader.score_authors([text])) == 0
        assert reader.predict([text]).tolist() == ["alder"]


def test_the_order_of_known_texts_does_not_matter(
    classifier: TextClassifier, known: Known, questioned: list[str]
) -> None:
    scores = classifier.fit(*known).score_authors(questioned)
    order = np.random.default_rng(1).permutation(len(known[0]))
    classifier.fit([known[0][i] for i in order], [known[1][i] for i in order])
    # LIBLINEAR stops at a tolerance, and processes the texts in another order; products of the
    # ridge's features are float32
    tolerance = {NgramSVM: 1e-2, NgramRidge: 1e-5}.get(type(classifier), 1e-9)
    np.testing.assert_allclose(
        classifier.score_authors(questioned), scores, rtol=tolerance, atol=tolerance
    )


def test_fit_again_gives_the_same(
    classifier: TextClassifier, known: Known, questioned: list[str]
) -> None:
    once = classifier.fit(*known).score_authors(questioned)
    again = classifier.fit(*known).score_authors(questioned)
    np.testing.assert_array_equal(once, again)


def test_progress_ends_at_its_total(classifier: TextClassifier, known: Known) -> None:
    steps: list[tuple[int, int, str]] = []
    classifier.fit(*known, progress=lambda done, total, what: steps.append((done, total, what)))
    assert [done for done, _, _ in steps] == list(range(1, steps[-1][1] + 1))
    assert all(what for _, _, what in steps)


@pytest.mark.parametrize("kind", [tuple, np.array])
def test_accepts_texts_in_any_sequence(
    kind: type, classifier: TextClassifier, known: Known, questioned: list[str]
) -> None:
    expected = classifier.fit(*known).predict(questioned).tolist()
    classifier.fit(kind(known[0]), kind(known[1]))
    assert classifier.predict(kind(questioned)).tolist() == expected


@pytest.mark.parametrize(
    ("X", "y", "error", "message"),
    [
        ("one text", ["x"], UsageError, "a single str"),
        (["a", 3], ["x", "y"], UsageError, "text 1 is a int"),
        (np.zeros((2, 2)), ["x", "y"], UsageError, r"shape \(2, 2\)"),
        (["a", "b"], ["x"], UsageError, "there are 2 texts but 1 authors"),
        (["a", "b"], ["x", None], UsageError, r"author 1 is None \(NoneType\)"),
        (["a", "b"], ["x", "x"], TrainingError, "at least two authors"),
        ([], [], TrainingError, "at least two authors"),
        (["a", " \n"], ["x", "y"], TrainingError, "known texts of y contain no token; add text"),
    ],
)
def test_rejects_invalid_training_data(
    X: object, y: object, error: type, message: str, classifier: TextClassifier
) -> None:
    with pytest.raises(error, match=message):
        classifier.fit(X, y)  # type: ignore[arg-type]


def test_raises_before_fit(classifier: TextClassifier) -> None:
    with pytest.raises(NotFittedError):
        classifier.predict(["a"])


@pytest.mark.parametrize(
    ("classifier", "message"),
    [
        (BurrowsDelta(0), "'n_words' .* BurrowsDelta must be a whole number of at least 1. Got 0"),
        (BurrowsDelta(distance="euclid"), "'burrows' or 'cosine'"),
        (BurrowsDelta(profile="works"), "'author' or 'text'"),
        (BurrowsDelta(language="English!"), "ISO 639"),
        (NgramSVM("lemma"), "'char' or 'word' or 'word-without-punctuation'"),
        (NgramSVM(ngram_range=(3, 2)), "highest order of ngram_range is 2"),
        (NgramSVM(ngram_range=3), "a tuple or a list. Got 3"),  # type: ignore[arg-type]
        (NgramSVM(ngram_range=(3,)), "a pair such as"),  # type: ignore[arg-type]
        (NgramSVM(min_df=0), "'min_df' .* Got 0"),
        (NgramSVM(C=0), "'C' .* a finite number above 0. Got 0"),
        (NgramSVM(random_state=-1), "'random_state' .* Got -1"),
        (NgramRidge(()), "at least one NgramBlock"),
        (NgramRidge(("char",)), "it must be a NgramBlock"),  # type: ignore[arg-type]
        (NgramRidge((NgramBlock("lemma", (1, 2)),)), "unit of a block is 'lemma'"),
        (NgramRidge((NgramBlock("char", (0, 2)),)), "lowest order of ngrams of a block is 0"),
        (NgramRidge((NgramBlock("masked", (1, 2), keep=-1),)), "keep of a block is -1"),
        (NgramRidge((NgramBlock("char", (1, 2), value="count"),)), "value of a block is 'count'"),
        (NgramRidge((NgramBlock("char", (1, 2), weight=0),)), "weight of a block is 0"),
        (NgramRidge(ridge=0), "'ridge' .* a finite number above 0. Got 0"),
        (NgramSVM(balance="classes"), "'equal-authors' or 'none'"),
        (NgramRidge(balance="classes"), "'equal-authors' or 'none'"),
        (NgramRidge(ridge=float("inf")), "'ridge' .* Got inf"),
        (NgramRidge(min_documents=0), "'min_documents' .* Got 0"),
    ],
)
def test_rejects_parameters_out_of_range(
    classifier: TextClassifier, message: str, known: Known
) -> None:
    with pytest.raises(UsageError, match=message):
        classifier.fit(*known)


@pytest.mark.parametrize(
    ("classifier", "message"),
    [
        (NgramSVM(), "no n-gram occurs in 2 of the 2 known texts; add text, or lower min_df"),
        (
            NgramRidge(BLOCKS[:2]),
            "no n-gram occurs in 2 of the 2 known texts; add text, or lower min_d",
        ),
    ],
)
def test_rejects_texts_without_features(classifier: TextClassifier, message: str) -> None:
    with pytest.raises(TrainingError, match=message):
        classifier.fit(["!", "?"], ["x", "y"])


def test_most_frequent_author_ignores_the_text() -> None:
    baseline = MostFrequentAuthor().fit(["a", "b", "c", "d"], ["x", "y", "y", "z"])
    np.testing.assert_array_equal(baseline.score_authors(["a", ""]), [[0.25, 0.5, 0.25]] * 2)
    assert baseline.predict(["a", ""]).tolist() == ["y", "y"]
