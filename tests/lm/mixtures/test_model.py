"""`MixtureLM`: known values, laws, fitted weights, backgrounds, storage, and rejected input."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm import (
    FeedForwardLM,
    FeedForwardTraining,
    ModelState,
    NgramLM,
    RecurrentLM,
    RecurrentTraining,
    Scoring,
)
from byline.lm.base import LanguageModel, Sentence
from byline.lm.inputs import set_parameters
from byline.lm.mixtures.model import MixtureLM
from byline.lm.ngrams.adapted import AdaptedNgramLM

V = 8
NETWORK = FeedForwardLM(
    context=2,
    embedding_dim=4,
    hidden_dims=(4,),
    training=FeedForwardTraining(epochs=2, batch_size=20),
)
GATED = RecurrentLM(units=4, training=RecurrentTraining(epochs=2, batch_tokens=40))
BIGRAM = NgramLM(order=2, smoothing="witten-bell")
ADAPTED = AdaptedNgramLM(order=2)


def ids(*tokens: int) -> Sentence:
    return np.array(tokens, dtype=np.int32)


def make_sentences(n: int = 60, *, seed: int = 0) -> list[Sentence]:
    rng = np.random.default_rng(seed)
    moves = [np.cumsum(rng.integers(1, 3, size=rng.integers(1, 9))) for _ in range(n)]
    return [((rng.integers(7) + move) % 7).astype(np.int32) for move in moves]


def fit(
    components: Sequence[LanguageModel] = (BIGRAM, NETWORK, GATED), to: Any = None, **params: Any
) -> MixtureLM:
    return MixtureLM(components, **params).fit(make_sentences(), vocabulary_size=V, background=to)


def same_bits(one: LanguageModel, other: LanguageModel) -> bool:
    first, second = one.get_state(), other.get_state()
    return first.params == second.params and all(
        array.tobytes() == second.arrays[name].tobytes() for name, array in first.arrays.items()
    )


@pytest.fixture(scope="module")
def mixture() -> MixtureLM:
    return fit(weights=(0.5, 0.3, 0.2))


# Known values


def test_probabilities_are_weighted_means() -> None:
    """Unigrams and bigrams of 0, 1, 2 and </s>, with Witten-Bell smoothing."""
    unigram = NgramLM(order=1, smoothing="witten-bell")
    mixed = MixtureLM([unigram, BIGRAM], weights=(0.25, 0.75))
    mixed.fit([ids(1, 1)], vocabulary_size=3)
    # Events 1, 1, </s>: 3 tokens of 2 types, so p(w) = (c + 2/4) / 5: p(1) = 2.5 / 5 = 0.5,
    # p(</s>) = 1.5 / 5 = 0.3. 1 is followed by 1 and </s>, once each: 2 tokens of 2 types, so
    # p(1 | 1) = (1 + 2 * 0.5) / 4 = 0.5; p(</s> | 1) = (1 + 2 * 0.3) / 4 = 0.4;
    # <s> is followed by 1: p(1 | <s>) = (1 + 0.5) / 2 = 0.75.
    expected = [
        0.25 * 0.5 + 0.75 * 0.75,
        0.25 * 0.5 + 0.75 * 0.5,
        0.25 * 0.3 + 0.75 * 0.4,
    ]
    np.testing.assert_allclose(np.exp(mixed.token_log_probs(ids(1, 1))), expected)


# Laws


@given(context=st.lists(st.integers(0, V - 1), max_size=6))
@settings(max_examples=20, deadline=None)
def test_probabilities_sum_to_one(mixture: MixtureLM, context: list[int]) -> None:
    probs = np.exp(mixture.log_distribution(ids(*context)))
    assert len(probs) == V + 1 == mixture.n_events
    assert probs.sum() == pytest.approx(1, abs=1e-6)


def test_token_scores_are_those_of_the_distribution(mixture: MixtureLM) -> None:
    sentence = ids(3, 5, 7, 0, 4)
    expected = [mixture.log_distribution(sentence[:i])[w] for i, w in enumerate(sentence)]
    expected.append(mixture.log_distribution(sentence)[V])
    np.testing.assert_allclose(mixture.token_log_probs(sentence), expected, atol=1e-6)


def test_a_component_with_the_weight_one_determines_the_scores() -> None:
    text = make_sentences(5, seed=3)
    mixed = fit((BIGRAM, NETWORK), weights=(1, 0))
    np.testing.assert_array_equal(
        mixed.batch_log_probs(text), mixed.components_[0].batch_log_probs(text)
    )
    np.testing.assert_allclose(
        fit((BIGRAM,)).batch_log_probs(text), mixed.batch_log_probs(text), rtol=1e-14
    )


def test_a_mixture_is_at_least_as_good_as_the_mean_of_its_components(mixture: MixtureLM) -> None:
    text = make_sentences(20, seed=3)
    log_probs = np.array([model.batch_log_probs(text) for model in mixture.components_])
    assert (mixture.batch_log_probs(text) >= mixture.weights_ @ log_probs - 1e-12).all()


def test_the_same_seed_gives_identical_mixtures() -> None:
    assert same_bits(fit(weights="em"), fit(weights="em"))
    assert not same_bits(fit(weights="em"), fit(weights="em", random_state=1))


def test_fit_does_not_change_the_prototypes() -> None:
    before = [model.get_params() for model in (BIGRAM, NETWORK)]
    fit((BIGRAM, NETWORK), random_state=5)
    assert [model.get_params() for model in (BIGRAM, NETWORK)] == before


def test_equal_components_have_different_seeds() -> None:
    one, other = fit((NETWORK, NETWORK)).components_
    assert one.random_state != other.random_state
    assert one.network_.embedding.tobytes() != other.network_.embedding.tobytes()


# Fitted weights


def test_fitted_weights_favour_the_component_that_predicts_held_out_text() -> None:
    validation = make_sentences(40, seed=9)
    models = (NgramLM(order=1, smoothing="witten-bell"), BIGRAM)
    mixed = MixtureLM(models, weights="em")
    mixed.fit(make_sentences(200), vocabulary_size=V, validation=validation)
    assert mixed.weights_.sum() == pytest.approx(1)
    assert mixed.weights_[1] > 0.9
    equal = MixtureLM(models).fit(make_sentences(200), vocabulary_size=V)
    assert mixed.perplexity([validation]) < equal.perplexity([validation])


def test_sentences_held_out_for_the_weights_are_not_used_for_training() -> None:
    """Half of 60 sentences are held out, or by default a tenth for the network."""
    whole, half = fit((NETWORK,)), fit((NETWORK,), weights="em", validation_fraction=0.5)
    assert half.components_[0].event_counts_[V] == 30
    assert whole.components_[0].event_counts_[V] == 54


def test_weights_cannot_be_fitted_without_held_out_text() -> None:
    for text, validation in ((make_sentences(3), None), (make_sentences(), [])):
        with pytest.raises(TrainingError, match="no token is held out"):
            MixtureLM((BIGRAM,), weights="em").fit(text, vocabulary_size=V, validation=validation)


# Backgrounds


def test_every_component_uses_the_corresponding_background() -> None:
    background = MixtureLM((BIGRAM, NETWORK, GATED)).background_model()
    background.fit(make_sentences(200, seed=4), vocabulary_size=V)
    no_training = {"epochs": 1, "learning_rate": 1e-12, "unigram_shift": 0}
    models = [set_parameters(clone(model), no_training) for model in (NETWORK, GATED)]
    adapted = MixtureLM((BIGRAM, *models))
    adapted.fit(make_sentences(200, seed=4), vocabulary_size=V, background=background)
    for adapted_one, background_one in zip(
        adapted.components_[1:], background.components_[1:], strict=True
    ):
        np.testing.assert_allclose(
            adapted_one.log_distribution(ids(3))[:7],
            background_one.log_distribution(ids(3))[:7],
            atol=1e-4,
        )


def test_unsuitable_backgrounds_are_rejected(mixture: MixtureLM) -> None:
    with pytest.raises(UsageError, match="has 3 components, but this mixture has 2"):
        fit((BIGRAM, NETWORK), to=mixture)
    with pytest.raises(UsageError, match="the background of a RecurrentLM must be a RecurrentLM"):
        fit((BIGRAM, GATED, NETWORK), to=mixture)
    with pytest.raises(UsageError, match="must be a MixtureLM, not a NgramLM"):
        fit(to=mixture.components_[0])


# Storage


def stored(model: MixtureLM) -> ModelState:
    state = model.get_state()
    return replace(state, params=json.loads(json.dumps(dict(state.params))))


@pytest.mark.parametrize("weights", [None, (0.5, 0.5), "em"])
def test_a_stored_mixture_is_unchanged(weights: Any) -> None:
    nested = MixtureLM((GATED, BIGRAM))
    model = fit((NETWORK, nested), weights=weights)
    again = MixtureLM.from_state(stored(model))
    assert same_bits(again, model)
    text = make_sentences(30, seed=7)
    np.testing.assert_array_equal(again.batch_log_probs(text), model.batch_log_probs(text))
    assert same_bits(
        clone(again).fit(text, vocabulary_size=V), clone(model).fit(text, vocabulary_size=V)
    )


def test_a_background_may_be_stored_once_for_many_mixtures() -> None:
    prototype = MixtureLM((GATED, MixtureLM((ADAPTED, BIGRAM))))
    background = prototype.background_model()
    background.fit(make_sentences(200, seed=4), vocabulary_size=V)
    model = fit(prototype.components, to=background)
    own, text = model.get_state_without_background(), make_sentences(9, seed=7)
    again = MixtureLM.from_state_and_background(own, background)
    assert (
        again.components_[1].components_[0].background_ is background.components_[1].components_[0]
    )
    assert len(own.arrays) < len(model.get_state().arrays)
    assert same_bits(again, model)
    assert same_bits(MixtureLM.from_state(model.get_state()), model)
    np.testing.assert_array_equal(again.batch_log_probs(text), model.batch_log_probs(text))


@pytest.mark.parametrize(
    "change",
    [
        {"components": None},
        {"components": []},
        {"components": [{"kind": "oracle", "params": {}}]},
        {"components": [{"kind": "ngram"}]},
        {"parameters": {"temperature": 1}},
        {"parameters": {"weights": [1.0]}},
    ],
)
def test_invalid_parameters_are_rejected(mixture: MixtureLM, change: dict[str, Any]) -> None:
    state = stored(mixture)
    with pytest.raises(ModelFileError, match="not the state of a mixture"):
        MixtureLM.from_state(replace(state, params=dict(state.params) | change))


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("weights", None, "not the state of a mixture"),
        ("weights", np.array([0.5, 0.5, 0.5]), "not the state of a mixture"),
        ("weights", np.array([1.5, -0.5, 0]), "not the state of a mixture"),
        ("1.embedding", None, "not the state of a feedforward model"),
    ],
)
def test_damaged_arrays_are_rejected(
    mixture: MixtureLM, name: str, array: Any, message: str
) -> None:
    state = stored(mixture)
    kept = {k: v for k, v in {**state.arrays, name: array}.items() if v is not None}
    with pytest.raises(ModelFileError, match=message):
        MixtureLM.from_state(replace(state, arrays=kept))


def test_components_with_different_vocabularies_are_rejected(mixture: MixtureLM) -> None:
    state = stored(mixture)
    state.params["components"][1]["params"]["vocabulary_size"] = V + 1
    with pytest.raises(ModelFileError):
        MixtureLM.from_state(state)


# An estimator


def test_parameters_of_components_are_set_by_index() -> None:
    model = MixtureLM((NgramLM(), RecurrentLM()))
    assert model.get_params()["component_1__units"] == RecurrentLM().units
    copy = clone(model).set_params(component_0__order=2, weights="em")
    assert (copy.components[0].order, model.components[0].order) == (2, NgramLM().order)
    copy.set_params(component_1=NgramLM(order=1), component_1__order=5)
    assert [m.order for m in copy.components] == [2, 5]
    copy.set_params(components=(NgramLM(),))
    assert set(copy.get_params(deep=False)) == {
        *("components", "weights", "validation_fraction", "random_state"),
    }
    with pytest.raises(ValueError, match="Invalid parameter"):
        copy.set_params(component_1__order=3)


def test_the_context_window_is_the_largest_of_all_components() -> None:
    assert MixtureLM((NgramLM(order=5), FeedForwardLM(context=2))).context_window == (4, 0)
    assert MixtureLM((FeedForwardLM(context=2, target_position=2), BIGRAM)).context_window == (1, 1)
    assert MixtureLM((BIGRAM, GATED)).context_window is None


def test_scoring_options_must_be_possible_for_all_components(mixture: MixtureLM) -> None:
    text = [make_sentences(5)]
    without_end = Scoring(sentence_end=False)
    assert mixture.measure(text, without_end).n_tokens == sum(map(len, text[0]))
    with pytest.raises(UsageError, match="score with the same value"):
        mixture.measure(text, Scoring(sentence_start=False))
    ngrams = fit((BIGRAM, NgramLM(order=3, smoothing="witten-bell")))
    assert ngrams.measure(text, Scoring(sentence_start=False)).log_prob < 0


def test_progress_continues_from_component_to_component() -> None:
    reported: list[tuple[int, int]] = []
    names: list[str] = []

    def progress(done: int, total: int, what: str) -> None:
        reported.append((done, total))
        names.append(what)

    MixtureLM((BIGRAM, NETWORK)).fit(make_sentences(), vocabulary_size=V, progress=progress)
    assert reported == sorted(reported)
    assert reported[-1] == (2000, 2000)
    assert names[0] == "component 1 of 2: n-grams counted"


def test_a_failed_fit_does_not_change_the_mixture(mixture: MixtureLM) -> None:
    model = MixtureLM.from_state(stored(mixture))
    with pytest.raises(TrainingError):
        model.fit([], vocabulary_size=V)
    assert same_bits(model, mixture)
    with pytest.raises(NotFittedError):
        clone(model).log_distribution(ids(1))


# Rejected input


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"components": ()}, "components must be one or more language models"),
        ({"components": (3,)}, "components must be one or more language models"),
        ({"weights": (0.5, 0.5, 0.5)}, "weights must be 'em', or 3 numbers"),
        ({"weights": (0.5, 0.5)}, "weights must be 'em', or 3 numbers"),
        ({"weights": (1.5, -0.5, 0)}, "weights must be 'em', or 3 numbers"),
        ({"weights": "equal"}, "'weights' parameter"),
        ({"weights": 1}, "'weights' parameter"),
        ({"validation_fraction": 1}, "'validation_fraction' parameter"),
        ({"random_state": -1}, "'random_state' parameter"),
        ({"components": (BIGRAM, NgramLM(sentence_end=False))}, "must score the same events"),
        ({"components": (NgramLM(sentence_start=False), GATED)}, "must score the same events"),
        ({"components": (NgramLM(open_vocabulary=False),)}, "closed vocabulary"),
    ],
)
def test_models_that_cannot_be_mixed_are_rejected(params: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fit(**params)
