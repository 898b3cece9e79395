from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.frequency_profile import CHUNK_SIZE, N_WORDS, FrequencyProfile

PLAIN = ["the", "sea", "and", "the", "wind", ",", "and", "the", "rope", "."]
CHATTY = ["you", "know", "i", "said", "it", ",", "you", "know", "!"]


def text(words: list[str], n: int, seed: int) -> str:
    return " ".join(np.random.default_rng(seed).choice(words, size=n))


def distance(profile: FrequencyProfile, text: str) -> float:
    return profile.compare(text)[0]


@pytest.fixture(scope="module")
def profile() -> FrequencyProfile:
    return FrequencyProfile.of([text(PLAIN * 9 + CHATTY, 300, seed) for seed in range(40)])


def test_shares_are_means_over_texts() -> None:
    # "a" is 1/2, 1/2 and 1/4 of the tokens, 5/12 on average; "b" and "." likewise.
    found = FrequencyProfile.of(["a b", "A .", "a b b ."])
    assert found.words == ("a", "b", ".")
    assert found.means == pytest.approx([5 / 12, 1 / 3, 1 / 4])
    assert len(found.distances) == 3


def test_variances_exclude_sampling_variance() -> None:
    # Shares of "a": 1, 0, 1/2. Variance between texts: ((1/2)^2 + (1/2)^2) / 2 = 1/4. Sampling
    # variance of a share of 1/2 in texts of 4, 4 and 2 words: 1/2 * (1/4 + 1/4 + 1/2) / 3 = 1/6.
    found = FrequencyProfile.of(["a a a a", "b b b b", "a b"])
    assert found.words == ("a", "b")
    assert found.variances == pytest.approx([1 / 4 - 1 / 6] * 2)


def test_a_similar_text_has_a_small_distance_and_another_a_large_one(
    profile: FrequencyProfile,
) -> None:
    assert distance(profile, text(PLAIN * 9 + CHATTY, 300, 99)) < 2
    assert distance(profile, text(CHATTY, 300, 99)) > profile.distances.max() + 3
    assert "you" in [each.word for each in profile.compare(text(CHATTY, 300, 99), 3)[1]]


def test_a_deviation_has_both_shares(profile: FrequencyProfile) -> None:
    [first] = profile.compare("you " * 50 + "sea " * 50, 1)[1]
    assert (first.word, first.share) == ("you", 0.5)
    assert first.usual == profile.means[profile.words.index("you")] < 0.1


def test_a_short_text_has_no_large_distance_by_chance(profile: FrequencyProfile) -> None:
    distances = [distance(profile, text(PLAIN * 9 + CHATTY, 20, seed)) for seed in range(50)]
    assert np.mean(distances) < 1.2


def test_too_few_texts_have_an_empty_profile() -> None:
    none = FrequencyProfile.of(["one text", "another", " "])
    assert none.words == ()
    assert np.isnan(distance(none, "one text"))


def test_the_distance_of_a_text_without_words_is_nan(profile: FrequencyProfile) -> None:
    assert np.isnan(distance(profile, " \n"))


def test_a_long_text_is_measured_in_chunks(profile: FrequencyProfile) -> None:
    chunk = text(PLAIN * 9 + CHATTY, CHUNK_SIZE, 1)
    assert distance(profile, f"{chunk} {chunk} {chunk}") == pytest.approx(distance(profile, chunk))


words = st.lists(st.sampled_from(["the", "Sea", ",", "--", "i", "\ud83d"]), max_size=30)


@given(st.lists(words, max_size=8))
@settings(max_examples=60, deadline=None)
def test_all_values_are_finite_and_non_negative(texts: list[list[str]]) -> None:
    found = FrequencyProfile.of([" ".join(each) for each in texts])
    assert len(found.words) <= N_WORDS
    for array in (found.means, found.variances, found.distances):
        assert np.isfinite(array).all()
        assert (array >= 0).all()
    assert (np.diff(found.distances) >= 0).all()
