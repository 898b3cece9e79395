"""`Combination`, and the adjustment of its prior: values worked out by hand, and laws."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from byline.attribution.stacking.combination import (
    REFERENCE_LENGTHS,
    Adjustment,
    Combination,
    HeldOutScores,
    _Objective,
    comparable,
    reasons_to_decline,
)
from byline.attribution.stacking.prior import (
    LONGEST,
    KnownAmounts,
    PriorTerms,
    Variances,
    WeightPrior,
)
from byline.errors import TrainingError

WIDE = Variances(4.0, 4.0, 1.0, 4.0)
NO_SUM = np.array([False])


def held_out(scores: Any, labels: Any, sizes: Any = 1500, weights: float = 1.0) -> HeldOutScores:
    """Return scores with a prior that gives all base classifiers the same weight."""
    n_classifiers, n_texts, n_authors = np.shape(scores)
    shape = n_classifiers, n_texts
    prior = PriorTerms(
        np.full(shape, np.log(weights)), np.zeros(shape), np.zeros((n_texts, n_authors))
    )
    lengths = np.broadcast_to(sizes, n_texts).astype(np.int64)
    return HeldOutScores(np.asarray(scores), lengths, np.asarray(labels), np.ones(n_texts), prior)


def by_length(*values: float) -> Any:
    return np.log(np.array([values]))


def without_corrections(log_weights: Any, biases: Any, are_sums: Any) -> Combination:
    no_corrections = np.zeros((len(log_weights), 3))
    return Combination(log_weights, no_corrections, np.zeros(len(biases)), biases, are_sums)


def test_log_weights_are_linear_in_the_logarithm_of_the_length() -> None:
    # As 100 * 400 = 200 ** 2, a text of 200 characters is half way from 100 to 400, and has the
    # geometric mean of the weights 4 and 9, which is 6. Scores (8, 0) are centred to (4, -4), and
    # divided by the square root of their spread, which is 4.
    combination = without_corrections(by_length(4, 9, 1, 1, 1, 1), np.array([0.5, -0.5]), NO_SUM)
    assert combination.weights(np.array([200])) == pytest.approx(np.array([[6.0]]))
    combined = combination.combine(np.array([[[8.0, 0.0]]]), np.array([1500]))
    np.testing.assert_allclose(combined, [[2.5, -2.5]])  # 1 * (2, -2) + (0.5, -0.5)


def test_scores_are_divided_by_the_root_of_their_spread() -> None:
    # (6, 0, 0) minus the mean 2: (4, -2, -2); the mean square is (16 + 4 + 4) / 3 = 8.
    scores = np.array([[[6.0, 0.0, 0.0], [1.0, 1.0, 1.0]]])
    root = np.sqrt(np.sqrt(8.0))
    expected = np.array([[[4.0, -2.0, -2.0], [0.0, 0.0, 0.0]]]) / root
    np.testing.assert_allclose(comparable(scores), expected)
    # 100 times the scores count 10 times as much.
    np.testing.assert_allclose(comparable(100 * scores), 10 * comparable(scores))


def test_factors_turn_differences_of_scores_into_differences_of_log_odds() -> None:
    rng = np.random.default_rng(3)
    scores, sizes = rng.normal(size=(2, 5, 3)), rng.integers(50, 5000, size=5)
    sizes[0] = 3 * LONGEST
    combination = Combination(
        rng.normal(size=(2, 6)),
        rng.normal(size=(2, 3)),
        np.array([1.5, -1.0, -0.5]),
        np.zeros(3),
        np.array([True, False]),
    )
    log_odds = combination.combine(scores, sizes)
    factors = combination.factors(scores, sizes)
    corrections = combination.corrections(scores, sizes)
    differences = np.einsum("kn,kn->n", factors, scores[:, :, 0] - scores[:, :, 2])
    differences += (corrections[:, :, 0] - corrections[:, :, 2]).sum(axis=0)
    np.testing.assert_allclose(differences, log_odds[:, 0] - log_odds[:, 2])


def test_scores_are_corrected_for_the_amounts_of_known_text_before_they_are_compared() -> None:
    # 1500 characters are one unit of length, so that the correction is 0.5 + 0 + 1.5 = 2 per unit
    # of the logarithm: (3, 0) + 2 (1, -1) = (5, -2), minus the mean 1.5: (3.5, -3.5).
    combination = Combination(
        by_length(*[1] * 6), np.array([[0.5, 9.0, 1.5]]), np.array([1.0, -1.0]), np.zeros(2), NO_SUM
    )
    scores, sizes = np.array([[[3.0, 0.0]]]), np.array([1500])
    root = np.sqrt(3.5)
    np.testing.assert_allclose(combination.combine(scores, sizes), [[root, -root]])
    np.testing.assert_allclose(combination.factors(scores, sizes), [[1 / root]])
    np.testing.assert_allclose(combination.corrections(scores, sizes), [[[2 / root, -2 / root]]])


def test_a_longer_text_counts_as_the_mean_of_parts() -> None:
    # A sum over tokens is divided by the number of parts; a mean stays as it is.
    log_weights = np.concatenate([by_length(1, 1, 1, 1, 1, 3)] * 2)
    combination = without_corrections(log_weights, np.zeros(2), np.array([True, False]))
    of_part = np.array([[[2.0, 0.0]], [[1.0, 0.0]]])
    of_text = np.array([[[8.0, 0.0]], [[1.0, 0.0]]])
    np.testing.assert_allclose(
        combination.combine(of_text, np.array([4 * LONGEST])),
        combination.combine(of_part, np.array([LONGEST])),
    )


def test_without_held_out_texts_the_prior_decides() -> None:
    prior = WeightPrior(
        np.array([[np.log(2.0), 0, 0, 0, 0]]), np.zeros((1, 3)), WIDE, 0.02, 50.0, 9
    )
    known = KnownAmounts(np.array([7500.0, 7500.0]), 3.0)
    nothing = held_out(np.zeros((1, 0, 2)), np.zeros(0, dtype=int))
    adjustment = Adjustment.fit(nothing, prior.variances)
    combination = Combination.of(prior, known, adjustment, NO_SUM)
    assert combination.weights(np.array([1500])) == pytest.approx(np.array([[2.0]]))
    assert combination.combine(np.array([[[2.0, 0.0]]]), np.array([1500])).tolist() == [[2, -2]]


def test_every_author_has_the_same_share_of_the_likelihood() -> None:
    # All scores are 0, so that each true author of three has the probability 1/3. Texts count as
    # much as a third of a text each, and the loss of the prior is 0 where nothing is adjusted.
    labels = np.array([0, 0, 0, 1, 2])
    objective = _Objective(held_out(np.zeros((1, 5, 3)), labels), WIDE)
    loss, gradient = objective(np.zeros(objective.n_parameters))
    assert loss == pytest.approx(5 / 3 * np.log(3))
    # The intercepts' gradients are the differences of expected and true shares, which are all 1/3.
    assert gradient[-3:] == pytest.approx([0, 0, 0])


def test_the_gradient_is_that_of_the_objective() -> None:
    rng = np.random.default_rng(4)
    labels = np.array([0, 0, 0, 1, 1, 3])
    scores = _scores(rng, labels, 4)
    objective = _Objective(held_out(scores, labels, rng.integers(50, 5000, size=6)), WIDE)
    parameters = rng.normal(scale=0.3, size=objective.n_parameters)

    def loss(parameters: Any) -> float:
        return objective(parameters)[0]

    slopes = approx_fprime(parameters, loss, 1e-6)
    np.testing.assert_allclose(objective(parameters)[1], slopes, atol=1e-4)


def _scores(rng: np.random.Generator, labels: Any, n_authors: int) -> Any:
    """Return the scores of an informative base classifier and of a random one."""
    truth = np.eye(n_authors)[labels]
    return np.stack([2 * truth + rng.normal(size=truth.shape), rng.normal(size=truth.shape)])


def test_many_texts_overcome_the_prior() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(4, size=3000)
    adjustment = Adjustment.fit(held_out(_scores(rng, labels, 4), labels, 99), WIDE)
    informative, noise = np.exp(adjustment.log_weights[:, 0])
    # With unit noise and a gap of 2, the log-odds of the truth are 2 times the score, and the
    # spread of a text's scores is about 1.2, of which the square root is taken.
    assert informative == pytest.approx(2 * 1.2**0.5, abs=0.35)
    assert noise < 0.15


@given(n=st.integers(1, 12), seed=st.integers(0, 2**16))
@settings(max_examples=25, deadline=None)
def test_few_texts_hardly_move_a_narrow_prior(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=n)
    narrow = Variances(1e-4, 1e-4, 1e-4, 1e-4)
    adjustment = Adjustment.fit(held_out(_scores(rng, labels, 3), labels), narrow)
    assert np.abs(adjustment.log_weights).max() < 0.05
    assert np.abs(adjustment.biases).max() < 0.01


def test_a_bias_compensates_scores_that_favour_one_author() -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1], [300, 30])
    scores = _scores(rng, labels, 2)[:1]
    scores[:, :, 0] += 3
    texts = held_out(scores, labels)
    adjustment = Adjustment.fit(texts, WIDE)
    named = adjustment.combine(texts).argmax(axis=1)
    assert (scores[0].argmax(axis=1)[labels == 1] == 1).mean() < 0.5
    assert (named[labels == 1] == 1).mean() > 0.8
    assert adjustment.biases[0] < adjustment.biases[1]


@given(seed=st.integers(0, 2**16), shift=st.floats(-100, 100))
@settings(max_examples=20, deadline=None)
def test_a_shift_of_all_authors_scores_does_not_matter(seed: int, shift: float) -> None:
    rng = np.random.default_rng(seed)
    labels = np.arange(12) % 3
    scores = _scores(rng, labels, 3)
    adjustment = Adjustment.fit(held_out(scores, labels, rng.integers(1, 500, size=12)), WIDE)
    prior = WeightPrior(np.zeros((2, 5)), np.zeros((2, 3)), WIDE, 0.02, 50.0, 9)
    known = KnownAmounts(np.full(3, 7500.0), 3.0)
    combination = Combination.of(prior, known, adjustment, np.array([True, False]))
    sizes = rng.integers(1, 500, size=12)
    again = combination.combine(scores + shift * rng.normal(size=(2, 12, 1)), sizes)
    np.testing.assert_allclose(
        again, combination.combine(scores, sizes), atol=1e-8 * (1 + abs(shift))
    )


@given(seed=st.integers(0, 2**16))
@settings(max_examples=20, deadline=None)
def test_the_stored_combination_equals_the_adjusted_prior_at_the_reference_lengths(
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    prior = WeightPrior(rng.normal(size=(2, 5)), rng.normal(size=(2, 3)), WIDE, 0.02, 50.0, 9)
    known = KnownAmounts(np.array([9000.0, 5000.0, 600.0]), 2.0)  # the last has a shortage
    sizes, labels = np.array(REFERENCE_LENGTHS), np.arange(6) % 3
    scores = rng.normal(size=(2, 6, 3))
    texts = HeldOutScores(scores, sizes, labels, np.ones(6), prior.terms(sizes, known))
    adjustment = Adjustment.fit(texts, WIDE)
    combination = Combination.of(prior, known, adjustment, np.array([True, False]))
    np.testing.assert_allclose(combination.combine(scores, sizes), adjustment.combine(texts))


def test_an_author_without_held_out_texts_is_not_disfavoured() -> None:
    """The only text of this author cannot be held out, which says nothing about the author."""
    rng = np.random.default_rng(5)
    labels = np.arange(200) % 2  # none by the third author
    adjustment = Adjustment.fit(held_out(_scores(rng, labels, 3), labels), WIDE)
    assert adjustment.biases[2] == 0
    alone = Adjustment.fit(held_out(_scores(rng, labels, 3)[:, ::2], labels[::2]), WIDE)
    assert not alone.log_weights.any()  # one author has held-out texts: nothing can be estimated
    assert not alone.biases.any()


def test_rejects_scores_that_are_not_finite() -> None:
    with pytest.raises(TrainingError, match="not a finite number"):
        Adjustment.fit(held_out(np.full((1, 2, 2), np.nan), np.arange(2)), WIDE)


def test_a_tie_is_declined() -> None:
    assert reasons_to_decline(np.array([[1.0, 1.0], [2.0, 1.0]])) == [
        "the best candidates have equal scores",
        None,
    ]


def test_fitting_takes_little_more_memory_than_the_scores() -> None:
    """With products for each of the reference lengths, it took many times as much."""
    rng = np.random.default_rng(4)
    labels = np.arange(800) % 40
    scores = rng.normal(size=(4, 800, 40)) + 2 * np.eye(40)[labels]
    texts = held_out(scores, labels, rng.integers(20, 3000, size=800))
    tracemalloc.start()
    Adjustment.fit(texts, WIDE)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * scores.nbytes
