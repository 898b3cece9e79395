"""What is counted about the answers to calibration problems."""

from __future__ import annotations

import numpy as np
import pytest

from byline.attribution.verification.calibration import HeldOutAnswers


def test_performance_counts_what_verify_withholds() -> None:
    """A likelihood ratio below 2 supports neither side, also if the calibration gives an answer."""
    answers = HeldOutAnswers(
        features=np.zeros((4, 1)),
        same=np.array([True, True, False, False]),
        known_authors=np.array([0, 0, 0, 0]),
        questioned_authors=np.array([0, 0, 1, 2]),
        log_odds=np.array([2.0, 0.6, 0.1, -1.0]),
        log_lrs=np.array([2.0, 0.6, 0.1, -1.0]),
        answers=np.array([0.88, 0.65, 0.5, 0.27]),
    )
    assert answers.withheld.tolist() == [False, True, True, False]  # log(2) = 0.69
    performance = answers.performance()
    assert performance.n_withheld == 2
    assert performance.c_at_1 == pytest.approx((2 + 2 * 2 / 4) / 4)
