"""Counts in sorted arrays compared with counts in dictionaries, and rejected input."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from byline.errors import UsageError
from byline.lm.ngrams import counts as counts_module
from byline.lm.ngrams.counts import (
    NOT_FOUND,
    Level,
    add_sentence_boundaries,
    count_ngrams,
    find_by_table,
    preceding,
    select_ngrams,
    without_event,
)
from byline.lm.ngrams.smoothing.combination import counts_of_counts

NGram = tuple[int, ...]
V = 4
END, START = V, V + 1


def arrays(sentences: list[list[int]]) -> list[NDArray[np.int32]]:
    return [np.array(sentence, dtype=np.int32) for sentence in sentences]


def ngrams_of(levels: list[Level]) -> list[list[NGram]]:
    """Spell every n-gram out, order by order, by following its parents."""
    spelt: list[list[NGram]] = [[()]]
    for level in levels:
        below = spelt[-1]
        pairs = zip(level.parents.tolist(), level.words.tolist(), strict=True)
        spelt.append([(*below[parent], word) for parent, word in pairs])
    return spelt


corpora = st.lists(st.lists(st.integers(0, V - 1), max_size=8), min_size=1, max_size=6).filter(any)


@given(corpora, st.integers(1, 5), st.booleans(), st.booleans())
@settings(max_examples=100, deadline=None)
def test_counts_equal_those_of_dictionaries(
    corpus: list[list[int]], order: int, start: bool, end: bool
) -> None:
    counts: Counter[NGram] = Counter()
    left: defaultdict[NGram, set[int]] = defaultdict(set)
    for tokens in corpus:
        padded = [START, *tokens, *([END] if end else [])]
        for n in range(1, order + 1):
            for i in range(len(padded) - n + 1):
                ngram = tuple(padded[i : i + n])
                counts[ngram] += 1
                if i:
                    left[ngram].add(padded[i - 1])
    stream = add_sentence_boundaries(arrays(corpus), V, sentence_end=end)
    levels = count_ngrams(stream, order, V, sentence_start=start)
    spelt = ngrams_of(levels)
    for n, level in enumerate(levels, start=1):
        wanted = [g for g in counts if len(g) == n and (start or g[0] != START)]
        assert spelt[n] == sorted(wanted)
        assert level.counts.tolist() == [counts[g] for g in spelt[n]]
        assert [spelt[n - 1][s] for s in level.suffixes] == [g[1:] for g in spelt[n]]
        assert level.n_initial == sum(g[0] == START for g in spelt[n])
        if n < order:
            assert level.continuations.tolist() == [len(left[g]) for g in spelt[n]]


def test_the_sentence_start_is_a_left_neighbour_even_if_it_is_not_context() -> None:
    stream = add_sentence_boundaries(arrays([[1, 2], [3, 2]]), V, sentence_end=False)
    unigrams, bigrams = count_ngrams(stream, 2, V, sentence_start=False)
    assert unigrams.words.tolist() == [1, 2, 3]
    assert unigrams.continuations.tolist() == [1, 2, 1]  # {<s>}, {1, 3}, {<s>}
    assert bigrams.counts.tolist() == [1, 1]


def test_an_order_longer_than_all_sentences_is_empty() -> None:
    stream = add_sentence_boundaries(arrays([[1]]), V, sentence_end=True)
    levels = count_ngrams(stream, 6, V, sentence_start=True)
    assert [len(level) for level in levels] == [3, 2, 1, 0, 0, 0]


def test_there_may_be_more_than_65536_words_and_ngrams() -> None:
    vocabulary_size = 70_000
    words = np.random.default_rng(0).permutation(vocabulary_size).astype(np.int32)
    stream = add_sentence_boundaries([words, words], vocabulary_size, sentence_end=False)
    unigrams, bigrams = count_ngrams(stream, 2, vocabulary_size, sentence_start=True)
    assert unigrams.words.tolist() == [*range(vocabulary_size), vocabulary_size + 1]
    followers = np.empty(vocabulary_size, dtype=np.int32)
    followers[words[:-1]] = words[1:]
    followers = np.delete(followers, words[-1])
    assert bigrams.words.tolist() == [*followers, words[0]]
    assert set(bigrams.counts.tolist()) == {2}


def test_sentences_get_boundaries() -> None:
    stream = add_sentence_boundaries(arrays([[1, 2], [], [3]]), V, sentence_end=True)
    assert stream.tolist() == [START, 1, 2, END, START, END, START, 3, END]
    assert stream.dtype == np.int32


def test_sentences_may_have_no_end_symbol() -> None:
    stream = add_sentence_boundaries(arrays([[1, 2], [], [3]]), V, sentence_end=False)
    assert stream.tolist() == [START, 1, 2, START, START, 3]


def test_without_sentences_there_are_no_boundaries() -> None:
    assert add_sentence_boundaries([], V, sentence_end=True).shape == (0,)


@pytest.mark.parametrize("wrong", [-1, 4])
def test_the_error_names_an_id_outside_the_vocabulary_and_the_limit(wrong: int) -> None:
    with pytest.raises(UsageError, match=rf"token id {wrong} .* vocabulary of 4 ids \(0 to 3\)"):
        add_sentence_boundaries(arrays([[0, 3], [wrong]]), V, sentence_end=True)


def test_ids_must_be_integers() -> None:
    with pytest.raises(UsageError, match="must be integers, not float64"):
        add_sentence_boundaries([np.array([1.0])], V, sentence_end=True)


def test_a_sentence_must_be_one_dimensional() -> None:
    with pytest.raises(UsageError, match="one-dimensional"):
        add_sentence_boundaries([np.zeros((2, 2), dtype=np.int32)], V, sentence_end=True)


def test_a_text_that_is_too_long_to_count_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts_module, "_MAX_TOKENS", 5)
    with pytest.raises(UsageError, match=r"7 tokens and sentence boundaries.* at most 5"):
        add_sentence_boundaries(arrays([[1, 2], [3]]), V, sentence_end=True)


def test_nothing_precedes_the_start_of_a_sentence() -> None:
    is_start = np.array([True, False, True, False])
    assert preceding(np.array([3, 5, 7, 9]), is_start).tolist() == [-1, 3, -1, 7]


def test_counts_of_counts_stop_at_four() -> None:
    counts = np.array([1, 0, 2, 1, 4, 5, 1, 90, 2], dtype=np.int32)
    assert counts_of_counts(counts) == [3, 2, 0, 1]


def test_selected_ngrams_keep_their_parents_and_suffixes() -> None:
    sentences = [np.array(sentence, dtype=np.int32) for sentence in ([0, 1, 2], [0, 1], [3, 2])]
    levels = count_ngrams(
        add_sentence_boundaries(sentences, V, sentence_end=True), 3, V, sentence_start=True
    )
    keep = [np.ones(len(levels[0]), dtype=np.bool_), *(level.counts > 1 for level in levels[1:])]
    unigrams, bigrams, trigrams = select_ngrams(levels, keep)
    # 0 1 twice, 2 </s> twice, <s> 0 twice; <s> 0 1 twice
    words = unigrams.words
    pairs = list(zip(words[bigrams.parents], words[bigrams.suffixes], strict=True))
    assert pairs == [(0, 1), (2, END), (START, 0)]
    np.testing.assert_array_equal(words[bigrams.suffixes], bigrams.words)
    assert [pairs[i] for i in [*trigrams.parents, *trigrams.suffixes]] == [(START, 0), (0, 1)]
    assert (bigrams.n_initial, trigrams.n_initial) == (1, 1)
    assert bigrams.continuations.tolist() == [1, 2, 0]


def test_ngrams_that_do_not_end_in_an_event_have_no_counts() -> None:
    sentences = [np.array([0, 1, 0], dtype=np.int32)]
    levels = count_ngrams(
        add_sentence_boundaries(sentences, V, sentence_end=True), 2, V, sentence_start=True
    )
    unigrams, bigrams = (without_event(level, 0) for level in levels)
    assert unigrams.counts.tolist() == [0, 1, 1, 1]  # 0, 1, </s>, <s>
    assert unigrams.continuations.tolist() == [0, 1, 1, 0]  # 0 still precedes 1 and </s>
    assert bigrams.counts.tolist() == [1, 1, 0, 0]  # 0 1, 0 </s>, 1 0, <s> 0


@given(
    st.lists(st.integers(-1, 300), min_size=1, unique=True),
    st.lists(st.integers(0, 900), min_size=20),
)
def test_a_table_finds_what_a_search_finds(keys: list[int], queries: list[int]) -> None:
    ascending = np.array(sorted(keys), dtype=np.int64)
    found = find_by_table(ascending, np.array(queries, dtype=np.int64))
    assert found is not None
    expected = [sorted(keys).index(each) if each in keys else NOT_FOUND for each in queries]
    assert found.tolist() == expected


def test_a_table_needs_many_queries_and_few_possible_keys() -> None:
    few, many = np.array([1]), np.arange(100)
    assert find_by_table(np.array([0, 100]), few) is None
    assert find_by_table(np.array([0, 100]), many) is not None
    assert find_by_table(np.array([0, 10**9]), many) is None
