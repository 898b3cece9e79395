"""Answers about the texts of simulated cases, and counts of them."""

from __future__ import annotations

import numpy as np
import pytest

from byline.attribution.similar_cases import SimilarCases
from byline.attribution.stacking.case_answers import count_outcomes, state_probabilities
from byline.attribution.stacking.combination import HeldOutScores
from byline.attribution.stacking.prior import KnownAmounts, PriorTerms, Variances, WeightPrior
from byline.attribution.stacking.simulated_cases import SimulatedCase

# One base classifier whose weight is 2 at any size.
RULE = WeightPrior(
    np.array([[np.log(2), 0, 0, 0, 0]]), np.zeros((1, 3)), Variances(1, 1, 1, 1), 0.1, 50.0, 9
)


def case(scores: list[list[float]], n_held_out: int = 0) -> SimulatedCase:
    """Return a case with texts by the first author; the held-out texts contradict the scores."""
    n_authors, n_texts = len(scores[0]), len(scores)
    labels = np.arange(n_held_out) % n_authors
    contrary = np.eye(n_authors)[(labels + 1) % n_authors]
    known = KnownAmounts(np.full(n_authors, 3500.0), 2.0)
    held_out = HeldOutScores(
        contrary[np.newaxis],
        np.full(n_held_out, 500),
        labels,
        np.ones(n_held_out),
        PriorTerms(*np.zeros((3, 0, 0))),
    )
    return SimulatedCase(
        "toy",
        known,
        np.array([scores]),
        np.full(n_texts, 500),
        np.zeros(n_texts, dtype=np.intp),
        np.full(n_texts, 100),
        held_out,
        np.zeros(n_held_out, dtype=int),
        [known] if n_held_out else [],
    )


def test_an_answer_is_the_softmax_with_a_uniform_share() -> None:
    [probs] = state_probabilities(case([[2.0, 0.0]]), RULE)
    # The spread of (2, 0) is 1. Log-odds 2 (2 - 0): 0.9 / (1 + exp(-4)) + 0.1 / 2
    assert probs[0] == pytest.approx(0.9 / (1 + np.exp(-4)) + 0.05)
    assert probs.sum() == pytest.approx(1)


def test_held_out_texts_adjust_the_rule_unless_refused() -> None:
    contradicted = case([[1.0, 0.0]], n_held_out=12)
    [adjusted], [plain] = (
        state_probabilities(contradicted, RULE, adjust=each) for each in (True, False)
    )
    assert 0.5 < adjusted[0] < plain[0]


def test_correct_answers_are_counted_over_all_cases() -> None:
    cases = [case([[2.0, 0.0]] * 8 + [[0.0, 2.0]] * 4) for _ in range(10)]
    answers = [state_probabilities(each, RULE) for each in cases]
    stated = round(0.9 / (1 + np.exp(-4)) + 0.05, 4)
    row = SimilarCases((2, 2), (3000, 4000), (500, 600), 10, 120, 80, stated)
    assert count_outcomes(cases, answers) == [row]


def test_cases_of_different_numbers_of_candidates_are_counted_together() -> None:
    cases = [case([[1.0, 0.0]] * 10)] * 10 + [case([[1.0, 0.0, 0.0]] * 10)] * 10
    found = count_outcomes(cases, [state_probabilities(each, RULE) for each in cases])
    assert [row.candidates for row in found] == [(2, 2), (3, 3)]
    assert [row.n_texts for row in found] == [100, 100]
