"""`NgramLM`: known values, laws, storage, and rejected input."""

from __future__ import annotations

import json
import logging
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import clone

from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm import ModelState, NgramLM
from byline.lm.base import Sentence

V = 5


def ids(*tokens: int) -> Sentence:
    return np.array(tokens, dtype=np.int32)


def arrays(sentences: list[list[int]]) -> list[Sentence]:
    return [ids(*sentence) for sentence in sentences]


def fit_ngrams(sentences: list[Sentence], *, vocabulary_size: int = V, **params: Any) -> NgramLM:
    return NgramLM(**params).fit(sentences, vocabulary_size=vocabulary_size)


def distribution(model: NgramLM, *context: int) -> NDArray[np.float64]:
    return np.exp(model.log_distribution(ids(*context)))


@pytest.fixture(scope="module")
def model() -> NgramLM:
    """Train a model of order 3 on 200 random sentences."""
    rng = np.random.default_rng(3)
    sentences = [rng.zipf(1.5, size=rng.integers(1, 15)) % 30 for _ in range(200)]
    return fit_ngrams([s.astype(np.int32) for s in sentences], vocabulary_size=30, order=3)


# --- known values -------------------------------------------------------------------------------
# Two sentences, 1 2 and 1 3, vocabulary 0..3. The counts of counts do not determine the
# discounts of either order; the fixed ones are D1 = 0.5, D2 = 1.


def test_bigrams_worked_by_hand() -> None:
    model = fit_ngrams(
        arrays([[1, 2], [1, 3]]), vocabulary_size=4, order=2, discount_fallback="fixed"
    )
    # Left neighbours: 1 {<s>}, 2 {1}, 3 {1}, </s> {2, 3}: counts 1 1 1 2, in total 5.
    # Discounted 3 * 0.5 + 1 = 2.5, so half the probability goes to the uniform distribution of 5
    # events:
    # P(1) = P(2) = P(3) = 0.5/5 + 0.5/5 = 0.2; P(</s>) = 1/5 + 0.1 = 0.3; P(0) = 0.1.
    # After 1: counts 2:1, 3:1, discounted 1 of 2: P(2|1) = 0.5/2 + 0.5 * 0.2 = 0.35.
    assert distribution(model, 1) == pytest.approx([0.05, 0.1, 0.35, 0.35, 0.15])
    # After <s>: count 1:2, discounted 1 of 2: P(1|<s>) = 1/2 + 0.5 * 0.2 = 0.6.
    assert distribution(model) == pytest.approx([0.05, 0.6, 0.1, 0.1, 0.15])
    # After 2: count </s>:1, discounted 0.5 of 1: P(</s>|2) = 0.5 + 0.5 * 0.3 = 0.65.
    assert distribution(model, 1, 2) == pytest.approx([0.05, 0.1, 0.1, 0.1, 0.65])
    # After 0, which was not observed: the unigrams.
    assert distribution(model, 0) == pytest.approx([0.1, 0.2, 0.2, 0.2, 0.3])
    probs = np.exp(model.token_log_probs(ids(1, 2)))
    assert probs == pytest.approx([0.6, 0.35, 0.65])


def test_bigrams_without_sentence_boundaries_worked_by_hand() -> None:
    model = fit_ngrams(
        arrays([[1, 2], [1, 3]]),
        vocabulary_size=4,
        order=2,
        discount_fallback="fixed",
        sentence_start=False,
        sentence_end=False,
    )
    # Left neighbours: 1 {start}, 2 {1}, 3 {1}; discounted 1.5 of 3; four events:
    # P(1) = 0.5/3 + 0.5/4 = 7/24 for each of 1, 2, 3, and P(0) = 1/8.
    assert distribution(model) == pytest.approx([3 / 24, 7 / 24, 7 / 24, 7 / 24])
    # P(2|1) = 0.5/2 + 0.5 * 7/24 = 19/48.
    assert distribution(model, 1) == pytest.approx([3 / 48, 7 / 48, 19 / 48, 19 / 48])
    assert np.exp(model.token_log_probs(ids(1, 2))) == pytest.approx([7 / 24, 19 / 48])


def test_one_discount_worked_by_hand() -> None:
    model = fit_ngrams(arrays([[1, 2], [1, 3]]), vocabulary_size=4, order=2)
    # Unigram counts 1 1 1 2: n1 = 3, n2 = 1, no n3, so D = 3 / (3 + 2) = 0.6 for all; discounted
    # 4 * 0.6 of 5, for 5 events: P(1) = 0.4/5 + 2.4/5/5 = 0.176, P(</s>) = 1.4/5 + 0.096.
    assert distribution(model, 0) == pytest.approx([0.096, 0.176, 0.176, 0.176, 0.376])
    # Bigrams: <s> 1 twice, 1 2, 1 3, 2 </s>, 3 </s> once: n1 = 4, n2 = 1, D = 4 / 6.
    # After 1: discounted 2 * 2/3 of 2: P(2|1) = (1 - 2/3)/2 + 2/3 * 0.176.
    assert distribution(model, 1)[2] == pytest.approx(1 / 6 + 2 / 3 * 0.176)


def test_words_that_the_author_did_not_use_are_equally_likely() -> None:
    model = fit_ngrams(
        arrays([[1, 2], [1, 3]]), vocabulary_size=100, order=2, discount_fallback="fixed"
    )
    unobserved = distribution(model, 2)[[0, *range(4, 100)]]
    # half of the probability after 2, and half of that again, for 101 events
    assert unobserved == pytest.approx(0.25 / 101)


def test_unknown_words_are_trained_like_any_other() -> None:
    model = fit_ngrams(arrays([[0, 0, 1], [0, 2]]), vocabulary_size=3, order=2)
    assert distribution(model)[0] > distribution(model)[1]


# --- laws ---------------------------------------------------------------------------------------

tokens = st.lists(st.integers(0, V - 1), max_size=9)
corpora = st.lists(tokens, min_size=1, max_size=7).filter(any)
settings_of_models = st.fixed_dictionaries(
    {"order": st.integers(1, 5), "sentence_start": st.booleans(), "sentence_end": st.booleans()}
)


@given(corpora, settings_of_models, tokens)
@settings(max_examples=80, deadline=None)
def test_events_sum_to_one_after_any_context(
    corpus: list[list[int]], params: dict[str, Any], context: list[int]
) -> None:
    model = fit_ngrams(arrays(corpus), **params)
    probs = distribution(model, *context)
    assert probs.shape == (V + params["sentence_end"],)
    assert (probs > 0).all()
    assert probs.sum() == pytest.approx(1, abs=1e-12)


@given(corpora, settings_of_models, st.lists(tokens, max_size=4))
@settings(max_examples=60, deadline=None)
def test_scores_of_a_batch_agree_with_the_distributions(
    corpus: list[list[int]], params: dict[str, Any], text: list[list[int]]
) -> None:
    model = fit_ngrams(arrays(corpus), **params)
    expected = [
        model.log_distribution(ids(*sentence[:i]))[event]
        for sentence in text
        for i, event in enumerate([*sentence, *([V] if params["sentence_end"] else [])])
    ]
    np.testing.assert_allclose(model.batch_log_probs(arrays(text)), expected, rtol=0, atol=1e-12)


@given(corpora, settings_of_models)
@settings(max_examples=50, deadline=None)
def test_the_order_of_sentences_does_not_matter(
    corpus: list[list[int]], params: dict[str, Any]
) -> None:
    forwards = fit_ngrams(arrays(corpus), **params).get_state().arrays
    backwards = fit_ngrams(arrays(corpus[::-1]), **params).get_state().arrays
    for name, array in forwards.items():
        np.testing.assert_array_equal(array, backwards[name])


def test_sentences_have_the_same_scores_alone_and_together(model: NgramLM) -> None:
    sentences = [ids(1, 2, 3, 29), ids(), ids(4, 4, 4, 0, 1)]
    together = model.batch_log_probs(sentences)
    np.testing.assert_array_equal(
        together, np.concatenate([model.token_log_probs(sentence) for sentence in sentences])
    )
    assert model.score_samples([sentences])[0] == pytest.approx(together.sum(), abs=1e-9)


def test_only_the_last_words_matter(model: NgramLM) -> None:
    np.testing.assert_array_equal(
        model.log_distribution(ids(9, 8, 7, 2, 1)), model.log_distribution(ids(5, 2, 1))
    )


def test_a_training_text_has_a_lower_perplexity(model: NgramLM) -> None:
    repetitive = fit_ngrams([ids(1, 2, 3, 4)] * 3 + [ids(2, 1)], vocabulary_size=30, order=3)
    text = [[ids(1, 2, 3, 4)]]
    assert repetitive.perplexity(text) < model.perplexity(text)


# --- edges --------------------------------------------------------------------------------------


def test_an_empty_batch_has_no_scores(model: NgramLM) -> None:
    assert model.batch_log_probs([]).shape == (0,)
    assert model.score_samples([[], []]).tolist() == [0.0, 0.0]


def test_an_empty_sentence_consists_of_the_end_symbol(model: NgramLM) -> None:
    log_probs = model.token_log_probs(ids())
    assert log_probs == pytest.approx(model.log_distribution(ids())[[30]])


def test_an_empty_sentence_without_an_end_symbol_has_no_scores() -> None:
    model = fit_ngrams(arrays([[1, 2], [3]]), sentence_end=False)
    assert model.token_log_probs(ids()).shape == (0,)


def test_the_only_word_of_a_vocabulary_is_certain() -> None:
    model = fit_ngrams(arrays([[0, 0]]), vocabulary_size=1, sentence_end=False)
    assert model.token_log_probs(ids(0, 0, 0)) == pytest.approx([0, 0, 0], abs=1e-12)


def test_samples_consist_of_words_of_the_vocabulary(model: NgramLM) -> None:
    rng = np.random.default_rng(0)
    sample = np.concatenate([model.sample(rng, max_tokens=20) for _ in range(20)])
    assert sample.dtype == np.int32
    assert 0 <= sample.min() <= sample.max() < 30


def test_samples_imitate_a_repetitive_author() -> None:
    model = fit_ngrams([ids(*range(1, 9))] * 50, vocabulary_size=9, order=3)
    pairs = pairwise(model.sample(np.random.default_rng(1)).tolist())
    assert np.mean([after == before + 1 for before, after in pairs]) > 0.6


def debug_messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    assert {record.levelno for record in caplog.records} <= {logging.DEBUG}
    return [record.getMessage() for record in caplog.records]


def test_one_log_record_names_all_orders_without_discounts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG, logger="byline.lm"):
        NgramLM(order=3).fit(arrays([[1, 2], [1, 3]]), vocabulary_size=V)
    [message] = debug_messages(caplog)
    assert re.search(r"orders 1, 2, 3 .*discount_fallback 'one-discount'", message)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"smoothing": "kneser-ney"}, r"order 2 do not determine the kneser-ney .* 0\.5 is used"),
        ({"smoothing": "absolute"}, r"absolute discounts, .* the discount 0\.5 is used"),
        ({"smoothing": "good-turing"}, r"order 2 do not .* good-turing .* are not discounted"),
    ],
)
def test_a_log_record_describes_the_replacement(
    params: dict[str, Any], message: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="byline.lm"):
        NgramLM(order=2, **params).fit(arrays([[1, 2]] * 3 + [[3, 3]] * 3), vocabulary_size=V)
    [logged] = debug_messages(caplog)
    assert re.search(message, logged)


def test_progress_is_reported_for_both_steps() -> None:
    steps: list[tuple[int, int]] = []
    rng = np.random.default_rng(0)
    text = [(rng.zipf(1.3, size=300) % 99).astype(np.int32)]
    NgramLM(order=1).fit(
        text, vocabulary_size=99, progress=lambda done, total, what: steps.append((done, total))
    )
    assert steps == [(1, 2), (2, 2)]


def test_a_clone_is_not_fitted(model: NgramLM) -> None:
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "tree_")


# --- closed vocabularies ------------------------------------------------------------------------


def test_a_closed_vocabulary_consists_of_the_words_of_the_text() -> None:
    model = fit_ngrams(
        arrays([[1, 0, 2], [1, 2]]),
        order=2,
        smoothing="witten-bell",
        open_vocabulary=False,
        interpolate=False,
    )
    # Counts 1: 2, 2: 2, </s>: 2 and three types: 6 + 3. All are observed, so each receives a third
    # of 3/9.
    assert distribution(model, 4) == pytest.approx([0, 1 / 3, 1 / 3, 0, 0, 1 / 3])
    # 1 is followed by 2 once (and by <unk>, which is not an event): 1 of 1 + 1. 1 and </s> share
    # the rest.
    assert distribution(model, 1) == pytest.approx([0, 1 / 4, 1 / 2, 0, 0, 1 / 4])
    # <unk> is not a context, so 2 after it has its unigram probability.
    scores = model.score_tokens(arrays([[1, 0, 2]]))
    assert scores.orders.tolist() == [2, 0, 1, 2]
    assert scores.log_probs[1] == -np.inf


def test_a_closed_vocabulary_skips_unknown_words() -> None:
    model = fit_ngrams(arrays([[1, 0, 2], [1, 2]]), order=2, open_vocabulary=False)
    measured = model.measure([arrays([[1, 0, 2]])])
    assert (measured.n_tokens, measured.n_oov) == (3, 1)
    assert np.isfinite(measured.log_prob)
    scores = model.score_samples([arrays([[1, 0, 2]]), arrays([[2]])])
    assert scores[0] == pytest.approx(measured.log_prob)


def test_a_closed_vocabulary_needs_a_known_word() -> None:
    with pytest.raises(TrainingError, match="every token is <unk>"):
        NgramLM(open_vocabulary=False, sentence_end=False).fit([ids(0, 0)], vocabulary_size=V)


# --- presets ------------------------------------------------------------------------------------


def test_srilm_defaults(caplog: pytest.LogCaptureFixture) -> None:
    params = NgramLM.like_srilm().get_params()
    assert (params["order"], params["smoothing"]) == (3, "good-turing")
    assert not (params["interpolate"] or params["open_vocabulary"])
    text = arrays([[1, 2, 3, 4], [1, 2, 3], [2, 3, 4]])
    model = NgramLM.like_srilm(4)
    with caplog.at_level(logging.DEBUG, logger="byline.lm"):
        model.fit(text, vocabulary_size=V)
    assert "orders 2, 3, 4" in debug_messages(caplog)[0]
    # Trigrams and 4-grams that occur once are removed; <s> 1 2 3 and 2 3 4 </s> occur twice.
    scores = model.score_tokens([ids(1, 2, 3, 4)])
    assert scores.orders.tolist() == [2, 3, 4, 3, 4]


def test_kenlm_defaults() -> None:
    assert NgramLM.like_kenlm(4).get_params() == {
        **NgramLM().get_params(),
        "interpolate": True,
        "discount_fallback": "fixed",
    }


def test_the_last_minimum_count_holds_for_all_further_orders() -> None:
    text = arrays([[1, 2, 3], [1, 2, 3], [1, 2, 4]])
    by_order = fit_ngrams(text, order=3, min_counts={2: 3})
    in_sequence = fit_ngrams(text, order=3, min_counts=(1, 3, 3))
    np.testing.assert_array_equal(by_order.tree_.keys, in_sequence.tree_.keys)
    # 5 events and <s>; <s> 1, 1 2; <s> 1 2
    assert len(by_order.tree_.keys) == 1 + 6 + 2 + 1


# --- storage ------------------------------------------------------------------------------------


def test_a_state_rebuilds_the_model_exactly(model: NgramLM) -> None:
    state = model.get_state()
    params = json.loads(json.dumps(state.params))
    rebuilt = NgramLM.from_state(ModelState(params, state.arrays))
    assert rebuilt.get_params() == model.get_params()
    assert rebuilt.get_state().params == state.params
    text = [ids(1, 2, 3, 29), ids(0)]
    np.testing.assert_array_equal(rebuilt.batch_log_probs(text), model.batch_log_probs(text))


def test_the_smallest_models_can_be_stored() -> None:
    for order in (1, 6):
        model = fit_ngrams([ids(0)], order=order, sentence_end=False, sentence_start=False)
        NgramLM.from_state(model.get_state())


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("keys", lambda a: a[::-1].copy(), "not sorted"),
        ("keys", lambda a: a[:0], "not sorted"),
        ("keys", lambda a: a.astype(np.float64), "float64 should be 1-D int64"),
        ("keys", lambda a: a[:, None], "2-D array"),
        ("keys", lambda a: np.append(a, a[-1] + 10**9), "beyond order 3"),
        ("keys", lambda a: np.append(a[:-1], a[-1] // 32 * 32 + 31), "word 31 is outside"),
        ("log_probs", lambda a: a[:-1], "probabilities"),
        ("log_probs", lambda a: np.where(a < -1, np.nan, a), "log-probability"),
        ("log_probs", lambda a: -a, "log-probability"),
        ("backoffs", lambda a: a[:-1], "back-off weights"),
        ("backoffs", lambda a: np.append(np.inf, a[1:]), "back-off weight"),
        ("backoffs", lambda a: np.append(np.nan, a[1:]), "back-off weight"),
        ("backoffs", lambda a: np.insert(a[:-1], 1, np.nan), "back-off weight"),
        ("backoffs", lambda a: np.where(a < 0, -np.inf, a), "back-off weight"),
    ],
)
def test_invalid_arrays_are_rejected(model: NgramLM, name: str, change: Any, message: str) -> None:
    state = model.get_state()
    arrays = {**state.arrays, name: change(state.arrays[name])}
    with pytest.raises(ModelFileError, match=message):
        NgramLM.from_state(ModelState(state.params, arrays))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"order": 0}, "'order' parameter"),
        ({"order": "3"}, "'order' parameter"),
        ({"order": 2}, "beyond order 2"),
        ({"vocabulary_size": -1}, "vocabulary_size must be"),
        ({"smoothing": "guess"}, "'guess' is unknown"),
        ({"min_counts": [2, 1]}, "must not decrease"),
        ({"discount": 0.5}, "discount=0.5"),
        ({"sentence_end": "no"}, "'sentence_end' parameter"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_invalid_stored_parameters_are_rejected(
    model: NgramLM, changes: dict[str, Any], message: str
) -> None:
    state = model.get_state()
    with pytest.raises(ModelFileError, match=message):
        NgramLM.from_state(ModelState({**state.params, **changes}, state.arrays))


@pytest.mark.parametrize("missing", ["vocabulary_size", "keys", "log_probs", "backoffs"])
def test_missing_parts_of_a_stored_model_are_named(model: NgramLM, missing: str) -> None:
    state = model.get_state()
    params = {name: value for name, value in state.params.items() if name != missing}
    arrays = {name: value for name, value in state.arrays.items() if name != missing}
    with pytest.raises(ModelFileError, match=missing):
        NgramLM.from_state(ModelState(params, arrays))


# --- rejected input -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"order": 0}, "'order' parameter"),
        ({"order": 2.0}, "'order' parameter"),
        ({"order": True}, "'order' parameter"),
        ({"smoothing": "laplace"}, "modified-kneser-ney"),
        ({"smoothing": "good-turing", "interpolate": True}, "interpolate=True"),
        ({"min_counts": {2: 0}}, r"min_counts=\{2: 0\}: .* whole numbers"),
        ({"min_counts": (1, 2.5)}, r"min_counts=\(1, 2.5\): .* whole numbers"),
        ({"min_counts": (2, 1)}, r"min_counts=\(2, 1\): they must not decrease"),
        ({"smoothing": "absolute", "discount": 2}, "discount=2"),
        ({"open_vocabulary": None}, "'open_vocabulary' parameter"),
        ({"interpolate": "yes"}, "'interpolate' parameter"),
        ({"sentence_start": None}, "'sentence_start' parameter"),
        ({"sentence_end": 1}, "'sentence_end' parameter"),
    ],
)
def test_parameters_out_of_range_are_rejected(params: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        NgramLM(**params).fit([ids(1)], vocabulary_size=V)


def test_a_vocabulary_needs_a_size() -> None:
    with pytest.raises(UsageError, match="vocabulary_size must be"):
        NgramLM().fit([ids(0)], vocabulary_size=0)


@pytest.mark.parametrize("nothing", [[], [ids()]])
def test_training_needs_a_token(nothing: list[Sentence]) -> None:
    with pytest.raises(TrainingError, match="no token"):
        NgramLM().fit(nothing, vocabulary_size=V)


def test_ids_out_of_range_are_rejected_everywhere(model: NgramLM) -> None:
    message = r"token id 30 is outside the vocabulary of 30 ids"
    with pytest.raises(UsageError, match=message):
        NgramLM().fit([ids(30)], vocabulary_size=30)
    with pytest.raises(UsageError, match=message):
        model.batch_log_probs([ids(1), ids(30)])
    with pytest.raises(UsageError, match=message):
        model.log_distribution(ids(30))
