"""Counts of the n-grams of known texts, compared with a simple recount."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from byline.attribution.keyness import NgramCounts
from byline.attribution.keyness.counts import count_ngrams_by_order, tokens_and_ends
from byline.corpus import Corpus, Document
from byline.text import TextEncoder

WORDS = ["the", "wheel", "of", "a", "ship", "turns", "on", "and", "on"]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    rng = np.random.default_rng(0)
    documents = []
    for number in range(9):
        sentences = [" ".join(rng.choice(WORDS, rng.integers(2, 9))) for _ in range(20)]
        text = " ".join(f"{sentence.capitalize()}." for sentence in sentences)
        documents.append(Document("abc"[number % 3], text, f"{number}.txt"))
    return Corpus(documents, "random")


@pytest.fixture(scope="module")
def counts(corpus: Corpus) -> NgramCounts:
    return NgramCounts.of(corpus)


def _recounted(text: str) -> Counter[tuple[str, ...]]:
    sentences = TextEncoder().tokenize(text)
    return Counter(
        tuple(sentence[start : start + n])
        for sentence in sentences
        for n in (1, 2, 3)
        for start in range(len(sentence) - n + 1)
    )


def test_counts_and_document_frequencies_agree_with_a_recount(
    corpus: Corpus, counts: NgramCounts
) -> None:
    own = [_recounted(document.text) for document in corpus if document.author == "b"]
    own_counts, frequencies = counts.counts_of([1]), counts.document_frequencies(1)
    for column in range(len(counts.ngrams)):
        ngram = counts.ngrams.ngram(column)
        if "\n" not in ngram:
            assert own_counts[column] == sum(text[ngram] for text in own)
            assert frequencies[column] == sum(text[ngram] > 0 for text in own)


def test_totals_count_all_ngrams_of_an_order(corpus: Corpus, counts: NgramCounts) -> None:
    recounted = [_recounted(document.text) for document in corpus]
    for order in (1, 2, 3):
        total = sum(n for text in recounted for ngram, n in text.items() if len(ngram) == order)
        assert set(counts.totals_of([0, 1, 2])[counts.order_of == order - 1]) == {total}
    assert counts.n_words([0, 1, 2]) == sum(
        n
        for text in recounted
        for ngram, n in text.items()
        if len(ngram) == 1 and ngram[0].isalnum()
    )


def test_the_text_with_the_highest_count_is_found(counts: NgramCounts) -> None:
    columns = np.flatnonzero(counts.counts_of([2]) > 0)
    most, totals = counts.most_in_one_text(2, columns)
    own = np.flatnonzero(counts.owners == 2)
    table = counts.table[own].toarray()[:, columns]
    assert most.tolist() == table.max(axis=0).tolist()
    first = own[table.argmax(axis=0)]  # the first one, if several have the same count
    assert totals.tolist() == counts.totals[first, counts.order_of[columns]].tolist()


def test_ngrams_are_counted_within_sentences() -> None:
    units = tokens_and_ends(TextEncoder(), "One two three. Four!")
    assert units == ["one", "two", "three", ".", "\n", "four", "!", "\n"]
    assert count_ngrams_by_order(units) == [6, 4, 2]
    assert count_ngrams_by_order([]) == [0, 0, 0]


def test_ngrams_that_contain_names_are_found() -> None:
    text = "then we met Jane's aunt and Jane Grey in the old house, so it was a long day. " * 3
    counts = NgramCounts.of(Corpus([Document("a", text, "1")], "names"))
    found = {counts.ngrams.ngram(column) for column in np.flatnonzero(counts.has_name).tolist()}
    assert {("jane",), ("jane's",), ("grey",), ("met", "jane's", "aunt")} <= found
    assert not [ngram for ngram in found if not {"jane", "jane's", "grey"} & set(ngram)]


def test_names_are_found_among_stems() -> None:
    text = "then we met James in the old houses, so it was a long day. " * 3
    counts = NgramCounts.of(Corpus([Document("a", text, "1")], "n"), TextEncoder(stem=True))
    named = [counts.ngrams.ngram(n) for n in np.flatnonzero(counts.has_name).tolist()]
    assert [ngram for ngram in named if len(ngram) == 1] == [("jame",)]
