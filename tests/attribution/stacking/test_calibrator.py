from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from byline.attribution.stacking.calibrator import MIN_WHOLE, Calibrator, HeldOutResults
from byline.attribution.stacking.combination import Combination


def answers(n: int = 60, n_authors: int = 3) -> HeldOutResults:
    rng = np.random.default_rng(0)
    labels = np.arange(n) % n_authors
    scores = rng.normal(size=(2, n, n_authors))
    scores[0, np.arange(n), labels] += 2
    return HeldOutResults.cross_fitted(
        scores,
        rng.integers(50, 5000, n),
        labels,
        np.arange(n) // 20,
        n_texts=n,
        is_whole=np.ones(n, dtype=bool),
        log_likelihoods=None,
    )


def test_weights_are_not_fitted_to_the_fold_that_they_combine() -> None:
    rng = np.random.default_rng(3)
    scores, sizes = rng.normal(size=(2, 40, 3)), rng.integers(50, 5000, 40)
    labels, folds = np.arange(40) % 3, np.repeat([0, 1], 20)
    found = HeldOutResults.cross_fitted(
        scores,
        sizes,
        labels,
        folds,
        n_texts=40,
        is_whole=np.ones(40, dtype=bool),
        log_likelihoods=scores[0],
    )
    combination = Combination.fit(scores[:, 20:], sizes[20:], labels[20:])
    expected = combination.combine(scores[:, :20], sizes[:20])
    np.testing.assert_allclose(found.log_odds[:20], expected, rtol=1e-5)
    assert found.nats_per_character is not None
    assert found.nats_per_character[0] == pytest.approx(-scores[0, 0].max() / sizes[0], rel=1e-6)


def test_a_single_fold_is_divided_into_parts() -> None:
    rng = np.random.default_rng(4)
    scores, sizes, labels = rng.normal(size=(1, 20, 2)), np.full(20, 100), np.arange(20) % 2
    found = HeldOutResults.cross_fitted(
        scores,
        sizes,
        labels,
        np.zeros(20, dtype=int),
        n_texts=20,
        is_whole=np.ones(20, dtype=bool),
        log_likelihoods=None,
    )
    others = np.arange(20) % 5 != 0
    combination = Combination.fit(scores[:, others], sizes[others], labels[others])
    np.testing.assert_allclose(
        found.log_odds[::5], combination.combine(scores[:, ::5], sizes[::5]), rtol=1e-5
    )


def test_calibration_needs_enough_whole_texts_and_authors() -> None:
    enough = answers()
    assert enough.calibration_unavailable_reason() is None
    few = str(
        replace(enough, is_whole=np.arange(60) < MIN_WHOLE - 1).calibration_unavailable_reason()
    )
    assert "only 19 whole known texts" in few
    assert "add 1 more known text, a separate work, and train again" in few
    fewer = str(
        replace(enough, is_whole=np.arange(60) < MIN_WHOLE - 2).calibration_unavailable_reason()
    )
    assert "add 2 more known texts, each a separate work, and train again" in fewer
    of_one = enough.labels == 0  # 20 texts by one of three authors
    assert "only 1 of 3 authors" in str(
        replace(enough, is_whole=of_one).calibration_unavailable_reason()
    )


def test_likelihood_ratios_are_bounded_and_in_the_order_of_the_candidates() -> None:
    certainty = Calibrator.fit(answers())
    log_odds = np.array([[900.0, 0.0, -900.0], [1.0, 1.0, 1.0]])
    log_probs = certainty.log_probabilities(log_odds, np.array([1000, 1000]))
    found = certainty.log10_likelihood_ratios(log_probs)
    assert found[0, 0] == pytest.approx(certainty.bounds.upper / np.log(10))
    assert found[0, 2] == pytest.approx(certainty.bounds.lower / np.log(10))
    np.testing.assert_allclose(found[1], 0, atol=1e-12)  # three equal candidates: even odds


def test_a_text_longer_than_all_held_out_texts_is_not_more_certain() -> None:
    certainty = Calibrator.fit(answers())
    log_odds = np.array([[3.0, 0.0, 0.0]] * 2)
    one, other = certainty.log_probabilities(log_odds, np.array([certainty.longest, 10**9]))
    np.testing.assert_array_equal(one, other)
