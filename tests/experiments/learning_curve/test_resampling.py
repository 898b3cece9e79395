"""Intervals by resampling held-out works and samples of known texts."""

from __future__ import annotations

import numpy as np
import pytest

from byline.experiments.learning_curve import resampling
from byline.experiments.learning_curve.resampling import Resampler, accuracy_interval, interval


@pytest.fixture(autouse=True)
def many_resamples(few_resamples: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "N_RESAMPLES", 400)


def test_equal_answers_have_no_spread() -> None:
    means = Resampler(4, 3).means(np.full((3, 4), 2.0), np.full((3, 4), 5))
    assert means.tolist() == pytest.approx([0.4] * len(means))


def test_the_spread_is_that_of_means_of_works() -> None:
    # Of 400 works with one passage each, half are correct: the standard error of the mean is
    # (0.5 * 0.5 / 400) ** 0.5 = 0.025, and one sample adds none.
    sums = (np.arange(400) % 2)[np.newaxis].astype(float)
    means = Resampler(400, 1).means(sums, np.ones((1, 400)))
    assert float(means.mean()) == pytest.approx(0.5, abs=0.01)
    assert float(means.std()) == pytest.approx(0.025, abs=0.005)


def test_samples_that_differ_widen_the_interval() -> None:
    sums = np.array([[1.0] * 50, [0.0] * 50])  # all correct after one sample, none after the other
    low, high = interval(Resampler(50, 2).means(sums, np.ones((2, 50))))
    assert (low, high) == (0.0, 1.0)


def test_an_interval_of_only_correct_answers_is_that_of_wilson() -> None:
    # Wilson's lower end for 20 of 20 texts is 20 / (20 + 1.96 ** 2).
    low, high = accuracy_interval(1.0, np.ones(5), n_works=20)
    assert low == pytest.approx(20 / (20 + 1.959964**2))
    assert high == 1.0
    assert accuracy_interval(0.0, np.zeros(5), n_works=20)[0] == 0.0
