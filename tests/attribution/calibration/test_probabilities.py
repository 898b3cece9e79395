"""Scoring rules of probabilities, and reliability."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import log_loss as sklearn_log_loss

from byline.attribution.calibration import (
    CalibrationOutcomes,
    brier_score,
    cllr,
    cllr_min,
    cross_entropy_curve,
    likelihood_ratios,
    log_loss,
    reliability,
    reliability_of_confidences,
    target_and_nontarget_llrs,
    tippett,
)
from byline.errors import TrainingError

PROBABILITIES = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3]])
LABELS = np.array([0, 2])


def test_brier_score_is_the_squared_distance_from_the_truth() -> None:
    # (0.3^2 + 0.2^2 + 0.1^2 = 0.14; 0.3^2 + 0.4^2 + 0.7^2 = 0.74), mean 0.44
    assert brier_score(PROBABILITIES, LABELS) == pytest.approx(0.44)


@pytest.mark.parametrize(("label", "score"), [(0, 0.0), (1, 2.0)])
def test_brier_score_goes_from_0_to_2(label: int, score: float) -> None:
    assert brier_score([[1.0, 0.0]], [label]) == score


def test_log_loss_is_the_mean_surprise() -> None:
    # -(ln 0.7 + ln 0.3) / 2
    expected = -(math.log(0.7) + math.log(0.3)) / 2
    assert log_loss(np.log(PROBABILITIES), LABELS) == pytest.approx(expected)
    assert expected == pytest.approx(sklearn_log_loss(LABELS, PROBABILITIES, labels=[0, 1, 2]))


def test_log_loss_of_what_no_number_can_hold_is_finite() -> None:
    assert log_loss([[0.0, -5000.0]], [1]) == 5000


def test_reliability_of_two_levels_of_confidence() -> None:
    # Ten answers at 0.6, five right; ten at 0.9, nine right: |0.5 - 0.6| / 2 + |0.9 - 0.9| / 2
    confidences = np.repeat([0.9, 0.6], 10)
    right = np.array([1] * 9 + [0] + [1] * 5 + [0] * 5, dtype=bool)
    found = reliability_of_confidences(confidences, right)
    assert [each.n for each in found.bins] == [10, 10]
    assert [each.accuracy for each in found.bins] == pytest.approx([0.5, 0.9])
    assert [each.confidence for each in found.bins] == pytest.approx([0.6, 0.9])
    assert found.ece == pytest.approx(0.05)


def test_ten_bins_have_as_many_answers_each() -> None:
    rng = np.random.default_rng(0)
    found = reliability_of_confidences(rng.random(1000), rng.random(1000) < 0.5)
    assert [each.n for each in found.bins] == [100] * 10


def test_fifteen_bins_of_equal_width() -> None:
    # Edges at 1/15, 2/15, ...: 0.01 alone in the first, 0.99 and 1.0 together in the last
    found = reliability_of_confidences([0.01, 0.99, 1.0], [False, True, False], adaptive=False)
    assert [each.n for each in found.bins] == [1, 2]
    # 1/3 * |0 - 0.01| + 2/3 * |0.5 - 0.995|
    assert found.ece == pytest.approx(0.01 / 3 + 2 * 0.495 / 3)


def test_the_named_authors_probability_counts() -> None:
    # The named: first author at 0.7, right; second at 0.4, wrong: (0.3 + 0.4) / 2
    assert reliability(PROBABILITIES, LABELS).n == 2
    assert reliability(PROBABILITIES, LABELS).ece == pytest.approx(0.35)


def test_no_answers_cannot_be_evaluated() -> None:
    with pytest.raises(TrainingError, match="there are no answers to evaluate"):
        reliability(np.zeros((0, 3)), [])
    with pytest.raises(TrainingError, match="there are no answers to evaluate"):
        reliability_of_confidences([], [])


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.tuples(st.sampled_from([0.2, 0.5, 0.7, 0.71, 1.0]), st.booleans()), min_size=1),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_order_changes_nothing_and_bins_hold_every_answer(
    answers: list[tuple[float, bool]], adaptive: bool, random: Random
) -> None:
    found = reliability_of_confidences(*zip(*answers, strict=True), adaptive=adaptive)
    random.shuffle(answers)
    again = reliability_of_confidences(*zip(*answers, strict=True), adaptive=adaptive)
    assert found.n == len(answers)
    assert 0 <= found.ece <= 1
    assert again.ece == pytest.approx(found.ece)
    mean = sum(each.accuracy * each.n for each in found.bins) / found.n
    assert mean == pytest.approx(sum(right for _, right in answers) / len(answers))


def test_honest_probabilities_are_reliable() -> None:
    rng = np.random.default_rng(1)
    confidences = rng.uniform(0.3, 1, 20_000)
    right = rng.random(20_000) < confidences
    # A bin of 2000 answers strays by about sqrt(0.25 / 2000) = 0.011 at most.
    assert reliability_of_confidences(confidences, right).ece < 0.015


def test_outcomes_hold_what_all_measures_need() -> None:
    outcomes = CalibrationOutcomes.of(np.log(PROBABILITIES), LABELS)
    judged = outcomes.metrics()
    own, others = target_and_nontarget_llrs(likelihood_ratios(np.log(PROBABILITIES)), LABELS)
    assert judged.n == len(outcomes) == 2
    assert judged.brier_score == pytest.approx(0.44)
    assert judged.log_loss == pytest.approx(log_loss(np.log(PROBABILITIES), LABELS))
    assert judged.ece == pytest.approx(0.35)
    assert (judged.cllr, judged.cllr_min) == (cllr(own, others), cllr_min(own, others))
    assert outcomes.tippett() == tippett(own, others)
    assert outcomes.cross_entropy_curve() == cross_entropy_curve(own, others)


def test_outcomes_of_different_candidates_are_joined() -> None:
    parts = [
        CalibrationOutcomes.of(np.log(PROBABILITIES), LABELS),
        CalibrationOutcomes.of([[0.0, 0.0]], [1]),
    ]
    joined = CalibrationOutcomes.join(parts)
    assert (joined.targets.size, joined.nontargets.size) == (3, 5)
    assert joined.metrics().brier_score == pytest.approx((0.14 + 0.74 + 0.5) / 3)


def test_ratios_that_are_stated_otherwise_are_judged_as_stated() -> None:
    outcomes = CalibrationOutcomes.of(np.log(PROBABILITIES), LABELS, np.zeros((2, 3)))
    assert outcomes.metrics().cllr == 1


def test_no_text_has_no_measure() -> None:
    with pytest.raises(TrainingError, match="there are no answers to evaluate"):
        CalibrationOutcomes.of(np.zeros((0, 3)), []).metrics()
