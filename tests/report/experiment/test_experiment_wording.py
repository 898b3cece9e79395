from __future__ import annotations

import pytest

from byline.report import experiment as wording
from byline.report.experiment import (
    list_facts,
    pair_verdict,
    rule_note,
    split_description,
    total,
    verdict,
)


@pytest.mark.parametrize(
    ("low", "high", "conclusion"),
    [
        (1.0, 5.0, "The result supports the claim."),
        (-1.0, 5.0, "The result is compatible with the claim, and also with no difference."),
        (4.0, 6.0, "The difference is larger than claimed."),
        (0.5, 2.0, "There is a difference, but it is smaller than claimed."),
        (-1.0, 2.0, "The result contradicts the claim: there is no significant difference."),
        (-3.0, -1.0, "The result contradicts the claim: the rival is more accurate."),
        (None, 2.0, "The interval is unknown, so that no conclusion is possible."),
    ],
)
def test_conclusions_about_a_claim(low: float | None, high: float, conclusion: str) -> None:
    assert verdict({"low": low, "high": high, "claim": 3.43}) == conclusion


@pytest.mark.parametrize(
    ("low", "high", "conclusion"),
    [
        (0.1, 0.2, "more often"),
        (-0.2, -0.1, "less often"),
        (-0.1, 0.1, "no significant difference"),
        (None, None, "unknown"),
    ],
)
def test_conclusions_about_confusions(
    low: float | None, high: float | None, conclusion: str
) -> None:
    assert pair_verdict({"low": low, "high": high}) == conclusion


def test_descriptions_of_splits() -> None:
    assert (
        split_description({"unit": "sentence", "seeds": [0]})
        == "1 random split by single sentences"
    )
    assert split_description({"unit": "work", "seeds": [0, 1]}) == "2 random splits by work"


def test_lists_of_facts() -> None:
    facts = {"cores": 2, "memory_gib": 8.0, "gpu": None}
    assert list_facts(facts) == "cores 2, memory gib 8.0"
    assert list_facts("a laptop") == "a laptop"


def test_totals_leave_out_unknown_values() -> None:
    assert total([{"hours": 1.5}, {"hours": None}, {"hours": 2.0}], "hours") == 3.5


def test_the_source_of_a_rule_is_stated_with_the_paper_only() -> None:
    assert rule_note("log-likelihood", paper=True).startswith("Eq. 7 of the paper; summed over")
    assert rule_note("log-likelihood", paper=False).startswith("summed over all words")
    assert rule_note("another", paper=True) == ""


def test_excluded_authors_and_counts_of_authors() -> None:
    assert wording.count_authors("ab", "abcd") == "2 of 4 authors"
    assert wording.count_authors("abcd", "abcd") == "4 authors"
    assert wording.excluded_authors("abcd", "abcd") == ""
    assert (
        wording.excluded_authors("abc", "abcd")
        == " \u2068d\u2069 is a candidate but not part of the mean."
    )
    assert wording.excluded_authors("ac", "abcd") == (
        " \u2068b\u2069 and \u2068d\u2069 are candidates but not part of the mean."
    )


def test_intervals_of_few_authors_are_approximate() -> None:
    assert "With 9 authors it is approximate" in wording.intervals_explained([{"n_authors": 9}])
    assert "approximate" not in wording.intervals_explained([{"n_authors": 10}])
