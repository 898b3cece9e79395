"""The short grid has every value of every factor that a corpus allows."""

from __future__ import annotations

import pytest

from byline.experiments.small_cases.cases import WHOLE
from byline.experiments.small_cases.division import DIVISION
from byline.experiments.small_cases.grid import (
    CHANGES,
    KNOWN_WORDS,
    N_CANDIDATES,
    N_KNOWN,
    UNEQUAL,
    parse_settings,
    settings_of_grid,
)

# Of the test side: the most candidates, and the longest known texts.
LIMITS = {
    "british_fiction": (4, 20000),
    "ccat50": (25, 500),
    "cmcc": (10, 500),
    "federalist": (3, 2000),
    "french_theatre17": (13, 20000),
    "lectures16": (7, 2000),
    "pan19": (9, 500),
}


@pytest.mark.parametrize("corpus", DIVISION)
def test_every_value_of_every_factor_occurs(corpus: str) -> None:
    most, longest = LIMITS[corpus]
    settings = settings_of_grid("short", corpus)
    assert {each.n_candidates for each in settings} == {n for n in N_CANDIDATES if n <= most}
    assert {each.n_known for each in settings} == set(N_KNOWN)
    assert {each.known_words for each in settings} == {n for n in KNOWN_WORDS if n <= longest}
    assert {each.unequal for each in settings} == {"", *UNEQUAL}
    assert {each.change for each in settings} == {"", *(CHANGES if corpus == "cmcc" else ())}


@pytest.mark.parametrize("corpus", DIVISION)
def test_the_short_grid_is_a_part_of_the_full_one(corpus: str) -> None:
    short = settings_of_grid("short", corpus)
    full = settings_of_grid("full", corpus)
    assert 17 <= len(short) <= 22
    assert len(set(short)) == len(short)
    assert {each.name for each in short} <= {each.name for each in full}
    assert len(full) == 192 * (3 if corpus == "cmcc" else 1)


def test_only_short_known_texts_go_without_questioned_novels() -> None:
    for corpus in DIVISION:
        for each in settings_of_grid("short", corpus):
            is_without = corpus == "british_fiction" and each.known_words < 2000
            assert (WHOLE in each.questioned_words) != is_without


def test_names_are_those_of_the_settings() -> None:
    for each in settings_of_grid("full", "cmcc"):
        assert parse_settings(each.name) == each
