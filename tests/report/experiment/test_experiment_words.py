from __future__ import annotations

import pytest

from byline.report import experiment_wording as words
from byline.report.experiment_wording import (
    change,
    how_divided,
    in_words,
    pair_verdict,
    rule_note,
    total,
    verdict,
)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (1.0, 5.0, "The claim holds."),
        (-1.0, 5.0, "The claim is possible, and so is no difference."),
        (4.0, 6.0, "The difference is larger than claimed."),
        (0.5, 2.0, "There is a difference, but smaller than claimed."),
        (-1.0, 2.0, "The claim does not hold: no difference can be told from chance."),
        (-3.0, -1.0, "The claim does not hold: the rival is ahead."),
        (None, 2.0, "The interval is not known: nothing can be said."),
    ],
)
def test_what_an_interval_says_of_a_claim(low: float | None, high: float, said: str) -> None:
    assert verdict({"low": low, "high": high, "claim": 3.43}) == said


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.1, 0.2, "more often"),
        (-0.2, -0.1, "less often"),
        (-0.1, 0.1, "no difference that can be told from chance"),
        (None, None, "not known"),
    ],
)
def test_who_takes_one_for_the_other(low: float | None, high: float | None, said: str) -> None:
    assert pair_verdict({"low": low, "high": high}) == said


def test_how_a_corpus_was_divided() -> None:
    assert how_divided({"unit": "sentence", "seeds": [0]}) == "1 random split by single sentences"
    assert how_divided({"unit": "work", "seeds": [0, 1]}) == "2 random splits by work"


def test_facts_in_words() -> None:
    facts = {"cores": 2, "memory_gib": 8.0, "gpu": None}
    assert in_words(facts) == "cores 2, memory gib 8.0"
    assert in_words("a laptop") == "a laptop"


def test_only_what_is_known_is_added_up() -> None:
    assert total([{"hours": 1.5}, {"hours": None}, {"hours": 2.0}], "hours") == 3.5


def test_a_difference_that_rounds_to_nothing_is_not_below_nothing() -> None:
    assert [change(value) for value in (-0.04, 0.04, -0.06)] == ["+0.0", "+0.0", "-0.1"]
    assert change(None) == "–"


def test_a_rule_comes_from_the_paper_beside_its_figures_alone() -> None:
    assert rule_note("log-likelihood", paper=True).startswith("Eq. 7 of the paper; summed over")
    assert rule_note("log-likelihood", paper=False).startswith("summed over all words")
    assert rule_note("another", paper=True) == ""


def test_authors_set_aside_are_named_and_authors_counted() -> None:
    assert words.how_many("ab", "abcd") == "2 of 4 authors"
    assert words.how_many("abcd", "abcd") == "4 authors"
    assert words.candidates_only("abcd", "abcd") == ""
    assert words.candidates_only("abc", "abcd") == " \u2068d\u2069 is a candidate only."
    assert words.candidates_only("ac", "abcd") == (
        " \u2068b\u2069 and \u2068d\u2069 are candidates only."
    )


def test_intervals_of_few_authors_are_called_rough() -> None:
    assert "of 9 authors it is rough" in words.how_intervals_are_made([{"n_authors": 9}])
    assert "rough" not in words.how_intervals_are_made([{"n_authors": 10}])
