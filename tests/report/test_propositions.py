from __future__ import annotations

import math

import pytest

from byline.attribution.calibration import verbal_scale, verbal_scale_steps
from byline.report.propositions import (
    findings_sentence,
    interval_sentence,
    probability_sentence,
    support,
    verbal_scale_table,
)


def test_the_steps_are_those_of_the_scale() -> None:
    steps = verbal_scale_steps()
    assert [low for low, _, _ in steps] == [0, math.log10(2), 1, 2, 3, 4, 6]
    assert steps[-1][1] == math.inf
    for low, high, term in steps:
        middle = low + 0.1 if high == math.inf else (low + high) / 2
        assert verbal_scale(middle) == verbal_scale(low) == term


@pytest.mark.parametrize(
    ("ratio", "words", "sentence"),
    [
        (0.0, "no support for either proposition", "equally probable if H1 is true and if H2"),
        (0.5, "weak support for H1", "3.2 times as probable if H1 is true as if H2 is true"),
        (-2.0, "moderately strong support for H2", "100 times as probable if H2 is true as if H1"),
    ],
)
def test_a_ratio_is_put_in_words(ratio: float, words: str, sentence: str) -> None:
    assert support(ratio) == words
    assert sentence in findings_sentence(ratio)


def test_exactly_one_step_is_marked() -> None:
    for ratio in (-7.0, -1.0, -0.31, 0.0, 0.3, 1.0, 9.0):
        marked = [step for step in verbal_scale_table(ratio) if step["is_here"]]
        assert len(marked) == 1
        assert marked[0]["term"] == verbal_scale(abs(ratio))
    assert not any(step["is_here"] for step in verbal_scale_table())


def test_the_steps_within_an_interval_are_marked() -> None:
    steps = verbal_scale_table(0.5, {"low": -0.2, "high": 1.4})
    assert [step["in_interval"] for step in steps[:4]] == [["H1", "H2"], ["H1"], ["H1"], []]
    steps = verbal_scale_table(-1.5, {"low": -2.5, "high": -1.2})
    assert [step["in_interval"] for step in steps[:4]] == [[], [], ["H2"], ["H2"]]


def test_an_interval_within_one_step_is_stated_once() -> None:
    interval = {"low": 0.4, "high": 0.9, "level": 0.95, "n_resamples": 1000, "n_authors": 30}
    assert "0.40 to 0.90, which means weak support for H1 (1,000" in interval_sentence(interval)


def test_a_probability_is_stated_with_its_prior_odds() -> None:
    sentence = probability_sentence(0.0)
    assert "prior odds of 1 to 1" in sentence and sentence.endswith("would be 50.0 %.")
