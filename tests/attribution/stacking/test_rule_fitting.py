"""The fit of the weights' rule: what it recovers, and what it is drawn towards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import softmax

from byline.attribution.stacking.combination import HeldOutScores
from byline.attribution.stacking.prior import (
    KnownAmounts,
    PriorTerms,
    Variances,
    WeightPrior,
    find_prior,
)
from byline.attribution.stacking.rule_fitting import SimulatedTexts, fit_rule
from byline.attribution.stacking.simulated_cases import SimulatedCase

SHIPPED = find_prior(["language-models", "characters"])
assert SHIPPED is not None
SETTINGS = replace(SHIPPED, coefficients=np.zeros_like(SHIPPED.coefficients))
NOTHING_HELD_OUT = HeldOutScores(
    np.zeros((2, 0, 3)),
    np.zeros(0, dtype=np.int64),
    np.zeros(0, dtype=np.intp),
    np.zeros(0),
    PriorTerms(np.zeros((2, 0)), np.zeros((2, 0)), np.zeros((0, 3))),
)


def _case(seed: int, weights: tuple[float, float], n_texts: int = 300) -> SimulatedCase:
    """Draw the true authors from the probabilities that the weights give."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(2, n_texts, 3))
    probs = softmax(np.tensordot(weights, scores, axes=1), axis=1)
    labels = np.array([rng.choice(3, p=row) for row in probs])
    sizes = np.full(n_texts, 1500)
    known = KnownAmounts(np.full(3, 7500.0), 3.0)
    return SimulatedCase(
        "toy", known, scores, sizes, labels, sizes, NOTHING_HELD_OUT, np.zeros(0, int), []
    )


def _weights(rule: WeightPrior) -> list[float]:
    terms = rule.terms(np.array([1500]), KnownAmounts(np.full(3, 7500.0), 3.0))
    return [float(each) for each in np.exp(terms.log_weights[:, 0])]


def test_the_weights_of_a_simulation_are_recovered() -> None:
    texts = SimulatedTexts([_case(seed, (2.0, 0.5)) for seed in range(8)])
    rule = fit_rule(texts, [0, 1], SETTINGS)
    assert _weights(rule) == pytest.approx([2.0, 0.5], rel=0.25)
    assert rule.n_cases == 8
    assert rule.variances == SETTINGS.variances


def test_a_selection_of_base_classifiers_has_a_rule_of_its_own() -> None:
    texts = SimulatedTexts([_case(0, (2.0, 0.5))])
    rule = fit_rule(texts, [1], replace(SETTINGS, coefficients=SETTINGS.coefficients[:1]))
    assert rule.coefficients.shape == SETTINGS.coefficients[:1].shape


def test_a_strong_ridge_keeps_the_settings_and_a_weak_one_does_not() -> None:
    texts = SimulatedTexts([_case(seed, (2.0, 0.5)) for seed in range(8)])
    coefficients = np.zeros_like(SETTINGS.coefficients)
    coefficients[:, 0] = np.log([0.3, 3.0])
    start = replace(SETTINGS, coefficients=coefficients)
    kept = fit_rule(texts, [0, 1], start, ridge_to_settings=1e3)
    assert _weights(kept) == pytest.approx([0.3, 3.0], rel=0.01)
    changed = fit_rule(texts, [0, 1], start, ridge_to_settings=1e-6)
    assert _weights(changed) == pytest.approx([2.0, 0.5], rel=0.25)


def test_the_variances_of_settings_are_kept() -> None:
    variances = Variances(0.5, 0.4, 0.3, 0.2)
    texts = SimulatedTexts([_case(0, (1.0, 1.0), n_texts=20)])
    rule = fit_rule(texts, [0, 1], replace(SETTINGS, variances=variances))
    assert rule.variances == variances


def test_cases_may_have_different_numbers_of_candidates() -> None:
    wide = _case(0, (1.0, 1.0))
    narrow = replace(wide, scores=wide.scores[:, :, :2], labels=np.minimum(wide.labels, 1))
    narrow = replace(narrow, known=KnownAmounts(np.full(2, 7500.0), 3.0))
    texts = SimulatedTexts([wide, narrow])
    assert texts.scores.shape == (2, 600, 3)
    assert np.isneginf(texts.excluded[300:, 2]).all()
    assert np.isfinite(fit_rule(texts, [0, 1], SETTINGS).coefficients).all()


def test_what_an_author_loses_by_a_shortage_of_known_text_is_recovered() -> None:
    """Scores that disfavour an author with far less known text, as sums over the tokens do."""
    known = KnownAmounts(np.array([20_000.0, 1000.0, 7500.0]), 3.0)
    cases = []
    for seed in range(8):
        fair = _case(seed, (2.0, 0.5))
        disfavoured = fair.scores + np.array([[[1.5]], [[0.0]]]) * known.shortages
        cases.append(replace(fair, known=known, scores=disfavoured))
    rule = fit_rule(SimulatedTexts(cases), [0, 1], SETTINGS)
    # All texts have one unit of length: the correction is the sum of the first and the last value.
    first, second = rule.of_amounts[:, 0] + rule.of_amounts[:, 2]
    assert first == pytest.approx(-1.5, abs=0.3)
    assert second == pytest.approx(0, abs=0.5)
    assert _weights(rule) == pytest.approx([2.0, 0.5], rel=0.3)
