"""What each base classifier adds to an answer."""

from __future__ import annotations

import numpy as np
import pytest

from byline.attribution.result import TextCounts
from byline.attribution.stacking.calibrator import Calibrator
from byline.attribution.stacking.combination import REFERENCE_LENGTHS, Combination
from byline.attribution.stacking.fallbacks import AnswerRule, RuleChoice
from byline.attribution.stacking.scores import StackScores


def test_contributions_are_weighted_differences_of_the_two_best_candidates() -> None:
    # Weights 2 and 0.5. The log-odds are 2 * (1, 4, 0) + 0.5 * (6, 2, 0) = (5, 9, 0) before they
    # are centred, so that the second candidate is compared with the first: 2 * (4 - 1) = 6 and
    # 0.5 * (2 - 6) = -2, together 9 - 5 = 4.
    n_lengths = len(REFERENCE_LENGTHS)
    log_weights = np.repeat(np.log([[2.0], [0.5]]), n_lengths, axis=1)
    combination = Combination(log_weights, np.zeros((n_lengths, 3)), np.array([False, False]))
    rule = AnswerRule(("one", "other"), combination, Calibrator(0.02, 9, 9))
    scores = np.array([[[1.0, 4.0, 0.0]], [[6.0, 2.0, 0.0]]])
    sizes = np.array([1000])
    log_odds = combination.combine(scores, sizes)
    counts = TextCounts(*(np.array([9]),) * 3, np.array([True]))
    found = StackScores(
        ("one", "other"), scores, log_odds, counts, [None], sizes, [RuleChoice(rule)]
    ).contributions()
    [contributions] = found
    assert dict(contributions) == pytest.approx({"one": 6.0, "other": -2.0})
    assert log_odds[0, 1] - log_odds[0, 0] == pytest.approx(4.0)
