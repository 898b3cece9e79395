from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.verification import c_at_1, roc_auc
from byline.errors import TrainingError, UsageError


def test_c_at_1_has_a_known_value() -> None:
    # 5 problems: 3 right, 1 wrong, 1 withheld: (3 + 1 * 3 / 5) / 5 = 0.72
    same = [True, True, False, False, True]
    assert c_at_1(same, [0.9, 0.6, 0.1, 0.8, 0.5]) == pytest.approx(0.72)


def test_c_at_1_is_zero_if_all_answers_are_withheld() -> None:
    assert c_at_1([True, False], [0.5, 0.5]) == 0.0


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.2, 0.7, 1.0])), min_size=1))
def test_c_at_1_without_withheld_answers_is_the_accuracy(pairs: list[tuple[bool, float]]) -> None:
    same, answers = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    accuracy = np.mean([(answer > 0.5) == truth for truth, answer in pairs])
    assert c_at_1(same, answers) == pytest.approx(accuracy)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1))
def test_withholding_a_wrong_answer_never_lowers_c_at_1(pairs: list[tuple[bool, float]]) -> None:
    same = np.array([pair[0] for pair in pairs])
    answers = np.array([pair[1] for pair in pairs])
    wrong = (answers > 0.5) != same
    assert c_at_1(same, np.where(wrong, 0.5, answers)) >= c_at_1(same, answers)


def test_auc_counts_ties_half() -> None:
    # Pairs (same, different): (0.9, 0.5) right, (0.9, 0.1) right, (0.5, 0.5) half, (0.5, 0.1) right
    assert roc_auc([True, True, False, False], [0.9, 0.5, 0.5, 0.1]) == 3.5 / 4


def test_auc_needs_both_kinds() -> None:
    with pytest.raises(TrainingError, match="with the same author"):
        roc_auc([True, True], [0.5, 0.6])


@pytest.mark.parametrize("measure", [c_at_1, roc_auc])
def test_invalid_input_is_rejected(measure: object) -> None:
    assert callable(measure)
    with pytest.raises(UsageError, match="give one answer per"):
        measure([True, False], [0.5])
    with pytest.raises(UsageError, match="between 0 and 1"):
        measure([True, False], [0.5, 1.2])
    with pytest.raises(UsageError, match="between 0 and 1"):
        measure([True, False], [0.5, float("nan")])


def test_c_at_1_needs_a_problem() -> None:
    with pytest.raises(TrainingError, match="undefined without problems"):
        c_at_1([], [])
