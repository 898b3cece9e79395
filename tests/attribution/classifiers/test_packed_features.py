"""The known texts' features in a file: the same values, but only those that are needed."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from byline.attribution import NgramBlock, NgramRidge
from byline.attribution.classifiers.packed_features import KnownFeatures

BLOCKS = (
    NgramBlock("char", (1, 3)),
    NgramBlock("word", (1, 2), value="root-count", weight=0.5),
    NgramBlock("masked", (1, 2), keep=3, weight=0.25),
)
TEXTS = [
    *("the cat sat on the mat and slept", "the cat slept on a mat", "the cat, the cat!"),
    *("a dog ran in the park", "a dog barked and ran", "in a park a dog ran and ran"),
]
AUTHORS = ["Ann"] * 3 + ["Bob"] * 3
QUESTIONED = ["the dog slept", "a cat in a park", "xyzzy", ""]


@pytest.fixture(scope="module")
def fitted() -> NgramRidge:
    return NgramRidge(BLOCKS).fit(TEXTS, AUTHORS)


@pytest.fixture
def loaded(fitted: NgramRidge) -> NgramRidge:
    twin: NgramRidge = clone(fitted).set_state(fitted.get_state(), fitted.classes_)
    return twin


def test_a_text_is_scored_without_unpacking_all_features(
    fitted: NgramRidge, loaded: NgramRidge
) -> None:
    [asked] = QUESTIONED[:1]
    np.testing.assert_array_equal(loaded.score_authors([asked]), fitted.score_authors([asked]))
    for own, expected in zip(loaded.contributions(asked), fitted.contributions(asked), strict=True):
        np.testing.assert_array_equal(own, expected)
    assert "known_" not in vars(loaded)
    np.testing.assert_array_equal(
        loaded.score_authors(QUESTIONED), fitted.score_authors(QUESTIONED)
    )


def test_all_features_and_their_state_are_the_same(fitted: NgramRidge, loaded: NgramRidge) -> None:
    columns = np.array([3, 0, 20])
    expected = fitted.known_[:, columns].T @ fitted.dual_coef_
    np.testing.assert_array_equal(loaded.feature_weights(columns, loaded.dual_coef_), expected)
    np.testing.assert_array_equal(loaded.known_.toarray(), fitted.known_.toarray())
    assert loaded.known_.dtype == fitted.known_.dtype == np.float32
    state, twin_state = fitted.get_state(), loaded.get_state()
    assert state.params == twin_state.params
    for name, array in state.arrays.items():
        np.testing.assert_array_equal(twin_state.arrays[name], array)


def test_unpacked_features_are_not_sent_to_other_processes(loaded: NgramRidge) -> None:
    expected = loaded.known_.toarray()
    copy = pickle.loads(pickle.dumps(loaded))  # noqa: S301 (our own bytes)
    assert "known_" not in vars(copy)
    np.testing.assert_array_equal(copy.known_.toarray(), expected)


def test_a_classifier_that_was_loaded_can_be_fitted_again(
    fitted: NgramRidge, loaded: NgramRidge
) -> None:
    assert isinstance(loaded, KnownFeatures)
    again = loaded.fit(TEXTS[::-1], AUTHORS[::-1])
    fresh = clone(fitted).fit(TEXTS[::-1], AUTHORS[::-1])
    np.testing.assert_array_equal(again.known_.toarray(), fresh.known_.toarray())


def test_an_unfitted_classifier_has_no_features() -> None:
    assert not hasattr(NgramRidge(), "known_")
