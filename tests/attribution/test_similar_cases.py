"""Counts of simulated cases: worked out by hand, and the sentence about them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from byline.attribution import SimilarCases
from byline.attribution.similar_cases import SimulatedOutcomes, of_amounts, of_length
from byline.errors import ModelFileError

SHORT = SimilarCases((3, 4), (2000, 6000), (400, 1500), 30, 310, 214, 0.714)
LONG = SimilarCases((3, 4), (2000, 6000), (1500, 9000), 30, 100, 90, 0.8)
LARGE = SimilarCases((3, 4), (6000, 20_000), (400, 1500), 30, 100, 95, 0.9)
ROWS = (SHORT, LONG, LARGE)


def outcomes(
    n_cases: int, n_candidates: int, known: float, lengths: list[int], *, first: int = 0
) -> list[tuple[Any, ...]]:
    """Return one text of each length per case; every second case is answered correctly."""
    return [
        (first + case, n_candidates, known, length, case % 2 == 0, 0.75)
        for case in range(n_cases)
        for length in lengths
    ]


def count(texts: list[tuple[Any, ...]]) -> list[SimilarCases]:
    return SimulatedOutcomes(*map(np.array, zip(*texts, strict=True))).count()


def test_texts_are_counted_by_candidates_known_text_and_length() -> None:
    # 10 cases with 10 texts of each length: just as many as a group needs
    texts = outcomes(10, 3, 3000.0, [100] * 10 + [1000] * 10)
    texts += outcomes(10, 3, 7500.0, [100] * 10, first=10)
    texts += outcomes(10, 2, 3000.0, [100] * 10, first=20)
    assert count(texts) == [
        SimilarCases((2, 2), (3000, 4000), (100, 200), 10, 100, 50, 0.75),
        SimilarCases((3, 3), (3000, 6000), (100, 150), 10, 100, 50, 0.75),
        SimilarCases((3, 3), (3000, 6000), (150, 2000), 10, 100, 50, 0.75),
        SimilarCases((3, 3), (6000, 8000), (100, 200), 10, 100, 50, 0.75),
    ]


def test_groups_with_few_cases_or_texts_join_a_neighbour() -> None:
    texts = outcomes(9, 3, 1000.0, [100] * 20)  # too few cases
    texts += outcomes(10, 3, 3000.0, [100] * 20, first=9)
    texts += outcomes(10, 3, 7500.0, [100] * 9 + [1000] * 2, first=19)  # too few texts
    found = count(texts)
    assert [(row.known_characters, row.text_characters) for row in found] == [
        ((1000, 6000), (100, 200)),
        ((6000, 8000), (100, 2000)),
    ]
    assert [row.n_cases for row in found] == [19, 10]


@pytest.mark.parametrize("seed", range(5))
def test_every_text_is_counted_once_and_found_again(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_cases, n_texts = 200, 4000
    n_candidates = rng.choice([2, 3, 4, 5, 7, 10, 21], n_cases)
    known = np.exp(rng.uniform(5, 12, n_cases))
    cases = np.sort(rng.integers(n_cases, size=n_texts))
    lengths = np.exp(rng.uniform(3, 13, n_texts)).astype(int)
    given = n_candidates[cases], known[cases], lengths
    right = rng.random(n_texts) < 0.5
    rows = SimulatedOutcomes(cases, *given, right, np.full(n_texts, 0.5)).count()
    assert sum(row.n_texts for row in rows) == n_texts
    assert sum(row.n_correct for row in rows) == right.sum()
    for candidates, characters, length in zip(*(each.tolist() for each in given), strict=True):
        found = of_length(of_amounts(rows, candidates, characters), length)
        assert found is not None
        assert found.n_texts >= 1
        assert found.text_characters[0] <= length < found.text_characters[1]


def test_the_sentence_states_sizes_and_counts() -> None:
    assert SHORT.sentence == (
        "In 30 simulated cases of this size (3 to 4 candidates, 2,000 to 6,000 characters of known "
        "text per author, texts of 400 to 1,500 characters), 214 of 310 texts (69 %) were "
        "correctly attributed, at a mean stated probability of 71 %."
    )


def test_the_group_of_a_text_contains_its_size() -> None:
    assert of_length(of_amounts(ROWS, 3, 2000.0), 1499) == SHORT
    assert of_length(of_amounts(ROWS, 4, 5999.0), 1500) == LONG
    assert of_length(of_amounts(ROWS, 4, 6000.0), 500) == LARGE


def test_no_simulated_case_has_so_many_candidates() -> None:
    found = of_length(of_amounts(ROWS, 30, 2500.4), 500)
    assert found == SimilarCases((30, 30), (2500, 2500), (500, 500), 0, 0, 0, 0.0)
    assert found.accuracy is None
    assert found.sentence == (
        "No case of this size was simulated (30 candidates, 2,500 characters of known text per "
        "author, a text of 500 characters). The probability is therefore based on simulated cases "
        "of other sizes and on the held-out known texts, if there are any."
    )


def test_no_simulated_text_is_so_short() -> None:
    found = of_length(of_amounts(ROWS, 3, 2500.0), 12)
    assert found == SimilarCases((3, 4), (2000, 6000), (12, 12), 0, 0, 0, 0.0)


def test_nothing_is_said_where_nothing_was_counted() -> None:
    assert of_length((), 500) is None


def test_cases_are_rebuilt_from_json() -> None:
    assert SimilarCases.from_dict(asdict(SHORT)) == SHORT


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"candidates": [3]}, r"candidates is \[3\], not two numbers"),
        ({"text_characters": None}, "text_characters is None, not two numbers"),
        ({"known_characters": [0.5, 9]}, "not two numbers"),
        ({"n_cases": -1}, "missing or invalid"),
        ({"n_texts": None}, "missing or invalid"),
        ({"mean_probability": 1}, "missing or invalid"),
        ({"mean_probability": 1.5}, "contradict"),
        ({"n_correct": 311}, "contradict"),
    ],
)
def test_invalid_cases_are_refused(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(ModelFileError, match=reason):
        SimilarCases.from_dict(asdict(SHORT) | changed)
