"""The fitted curve, and the number of words that an accuracy needs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.experiments.learning_curve.fits import words_needed
from byline.experiments.learning_curve.fitting import ErrorCurve, fit_curve

CURVES = st.builds(
    ErrorCurve,
    guessing=st.sampled_from([0.5, 0.9, 0.98]),
    floor=st.floats(0.0, 0.3),
    midpoint=st.floats(50.0, 20_000.0),
    exponent=st.floats(0.3, 2.5),
)


def test_the_curve_at_known_words() -> None:
    curve = ErrorCurve(guessing=0.9, floor=0.1, midpoint=400.0, exponent=0.5)
    # The error rate is 0.1 + 0.8 / (1 + (words / 400) ** 0.5): at 1,600 words, 0.1 + 0.8 / 3.
    assert curve.accuracy([400, 1600]).tolist() == pytest.approx([0.5, 0.9 - 0.8 / 3])
    # 0.2 = 0.1 + 0.8 / (1 + r) for r = 7, and 7 ** 2 * 400 = 19,600.
    assert curve.words_needed(0.8) == pytest.approx(19_600)
    assert curve.words_needed(0.9) == math.inf  # which is 1 - floor
    assert curve.words_needed(0.1) == 0.0  # guessing is as good


@given(CURVES, st.floats(0.3, 0.99))
def test_the_accuracy_is_reached_at_the_words_needed(curve: ErrorCurve, accuracy: float) -> None:
    words = curve.words_needed(accuracy)
    if 1e-6 < words < 1e12:
        assert float(curve.accuracy(words)) == pytest.approx(accuracy, abs=1e-6)


@given(CURVES)
def test_more_words_are_never_worse(curve: ErrorCurve) -> None:
    found = curve.accuracy(np.geomspace(1, 1e6, 30))
    assert (np.diff(found) >= -1e-12).all()
    assert 1 - curve.guessing - 1e-9 <= found[0]
    assert found[-1] <= 1 - curve.floor + 1e-9


@settings(max_examples=25, deadline=None)
@given(CURVES)
def test_a_curve_is_found_from_its_own_accuracies(curve: ErrorCurve) -> None:
    words = [50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000]
    found = fit_curve(words, curve.accuracy(words).tolist(), curve.guessing)
    assert found.accuracy(words).tolist() == pytest.approx(curve.accuracy(words).tolist(), abs=0.02)


@pytest.mark.parametrize("accuracy", [0.0, 0.5, 1.0])
def test_equal_accuracies_give_a_flat_curve(accuracy: float) -> None:
    found = fit_curve([100, 1000, 10_000], [accuracy] * 3, 0.5)
    # No curve is worse than guessing by more than the floor allows.
    expected = max(accuracy, 0.5)
    assert found.accuracy([100, 1000, 10_000]).tolist() == pytest.approx([expected] * 3, abs=0.01)


def test_where_the_words_needed_lie() -> None:
    curve = ErrorCurve(guessing=0.5, floor=0.0, midpoint=1000.0, exponent=1.0)  # needs 9,000 words
    near = ErrorCurve(guessing=0.5, floor=0.0, midpoint=500.0, exponent=1.0)  # needs 4,500 words
    never = ErrorCurve(guessing=0.5, floor=0.1, midpoint=500.0, exponent=1.0)
    assert words_needed(curve, [near, curve], 100, 9500).where == "measured"
    assert words_needed(curve, [near, curve], 9500, 10_000).where == "fewer"
    beyond = words_needed(curve, [near, never], 100, 1000)
    assert (beyond.where, round(beyond.words or 0)) == ("extrapolated", 9000)
    assert (round(beyond.interval[0] or 0), beyond.interval[1]) == (4500, None)
    # More than ten times the largest measured number is not stated.
    assert words_needed(curve, [near, curve], 100, 800).words is None
    assert words_needed(never, [never], 100, 800).where == "not-reached"
