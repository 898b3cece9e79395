from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap

from byline.experiments.reproductions.ge_sun_2016.bootstrap import generator, ratio_interval


def test_a_generator_depends_on_names_alone() -> None:
    draws = [generator(*names).random() for names in [(1, "a"), (1, "a"), (1, "b"), ("1a",)]]
    assert draws[0] == draws[1]
    assert len(set(draws)) == 3


def test_interval_of_a_mean_equals_that_of_scipy() -> None:
    values = np.random.default_rng(0).normal(2.0, 3.0, 40)
    theirs = bootstrap(
        (values,), np.mean, n_resamples=9999, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    ours = ratio_interval(values, np.ones(40), generator("test"))
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.1)


def test_interval_of_a_ratio_equals_that_of_scipy() -> None:
    # Sentences that are tested several times and attributed correctly some of those times.
    rng = np.random.default_rng(2)
    wholes = rng.integers(1, 6, 300).astype(float)
    parts = rng.binomial(wholes.astype(int), 0.3).astype(float)
    theirs = bootstrap(
        (parts, wholes),
        lambda p, w, axis: p.sum(axis) / w.sum(axis),
        paired=True,
        n_resamples=9999,
        method="percentile",
        rng=rng,
    ).confidence_interval
    ours = ratio_interval(parts, wholes, generator("test"))
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.005)


def test_two_authors_by_hand() -> None:
    # Two draws from (0, 1) have means 0, 1/2 and 1 with probabilities 1/4, 1/2 and 1/4.
    assert ratio_interval(np.array([0.0, 1.0]), np.ones(2), generator("x")) == (0.0, 1.0)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 3)), min_size=1, max_size=12))
def test_an_interval_lies_between_the_units(units: list[tuple[int, int]]) -> None:
    parts, wholes = np.array(units, dtype=float).T
    low, high = ratio_interval(parts, wholes, generator("x"))
    assert (parts / wholes).min() - 1e-12 <= low <= high <= (parts / wholes).max() + 1e-12
