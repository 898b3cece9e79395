"""Cross-fitting: no case is answered by a rule that was fitted to it or to its candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from byline.attribution.stacking.combination import HeldOutScores
from byline.attribution.stacking.prior import KnownAmounts, PriorTerms, WeightPrior, find_prior
from byline.attribution.stacking.reference import validation
from byline.attribution.stacking.reference.mirroring import CaseShape, DrawnCase
from byline.attribution.stacking.reference.population import ReferenceText, SelectedTexts
from byline.attribution.stacking.reference.simulation import Simulation
from byline.attribution.stacking.reference.validation import ReferenceRules
from byline.attribution.stacking.simulated_cases import CaseQuestions, SimulatedCase

SHIPPED = find_prior(["language-models", "characters"])
N_TEXTS = 12


def _case(seed: int) -> SimulatedCase:
    """Return scores that show nothing of the author."""
    rng = np.random.default_rng(seed)
    nothing = HeldOutScores(
        np.zeros((2, 0, 3)),
        np.zeros(0, dtype=np.int64),
        np.zeros(0, dtype=np.intp),
        np.zeros(0),
        PriorTerms(np.zeros((2, 0)), np.zeros((2, 0)), np.zeros((0, 3))),
    )
    return SimulatedCase(
        "toy",
        KnownAmounts(np.full(3, 7500.0), 3.0),
        rng.normal(size=(2, N_TEXTS, 3)),
        np.full(N_TEXTS, 1500),
        np.arange(N_TEXTS) % 3,
        np.repeat([50, 0], N_TEXTS // 2),
        nothing,
        np.zeros(0, int),
        [],
    )


def _simulation(candidates: Sequence[str]) -> Simulation:
    """Return a simulation in which each letter is an author."""
    texts = tuple(ReferenceText(author, author, "text", 1) for author in "abcdef")
    drawn = tuple(
        DrawnCase(["text"] * 3, [*each], CaseQuestions([], [], [])) for each in candidates
    )
    shape = CaseShape((((1,),),) * 3)
    return Simulation(SelectedTexts("toy", texts, "0" * 64), shape, 3, drawn)


@pytest.fixture
def fitted_to(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Record which cases each rule is fitted to."""
    recorded: list[list[int]] = []
    fit = validation._fit

    def record(cases: Sequence[SimulatedCase], *args: Any) -> WeightPrior:
        recorded.append([id(case) for case in cases])
        return fit(cases, *args)

    monkeypatch.setattr(validation, "_fit", record)
    return recorded


def test_cases_of_the_same_candidates_are_held_out_together(fitted_to: list[list[int]]) -> None:
    candidates = ["abc", "cba", "abd", "bad", "def"]
    cases = [_case(seed) for seed in range(5)]
    ReferenceRules.of(_simulation(candidates), cases, SHIPPED)
    places = [sorted(map([id(case) for case in cases].index, own)) for own in fitted_to]
    assert places == [[2, 3, 4], [0, 1, 4], [0, 1, 2, 3]]


def test_with_one_set_of_candidates_each_case_is_held_out(fitted_to: list[list[int]]) -> None:
    cases = [_case(seed) for seed in range(4)]
    ReferenceRules.of(_simulation(["abc"] * 4), cases, SHIPPED)
    assert [len(own) for own in fitted_to] == [3, 3, 3, 3]


def test_a_single_case_is_answered_by_the_shipped_rule(fitted_to: list[list[int]]) -> None:
    found = ReferenceRules.of(_simulation(["abc"]), [_case(0)], SHIPPED).validation
    assert fitted_to == []
    assert found.n_cases == 1
    assert len(found.results.labels) == N_TEXTS


def test_scores_that_show_nothing_are_not_answered_better_than_by_guessing() -> None:
    cases = [_case(seed) for seed in range(20)]
    sets = [f"{a}{b}{c}" for a in "abcdef" for b in "abcdef" for c in "abcdef" if a < b < c]
    found = ReferenceRules.of(_simulation(sets), cases, SHIPPED).validation
    log_probs = found.calibrator.log_probabilities(found.results.log_odds.astype(np.float64))
    losses = -log_probs[np.arange(len(log_probs)), found.results.labels]
    assert losses.mean() > np.log(3) - 0.02
    assert found.is_correct.mean() == pytest.approx(1 / 3, abs=0.1)


def test_base_classifiers_without_a_shipped_rule_start_from_equal_influence() -> None:
    cases = [_case(seed) for seed in range(3)]
    rules = ReferenceRules.of(_simulation(["abc", "abd", "def"]), cases, None)
    assert rules.fit([0, 1], None).coefficients.shape[0] == 2
    assert rules.fit([1], None).n_uniform > rules.validation.results.n_texts


def test_the_calibration_continues_from_that_of_the_cases() -> None:
    cases = [_case(seed) for seed in range(3)]
    rules = ReferenceRules.of(_simulation(["abc", "abd", "def"]), cases, SHIPPED)
    rule = rules.fit([0, 1], SHIPPED)
    assert SHIPPED is not None
    assert rule.uniform == rules.validation.calibrator.uniform > SHIPPED.uniform
    assert rule.n_cases == 3
