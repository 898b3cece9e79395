"""The support vector machine reads what scikit-learn's parts read."""

from __future__ import annotations

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from byline.attribution.classifiers import NgramSVM

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
    np.testing.assert_allclose(svm.decision_function(["the rye tide"]), [[-column[0], column[0]]])


def test_words_keep_case_and_marks() -> None:
    svm = NgramSVM("word", (1, 1), min_df=1).fit(TEXTS, AUTHORS)
    expected = ["\n", "!", ",", ".", "Oats", "The", "Tide", "and", "came", "in", "oats"]
    assert svm.vectorizer_.get_feature_names_out().tolist() == [*expected, "rye", "the", "tide"]


def test_plain_words_drop_case_and_marks() -> None:
    texts = [*TEXTS, "Don't!", "I don’t"]
    svm = NgramSVM("plain-word", (1, 1), min_df=1).fit(texts, [*AUTHORS, "sea", "farm"])
    expected = ["and", "came", "don't", "don’t", "i", "in", "oats", "rye", "the", "tide"]
    assert svm.vectorizer_.get_feature_names_out().tolist() == expected
