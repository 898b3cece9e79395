"""Burrows's Delta: values worked out by hand."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from byline.attribution.classifiers import BurrowsDelta

# Ten words each; `the` and `of` are counted, every other word occurs once.
KNOWN = [
    "the the the the of one two three four five",  # the .4, of .1
    "The THE of, apples pears plums quinces figs dates limes!",  # the .2, of .1
    "the of of of red blue green grey black white",  # the .1, of .3
    "the of of of ash elm oak yew fir larch",  # the .1, of .3
]
AUTHORS = ["x", "x", "y", "y"]
QUESTIONED = "The, the, the. Of of: never seen words come again"  # ten words: the .3, of .2
# In the four texts, `the` has mean .2 and variance (.04 + 0 + .01 + .01) / 3 = .02,
# `of` has mean .2 and variance (.01 + .01 + .01 + .01) / 3 = .04 / 3.
# The questioned text: z = (.1 / sqrt .02, 0) = (sqrt .5, 0).
# The texts of x together: the .3, of .1, so z = (sqrt .5, -sqrt .75) with .1 / sqrt(.04 / 3)
# The texts of y: the .1, of .3, so z = (-sqrt .5, sqrt .75)


def test_burrows_is_the_mean_absolute_difference() -> None:
    delta = BurrowsDelta(2).fit(KNOWN, AUTHORS)
    assert delta.words_.tolist() == ["of", "the"]  # eight times each
    np.testing.assert_allclose(delta.means_, [0.2, 0.2])
    np.testing.assert_allclose(delta.deviations_, [sqrt(0.04 / 3), sqrt(0.02)])
    # to x: (0 + sqrt .75) / 2; to y: (2 sqrt .5 + sqrt .75) / 2
    expected = [-sqrt(0.75) / 2, -(2 * sqrt(0.5) + sqrt(0.75)) / 2]
    np.testing.assert_allclose(delta.decision_function([QUESTIONED]), [expected])


def test_cosine_delta_is_one_minus_the_cosine() -> None:
    delta = BurrowsDelta(2, distance="cosine").fit(KNOWN, AUTHORS)
    # of x: (sqrt .5 * sqrt .5 + 0) / (sqrt .5 * sqrt(.5 + .75)) = .5 / sqrt .625; of y: minus that
    cosine = 0.5 / sqrt(0.625)
    np.testing.assert_allclose(delta.decision_function([QUESTIONED]), [[cosine - 1, -cosine - 1]])


def test_the_nearest_text_represents_its_author() -> None:
    delta = BurrowsDelta(2, profile="text").fit(KNOWN, AUTHORS)
    # x's first text has z = (sqrt 2, -sqrt .75), its second (0, -sqrt .75): both
    # (sqrt .5 + sqrt .75) / 2 away; y's two are alike, at the distance from y above.
    expected = [-(sqrt(0.5) + sqrt(0.75)) / 2, -(2 * sqrt(0.5) + sqrt(0.75)) / 2]
    np.testing.assert_allclose(delta.decision_function([QUESTIONED]), [expected])


def test_a_word_with_equal_frequencies_is_left_out() -> None:
    texts = ["and the the " + 6 * "a ", "and the " + 7 * "b ", "and of of " + 6 * "c "]
    delta = BurrowsDelta(6).fit(texts, ["x", "y", "z"])
    assert delta.words_.tolist() == ["b", "a", "c", "the", "of"]
    assert np.isfinite(delta.decision_function(texts)).all()


def test_frequencies_are_relative_to_all_words() -> None:
    delta = BurrowsDelta(1).fit(KNOWN, AUTHORS)  # only `of`
    both = delta.decision_function(["of the", "of the never seen"])
    # z = (.5 - .2) / sd and (.25 - .2) / sd; x's is (.1 - .2) / sd
    deviation = sqrt(0.04 / 3)
    np.testing.assert_allclose(both[:, 0], [-0.4 / deviation, -0.15 / deviation])


@pytest.mark.parametrize(("language", "n"), [("en", 1), ("fr", 2)])
def test_elision_follows_the_language(language: str, n: int) -> None:
    texts = ["l'homme " * 3 + "seul", "un chien"]
    delta = BurrowsDelta(n, language=language).fit(texts, ["x", "y"])
    assert delta.words_.tolist() == (["l'homme"] if n == 1 else ["homme", "l'"])
