"""The division of the corpora is fixed, and does not depend on what a folder has."""

from __future__ import annotations

import pytest

from byline.errors import CorpusError
from byline.experiments.small_cases.division import DIVISION, SIDES, authors_on_side
from byline.experiments.small_cases.sources import _FILES


@pytest.mark.parametrize("corpus", DIVISION)
def test_an_author_is_on_one_side(corpus: str) -> None:
    development, test = (set(DIVISION[corpus][side]) for side in SIDES)
    assert development & test == set()
    assert len(test) >= 2


def test_the_numbers_of_authors() -> None:
    numbers = {name: tuple(len(sides[side]) for side in SIDES) for name, sides in DIVISION.items()}
    assert numbers == {
        "british_fiction": (7, 4),
        "ccat50": (25, 25),
        "cmcc": (11, 10),
        "federalist": (0, 3),
        "french_theatre17": (14, 13),
        "lectures16": (7, 7),
        "pan19": (5, 5),
    }
    assert set(DIVISION) == {*_FILES, "pan19"}


def test_the_novelists_of_the_documented_results_are_on_the_test_side() -> None:
    assert DIVISION["british_fiction"]["test"] == ("Austen", "CBronte", "Eliot", "Trollope")


def test_missing_authors_change_nothing() -> None:
    all_of_them = [*DIVISION["cmcc"]["test"], *DIVISION["cmcc"]["development"]]
    found = authors_on_side("test", "cmcc", all_of_them)
    assert found == sorted(DIVISION["cmcc"]["test"])
    assert authors_on_side("test", "cmcc", all_of_them[3:]) == sorted(all_of_them[3:10])
    assert authors_on_side("both", "cmcc", all_of_them[3:]) == sorted(all_of_them[3:])


def test_an_author_of_neither_side_is_an_error() -> None:
    with pytest.raises(CorpusError, match="cmcc: S99 is on neither side"):
        authors_on_side("test", "cmcc", ["S1", "S99"])
