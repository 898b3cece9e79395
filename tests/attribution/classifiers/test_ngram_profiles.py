"""`NgramProfiles` against scikit-learn's vectorizer, and by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer

from byline.attribution.classifiers import NgramProfiles
from byline.attribution.classifiers.base import HeldOutSplit
from byline.attribution.model_files.classifiers import describe_classifier, rebuild_classifier
from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm.model_state import ModelState

Known = tuple[list[str], list[str]]
NO_COUNTS = {"rows": np.zeros((3, 1), np.uint8), "counts.uint8": np.zeros(0, np.uint8)}
ANALYZERS = ["char", "word-without-punctuation", "masked"]


def test_the_score_is_the_cosine_of_weighted_ngrams() -> None:
    texts, authors = ["the the sea", "the oats", "sea"], ["Ann", "Bob", "Ann"]
    profiles = NgramProfiles("word-without-punctuation", (1, 1), min_authors=1)
    # Ann: the 2, sea 2. Bob: the 1, oats 1. Both use `the`, one uses `sea`, and one `oats`:
    # idf = 1 + log(3 / 3) = 1 and 1 + log(3 / 2).
    rare = 1 + math.log(3 / 2)
    twice = 1 + math.log(2)
    length_of_ann = math.hypot(twice, twice * rare)
    length_of_bob = math.hypot(1, rare)
    # "the oats of": `of` is unknown.
    length_of_text = math.hypot(1, rare)
    expected = [
        twice / (length_of_text * length_of_ann),
        (1 + rare * rare) / (length_of_text * length_of_bob),
    ]
    found = profiles.fit(texts, authors).score_authors(["the oats of", "of"])
    np.testing.assert_allclose(found, np.array([expected, [0.0, 0.0]]), rtol=1e-6)
    assert expected[1] == pytest.approx(1)  # the text contains what Bob's profile does


def test_equals_scikit_learns_vectorizer(known: Known, questioned: list[str]) -> None:
    texts, authors = known
    joined = [
        " ".join(text for text, own in zip(texts, authors, strict=True) if own == author)
        for author in sorted(set(authors))
    ]
    words = NgramProfiles("word-without-punctuation").units
    peer = TfidfVectorizer(analyzer=words, min_df=2, sublinear_tf=True)
    table = peer.fit_transform(joined)
    expected = (peer.transform(questioned) @ table.T).toarray()
    profiles = NgramProfiles("word-without-punctuation", (1, 1)).fit(texts, authors)
    np.testing.assert_allclose(profiles.score_authors(questioned), expected, rtol=1e-5)


def test_runs_of_white_space_are_one_space() -> None:
    profiles = NgramProfiles(ngram_range=(2, 3), min_authors=1).fit(["a  b", "c d"], ["x", "y"])
    again = NgramProfiles(ngram_range=(2, 3), min_authors=1).fit(["a b", "c \n d"], ["x", "y"])
    np.testing.assert_array_equal(
        profiles.score_authors(["a b", "c  d"]), again.score_authors(["a \t b", "c d"])
    )


def test_rare_words_are_masked() -> None:
    texts = ["of the Sea of the Sea", "of the Oats", "of the Rye"]
    profiles = NgramProfiles("masked", (1, 3), keep=2).fit(texts, ["a", "b", "c"])
    assert profiles.unmasked_ == {"of", "the"}
    scores = profiles.score_authors(["of the Wheat", "of the Sea"])
    np.testing.assert_array_equal(scores[0], scores[1])
    assert NgramProfiles().fit(texts, ["a", "b", "c"]).unmasked_ == frozenset()


@pytest.mark.parametrize("analyzer", ANALYZERS)
def test_the_order_and_the_division_of_the_texts_do_not_matter(
    analyzer: str, known: Known, questioned: list[str]
) -> None:
    texts, authors = known
    profiles = NgramProfiles(analyzer, (1, 2)).fit(texts, authors)
    again = NgramProfiles(analyzer, (1, 2)).fit(texts[::-1], authors[::-1])
    np.testing.assert_array_equal(
        profiles.score_authors(questioned), again.score_authors(questioned)
    )
    one_by_one = np.concatenate([profiles.score_authors([text]) for text in questioned])
    np.testing.assert_array_equal(profiles.score_authors(questioned), one_by_one)


@pytest.mark.parametrize("analyzer", ANALYZERS)
def test_the_fitted_state_can_be_restored(
    analyzer: str, known: Known, questioned: list[str]
) -> None:
    profiles = NgramProfiles(analyzer, (1, 3), keep=20).fit(*known)
    twin = rebuild_classifier(describe_classifier(profiles))
    twin.set_state(profiles.get_state(), profiles.classes_)
    texts = [*questioned, "", "xyzzy"]
    np.testing.assert_array_equal(twin.score_authors(texts), profiles.score_authors(texts))


@pytest.mark.parametrize(
    ("params", "arrays", "message"),
    [
        ({"unmasked": None}, {}, "the unmasked words are not a list"),
        ({"unmasked": ["of"]}, {}, "profiles of char n-grams have unmasked words"),
        ({}, {"hashes.uint32": np.zeros(3, np.uint32)}, "hashes does not ascend"),
        ({}, {"counts.uint8": np.zeros(0, np.uint8)}, "not each of its .* has a count"),
        ({}, NO_COUNTS, "an n-gram occurs in no known text"),
    ],
)
def test_a_damaged_state_is_refused(
    params: dict[str, Any], arrays: dict[str, Any], message: str
) -> None:
    profiles = NgramProfiles(ngram_range=(1, 1)).fit(["ab", "bc", "ca"], ["x", "y", "z"])
    state = profiles.get_state()
    damaged = ModelState({**state.params, **params}, {**state.arrays, **arrays})
    with pytest.raises(ModelFileError, match=message):
        clone(profiles).set_state(damaged, profiles.classes_)


def test_without_a_shared_ngram_there_is_nothing_to_fit() -> None:
    with pytest.raises(TrainingError, match="no n-gram is used by 2 authors; add text, or use"):
        NgramProfiles().fit(["abcd", "efgh"], ["x", "y"])


def test_without_features_the_scores_of_held_out_texts_are_equal() -> None:
    texts, authors = ["abcd", "abcd", "efgh"], ["x", "y", "y"]
    split = HeldOutSplit(np.array([False, True, False]), ["abcd"])
    [scores] = NgramProfiles().fit_with_held_out_scores(texts, authors, [split])
    assert scores.tolist() == [[0, 0]]


@pytest.mark.parametrize("params", [{"analyzer": "word"}, {"ngram_range": 4}, {"language": "xx1"}])
def test_parameters_are_checked(params: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        NgramProfiles(**params).fit(["abcd", "abcd"], ["x", "y"])
