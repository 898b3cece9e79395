"""The results for held-out texts, and probabilities that agree with likelihood ratios."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attribution.stacking.test_combination import WIDE, held_out

from byline.attribution.stacking.calibrator import (
    Calibrator,
    HeldOutResults,
    log10_likelihood_ratios,
)
from byline.attribution.stacking.combination import Adjustment
from byline.attribution.stacking.prior import WeightPrior

PRIOR = WeightPrior(np.zeros((1, 5)), np.zeros((1, 3)), WIDE, 0.02, 50.0, 400)


def results(n: int = 60, n_authors: int = 3, n_wrong: int = 0) -> HeldOutResults:
    """Return results with log-odds of 5 for the true author, or for another one if wrong."""
    labels = np.arange(n) % n_authors
    named = np.where(np.arange(n) < n_wrong, (labels + 1) % n_authors, labels)
    return HeldOutResults(
        n_texts=n,
        sizes=np.full(n, 1000),
        labels=labels,
        shares=np.ones(n),
        is_whole=np.ones(n, dtype=bool),
        log_odds=(5 * np.eye(n_authors)[named]).astype(np.float32),
        nats_per_character=None,
    )


def cross_fitted(texts: Any, folds: Any, **options: Any) -> HeldOutResults:
    n = len(texts.labels)
    given: Any = {"n_texts": n, "is_whole": np.ones(n, dtype=bool), "log_likelihoods": None}
    return HeldOutResults.cross_fitted(texts, WIDE, folds, **given | options)


def test_weights_are_not_fitted_to_the_fold_that_they_combine() -> None:
    rng = np.random.default_rng(3)
    scores, labels = rng.normal(size=(2, 40, 3)), np.arange(40) % 3
    texts = held_out(scores, labels, rng.integers(50, 5000, 40))
    first = np.arange(40) < 20
    found = cross_fitted(texts, np.repeat([0, 1], 20), log_likelihoods=scores[0])
    expected = Adjustment.fit(texts.select(~first), WIDE).combine(texts.select(first))
    np.testing.assert_allclose(found.log_odds[:20], expected, rtol=1e-5)
    assert found.nats_per_character is not None
    nats = -scores[0, 0].max() / texts.sizes[0]
    assert found.nats_per_character[0] == pytest.approx(nats, rel=1e-6)


def test_a_single_fold_is_divided_into_parts() -> None:
    rng = np.random.default_rng(4)
    texts = held_out(rng.normal(size=(1, 20, 2)), np.arange(20) % 2, 100)
    found = cross_fitted(texts, np.zeros(20, dtype=int))
    first = np.arange(20) % 5 == 0
    expected = Adjustment.fit(texts.select(~first), WIDE).combine(texts.select(first))
    np.testing.assert_allclose(found.log_odds[::5], expected, rtol=1e-5)


def test_without_held_out_texts_the_share_is_that_of_simulated_cases() -> None:
    nothing = held_out(np.zeros((1, 0, 2)), np.zeros(0, dtype=int))
    found = cross_fitted(nothing, np.zeros(0, dtype=int))
    assert found.n_whole == 0
    assert Calibrator.fit(found, PRIOR).uniform == pytest.approx(0.02, abs=1e-4)


def test_wrong_answers_that_were_certain_raise_the_share() -> None:
    shares = [Calibrator.fit(results(n_wrong=n), PRIOR).uniform for n in (0, 2, 10)]
    assert shares[0] < 0.02 < shares[1] < shares[2]


@given(
    log_odds=st.lists(st.floats(-900, 900), min_size=2, max_size=6),
    uniform=st.floats(1e-4, 0.5),
)
def test_probability_and_likelihood_ratio_agree(log_odds: list[float], uniform: float) -> None:
    """The odds of a probability are the likelihood ratio times the prior odds 1 to n - 1."""
    log_probs = Calibrator(uniform, 9, 9).log_probabilities(np.array([log_odds]))
    probabilities = np.exp(log_probs[0])
    ratios = 10 ** log10_likelihood_ratios(log_probs)[0]
    n = len(log_odds)
    assert probabilities.sum() == pytest.approx(1)
    assert probabilities.min() >= 0.999 * uniform / n
    np.testing.assert_allclose(ratios / (n - 1), probabilities / (1 - probabilities), rtol=1e-6)
    order = np.argsort(log_odds)
    assert (np.diff(probabilities[order]) >= -1e-12).all()


def test_the_basis_of_the_calibration_is_stated() -> None:
    assert (
        Calibrator.fit(results(), PRIOR).basis == "60 held-out known texts and 400 simulated cases"
    )
    assert Calibrator(0.02, 0, 400).basis == "400 simulated cases"
    assert Calibrator(0.02, 7, 0).basis == "7 held-out known texts"


def test_no_answer_is_more_certain_than_the_share_permits() -> None:
    # With u = 0.03 and three candidates, the highest probability is 0.97 + 0.01 = 0.98, and its
    # likelihood ratio is 0.98 / 0.02 * 2 = 98.
    log_probs = Calibrator(0.03, 9, 9).log_probabilities(np.array([[900.0, 0.0, -900.0]]))
    assert np.exp(log_probs[0]) == pytest.approx([0.98, 0.01, 0.01])
    assert 10 ** log10_likelihood_ratios(log_probs)[0, 0] == pytest.approx(98)
