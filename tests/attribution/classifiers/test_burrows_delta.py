"""Burrows's Delta: values worked out by hand."""

from __future__ import annotations

import tracemalloc
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.attribution.classifiers import BurrowsDelta
from byline.attribution.classifiers.base import HeldOutSplit
from byline.attribution.classifiers.word_counts import WordCounts
from byline.errors import BylineWarning

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
    np.testing.assert_allclose(delta.score_authors([QUESTIONED]), [expected])


def test_cosine_delta_is_one_minus_the_cosine() -> None:
    delta = BurrowsDelta(2, distance="cosine").fit(KNOWN, AUTHORS)
    # of x: (sqrt .5 * sqrt .5 + 0) / (sqrt .5 * sqrt(.5 + .75)) = .5 / sqrt .625; of y: minus that
    cosine = 0.5 / sqrt(0.625)
    np.testing.assert_allclose(delta.score_authors([QUESTIONED]), [[cosine - 1, -cosine - 1]])


def test_the_nearest_text_represents_its_author() -> None:
    delta = BurrowsDelta(2, profile="text").fit(KNOWN, AUTHORS)
    # x's first text has z = (sqrt 2, -sqrt .75), its second (0, -sqrt .75): both
    # (sqrt .5 + sqrt .75) / 2 away; y's two are alike, at the distance from y above.
    expected = [-(sqrt(0.5) + sqrt(0.75)) / 2, -(2 * sqrt(0.5) + sqrt(0.75)) / 2]
    np.testing.assert_allclose(delta.score_authors([QUESTIONED]), [expected])


def test_a_word_with_equal_frequencies_is_left_out() -> None:
    texts = ["and the the " + 6 * "a ", "and the " + 7 * "b ", "and of of " + 6 * "c "]
    delta = BurrowsDelta(6).fit(texts, ["x", "y", "z"])
    assert delta.words_.tolist() == ["b", "a", "c", "the", "of"]
    assert np.isfinite(delta.score_authors(texts)).all()


def test_frequencies_are_relative_to_all_words() -> None:
    delta = BurrowsDelta(1).fit(KNOWN, AUTHORS)  # only `of`
    both = delta.score_authors(["of the", "of the never seen"])
    # z = (.5 - .2) / sd and (.25 - .2) / sd; x's is (.1 - .2) / sd
    deviation = sqrt(0.04 / 3)
    np.testing.assert_allclose(both[:, 0], [-0.4 / deviation, -0.15 / deviation])


@pytest.mark.parametrize(("language", "n"), [("en", 1), ("fr", 2)])
def test_elision_follows_the_language(language: str, n: int) -> None:
    texts = ["l'homme " * 3 + "seul", "un chien"]
    delta = BurrowsDelta(n, language=language).fit(texts, ["x", "y"])
    assert delta.words_.tolist() == (["l'homme"] if n == 1 else ["homme", "l'"])


def test_decimals_underscores_and_curly_apostrophes() -> None:
    counts = WordCounts.of(["Don’t don't DON’T 3.5", "l’eau", ""], "en")
    assert counts.words == ["3", "5", "don't", "don’t", "l’eau"]
    assert counts.table.toarray().tolist() == [[1, 1, 1, 2, 0], [0, 0, 0, 0, 1], [0] * 5]
    assert counts.lengths.tolist() == [5, 1, 0]
    assert WordCounts.of(["L’eau d'or"], "fr").words == ["d'", "eau", "l’", "or"]


@pytest.mark.parametrize("distance", ["burrows", "cosine"])
@pytest.mark.parametrize("profile", ["author", "text"])
def test_contributions_sum_to_the_score(distance: str, profile: str) -> None:
    delta = BurrowsDelta(9, distance=distance, profile=profile).fit(KNOWN, AUTHORS)
    found = delta.contributions(QUESTIONED)
    assert found.shape == (9, 2)
    scores = delta.score_authors([QUESTIONED])[0] + float(distance == "cosine")
    np.testing.assert_allclose(found.sum(axis=0), scores, rtol=1e-12)


def test_contributions_have_known_values() -> None:
    delta = BurrowsDelta(2, distance="cosine").fit(KNOWN, AUTHORS)
    # `of` is as frequent as usual in the questioned text, so that `the` makes the difference.
    cosine = 0.5 / sqrt(0.625)
    np.testing.assert_allclose(
        delta.contributions(QUESTIONED), [[0.0, 0.0], [cosine, -cosine]], atol=1e-15
    )
    assert not delta.contributions("none known: ...").any()


def test_letter_case_punctuation_and_paragraphs_do_not_matter() -> None:
    delta = BurrowsDelta(distance="cosine").fit(KNOWN, AUTHORS)
    assert delta.depends_on == {"accents"}
    texts = "the the of one apples never red", "The THE -- of...\n\nOne (apples), never: red!"
    plain, written = delta.score_authors(texts)
    np.testing.assert_array_equal(plain, written)


@pytest.mark.parametrize("texts", [["a b", "b a"], ["!", "?"], ["so", "so so"]])
def test_equal_frequencies_give_equal_scores_and_a_warning(texts: list[str]) -> None:
    with pytest.warns(BylineWarning, match="all words are equally frequent in all known texts"):
        delta = BurrowsDelta(distance="cosine").fit(texts, ["x", "y"])
    assert delta.words_.tolist() == []
    np.testing.assert_array_equal(delta.score_authors(["a b", ""]), 0)
    assert delta.contributions("a b").shape == (0, 2)


def test_splits_that_leave_nothing_to_compare_give_equal_scores() -> None:
    texts, authors = ["tar oar", "tar tar", "mast oar", "row"], ["a", "a", "b", "b"]
    left = [[0], [0, 1], [], [2, 3]]  # one text, one author, nothing
    splits = [
        HeldOutSplit(~np.isin(np.arange(4), places), ["tar", "row oar", ""]) for places in left
    ]
    delta = BurrowsDelta(distance="cosine")
    for scores in delta.fit_with_held_out_scores(texts, authors, splits):
        np.testing.assert_array_equal(np.ptp(scores, axis=1), 0)
    assert delta.predict(["tar", "row"]).tolist() == ["a", "b"]


def test_one_short_text_per_author_is_enough() -> None:
    delta = BurrowsDelta(distance="cosine").fit(["tar oar", "mast oar oar"], ["a", "b"])
    assert delta.predict(["tar", "mast oar"]).tolist() == ["a", "b"]


def test_each_text_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []

    class Recorded(WordCounts):
        @classmethod
        def of(cls, texts: list[str], *rest: object) -> WordCounts:  # type: ignore[override]
            counted.extend(texts)
            return WordCounts.of(texts, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("byline.attribution.classifiers.burrows_delta.WordCounts", Recorded)
    splits = [HeldOutSplit(np.arange(4) == place, [KNOWN[place], "of of"]) for place in range(4)]
    BurrowsDelta(2).fit_with_held_out_scores(KNOWN, AUTHORS, splits)
    assert sorted(counted) == sorted([*KNOWN, "of of"])


def test_one_endless_word_does_not_multiply_memory() -> None:
    texts = ["oats rye " + "x" * 100_000, "rye rye " + " ".join(map(str, range(500)))]
    tracemalloc.start()
    try:
        BurrowsDelta(500).fit(texts, ["a", "b"]).score_authors(texts)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * 2**20


@given(st.lists(st.lists(st.sampled_from("abcde"), max_size=9).map(" ".join), min_size=1))
def test_counts_of_texts_words_and_owners(texts: list[str]) -> None:
    counts = WordCounts.of(texts, "en")
    rows = list(range(len(texts)))[::-1]
    turned = counts.of_texts(rows)
    words = counts.words[::-1]
    some = WordCounts.of([texts[row] for row in rows], "en", words)
    np.testing.assert_array_equal(turned.of_words(words).table.toarray(), some.table.toarray())
    np.testing.assert_array_equal(turned.lengths, some.lengths)
    joint = counts.joined([0] * len(texts))
    together = WordCounts.of([" ".join(texts)], "en", counts.words)
    np.testing.assert_array_equal(joint.table.toarray(), together.table.toarray())
    np.testing.assert_array_equal(joint.lengths, together.lengths)
