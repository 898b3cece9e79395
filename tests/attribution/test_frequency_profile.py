from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.frequency_profile import N_WORDS, PIECE, FrequencyProfile

PLAIN = ["the", "sea", "and", "the", "wind", ",", "and", "the", "rope", "."]
CHATTY = ["you", "know", "i", "said", "it", ",", "you", "know", "!"]


def text(words: list[str], n: int, seed: int) -> str:
    return " ".join(np.random.default_rng(seed).choice(words, size=n))


@pytest.fixture(scope="module")
def habits() -> FrequencyProfile:
    return FrequencyProfile.of([text(PLAIN * 9 + CHATTY, 300, seed) for seed in range(40)])


def test_shares_are_means_over_texts() -> None:
    # "a" has 1/2, 1/2 and 1/4 of the words: 5/12 on average; "." and "b" likewise.
    found = FrequencyProfile.of(["a b", "A .", "a b b ."])
    assert found.words == ("a", "b", ".")
    assert found.means == pytest.approx([5 / 12, 1 / 3, 1 / 4])
    assert len(found.distances) == 3


def test_variance_is_without_chance() -> None:
    # Shares of "a": 1, 0, 1/2. Between texts (1/2)^2 + (1/2)^2 over 2 = 1/4; chance makes of a
    # share of 1/2 in texts of 4, 4 and 2 words 1/2 * (1/4 + 1/4 + 1/2) / 3 = 1/6.
    found = FrequencyProfile.of(["a a a a", "b b b b", "a b"])
    assert found.words == ("a", "b")
    assert found.variances == pytest.approx([1 / 4 - 1 / 6] * 2)


def test_a_text_like_the_others_is_near_and_another_far(habits: FrequencyProfile) -> None:
    assert habits.distance(text(PLAIN * 9 + CHATTY, 300, 99)) < 2
    assert habits.distance(text(CHATTY, 300, 99)) > habits.distances.max() + 3
    assert "you" in [each.word for each in habits.deviations(text(CHATTY, 300, 99), 3)]


def test_a_deviation_has_both_shares(habits: FrequencyProfile) -> None:
    [first] = habits.deviations("you " * 50 + "sea " * 50, 1)
    assert (first.word, first.share) == ("you", 0.5)
    assert first.usual == habits.means[habits.words.index("you")] < 0.1


def test_a_short_text_is_not_far_by_chance(habits: FrequencyProfile) -> None:
    distances = [habits.distance(text(PLAIN * 9 + CHATTY, 20, seed)) for seed in range(50)]
    assert np.mean(distances) < 1.2


def test_too_few_texts_have_no_habits() -> None:
    none = FrequencyProfile.of(["one text", "another", " "])
    assert none.words == ()
    assert np.isnan(none.distance("one text"))


def test_a_text_without_a_word_has_no_distance(habits: FrequencyProfile) -> None:
    assert np.isnan(habits.distance(" \n"))


def test_a_long_text_is_measured_by_pieces(habits: FrequencyProfile) -> None:
    piece = text(PLAIN * 9 + CHATTY, PIECE, 1)
    assert habits.distance(f"{piece} {piece} {piece}") == pytest.approx(habits.distance(piece))


words = st.lists(st.sampled_from(["the", "Sea", ",", "--", "i", "\ud83d"]), max_size=30)


@given(st.lists(words, max_size=8))
@settings(max_examples=60, deadline=None)
def test_all_numbers_are_finite_and_none_below_zero(texts: list[list[str]]) -> None:
    found = FrequencyProfile.of([" ".join(each) for each in texts])
    assert len(found.words) <= N_WORDS
    for array in (found.means, found.variances, found.distances):
        assert np.isfinite(array).all()
        assert (array >= 0).all()
    assert (np.diff(found.distances) >= 0).all()
