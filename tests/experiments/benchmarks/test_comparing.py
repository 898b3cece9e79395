"""Paired comparisons of classifiers: values computed by hand, and laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.errors import UsageError
from byline.experiments.benchmarks import compare_methods, mcnemar

RIGHTS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


def test_mcnemar_equals_the_binomial_test_of_discordant_texts() -> None:
    # 1 of 6 either way: 2 * (1 + 6) / 2**6
    assert mcnemar(1, 5) == pytest.approx(14 / 64)
    # 0 of 10 either way: 2 / 2**10
    assert mcnemar(10, 0) == pytest.approx(2 / 1024)
    assert mcnemar(3, 3) == 1.0
    assert mcnemar(0, 0) == 1.0


def test_the_difference_and_its_interval() -> None:
    # Of 400 texts both are correct on 280, only the first on 60, only the second on 20:
    # difference (60 - 20) / 400 = 0.1, its variance (80 / 400 - 0.1**2) / 400 = 0.000475
    first = [True] * 340 + [False] * 60
    second = [True] * 280 + [False] * 60 + [True] * 20 + [False] * 40
    found = compare_methods("a", "b", first, second)
    assert found.difference == pytest.approx(0.1)
    assert (found.n, found.n_only_first, found.n_only_second) == (400, 60, 20)
    low, high = found.interval
    # The bounds of the normal approximation; accuracy has steps of 1/400.
    assert low == pytest.approx(0.1 - 1.96 * math.sqrt(0.000475), abs=0.004)
    assert high == pytest.approx(0.1 + 1.96 * math.sqrt(0.000475), abs=0.004)
    assert found.p_value == mcnemar(60, 20) < 0.0001


def test_equal_answers_have_no_difference() -> None:
    found = compare_methods("a", "b", [True, False], [True, False])
    assert (found.difference, found.interval, found.p_value) == (0.0, (0.0, 0.0), 1.0)


def test_one_text() -> None:
    found = compare_methods("a", "b", [True], [False])
    assert (found.difference, found.interval, found.p_value) == (1.0, (1.0, 1.0), 1.0)


def test_the_same_seed_gives_the_same_interval() -> None:
    rng = np.random.default_rng(3)
    first, second = (rng.random(50) < 0.5).tolist(), (rng.random(50) < 0.5).tolist()
    assert compare_methods("a", "b", first, second) == compare_methods("a", "b", first, second)


@settings(max_examples=15, deadline=None)
@given(RIGHTS)
def test_exchanging_the_classifiers_changes_the_sign(rights: list[tuple[bool, bool]]) -> None:
    first, second = [a for a, _ in rights], [b for _, b in rights]
    one, other = compare_methods("a", "b", first, second), compare_methods("b", "a", second, first)
    assert one.difference == pytest.approx(-other.difference)
    assert one.p_value == pytest.approx(other.p_value)
    assert (one.n_only_first, one.n_only_second) == (other.n_only_second, other.n_only_first)
    low, high = one.interval
    # A single text among many is in too few resamples to change the 2.5 % quantile.
    assert low - 0.1 <= one.difference <= high + 0.1


@pytest.mark.parametrize(("first", "second"), [([], []), ([True], [True, False])])
def test_different_texts_cannot_be_compared(first: list[bool], second: list[bool]) -> None:
    with pytest.raises(UsageError, match="a comparison needs the same texts"):
        compare_methods("a", "b", first, second)
