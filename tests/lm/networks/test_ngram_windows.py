"""The n-grams of sentences, and checks of the ids."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.errors import UsageError
from byline.lm.inputs import check_sentences
from byline.lm.networks.ngram_windows import NgramWindows, ngram_windows

END, START = 9, 10


def ids(*tokens: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(tokens, dtype=np.int32)


def windows(*sentences: list[int], position: int, predict_end: bool = False) -> NgramWindows:
    return ngram_windows(
        [ids(*sentence) for sentence in sentences],
        context=2,
        target_position=position,
        end=END,
        predict_end=predict_end,
    )


def test_target_last() -> None:
    data = windows([1, 2, 3], [4], position=3)
    assert data.contexts.tolist() == [[START, START], [START, 1], [1, 2], [START, START]]
    assert data.targets.tolist() == [1, 2, 3, 4]


def test_target_in_the_middle() -> None:
    data = windows([1, 2, 3], [4], position=2)
    assert data.contexts.tolist() == [[START, 2], [1, 3], [2, END], [START, END]]
    assert data.targets.tolist() == [1, 2, 3, 4]


def test_target_first() -> None:
    data = windows([1, 2, 3], [4], position=1)
    assert data.contexts.tolist() == [[2, 3], [3, END], [END, END], [END, END]]
    assert data.targets.tolist() == [1, 2, 3, 4]


def test_the_end_as_a_target() -> None:
    data = windows([1, 2], [], position=3, predict_end=True)
    assert data.contexts.tolist() == [[START, START], [START, 1], [1, 2], [START, START]]
    assert data.targets.tolist() == [1, 2, END, END]
    data = windows([1, 2], position=2, predict_end=True)
    assert data.contexts.tolist() == [[START, 2], [1, END], [2, END]]
    assert data.targets.tolist() == [1, 2, END]


def test_without_sentences_or_tokens() -> None:
    assert windows(position=3).contexts.shape == (0, 2)
    assert windows([], [], position=2).contexts.shape == (0, 2)


@given(
    st.lists(st.lists(st.integers(0, 8), max_size=6), max_size=5),
    st.integers(1, 3),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_sentences_are_independent(
    sentences: list[list[int]], position: int, predict_end: bool
) -> None:
    together = windows(*sentences, position=position, predict_end=predict_end)
    apart = [windows(s, position=position, predict_end=predict_end) for s in sentences]
    assert together.targets.tolist() == [t for data in apart for t in data.targets.tolist()]
    assert together.contexts.tolist() == [c for data in apart for c in data.contexts.tolist()]


def test_blocks_keep_the_order() -> None:
    blocks = list(windows([1, 2, 3, 4, 5], position=3).blocks(2))
    assert [block.targets.tolist() for block in blocks] == [[1, 2], [3, 4], [5]]
    assert [len(block) for block in blocks] == [2, 2, 1]


def test_checked_sentences_are_int32() -> None:
    (sentence,) = check_sentences([np.array([0, 4], dtype=np.int64)], 5)
    assert sentence.dtype == np.int32
    assert check_sentences([np.array([])], 5)[0].dtype == np.int32


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        (ids(0, 5), "sentence 1 has ids from 0 to 5, outside the range 0 to 4"),
        (ids(-1), "sentence 1 has ids from -1 to -1, outside the range 0 to 4"),
        (np.array([0.5]), "whole numbers"),
        (np.zeros((2, 2), dtype=np.int32), "it has 2 dimensions"),
        (np.array(["word"]), "whole numbers"),
    ],
)
def test_invalid_sentences(sentence: np.ndarray, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check_sentences([ids(1), sentence], 5)
