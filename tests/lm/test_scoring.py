"""Scoring options select events and contexts; repeated sentences are scored once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.array_types import Floats
from byline.errors import UsageError
from byline.lm import FeedForwardLM, FeedForwardTraining, NgramLM, Scoring
from byline.lm.base import Sentence
from byline.lm.scoring import has_full_context, score_distinct_sentences


def ids(*tokens: int) -> Sentence:
    return np.array(tokens, dtype=np.int32)


TEXT = [ids(1, 2, 0, 3), ids(1, 2), ids(4)]


def fitted(**params: Any) -> NgramLM:
    return NgramLM(order=3, **params).fit(TEXT, vocabulary_size=6)


def test_without_the_start_symbol_the_first_word_has_no_context() -> None:
    model = fitted()
    scores = model.score_tokens(TEXT, Scoring(sentence_start=False))
    unigrams = model.log_distribution(ids(5))  # not observed, so no context
    assert scores.log_probs[[0, 5]] == pytest.approx(unigrams[[1, 1]])
    assert scores.log_probs[1] == pytest.approx(model.log_distribution(ids(5, 1))[2])
    assert scores.orders[:3].tolist() == [1, 2, 3]


def test_the_start_symbol_is_context() -> None:
    scores = fitted().score_tokens(TEXT)
    # <s> 1, <s> 1 2, 1 2 0, 2 0 3, 0 3 </s>; <s> 1, <s> 1 2, 1 2 </s>; <s> 4, <s> 4 </s>
    assert scores.orders.tolist() == [2, 3, 3, 3, 3, 2, 3, 3, 2, 3]
    assert scores.is_oov.tolist() == [False, False, True, *[False] * 7]


def test_the_order_is_zero_without_a_unigram() -> None:
    scores = fitted().score_tokens([ids(1, 5, 2)])
    # <s> 1; 5 was not observed; 2 after it has only its unigram; 2 </s>
    assert scores.orders.tolist() == [2, 0, 1, 2]


def test_without_the_end_symbol_only_tokens_are_scored() -> None:
    model = fitted()
    without = model.score_tokens(TEXT, Scoring(sentence_end=False)).log_probs
    np.testing.assert_array_equal(without, np.delete(model.score_tokens(TEXT).log_probs, [4, 7, 9]))


def test_skipped_words_are_neither_summed_nor_counted() -> None:
    model = fitted()
    measured = model.measure([TEXT], Scoring(unknown="skip"))
    assert (measured.n_tokens, measured.n_oov) == (9, 1)
    assert measured.log_prob == pytest.approx(
        model.measure([TEXT]).log_prob - model.score_tokens(TEXT).log_probs[2]
    )


def test_unknown_words_may_be_summed_but_not_counted() -> None:
    model = fitted()
    measured = model.measure([TEXT], Scoring(unknown="ge-sun-2016"))
    # 4 + 2 + 1 tokens and 3 end symbols, minus one <unk>
    assert (measured.n_tokens, measured.n_oov) == (9, 1)
    scored = model.measure([TEXT])
    assert measured.log_prob == scored.log_prob
    assert measured.perplexity == pytest.approx(scored.perplexity ** (10 / 9))


def test_the_setting_of_the_paper() -> None:
    model = fitted()
    ngrams = model.measure([TEXT], Scoring.like_ge_sun_2016())
    network = model.measure([TEXT], Scoring.like_ge_sun_2016("feedforward"))
    # 1 2 <unk> 3, 1 2, 4: seven words; one of them is unknown
    assert (ngrams.n_tokens, ngrams.n_oov) == (network.n_tokens, network.n_oov) == (6, 1)
    words_alone = Scoring(sentence_start=False, sentence_end=False)
    of_unknown = model.score_tokens(TEXT, words_alone).log_probs[2]
    assert network.log_prob == model.measure([TEXT], words_alone).log_prob
    assert ngrams.log_prob == pytest.approx(network.log_prob - of_unknown)
    with pytest.raises(UsageError, match=r"kind='lstm'.*'ngram' or 'feedforward'"):
        Scoring.like_ge_sun_2016("lstm")


def test_full_ngrams_lie_within_the_sentence() -> None:
    model = fitted()
    full = Scoring(positions="full")
    # 1 2 <unk> 3 </s> has 1 2 <unk>, 2 <unk> 3, <unk> 3 </s>; 1 2 </s> has itself; 4 </s> has none
    scores = model.score_tokens(TEXT, full)
    assert scores.in_sum.tolist() == [
        False,
        False,
        True,
        True,
        True,
        False,
        False,
        True,
        *[False] * 2,
    ]
    assert scores.is_oov.tolist() == model.score_tokens(TEXT).is_oov.tolist()
    measured = model.measure([TEXT], full)
    assert (measured.n_tokens, measured.n_oov) == (4, 1)
    assert measured.log_prob == pytest.approx(scores.log_probs[[2, 3, 4, 7]].sum())
    without_end = model.measure([TEXT], Scoring(sentence_end=False, positions="full"))
    assert without_end.log_prob == pytest.approx(scores.log_probs[[2, 3]].sum())
    skipped = model.measure([TEXT], Scoring(unknown="skip", positions="full"))
    assert (skipped.n_tokens, skipped.n_oov) == (3, 1)


def test_full_ngrams_do_not_depend_on_the_start_symbol() -> None:
    model = fitted()
    with_start, without = (
        model.measure([TEXT], Scoring(sentence_start=start, positions="full"))
        for start in (True, False)
    )
    assert with_start == without


def test_unigrams_are_full_everywhere() -> None:
    model = NgramLM(order=1).fit(TEXT, vocabulary_size=6)
    assert model.context_window == (0, 0)
    assert model.measure([TEXT], Scoring(positions="full")) == model.measure([TEXT])


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.integers(0, 6), max_size=6),
    st.tuples(st.integers(0, 4), st.integers(0, 3)),
    st.booleans(),
)
def test_a_context_is_full_if_it_consists_of_words_only(
    lengths: list[int], context_window: tuple[int, int], sentence_end: bool
) -> None:
    before, after = context_window
    expected = []
    for length in lengths:
        # positions outside the sentence, and the end symbol as context, are not words
        line = ["?"] * before + ["word"] * length + ["?"] * (after + 1)
        for start in range(length + int(sentence_end)):
            context = line[start : start + before] + line[start + before + 1 :][:after]
            expected.append("?" not in context)
    found = has_full_context(lengths, context_window, sentence_end=sentence_end)
    assert found.tolist() == expected


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.lists(st.integers(0, 5), max_size=5).map(lambda s: ids(*s)), max_size=5),
    st.sampled_from(["every", "full"]),
    st.booleans(),
)
def test_the_treatments_of_unknown_words_differ_by_the_unknown_words_only(
    text: list[Sentence], positions: Any, sentence_end: bool
) -> None:
    score, skip, program = (
        fitted().measure(
            [text], Scoring(sentence_end=sentence_end, unknown=unknown, positions=positions)
        )
        for unknown in ("score", "skip", "ge-sun-2016")
    )
    assert score.n_oov == skip.n_oov == program.n_oov
    assert skip.n_tokens == program.n_tokens == score.n_tokens - score.n_oov
    assert program.log_prob == score.log_prob <= skip.log_prob + 1e-12
    if program.n_tokens:
        assert program.perplexity >= max(score.perplexity, skip.perplexity) - 1e-9


def test_by_default_a_model_is_scored_as_it_was_fitted() -> None:
    model = fitted(sentence_start=False, sentence_end=False)
    assert model.measure([TEXT]) == model.measure([TEXT], model.scoring)
    assert model.scoring == Scoring(sentence_start=False, sentence_end=False)


def test_an_end_symbol_that_is_not_an_event_cannot_be_scored() -> None:
    with pytest.raises(UsageError, match="fitted without </s>"):
        fitted(sentence_end=False).score_tokens(TEXT, Scoring())


def test_a_network_can_omit_the_end_symbol_but_not_the_start_symbol() -> None:
    model = FeedForwardLM(
        context=2, hidden_dims=(4,), embedding_dim=3, training=FeedForwardTraining(epochs=1)
    )
    model.fit(TEXT, vocabulary_size=6)
    assert model.measure([TEXT], Scoring(sentence_end=False)).n_tokens == 7
    with pytest.raises(UsageError, match="sentence_start=False: this model was fitted with"):
        model.measure([TEXT], Scoring(sentence_start=False))


@pytest.mark.parametrize(
    ("position", "n_full"),
    [
        # 1 2 <unk> 3 </s>, 1 2 </s>, 4 </s>; two context words: both before, around, both after
        (None, 3 + 1 + 0),
        (2, 2 + 0 + 0),
        (1, 2 + 0 + 0),
    ],
)
def test_full_ngrams_of_a_network(position: int | None, n_full: int) -> None:
    model = FeedForwardLM(context=2, target_position=position, hidden_dims=(4,), embedding_dim=3)
    model.set_params(training__epochs=1).fit(TEXT * 3, vocabulary_size=6)
    assert model.context_window == ((position or 3) - 1, 3 - (position or 3))
    measured = model.measure([TEXT], Scoring(sentence_start=False, positions="full"))
    assert measured.n_tokens == n_full


@pytest.mark.parametrize("option", [{"sentence_start": 1}, {"sentence_end": "no"}])
def test_boundary_options_are_true_or_false(option: Any) -> None:
    with pytest.raises(UsageError, match="must be True or False"):
        Scoring(**option)


def test_other_options_have_documented_values() -> None:
    with pytest.raises(UsageError, match=r"unknown='ignore'.*'score', 'skip' or 'ge-sun-2016'"):
        Scoring(unknown="ignore")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"positions='some'.*'every' or 'full'"):
        Scoring(positions="some")  # type: ignore[arg-type]


# Repeated sentences


class Counting:
    """A score function of the position and id of a token, and of the sentence length."""

    def __init__(self) -> None:
        self.scored: list[list[int]] = []

    def __call__(self, sentences: Sequence[Sentence]) -> Floats:
        self.scored += [sentence.tolist() for sentence in sentences]
        rows = [[*(s + np.arange(len(s)) / 10), -len(s)] for s in sentences]
        return np.array([score for row in rows for score in row], dtype=np.float64)


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
