"""Every regular expression takes time in proportion to the text, whatever the text is."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
import regex
from hostile_strings import HostileStrings
from slow_patterns import FoundPattern, patterns_of_byline, slowest

N_PARTS = 2
# Expressions that functions make; an example of each is checked below.
MADE_BY_FUNCTIONS = {
    "byline.corpus.demo",
    "byline.corpus.fingerprints",
    "byline.text.letters",
    "byline.typography.scripts",
    "byline.typography.typographic_forms",
}
# A collection that fails in part must not pass.
FEWEST_EXPECTED = 240
EXPONENTIAL = [  # each comment, word or letter can be read in two ways
    (r"\s*(?:<!--.*?-->\s*)*<html\b", "match"),
    (r"(?:\w+\s?)*$", "match"),
    (r"(a|aa)+$", "match"),
    (rb"(?:[^,]*,?)*;", "match"),
]
QUADRATIC = [
    # The same run is read again from each of its characters.
    (r"[^\n]*\*{3}$", "finditer"),
    (r"<!--(?s:.)*?-->", "findall"),
    (r"\s+$", "sub"),
    (r"\[.*\]", "split"),
    # A run can be divided at each of its characters.
    (r".*=.*;", "match"),
    (rb".*=.*;", "fullmatch"),
]
LINEAR = [
    (r"(?<!\s)\s++$", "sub"),
    (r"\s*+(?:<!--(?>.*?-->)\s*+)*+<html\b", "match"),
    (r"[\w'-]+", "findall"),
    (r"\([^()]{0,40}\)", "search"),
    (r".*=", "match"),
]


@cache
def _found() -> tuple[list[FoundPattern], list[str]]:
    return patterns_of_byline()


@pytest.mark.parametrize("part", range(N_PARTS))
def test_every_regular_expression_is_linear(part: int) -> None:
    superlinear = {
        each.where: timing
        for each in _found()[0][part::N_PARTS]
        if (timing := slowest(each)).is_superlinear
    }
    assert superlinear == {}


def test_no_regular_expression_is_overlooked() -> None:
    found, unknown = _found()
    assert len(found) >= FEWEST_EXPECTED, f"{len(found)} regular expressions are checked"
    assert {where.partition(":")[0] for where in unknown} == MADE_BY_FUNCTIONS


@pytest.mark.parametrize(
    ("library", "source", "method"),
    [
        *((re, *each) for each in EXPONENTIAL + QUADRATIC),
        # `regex` remembers where repetitions failed, so that some of them are linear with it.
        *((regex, *each) for each in [EXPONENTIAL[1], *QUADRATIC[2:]]),
    ],
)
def test_superlinear_expressions_are_found(library: Any, source: str | bytes, method: str) -> None:
    found = FoundPattern(library.compile(source), "planted", frozenset({method}))
    assert slowest(found).is_superlinear


@pytest.mark.parametrize("library", [re, regex])
@pytest.mark.parametrize(("source", "method"), LINEAR)
def test_linear_expressions_are_accepted(source: str, method: str, library: Any) -> None:
    found = FoundPattern(library.compile(source), "planted", frozenset({method}))
    assert not slowest(found).is_superlinear


def test_hostile_strings_repeat_what_parts_of_an_expression_match() -> None:
    strings = set(HostileStrings(regex.compile(r"x(?:ab|c)*[^\n]+!")))
    assert {("x", "ab", ""), ("x", "c", "\0"), ("", "xab", "")} <= strings
