"""`Combination`: values worked out by hand, and laws."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.stacking import Combination
from byline.errors import TrainingError


def test_weights_are_linear_in_the_logarithm_of_the_length() -> None:
    # One base classifier. As 101 * 1501 = 389.4 ** 2, a text of 388.4 characters is half way from
    # 100 to 1,500, and has the weight (5 + 1) / 2 = 3. Scores (5, 1) are centred to (2, -2).
    combination = Combination(np.array([[5.0, 1.0, 7.0]]), np.array([0.5, -0.5]))
    half_way = (101 * 1501) ** 0.5 - 1
    assert combination.weights_at(half_way) == pytest.approx([3.0])
    combined = combination.combine(np.array([[[5.0, 1.0]]]), np.array([1500]))
    np.testing.assert_allclose(combined, [[2.5, -2.5]])  # 1 * (2, -2) + (0.5, -0.5)


def test_weights_are_constant_outside_the_reference_lengths() -> None:
    # Base classifier 1: weight 1, centred (1, -1). Base classifier 2: weight 2, centred (-3, 3).
    combination = Combination(np.array([[1.0, 9.0, 3.0], [2.0, 9.0, 0.0]]), np.zeros(2))
    scores = np.array([[[2.0, 0.0]], [[0.0, 6.0]]])
    assert combination.combine(scores, np.array([0])).tolist() == [[-5.0, 5.0]]
    assert combination.combine(scores, np.array([10**6])).tolist() == [[3.0, -3.0]]


@given(seed=st.integers(0, 2**16), n_characters=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_no_weight_is_negative(seed: int, n_characters: int) -> None:
    rng = np.random.default_rng(seed)
    labels = np.arange(12) % 3
    # The second base classifier is right for long texts and wrong for short ones.
    sizes = np.repeat([20, 2000], 6)
    truth = np.eye(3)[labels] * np.where(sizes > 100, 1, -1)[:, np.newaxis]
    scores = np.stack([rng.normal(size=truth.shape), truth])
    combination = Combination.fit(scores, sizes, labels)
    assert (combination.weights_at(n_characters) >= 0).all()


def _scores(rng: np.random.Generator, labels: np.ndarray, n_authors: int) -> np.ndarray:
    """Return the scores of an informative base classifier and of a random one."""
    truth = np.eye(n_authors)[labels]
    return np.stack([2 * truth + rng.normal(size=truth.shape), rng.normal(size=truth.shape)])


def test_a_random_base_classifier_gets_almost_no_weight() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(4, size=2000)
    n_characters = np.full(2000, 99)
    scores = _scores(rng, labels, 4)
    combination = Combination.fit(scores, n_characters, labels)
    weights = combination.weights_at(99)
    # With unit noise and a gap of 2 the log-odds of the truth are 2 times the score.
    assert weights[0] == pytest.approx(2, abs=0.35)
    assert 0 <= weights[1] < 0.1


def test_a_bias_compensates_scores_that_favour_one_author() -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1], [300, 30])
    scores = _scores(rng, labels, 2)[:1]
    scores[:, :, 0] += 3
    n_characters = np.full(330, 1000)
    combination = Combination.fit(scores, n_characters, labels)
    combined = combination.combine(scores, n_characters)
    named = combined.argmax(axis=1)
    assert (scores[0].argmax(axis=1)[labels == 1] == 1).mean() < 0.5
    assert (named[labels == 1] == 1).mean() > 0.8
    assert combination.biases[0] < combination.biases[1]


@given(seed=st.integers(0, 2**16), shift=st.floats(-100, 100))
@settings(max_examples=20, deadline=None)
def test_a_shift_of_all_authors_scores_does_not_matter(seed: int, shift: float) -> None:
    rng = np.random.default_rng(seed)
    labels = np.arange(12) % 3
    scores = _scores(rng, labels, 3)
    n_characters = rng.integers(1, 500, size=12)
    combination = Combination.fit(scores, n_characters, labels)
    combined = combination.combine(scores, n_characters)
    again = combination.combine(scores + shift * rng.normal(size=(2, 12, 1)), n_characters)
    np.testing.assert_allclose(again, combined, atol=1e-8 * (1 + abs(shift)))


def test_rejects_no_text_and_scores_that_are_not_finite() -> None:
    with pytest.raises(TrainingError, match="no held-out text"):
        Combination.fit(np.zeros((1, 0, 2)), np.zeros(0, int), np.zeros(0, int))
    with pytest.raises(TrainingError, match="not a finite number"):
        Combination.fit(np.full((1, 2, 2), np.nan), np.ones(2, int), np.arange(2))


def test_fitting_takes_little_more_memory_than_the_scores() -> None:
    """With products for each of the three lengths, it took seven times as much."""
    rng = np.random.default_rng(4)
    labels = np.arange(800) % 40
    scores = rng.normal(size=(4, 800, 40)) + 2 * np.eye(40)[labels]
    sizes = rng.integers(20, 3000, size=800)
    tracemalloc.start()
    Combination.fit(scores, sizes, labels)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * scores.nbytes
