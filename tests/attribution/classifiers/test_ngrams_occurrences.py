"""Positions of n-grams and words in a text agree with their counts."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.classifiers.ngrams import NgramVocabulary
from byline.attribution.classifiers.units import (
    spans_of_tokens,
    spans_of_words_without_punctuation,
    split_tokens,
    split_words_without_punctuation,
)

TEXTS = st.lists(st.text("ab \U0001f600", max_size=9), min_size=1, max_size=5)
ANY_TEXT = st.text(max_size=40) | st.text("aI\u0130\u03a3' \u2019\n,.", max_size=20)


def test_occurrences_by_hand() -> None:
    ngrams = NgramVocabulary.fit(["abab"], (1, 2), 1)  # columns: a, b, ab, ba
    columns, starts, ends = ngrams.occurrences("abxba")
    found = list(zip(columns.tolist(), starts.tolist(), ends.tolist(), strict=True))
    assert found == [(0, 0, 1), (1, 1, 2), (1, 3, 4), (0, 4, 5), (2, 0, 2), (3, 3, 5)]


@settings(deadline=None, max_examples=100)
@given(
    known=TEXTS,
    document=st.text("abc \U0001f600", max_size=12),
    orders=st.tuples(st.integers(1, 3), st.integers(0, 3)).map(lambda o: (o[0], o[0] + o[1])),
    least=st.integers(1, 2),
)
def test_occurrences_agree_with_counts(
    known: list[str], document: str, orders: tuple[int, int], least: int
) -> None:
    ngrams = NgramVocabulary.fit(known, orders, least)
    columns, starts, ends = ngrams.occurrences(document)
    counts = np.bincount(columns, minlength=len(ngrams))
    np.testing.assert_array_equal(counts[np.newaxis], ngrams.counts([document]).toarray())
    for column, start, end in zip(columns, starts, ends, strict=True):
        assert "".join(ngrams.ngram(int(column))) == document[start:end]


@settings(deadline=None, max_examples=100)
@given(text=ANY_TEXT)
def test_spans_are_those_of_the_words(text: str) -> None:
    assert [text[start:end] for start, end in spans_of_tokens(text)] == split_tokens(text)
    words = [text[start:end].lower() for start, end in spans_of_words_without_punctuation(text)]
    assert words == split_words_without_punctuation(text)


def test_letters_that_lengthen_in_lower_case_do_not_shift_spans() -> None:
    text = "\u0130l \u0130z"  # a capital dotted I is two characters in lower case
    assert spans_of_words_without_punctuation(text).tolist() == [[0, 2], [3, 5]]
    assert split_words_without_punctuation(text) == ["i\u0307l", "i\u0307z"]
