"""Changes of author maximise the sum of scores minus penalties."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from byline.attribution.rolling.segmentation import best_path, best_rise, changes_of

Floats = NDArray[np.float64]
WHOLE = st.integers(-8, 8).map(float)


def value(scores: Floats, path: tuple[int, ...], penalty: float) -> float:
    chosen = sum(scores[part, author] for part, author in enumerate(path))
    return float(chosen) - penalty * sum(one != other for one, other in pairwise(path))


@settings(deadline=None, max_examples=60)
@given(
    scores=st.tuples(st.integers(1, 6), st.integers(1, 3)).flatmap(
        lambda shape: arrays(np.float64, shape, elements=WHOLE)
    ),
    penalty=st.sampled_from([0.0, 0.5, 3.0, 20.0]),
)
def test_the_path_is_optimal(scores: Floats, penalty: float) -> None:
    n_parts, n_authors = scores.shape
    path = tuple(best_path(scores, penalty).tolist())
    every = product(range(n_authors), repeat=n_parts)
    best = max(value(scores, other, penalty) for other in every)
    assert value(scores, path, penalty) == pytest.approx(best, abs=1e-9)


def test_a_change_must_gain_more_than_it_costs() -> None:
    # After the change the second author leads by 1 + 1, before it the first leads by 2 + 1.
    scores = np.array([[0.0, -2.0], [0.0, -1.0], [-1.0, 0.0], [-1.0, 0.0]])
    assert best_path(scores, 1.9).tolist() == [0, 0, 1, 1]
    assert best_path(scores, 2.1).tolist() == [0, 0, 0, 0]
    assert best_path(scores, 2.0).tolist() == [0, 0, 0, 0]  # a tie: no change


def test_changes_are_the_first_passages_by_another_author() -> None:
    assert changes_of(np.array([2, 2, 0, 1, 1])) == [2, 3]
    assert changes_of(np.array([1])) == []


def test_a_single_unusual_passage_is_no_change() -> None:
    scores = np.log(np.array([[0.8, 0.2]] * 4 + [[0.1, 0.9]] + [[0.8, 0.2]] * 4))
    assert best_path(scores, 3).tolist() == [0] * 9


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.0, 1.0], 1),
        ([-1.0, -1.0, 2.0, 2.0, 2.0], 2),
        ([5.0, 5.0, 6.0, 6.0], 2),  # a rise, at any level
        ([4.0, 0.0, 0.0, 1.0], 3),  # the largest change is a fall
        ([3.0, 3.0], 1),
    ],
)
def test_the_change_is_where_values_rise(values: list[float], expected: int) -> None:
    assert best_rise(np.array(values)) == expected


@settings(deadline=None, max_examples=40)
@given(values=arrays(np.float64, st.integers(2, 9), elements=WHOLE), shift=WHOLE)
def test_the_level_of_values_does_not_matter(values: Floats, shift: float) -> None:
    cut = best_rise(values)
    assert 1 <= cut < len(values)
    assert best_rise(values + shift) == cut or _rise(values, best_rise(values + shift)) == (
        pytest.approx(_rise(values, cut), abs=1e-9)
    )


def _rise(values: Floats, cut: int) -> float:
    n = len(values)
    rise = values[cut:].mean() - values[:cut].mean()
    return float(np.sqrt(cut * (n - cut)) * rise)
