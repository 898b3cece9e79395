"""Presets and lists of rules, and the account of what they changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.errors import UsageError
from byline.typography import PRESETS, RULES, Normalization


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("edition", "edition"),
        ("none", "none"),
        ("strict", "strict"),
        ("edition,-headings", "edition,-headings"),
        ("none, quotes, spaces", "none,spaces,quotes"),
        ("strict,-letter-case", "strict,-letter-case"),
        ("none,-quotes", "none"),
    ],
)
def test_presets_and_lists_of_rules_have_a_canonical_form(written: str, canonical: str) -> None:
    assert str(Normalization.parse(written)) == canonical


@given(st.frozensets(st.sampled_from(sorted(RULES))))
def test_the_canonical_form_is_read_as_the_same_rules(rules: frozenset[str]) -> None:
    normalization = Normalization(rules)
    assert Normalization.parse(str(normalization)) == normalization


@pytest.mark.parametrize("written", ["", "editions", "edition,quote", "quotes", "edition,--quotes"])
def test_unknown_names_are_refused(written: str) -> None:
    with pytest.raises(UsageError, match=r"choose (one of: edition|from: entities)"):
        Normalization.parse(written)


def test_rules_can_be_added() -> None:
    edition = Normalization.parse("edition")
    forced = edition.with_rules({"letter-case", "spaces"})
    assert forced.rules == edition.rules | {"letter-case"}
    assert edition.rules == PRESETS["edition"]


def test_none_changes_nothing() -> None:
    text = "\ufeff\u201cA\u201d \ud800\u00a0 b\r\n"
    assert Normalization.parse("none").apply(text) == text
    assert Normalization.parse("none").changes(text) == []


def test_changes_are_counted_per_rule_with_examples() -> None:
    changes = Normalization.parse("none,invisible,quotes,spaces").changes(
        "\u201cIt\u2019s late,\u201d she said; I\u00a0do not know."
    )
    assert [(change.rule, change.number) for change in changes] == [("spaces", 1), ("quotes", 3)]
    assert changes[1].examples[0] == ("\u201cIt\u2019s late,\u201d ", '"It\'s late," ')
    assert changes[0].examples == ((" she said; I\u00a0do not know.", " she said; I do not know."),)
