"""n-grams are identified by hash values that do not depend on the process."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from byline.attribution.classifiers.hashed_ngrams import N_BITS, NgramHasher

WORDS = st.lists(st.sampled_from(["of", "the", "tide", "\u00e9", "\ud800", ""]), max_size=12)


def hashes_of(units: list[str] | str, lowest: int, highest: int) -> dict[int, list[int]]:
    """Hash values by order."""
    found = NgramHasher((lowest, highest)).occurrences(units)
    return {order: hashes.tolist() for order, hashes in found}


def test_an_ngram_has_the_same_hash_value_wherever_it_occurs() -> None:
    found = hashes_of("abcabc", 2, 3)
    assert found[2][:2] == found[2][3:]  # ab, bc, ca, ab, bc
    assert found[3][0] == found[3][3]  # abc, bca, cab, abc
    assert len(set(found[2] + found[3])) == 6  # all six n-grams have different ones
    assert hashes_of("xabc", 3, 3)[3][1] == found[3][0]


@given(units=WORDS | st.text(max_size=12))
def test_there_is_one_hash_value_per_position_and_order(units: list[str] | str) -> None:
    found = hashes_of(units, 1, 4)
    expected = {n: len(units) - n + 1 for n in range(1, min(4, len(units)) + 1)}
    assert {order: len(hashes) for order, hashes in found.items()} == expected
    assert all(0 <= value < 1 << N_BITS for hashes in found.values() for value in hashes)


@given(documents=st.lists(WORDS, max_size=4))
def test_counts_are_those_of_the_occurrences(documents: list[list[str]]) -> None:
    table = NgramHasher((1, 2)).counts(documents)
    assert table.shape == (len(documents), 1 << N_BITS)
    assert table.has_sorted_indices
    for row, units in enumerate(documents):
        own = table[[row]]
        found = [value for hashes in hashes_of(units, 1, 2).values() for value in hashes]
        values, counts = np.unique(np.array(found, dtype=np.int64), return_counts=True)
        assert own.indices.tolist() == values.tolist()
        assert own.data.tolist() == counts.tolist()


def test_the_hash_values_are_the_same_in_every_process() -> None:
    program = (
        "from byline.attribution.classifiers.hashed_ngrams import NgramHasher\n"
        "found = NgramHasher((1, 2)).occurrences(['the', 'tide'])\n"
        "print([hashes.tolist() for _, hashes in found])"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout
    assert printed.strip() == str(list(hashes_of(["the", "tide"], 1, 2).values()))
    # Known values: a change of them would make the profiles in model files useless.
    assert hashes_of("ab", 1, 2) == {1: [1806880, 1133664], 2: [386476]}
    assert hashes_of(["the", "tide"], 1, 2) == {1: [1465212, 3451285], 2: [173539]}
