"""What the switches of scoring leave out, and of which context."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from byline.errors import BylineWarning, UsageError
from byline.lm import FeedForwardLM, NgramLM, Scoring
from byline.lm.base import Sentence


def ids(*tokens: int) -> Sentence:
    return np.array(tokens, dtype=np.int32)


TEXT = [ids(1, 2, 0, 3), ids(1, 2), ids(4)]


def fitted(**params: Any) -> NgramLM:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        return NgramLM(order=3, **params).fit(TEXT, vocabulary_size=6)


def test_without_the_start_the_first_word_has_no_context() -> None:
    model = fitted()
    scores = model.score_tokens(TEXT, Scoring(sentence_start=False))
    unigrams = model.log_distribution(ids(5))  # never seen, so no context
    assert scores.log_probs[[0, 5]] == pytest.approx(unigrams[[1, 1]])
    assert scores.log_probs[1] == pytest.approx(model.log_distribution(ids(5, 1))[2])
    assert scores.orders[:3].tolist() == [1, 2, 3]


def test_with_the_start_it_is_context() -> None:
    scores = fitted().score_tokens(TEXT)
    # <s> 1, <s> 1 2, 1 2 0, 2 0 3, 0 3 </s>; <s> 1, <s> 1 2, 1 2 </s>; <s> 4, <s> 4 </s>
    assert scores.orders.tolist() == [2, 3, 3, 3, 3, 2, 3, 3, 2, 3]
    assert scores.is_oov.tolist() == [False, False, True, *[False] * 7]


def test_the_order_found_is_zero_where_there_is_no_unigram() -> None:
    scores = fitted().score_tokens([ids(1, 5, 2)])
    # <s> 1; 5 was never seen; 2 after it has the unigram alone, and so has the end: 2 </s>
    assert scores.orders.tolist() == [2, 0, 1, 2]


def test_without_the_end_only_tokens_are_scored() -> None:
    model = fitted()
    without = model.score_tokens(TEXT, Scoring(sentence_end=False)).log_probs
    np.testing.assert_array_equal(without, np.delete(model.score_tokens(TEXT).log_probs, [4, 7, 9]))


def test_skipped_words_are_in_neither_sum_nor_number() -> None:
    model = fitted()
    measured = model.measure([TEXT], Scoring(unknown="skip"))
    assert (measured.n_tokens, measured.n_oov) == (9, 1)
    assert measured.log_prob == pytest.approx(
        model.measure([TEXT]).log_prob - model.score_tokens(TEXT).log_probs[2]
    )


def test_the_papers_setting() -> None:
    measured = fitted().measure([TEXT], Scoring.like_ge_sun_2016())
    assert (measured.n_tokens, measured.n_oov) == (6, 1)


def test_a_model_scores_as_it_was_fitted_by_default() -> None:
    model = fitted(sentence_start=False, sentence_end=False)
    assert model.measure([TEXT]) == model.measure([TEXT], model.scoring)
    assert model.scoring == Scoring(sentence_start=False, sentence_end=False)


def test_an_end_that_is_no_event_is_not_scored() -> None:
    with pytest.raises(UsageError, match="fitted without </s>"):
        fitted(sentence_end=False).score_tokens(TEXT, Scoring())


def test_a_network_can_leave_the_end_out_but_knows_one_start() -> None:
    model = FeedForwardLM(context=2, hidden_dims=(4,), embedding_dim=3, epochs=1)
    model.fit(TEXT, vocabulary_size=6)
    assert model.measure([TEXT], Scoring(sentence_end=False)).n_tokens == 7
    with pytest.raises(UsageError, match="sentence_start=False: this model was fitted with"):
        model.measure([TEXT], Scoring(sentence_start=False))


@pytest.mark.parametrize("switch", [{"sentence_start": 1}, {"sentence_end": "no"}])
def test_switches_are_true_or_false(switch: Any) -> None:
    with pytest.raises(UsageError, match="must be True or False"):
        Scoring(**switch)


def test_unknown_words_are_scored_or_skipped() -> None:
    with pytest.raises(UsageError, match=r"unknown='ignore'.*'score' or 'skip'"):
        Scoring(unknown="ignore")  # type: ignore[arg-type]
