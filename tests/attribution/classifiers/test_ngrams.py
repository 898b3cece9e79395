"""`NgramVocabulary` against scikit-learn's vectorizer, and the units of n-grams."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from byline.attribution.classifiers.blocks import FittedBlock, NgramBlock, split_units, word_shape
from byline.attribution.classifiers.ngrams import NgramVocabulary
from byline.attribution.classifiers.units import most_frequent, split_tokens

TEXTS = st.lists(st.text("ab \U0001f600", max_size=9), min_size=1, max_size=5)


def ngrams_of(document: str, orders: tuple[int, int]) -> list[tuple[str, ...]]:
    return [
        tuple(document[i : i + n])
        for n in range(orders[0], orders[1] + 1)
        for i in range(len(document) - n + 1)
    ]


@settings(deadline=None, max_examples=150)
@given(
    known=TEXTS,
    questioned=TEXTS,
    orders=st.tuples(st.integers(1, 3), st.integers(0, 3)).map(lambda o: (o[0], o[0] + o[1])),
    least=st.integers(1, 3),
)
def test_counts_equal_those_of_a_vectorizer(
    known: list[str], questioned: list[str], orders: tuple[int, int], least: int
) -> None:
    ngrams = NgramVocabulary.fit(known, orders, least)
    sets = [set(ngrams_of(text, orders)) for text in known]
    spread = {n: sum(n in s for s in sets) for n in set().union(*sets)}
    names = [ngrams.ngram(column) for column in range(len(ngrams))]
    assert names == sorted((n for n in spread if spread[n] >= least), key=lambda n: (len(n), n))
    found = ngrams.counts(questioned)
    assert found.shape == (len(questioned), len(names))
    if names:
        peer = CountVectorizer(analyzer=lambda text: ngrams_of(text, orders), vocabulary=names)
        np.testing.assert_array_equal(found.toarray(), peer.transform(questioned).toarray())


def test_no_ngram_spans_two_documents() -> None:
    ngrams = NgramVocabulary.fit(["ab", "ab", "ba"], (2, 2), 1)
    assert [ngrams.ngram(column) for column in range(len(ngrams))] == [("a", "b"), ("b", "a")]
    assert ngrams.counts(["a", "b", "ab"]).toarray().tolist() == [[0, 0], [0, 0], [1, 0]]


@pytest.mark.parametrize(
    ("word", "mask"),
    [
        ("tide", "a"),
        ("Tide", "Aa"),
        ("NATO", "A"),
        ("McKay", "Aa"),
        ("7", "0"),
        ("1996", "0000"),
        ("199600", "00000"),
        ("3rd", "000"),
        ("\u6f6e", "a"),
    ],
)
def test_word_shapes(word: str, mask: str) -> None:
    assert word_shape(word) == mask


def test_tokens_are_words_punctuation_and_line_ends() -> None:
    assert split_tokens('He said:\n"No..."  x_1\n') == [
        *("He", "said", ":", "\n", '"', "No", '..."', "x_1", "\n")
    ]


def test_only_rare_words_are_masked() -> None:
    text = "The Mayor of Bremen, in 1996, met the press."
    assert split_units(text, NgramBlock("masked", (1, 1)), frozenset({"the", "of", "in"})) == [
        *("The", "Aa", "of", "Aa", ",", "in", "0000", ",", "a", "the", "a", ".")
    ]
    assert split_units(text, NgramBlock("char", (1, 1)), frozenset()) is text


def test_capitals_are_masked_inside_sentences() -> None:
    text = 'The Mayor met NATO in 1996. Bremen "Slept." Who?\nOats did'
    assert split_units(text, NgramBlock("capitals-masked", (1, 1)), frozenset()) == [
        *("The", "Aa", "met", "A", "in", "0000", ".", "Bremen", '"', "Slept", '."', "Who", "?"),
        *("\n", "Oats", "did"),
    ]


def test_root_counts_and_presence_are_scaled_to_length_one() -> None:
    texts = ["b a a a a", "z"]
    # Counts 4 and 1 have the roots 2 and 1, and length sqrt(4 + 1). Two are present: sqrt(2).
    for value, expected in (("root-count", [2 / 5**0.5, 1 / 5**0.5]), ("presence", [0.5**0.5] * 2)):
        fitted = FittedBlock.fit(NgramBlock("word", (1, 1), value=value), texts[:1], 1)
        np.testing.assert_allclose(fitted.features(texts).toarray(), [expected, [0, 0]], rtol=1e-6)


def test_rare_words_are_those_of_the_known_texts() -> None:
    fitted = FittedBlock.fit(NgramBlock("masked", (1, 1), keep=2), ["Oats, oats and", "and rye"], 1)
    assert fitted.unmasked == {"oats", "and"}
    assert fitted.ngrams.units == (",", "Oats", "a", "and", "oats")


def test_equally_frequent_words_are_in_alphabetical_order() -> None:
    assert most_frequent(["b", "c", "a", "c", "b", "d"], 3) == ["b", "c", "a"]


@given(st.lists(st.text("abä語😀\ud800 ", max_size=12), min_size=1, max_size=4))
def test_the_characters_of_a_string_are_its_units(texts: list[str]) -> None:
    vocabulary = NgramVocabulary.fit(texts[:1], (1, 3), 1)
    of_strings = vocabulary.counts(texts)
    of_lists = vocabulary.counts([list(text) for text in texts])
    assert abs(of_strings - of_lists).sum() == 0
