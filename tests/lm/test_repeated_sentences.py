"""Repeated sentences are scored once, with the same results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from byline.lm.base import Sentence
from byline.lm.scoring import score_distinct_sentences


class Counting:
    """A score function of the position and id of a token, and of the sentence length."""

    def __init__(self) -> None:
        self.scored: list[list[int]] = []

    def __call__(self, sentences: Sequence[Sentence]) -> NDArray[np.float64]:
        self.scored += [sentence.tolist() for sentence in sentences]
        rows = [[*(s + np.arange(len(s)) / 10), -len(s)] for s in sentences]
        return np.array([score for row in rows for score in row], dtype=np.float64)


def ids(*tokens: int) -> Sentence:
    return np.array(tokens, dtype=np.int32)


def test_a_repeated_sentence_is_scored_once() -> None:
    score = Counting()
    # 3, 1.1 and the end; the end of the empty sentence; the first sentence again; and another one
    found = score_distinct_sentences(score, [ids(3, 1), ids(), ids(3, 1), ids(2)], 1)
    assert score.scored == [[3, 1], [], [2]]
    assert found.tolist() == [3, 1.1, -2, 0, 3, 1.1, -2, 2, -1]


def test_equal_bytes_of_different_types_are_different_sentences() -> None:
    score = Counting()
    score_distinct_sentences(score, [np.zeros(1, np.int64), ids(0, 0), ids(0, 0)], 1)
    assert score.scored == [[0], [0, 0]]


@given(st.lists(st.lists(st.integers(0, 2), max_size=3), max_size=12))
@settings(max_examples=50, deadline=None)
def test_scores_are_those_of_all_sentences(texts: list[list[int]]) -> None:
    sentences = [ids(*text) for text in texts]
    score = Counting()
    np.testing.assert_array_equal(
        score_distinct_sentences(score, sentences, 1), Counting()(sentences)
    )
    assert len(score.scored) == len(set(map(tuple, texts)))
