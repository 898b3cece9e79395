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
    # The weights are 2 and 0.5. (0, 6, 0) minus the mean 2 is (-2, 4, -2), the mean square of which
    # is 8; so is that of (6, 0, 0). The log-odds, times the root 8 ** 0.25 and before they are
    # centred, are 2 * (0, 6, 0) + 0.5 * (6, 0, 0) = (3, 12, 0), so that the second candidate is
    # compared with the first: 2 * (6 - 0) = 12 and 0.5 * (0 - 6) = -3, together 9.
    n_lengths = len(REFERENCE_LENGTHS)
    log_weights = np.repeat(np.log([[2.0], [0.5]]), n_lengths, axis=1)
    combination = Combination(
        log_weights, np.zeros((2, 3)), np.zeros(3), np.zeros(3), np.array([False, False])
    )
    rule = AnswerRule(("one", "other"), combination, Calibrator(0.02, 9, 9))
    scores = np.array([[[0.0, 6.0, 0.0]], [[6.0, 0.0, 0.0]]])
    sizes = np.array([1000])
    log_odds = combination.combine(scores, sizes)
    counts = TextCounts(*(np.array([9]),) * 3, np.array([True]))
    found = StackScores(
        ("one", "other"), scores, log_odds, counts, [None], sizes, [RuleChoice(rule)]
    ).contributions()
    [contributions] = found
    root = 8**0.25
    assert dict(contributions) == pytest.approx({"one": 12 / root, "other": -3 / root})
    assert log_odds[0, 1] - log_odds[0, 0] == pytest.approx(9 / root)
