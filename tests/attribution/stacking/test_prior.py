"""The prior of the weights: values worked out by hand, and the table that is shipped."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from byline.attribution.stacking import default_base_classifiers
from byline.attribution.stacking.prior import (
    LONGEST,
    KnownAmounts,
    Variances,
    WeightPrior,
    find_prior,
    find_similar_cases,
)

VARIANCES = Variances(1.0, 1.0, 1.0, 1.0)
NAMES = [name for name, _ in default_base_classifiers()]


def test_amounts_are_added_up_by_author() -> None:
    known = KnownAmounts.of(np.array([100, 300, 900]), np.array([0, 0, 1]), 2)
    assert known.characters.tolist() == [400, 900]
    assert known.n_texts == 1.5
    assert known.typical == pytest.approx(600)  # the root of 400 times 900


def test_a_weight_is_a_power_of_lengths_and_amounts() -> None:
    # exp(0.5 + log(3000 / 1500) + 2 log(15000 / 7500)) = e ** 0.5 * 2 * 4
    prior = WeightPrior(np.array([[0.5, 1, 2, 3, 4]]), np.zeros((1, 3)), VARIANCES, 0.02, 50.0, 9)
    known = KnownAmounts(np.full(4, 15_000.0), 3.0)
    terms = prior.terms(np.array([3000]), known)
    assert np.exp(terms.log_weights) == pytest.approx(np.array([[np.exp(0.5) * 8]]))
    assert not terms.corrections.any()
    assert not terms.shortages.any()


def test_the_scores_of_an_author_with_far_less_text_are_corrected() -> None:
    # The median of 9000, 8000 and 1000 characters is 8000. Only the last is below half of it.
    known = KnownAmounts(np.array([9000.0, 8000.0, 1000.0]), 1.0)
    np.testing.assert_allclose(known.shortages, [0, 0, -np.log(8)])
    # 1500 characters are one unit of length: 0.5 + 9 log(1) + 0.25 = 0.75 per unit of shortage.
    prior = WeightPrior(np.zeros((1, 5)), np.array([[0.5, 9.0, 0.25]]), VARIANCES, 0.02, 50.0, 9)
    corrected = prior.terms(np.array([1500]), known).correct(np.array([[[1.0, 2.0, 3.0]]]))
    np.testing.assert_allclose(corrected, [[[1, 2, 3 - 0.75 * np.log(8)]]])


def test_a_correction_begins_gradually() -> None:
    # The median is 8000: 1/2, 5/8 and 3/4 of it, and all of it.
    known = KnownAmounts(np.array([4000.0, 5000, 6000, 8000, 8000, 8000, 8000]), 1.0)
    expected = [np.log(0.5), np.log(0.625) / 2, 0, 0, 0, 0, 0]
    np.testing.assert_allclose(known.shortages, expected)


def test_texts_longer_than_all_simulated_ones_count_as_these() -> None:
    prior = WeightPrior(np.ones((1, 5)), np.ones((1, 3)), VARIANCES, 0.02, 50.0, 9)
    known = KnownAmounts(np.array([9000.0, 1000.0]), 2.0)
    longest, longer = (prior.terms(np.array([size]), known) for size in (LONGEST, 10 * LONGEST))
    np.testing.assert_array_equal(longest.log_weights, longer.log_weights)
    np.testing.assert_array_equal(longest.corrections, longer.corrections)


@pytest.mark.parametrize("n", range(1, len(NAMES) + 1))
def test_there_is_a_prior_for_every_selection_of_default_base_classifiers(n: int) -> None:
    known = KnownAmounts(np.array([5000.0, 5000.0, 5000.0]), 5.0)
    for names in combinations(NAMES, n):
        prior = find_prior(names)
        assert prior is not None
        weights = np.exp(prior.terms(np.array([100, 2000, LONGEST]), known).log_weights)
        assert np.isfinite(weights).all()
        assert (weights > 0).all()
        reversed_ = find_prior(names[::-1])
        assert reversed_ is not None
        np.testing.assert_array_equal(reversed_.coefficients, prior.coefficients[::-1])


def test_other_base_classifiers_have_no_prior() -> None:
    assert find_prior([*NAMES, "my-own"]) is None
    assert find_prior([]) is None


def test_a_flat_prior_gives_equal_influence() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(2, 500, 3)) * np.array([1.0, 20.0])[:, np.newaxis, np.newaxis]
    known = KnownAmounts(np.full(3, 100.0), 1.0)
    weights = np.exp(WeightPrior.flat(scores).terms(np.array([100, 9000]), known).log_weights)
    assert weights[0] / weights[1] == pytest.approx([20, 20], rel=0.1)


@pytest.mark.parametrize("names", [NAMES, NAMES[::-1], NAMES[:1]])
def test_the_table_says_how_often_simulated_cases_of_a_size_were_right(names: list[str]) -> None:
    few, many = (
        find_similar_cases(names, KnownAmounts(np.full(4, size), 5.0)) for size in (1500.0, 9000.0)
    )
    for rows in (few, many):
        ends = [row.text_characters for row in rows]
        assert all(first[1] == second[0] for first, second in pairwise(ends))
        assert all(row.n_texts >= 100 and row.candidates == (3, 4) for row in rows)
    assert few[-1].mean_probability < many[-1].mean_probability


def test_no_outcomes_are_known_for_other_base_classifiers() -> None:
    assert find_similar_cases(["forest"], KnownAmounts(np.full(4, 1500.0), 5.0)) == ()


def test_the_prior_is_weaker_with_many_works() -> None:
    variances = Variances(0.1, 0.05, 0.02, 0.05)
    assert variances.for_works(0) == variances.for_works(100) == variances
    weak = variances.for_works(1000)  # (1000 / 100) ** 3 = 1000
    assert (weak.common, weak.by_classifier, weak.by_length) == pytest.approx((100.0, 50.0, 20.0))
    assert weak.biases == 0.05
