"""Laws for every smoothing method, order, vocabulary and minimum count."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from byline.errors import TrainingError
from byline.lm import ModelState, NgramLM
from byline.lm.base import Sentence
from byline.lm.ngrams.smoothing import SMOOTHINGS

V = 5
UNK, END = 0, V

sentences = st.lists(st.integers(0, V - 1), max_size=9)
corpora = st.lists(sentences, min_size=1, max_size=9).filter(any)
METHODS = [
    {"smoothing": name, "interpolate": interpolate}
    for name in SMOOTHINGS
    for interpolate in (True, False)
    if not (name == "good-turing" and interpolate)
]

GOOD_TURING = {"smoothing": "good-turing", "interpolate": False}
CLOSED = {"open_vocabulary": False, "sentence_start": False, "sentence_end": False}


@st.composite
def params(draw: st.DrawFn) -> dict[str, Any]:
    minima = draw(st.lists(st.integers(1, 3), max_size=4))
    fallback = draw(st.sampled_from(["one-discount", "fixed"]))
    switches = ("open_vocabulary", "sentence_start", "sentence_end")
    return {
        **draw(st.sampled_from(METHODS)),
        **{switch: draw(st.booleans()) for switch in switches},
        "order": draw(st.integers(1, 4)),
        "min_counts": tuple(sorted(minima)),
        "discount_fallback": fallback,
    }


def arrays(text: list[list[int]]) -> list[Sentence]:
    return [np.array(sentence, dtype=np.int32) for sentence in text]


def fit(corpus: list[list[int]], params: dict[str, Any]) -> NgramLM:
    try:
        return NgramLM(**params).fit(arrays(corpus), vocabulary_size=V)
    except TrainingError:
        assume(False)
        raise


def events_of(corpus: list[list[int]], params: dict[str, Any]) -> set[int]:
    """Return the events that have a probability above zero."""
    words = {word for sentence in corpus for word in sentence}
    words = set(range(V)) if params["open_vocabulary"] else words - {UNK}
    return words | ({END} if params["sentence_end"] else set())


@given(corpora, params(), sentences)
@settings(max_examples=150, deadline=None)
def test_possible_events_sum_to_one_after_any_context(
    corpus: list[list[int]], params: dict[str, Any], context: list[int]
) -> None:
    [context_ids] = arrays([context])
    probs = np.exp(fit(corpus, params).log_distribution(context_ids))
    assert set(np.flatnonzero(probs > 0)) == events_of(corpus, params)
    np.testing.assert_allclose(probs.sum(), 1, rtol=0, atol=1e-9)


@given(corpora, params(), st.integers(1, 4))
@settings(max_examples=80, deadline=None)
def test_possible_events_sum_to_one_after_every_observed_context(
    corpus: list[list[int]], params: dict[str, Any], length: int
) -> None:
    model = fit(corpus, params)
    for sentence in arrays(corpus):
        for end in range(len(sentence) + 1):
            context = sentence[max(end - length, 0) : end]
            probs = np.exp(model.log_distribution(context))
            np.testing.assert_allclose(probs.sum(), 1, rtol=0, atol=1e-9)


@given(corpora, params(), st.lists(sentences, max_size=4))
@settings(max_examples=80, deadline=None)
def test_scores_of_a_text_agree_with_the_distributions(
    corpus: list[list[int]], params: dict[str, Any], text: list[list[int]]
) -> None:
    model = fit(corpus, params)
    end = [END] if params["sentence_end"] else []
    expected = [
        model.log_distribution(sentence[:i])[event]
        for sentence in arrays(text)
        for i, event in enumerate([*sentence.tolist(), *end])
    ]
    np.testing.assert_allclose(model.batch_log_probs(arrays(text)), expected, rtol=0, atol=1e-9)


@given(corpora, params())
@settings(max_examples=60, deadline=None)
def test_the_order_of_sentences_does_not_matter(
    corpus: list[list[int]], params: dict[str, Any]
) -> None:
    forwards = fit(corpus, params).get_state().arrays
    backwards = fit(corpus[::-1], params).get_state().arrays
    for name, array in forwards.items():
        np.testing.assert_array_equal(array, backwards[name])


@given(corpora, params())
@example([[1, 1]], {**GOOD_TURING, "order": 2, **CLOSED})  # a context that all events follow
@settings(max_examples=60, deadline=None)
def test_a_state_rebuilds_the_model_exactly(
    corpus: list[list[int]], params: dict[str, Any]
) -> None:
    state = fit(corpus, params).get_state()
    stored = ModelState(json.loads(json.dumps(state.params)), state.arrays)
    rebuilt = NgramLM.from_state(stored).get_state()
    assert rebuilt.params == state.params
    for name, array in state.arrays.items():
        np.testing.assert_array_equal(rebuilt.arrays[name], array)


@given(corpora, params(), sentences, sentences)
@settings(max_examples=60, deadline=None)
def test_contexts_do_not_span_an_unknown_word_of_a_closed_vocabulary(
    corpus: list[list[int]], params: dict[str, Any], before: list[int], after: list[int]
) -> None:
    model = fit(corpus, {**params, "open_vocabulary": False, "sentence_start": False})
    whole, part = arrays([[*before, UNK, *after], after])
    np.testing.assert_array_equal(model.log_distribution(whole), model.log_distribution(part))


@given(corpora, params(), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_a_model_contains_the_bigrams_that_occur_often_enough(
    corpus: list[list[int]], params: dict[str, Any], min_count: int
) -> None:
    fixed = {"order": 2, "min_counts": (1, min_count), "sentence_start": False}
    tree = fit(corpus, {**params, **fixed}).tree_
    n_unigrams = np.searchsorted(tree.keys, tree.n_words) - 1
    parents, words = np.divmod(tree.keys[1 + n_unigrams :], tree.n_words)
    end = [END] if params["sentence_end"] else []
    counts = Counter(pair for sentence in corpus for pair in pairwise([*sentence, *end]))
    assert set(zip(tree.keys[parents].tolist(), words.tolist(), strict=True)) == {
        pair
        for pair, count in counts.items()
        if count >= min_count and (params["open_vocabulary"] or UNK not in pair)
    }
