"""The log-likelihood ratio and the log ratio: known values with the arithmetic, and laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from byline.attribution.keyness import log_likelihood_ratios, log_ratios

COUNTS = st.integers(0, 500)
TOTALS = st.integers(501, 10_000)


def test_log_likelihood_by_hand() -> None:
    # 30 of 1,000 and 10 of 1,000: 20 expected in each, and 980 others in each.
    # G2 = 2 (30 ln 30/20 + 10 ln 10/20 + 970 ln 970/980 + 990 ln 990/980)
    #    = 2 (12.1640 - 6.9315 - 9.9488 + 10.0508) = 10.6690
    ratio = log_likelihood_ratios(np.array([30.0]), 1000, np.array([10.0]), 1000)
    assert ratio[0] == pytest.approx(10.669, abs=1e-3)


def test_log_ratio_by_hand() -> None:
    # 30 per 1,000 and 10 per 4,000: 12 times as often, and log2 12 = 3.585
    assert log_ratios(np.array([30.0]), 1000, np.array([10.0]), 4000)[0] == pytest.approx(
        3.585, abs=1e-3
    )
    # Half an occurrence instead of none: 30 / 0.5 = 60, and log2 60 = 5.907
    assert log_ratios(np.array([30.0]), 1000, np.array([0.0]), 1000)[0] == pytest.approx(
        5.907, abs=1e-3
    )


@given(COUNTS, TOTALS, COUNTS, TOTALS)
def test_the_size_of_the_ratio_is_scipys(first: int, total: int, second: int, other: int) -> None:
    found = log_likelihood_ratios(np.array([float(first)]), total, np.array([float(second)]), other)
    if first + second:
        table = [[first, second], [total - first, other - second]]
        expected = chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic
        assert abs(found[0]) == pytest.approx(expected, abs=1e-6)
    else:
        assert found[0] == 0


@given(COUNTS, TOTALS, COUNTS, TOTALS)
def test_swapping_the_groups_negates_both(first: int, total: int, second: int, other: int) -> None:
    own, others = np.array([float(first)]), np.array([float(second)])
    for measure in (log_likelihood_ratios, log_ratios):
        there, back = measure(own, total, others, other), measure(others, other, own, total)
        assert there[0] == pytest.approx(-back[0], abs=1e-9)
