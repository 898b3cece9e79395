"""The organisers' baseline of PAN 2019: features, probabilities and errors."""

from __future__ import annotations

import numpy as np
import pytest

from byline.errors import TrainingError
from byline.experiments.open_set.rejecting_svm import RejectingSVM

CATS = ["the cat sat on the mat", "the cat ate the rat", "a cat sat there", "the mat, the cat"]
DOGS = ["a dog ran in a park", "dogs bark in a park", "a dog ran far", "dark parks, a dog"]
KNOWN, AUTHORS = [*CATS, *DOGS], ["Ann"] * 4 + ["Bob"] * 4


def test_features_are_frequent_trigrams_relative_to_the_length() -> None:
    svm = RejectingSVM(min_frequency=3).fit(["abcabcabc", "xyz"] * 2, ["Ann", "Bob"] * 2)
    # In both copies together: abc 6 times, bca and cab 4 times, xyz twice.
    assert sorted(svm.vectorizer_.vocabulary_) == ["abc", "bca", "cab"]
    # In the known text of nine characters: 3/9, 2/9, 2/9, which are the largest values.
    assert svm.scaler_.max_abs_.tolist() == pytest.approx([3 / 9, 2 / 9, 2 / 9])
    scaled = svm.scaler_.transform(svm._frequencies(["abc", "ABC"])).toarray()
    assert scaled.tolist() == [pytest.approx([1.0, 0.0, 0.0]), [0.0, 0.0, 0.0]]  # case matters


def test_the_texts_of_an_author_are_recognised() -> None:
    svm = RejectingSVM(min_frequency=2).fit(KNOWN, AUTHORS)
    probabilities = svm.predict_proba(["the cat sat on a mat", "a dog in the park"])
    assert svm.classes_[probabilities.argmax(axis=1)].tolist() == ["Ann", "Bob"]
    assert np.allclose(probabilities.sum(axis=1), 1)
    again = RejectingSVM(min_frequency=2).fit(KNOWN, AUTHORS)
    assert np.array_equal(again.predict_proba(["the cat"]), svm.predict_proba(["the cat"]))


def test_too_few_texts_are_refused() -> None:
    with pytest.raises(TrainingError, match="two known texts per candidate"):
        RejectingSVM().fit(KNOWN[:5], AUTHORS[:5])
    with pytest.raises(TrainingError, match="no 3-gram of characters that occurs 500 times"):
        RejectingSVM(min_frequency=500).fit(KNOWN, AUTHORS)
