"""Cllr, Cllr_min, empirical cross-entropy and Tippett data."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.calibration import (
    cllr,
    cllr_min,
    cross_entropy_curve,
    pav_posteriors,
    tippett,
)
from byline.errors import TrainingError, UsageError

LLRS = st.lists(st.floats(-30, 30), min_size=1, max_size=12)
FAR_APART = st.lists(st.integers(-20, 20), min_size=1, max_size=12)
LN10 = math.log(10)


def test_no_evidence_costs_one_bit() -> None:
    assert cllr([0.0], [0.0, 0.0]) == 1
    assert cllr_min([0.0], [0.0, 0.0]) == 1


def test_cllr_of_known_ratios() -> None:
    # Targets 3 and 1: log2(1 + 1/3) = log2(4/3), log2 2; nontarget 1/7: log2(8/7)
    expected = ((math.log2(4 / 3) + 1) / 2 + math.log2(8 / 7)) / 2
    assert cllr(np.log([3, 1]), np.log([1 / 7])) == pytest.approx(expected)


def test_cllr_min_of_known_order() -> None:
    # Ascending: nontarget, target, nontarget, target. Weights of targets and nontargets are 1/2
    # each; the middle two are pooled: p = 1/2; the ends are 0 and 1. Targets: (1 + 0) / 2 bits,
    # nontargets: (0 + 1) / 2 bits; half of their sum is 1/2.
    assert cllr_min([2.0, 4.0], [1.0, 3.0]) == pytest.approx(0.5)


def test_pooled_posteriors_weigh_both_kinds_alike() -> None:
    # The pooled two hold 1 of 1 targets' weight and 1 of 3 nontargets': 1 / (1 + 1/3) = 3/4
    own, others = pav_posteriors([1.0], [0.0, 0.5, 2.0])
    assert own.tolist() == pytest.approx([0.75])
    assert others.tolist() == pytest.approx([0, 0, 0.75])


def test_told_apart_without_error_costs_nothing() -> None:
    assert str(cllr_min([3.0, 2.0], [-1.0, 1.9])) == "0.0"


@settings(deadline=None, max_examples=60)
@given(LLRS, LLRS)
def test_no_calibration_is_better_than_pooling(own: list[float], others: list[float]) -> None:
    assert 0 <= cllr_min(own, others) <= min(1, cllr(own, others)) + 1e-9


@settings(deadline=None, max_examples=40)
@given(FAR_APART, FAR_APART, st.floats(0.1, 5), st.floats(-10, 10))
def test_a_rising_function_does_not_change_what_tells_apart(
    own: list[int], others: list[int], slope: float, shift: float
) -> None:
    raised = [np.asarray(values) * slope + shift for values in (own, others)]
    assert cllr_min(*raised) == pytest.approx(cllr_min(own, others))


@settings(deadline=None, max_examples=40)
@given(LLRS, LLRS)
def test_cross_entropy_at_even_odds_is_the_cost(own: list[float], others: list[float]) -> None:
    curve = cross_entropy_curve(own, others, n_priors=7)
    assert curve.log10_prior_odds[3] == 0
    assert curve.observed[3] == pytest.approx(cllr(own, others))
    assert curve.pav[3] == pytest.approx(cllr_min(own, others), abs=1e-12)
    assert curve.reference[3] == pytest.approx(1)
    for other in (curve.observed, curve.reference):
        assert (np.subtract(curve.pav, other) <= 1e-9).all()
    assert np.isfinite(curve.observed).all()


def test_cross_entropy_of_one_comparison_each() -> None:
    # Prior odds 10 : 1, so priors 10/11 and 1/11; ratios 4 and 1/2:
    # 10/11 log2(1 + 1/40) + 1/11 log2(1 + 10/2); without them, the entropy of 10/11.
    curve = cross_entropy_curve(np.log([4]), np.log([0.5]), n_priors=7)
    assert curve.log10_prior_odds[4] == 1
    expected = 10 / 11 * math.log2(1 + 1 / 40) + 1 / 11 * math.log2(6)
    assert curve.observed[4] == pytest.approx(expected)
    entropy = -(10 / 11 * math.log2(10 / 11) + 1 / 11 * math.log2(1 / 11))
    assert curve.reference[4] == pytest.approx(entropy)


def test_tippett_counts_what_reaches_a_threshold() -> None:
    own, others = np.array([0.0, 1.0, 3.0]) * LN10, np.array([-1.0, -1.0, 0.5, 1.0]) * LN10
    found = tippett(own, others, n_thresholds=5)
    assert found.log10_thresholds == pytest.approx([-1, 0, 1, 2, 3])
    assert found.targets == pytest.approx([1, 1, 2 / 3, 1 / 3, 1 / 3])
    assert found.nontargets == pytest.approx([1, 1 / 2, 1 / 4, 0, 0])
    assert found.misleading_targets == 0
    assert found.misleading_nontargets == 0.5


def test_ratios_are_misleading_however_small_but_not_if_they_favour_neither() -> None:
    found = tippett([-0.01, 0.0, 3.0, 3.0], [0.01, 0.0, -3.0, -3.0])
    assert (found.misleading_targets, found.misleading_nontargets) == (0.25, 0.25)


@settings(deadline=None, max_examples=40)
@given(LLRS, LLRS)
def test_tippett_curves_fall_from_one(own: list[float], others: list[float]) -> None:
    found = tippett(own, others, n_thresholds=9)
    for shares in (found.targets, found.nontargets):
        assert shares[0] == 1
        assert (np.diff(shares) <= 0).all()


@pytest.mark.parametrize("measure", [cllr, cllr_min, cross_entropy_curve, tippett])
def test_both_kinds_must_be_there_and_finite(measure: object) -> None:
    assert callable(measure)
    with pytest.raises(TrainingError, match="no comparison with true authors"):
        measure([], [0.0])
    with pytest.raises(TrainingError, match="no comparison with other candidates"):
        measure([0.0], [])
    with pytest.raises(UsageError, match="is not finite"):
        measure([np.inf], [0.0])
