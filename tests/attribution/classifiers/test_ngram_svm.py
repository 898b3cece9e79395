"""`NgramSVM` against scikit-learn's own pipeline."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from byline.attribution.classifiers import NgramSVM
from byline.errors import ModelFileError, TrainingError
from byline.lm.model_state import ModelState

TEXTS = ["The tide, the tide!", "Oats and rye.\nOats", "the Tide came in", "rye and oats,"]
AUTHORS = ["sea", "farm", "sea", "farm"]


def test_equals_scikit_learns_own_pipeline() -> None:
    peer = make_pipeline(
        TfidfVectorizer(
            analyzer="char", ngram_range=(2, 4), min_df=2, lowercase=False, sublinear_tf=True
        ),
        LinearSVC(C=0.5, random_state=7),
    ).fit(TEXTS, AUTHORS)
    svm = NgramSVM(ngram_range=(2, 4), C=0.5, random_state=7).fit(TEXTS, AUTHORS)
    column = peer.decision_function(["the rye tide"])  # positive for the second, `sea`
    scores = svm.score_authors(["the rye tide"])
    np.testing.assert_allclose(scores, [[-column[0], column[0]]], rtol=1e-3)  # rounded weights


def test_words_keep_case_and_punctuation() -> None:
    svm = NgramSVM("word", (1, 1), min_df=1).fit(TEXTS, AUTHORS)
    expected = ["\n", "!", ",", ".", "Oats", "The", "Tide", "and", "came", "in", "oats"]
    assert svm.vectorizer_.get_feature_names_out().tolist() == [*expected, "rye", "the", "tide"]


def test_words_without_punctuation_are_lower_cased() -> None:
    texts = [*TEXTS, "Don't!", "I don’t"]
    svm = NgramSVM("word-without-punctuation", (1, 1), min_df=1).fit(
        texts, [*AUTHORS, "sea", "farm"]
    )
    expected = ["and", "came", "don't", "don’t", "i", "in", "oats", "rye", "the", "tide"]
    assert svm.vectorizer_.get_feature_names_out().tolist() == expected


def test_many_authors_have_only_the_most_frequent_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byline.attribution.classifiers.ngram_svm.MAX_WEIGHTS", 11)
    svm = NgramSVM("word-without-punctuation", (1, 1), min_df=1).fit(TEXTS, AUTHORS)
    # tide and oats 3 times, the 3 times, rye and `and` twice: 11 weights are 5 terms for 2 authors
    assert svm.vectorizer_.get_feature_names_out().tolist() == ["and", "oats", "rye", "the", "tide"]
    monkeypatch.setattr("byline.attribution.classifiers.ngram_svm.MAX_WEIGHTS", 4)
    svm = NgramSVM("word-without-punctuation", (1, 1), min_df=1).fit(TEXTS, AUTHORS)
    assert len(svm.vectorizer_.vocabulary_) == 2


@pytest.mark.parametrize("analyzer", ["char", "word", "word-without-punctuation"])
@pytest.mark.parametrize("n_authors", [2, 3])
def test_the_fitted_state_can_be_restored(
    analyzer: str, n_authors: int, known: tuple[list[str], list[str]], questioned: list[str]
) -> None:
    texts, authors = known
    authors = [author if n_authors == 3 else min(author, "brook") for author in authors]
    svm = NgramSVM(analyzer, (1, 2)).fit(texts, authors)
    twin = clone(svm).set_state(svm.get_state(), svm.classes_)
    texts = [*questioned, "", "xyzzy"]
    np.testing.assert_array_equal(twin.score_authors(texts), svm.score_authors(texts))
    assert twin.predict(texts).tolist() == svm.predict(texts).tolist()


@pytest.mark.parametrize(
    ("params", "arrays", "message"),
    [
        ({"terms": None}, {}, "the terms are not a list"),
        ({"terms": []}, {}, "no term"),
        ({"terms": ["a", "b"]}, {}, "not each of its 2 terms has a finite idf"),
        ({}, {"idf.values": np.full(9, np.inf)}, "has a finite idf"),
        ({}, {"weights.places": np.zeros(9)}, r"weights.places is float64 of shape \(9,\)"),
        ({}, {"weights.values": np.zeros(1, np.float16)}, r"weights.values is .* shape \(1,\)"),
        ({}, {"intercept": np.array([np.inf])}, "intercept contains"),
        ({}, {"intercept": np.zeros(2)}, "intercept is"),
    ],
)
def test_invalid_states_are_rejected(
    params: dict[str, Any], arrays: dict[str, Any], message: str
) -> None:
    svm = NgramSVM("word", (1, 1), min_df=1).fit(TEXTS, AUTHORS)
    state = svm.get_state()
    changed = ModelState({**state.params, **params}, {**state.arrays, **arrays})
    with pytest.raises(ModelFileError, match=message):
        clone(svm).set_state(changed, svm.classes_)


def test_weights_are_stored_in_half_precision_without_zeros() -> None:
    svm = NgramSVM("word", (1, 1), min_df=1).fit(TEXTS, AUTHORS)
    assert svm.weights_.dtype == np.float32
    svm.weights_[::2] = 0
    arrays = svm.get_state().arrays
    assert arrays["weights.values"].dtype == np.float16
    assert arrays["weights.values"].shape == (np.count_nonzero(svm.weights_),)
    assert arrays["weights.places"].nbytes == -(-svm.weights_.size // 8)
    twin = clone(svm).set_state(svm.get_state(), svm.classes_)
    np.testing.assert_array_equal(twin.weights_, svm.weights_)


def test_scores_do_not_depend_on_the_number_of_texts(
    known: tuple[list[str], list[str]], questioned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    svm = NgramSVM("word", (1, 2)).fit(*known)
    together = svm.score_authors(questioned)
    monkeypatch.setattr("byline.attribution.classifiers.ngram_svm._TEXTS_AT_ONCE", 2)
    np.testing.assert_array_equal(svm.score_authors(questioned), together)


def test_weights_beyond_half_precision_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byline.attribution.classifiers.ngram_svm._LARGEST_WEIGHT", 0.25)
    with pytest.raises(TrainingError, match=r"C=1 gives weights above 0; use a smaller C"):
        NgramSVM("word", (1, 1), min_df=1).fit(TEXTS, AUTHORS)
