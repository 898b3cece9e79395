"""Ranges, their scales, boxes and Latin hypercubes."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.errors import UsageError
from byline.experiments.runner.search import Range, Scale, latin_hypercube, search_box

shares = st.floats(0, 1)


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    """Ranges between 0 and 1, or ranges of whole numbers from 1."""
    scale = draw(st.sampled_from(get_args(Scale)))
    if scale != "complement-log" and draw(st.booleans()):
        low, width = draw(st.integers(1, 1000)), draw(st.integers(1, 1000))
        return Range(low, low + width, scale, whole=True)
    start = draw(st.floats(0.001, 0.9))
    return Range(start, start + draw(st.floats(0.01, 0.099)), scale)


@pytest.mark.parametrize(
    ("scale", "low", "high", "middle", "quarter"),
    [
        ("linear", 100, 400, 250, 175),
        ("log", 100, 400, 200, 141.4),  # 100 * 4 ** 0.5, 100 * 4 ** 0.25
        ("complement-log", 0.8, 0.9875, 0.95, 0.9),  # 1 - 0.2 / 4, 1 - 0.2 / 2
    ],
)
def test_equal_steps_on_each_scale(
    scale: Scale, low: float, high: float, middle: float, quarter: float
) -> None:
    it = Range(low, high, scale)
    assert [it.value(position) for position in (0, 0.25, 0.5, 1)] == [low, quarter, middle, high]
    assert it.position(middle) == pytest.approx(0.5)


def test_whole_numbers_and_four_digits() -> None:
    assert Range(100, 400, "log", whole=True).value(0.25) == 141
    assert isinstance(Range(1, 4, whole=True).value(0.3), int)
    assert Range(0.05, 0.3, "log").value(0.5) == 0.1225  # the root of 0.015 is 0.12247
    # 1 - 0.2 * 0.05 ** 0.5 is 0.95528; the distance 0.04472 has four digits
    assert Range(0.8, 0.99, "complement-log").value(0.5) == 0.95528


def test_positions_of_values_outside_the_range_are_clipped() -> None:
    it = Range(100, 800, "log")
    assert [it.position(value) for value in (-3, 50, 900)] == [0, 0, 1]


@given(ranges(), shares, shares)
@settings(max_examples=100, deadline=None)
def test_values_lie_in_the_range_and_increase_with_position(
    it: Range, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    assert it.low <= it.value(low) <= it.value(high) <= it.high
    if not it.whole:
        assert it.position(it.value(one)) == pytest.approx(one, abs=0.05)


@pytest.mark.parametrize(
    ("ends", "kind", "need"),
    [
        ((2, 2), {}, "low end must be below"),
        ((3, 2), {}, "range from 3 to 2: the low end must be below"),
        ((0.1, float("nan")), {}, "low end must be below"),
        ((0, 2), {"scale": "log"}, "above 0"),
        ((0.5, 1), {"scale": "complement-log"}, "below 1"),
        ((1.5, 3), {"whole": True}, "whole numbers"),
    ],
)
def test_ranges_that_cannot_be(ends: tuple[float, float], kind: dict[str, Any], need: str) -> None:
    with pytest.raises(UsageError, match=need):
        Range(*ends, **kind)


def test_boxes_by_hand() -> None:
    """Sides of 1, 1/2, 1/4; what lies outside is cut off."""
    centre = np.array([0.5, 0.1, 1.0])
    expected = {
        0: ([0, 0, 0], [1, 1, 1]),
        1: ([0.25, 0, 0.75], [0.75, 0.35, 1]),
        2: ([0.375, 0, 0.875], [0.625, 0.225, 1]),
    }
    for number, ends in expected.items():
        np.testing.assert_allclose(np.stack(search_box(centre, number)), np.array(ends))


@given(st.lists(shares, min_size=1, max_size=5), st.integers(0, 12))
@settings(max_examples=50, deadline=None)
def test_boxes_around_one_centre_lie_within_each_other(at: list[float], number: int) -> None:
    centre = np.array(at)
    (low, high), (lower, higher) = search_box(centre, number + 1), search_box(centre, number)
    assert np.all((lower <= low) & (low <= centre) & (centre <= high) & (high <= higher))
    assert np.all(high - low <= 0.5 ** (number + 1) + 1e-12)
    assert np.all(high - low < higher - lower)


@given(st.integers(0, 20), st.integers(1, 6), st.integers(0, 10))
@settings(max_examples=50, deadline=None)
def test_every_slice_of_every_side_has_a_point(n: int, n_dims: int, seed: int) -> None:
    points = latin_hypercube(np.random.default_rng(seed), n, n_dims)
    assert points.shape == (n, n_dims)
    for side in points.T:
        assert sorted(np.floor(side * n).astype(int)) == list(range(n))
