"""Networks that start from a background: known values, laws, interruptions, invalid values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.errors import ModelFileError, UsageError
from byline.lm import FeedForwardLM, ModelState, RecurrentLM
from byline.lm.base import Sentence
from byline.lm.inputs import parameter_values, set_parameters
from byline.lm.networks.network_lm import NetworkLM
from byline.lm.networks.shortlist import NOISE_SCALE, Shortlist, WarmStart

V = 12
Kind = type[FeedForwardLM] | type[RecurrentLM]
SMALL: dict[Kind, dict[str, Any]] = {
    FeedForwardLM: {"context": 2, "embedding_dim": 8, "hidden_dims": (8,), "batch_size": 20},
    RecurrentLM: {"units": 8, "batch_tokens": 60},
}
KINDS = list(SMALL)
STILL: dict[str, Any] = {"epochs": 1, "learning_rate": 1e-12, "unigram_shift": 0}


def ids(*tokens: int) -> Sentence:
    return np.array(tokens, dtype=np.int32)


def walks(steps: tuple[int, ...], n: int, *, seed: int, n_words: int = 10) -> list[Sentence]:
    """Walk around a circle of words in random steps from ``steps``."""
    rng = np.random.default_rng(seed)
    moves = [np.cumsum(rng.choice(steps, size=rng.integers(3, 9))) for _ in range(n)]
    return [((rng.integers(n_words) + move) % n_words).astype(np.int32) for move in moves]


ALL = walks((1, 2), 300, seed=0, n_words=11) + walks((1, 3), 100, seed=1, n_words=11)
OWN = walks((1, 3), 30, seed=2)


def fit(kind: Kind, sentences: list[Sentence] = OWN, *, to: Any = None, **params: Any) -> NetworkLM:
    fit_params = {
        name: params.pop(name)
        for name in ("checkpoint", "progress", "validation")
        if name in params
    }
    model = set_parameters(kind(), SMALL[kind] | {"epochs": 3} | params)
    return model.fit(sentences, vocabulary_size=V, background=to, **fit_params)


@pytest.fixture(scope="module")
def backgrounds() -> dict[Kind, NetworkLM]:
    return {kind: fit(kind, ALL, epochs=6) for kind in KINDS}


def same_bits(one: NetworkLM, other: NetworkLM) -> bool:
    first, second = one.get_state(), other.get_state()
    return first.params == second.params and all(
        array.tobytes() == second.arrays[name].tobytes() for name, array in first.arrays.items()
    )


# Known values


def start(shift: float) -> WarmStart:
    """Of the ids 0 to 4, the background's shortlist has 1 and 2, and the author's 2 and 3."""
    return WarmStart(
        shortlist=Shortlist(ids(2, 3), 5),
        counts=ids(0, 1, 3, 2, 0, 4),  # the last is </s>
        background=Shortlist(ids(1, 2), 5),
        background_counts=ids(0, 4, 8, 1, 2, 3),
        shift=shift,
        rng=np.random.default_rng(0),
    )


# Weights of ids 1 and 2, of all other words together, and of </s>. The other words share 9 in
# proportion to their counts plus one half, 0.5 : 1.5 : 2.5, so that 0, 3 and 4 have 1, 3 and 5.
BIASES = np.log([2, 3, 9, 4]).astype(np.float32)


def test_biases_give_each_word_its_weight_in_the_background() -> None:
    # 2 has 3; 3 has 3; the other words, 0, 1 and 4, have 1 + 2 + 5 = 8; </s> has 4
    np.testing.assert_allclose(np.exp(start(0).biases(BIASES)), [3, 3, 8, 4], rtol=1e-6)


def test_biases_are_shifted_to_the_authors_frequencies() -> None:
    # With one half added to each id, the author has 3.5, 2.5, 0.5 + 1.5 + 0.5 and 4.5 of 13, and
    # the background has 8.5, 1.5, 0.5 + 4.5 + 2.5 and 3.5 of 21.
    own, theirs = np.array([3.5, 2.5, 2.5, 4.5]) / 13, np.array([8.5, 1.5, 7.5, 3.5]) / 21
    for shift in (0.5, 1):
        expected = [3, 3, 8, 4] * (own / theirs) ** shift
        np.testing.assert_allclose(np.exp(start(shift).biases(BIASES)), expected, rtol=1e-6)


def test_frequencies_exclude_an_end_that_is_not_predicted() -> None:
    own, theirs = np.array([3.5, 2.5, 2.5]) / 8.5, np.array([8.5, 1.5, 7.5]) / 17.5
    expected = [3, 3, 8] * (own / theirs)
    np.testing.assert_allclose(np.exp(start(1).biases(BIASES[:3])), expected, rtol=1e-6)


def test_rows_are_of_words_first_and_then_of_marks() -> None:
    table = np.array([[1], [2], [10], [20], [30]], dtype=np.float32)
    rows = start(0).rows(table)
    noise = np.random.default_rng(0).normal(0, NOISE_SCALE)
    # Of the other words, 0 and 4 have row 10, 1 has row 1: (0.5 * 10 + 4.5 * 1 + 2.5 * 10) / 7.5.
    np.testing.assert_allclose(rows[:, 0], [2, 10 + noise, 4.6, 20, 30], rtol=1e-6)
    assert rows.dtype == np.float32
    np.testing.assert_array_equal(table[:, 0], [1, 2, 10, 20, 30])


# Laws


@pytest.mark.parametrize("kind", KINDS)
@given(context=st.lists(st.integers(0, V - 1), max_size=6))
@settings(max_examples=10, deadline=None)
def test_a_network_that_is_not_trained_equals_the_background(
    backgrounds: dict[Kind, NetworkLM], kind: Kind, context: list[int]
) -> None:
    """Both have the same shortlist, and only one word is outside it."""
    background = backgrounds[kind]
    assert background.shortlist_.other_words.tolist() == [11]
    model = fit(kind, ALL, to=background, **STILL)
    np.testing.assert_allclose(
        model.log_distribution(ids(*context)), background.log_distribution(ids(*context)), atol=1e-5
    )


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_sum_to_one(backgrounds: dict[Kind, NetworkLM], kind: Kind) -> None:
    model = fit(kind, to=backgrounds[kind], min_count=12)
    assert model.shortlist_.n_other_words > 2
    log_probs = model.log_distribution(ids(3, 11))
    assert np.exp(log_probs).sum() == pytest.approx(1, abs=1e-6)
    sentence = ids(3, 11, 10, 4)
    expected = [model.log_distribution(sentence[:i])[w] for i, w in enumerate(sentence)]
    np.testing.assert_allclose(model.token_log_probs(sentence)[:-1], expected, atol=1e-5)
    # The author never uses 10 and 11: their shares follow the square roots of the other counts.
    often, never = backgrounds[kind].event_counts_[[10, 11]] + 0.5
    assert np.exp(log_probs[10] - log_probs[11]) == pytest.approx(np.sqrt(often / never))


@pytest.mark.parametrize("kind", KINDS)
def test_an_adapted_model_is_better_than_either(
    backgrounds: dict[Kind, NetworkLM], kind: Kind
) -> None:
    unseen = [walks((1, 3), 40, seed=3)]
    adapted, cold = fit(kind, to=backgrounds[kind]), fit(kind)
    best = adapted.perplexity(unseen)
    assert best < min(cold.perplexity(unseen), backgrounds[kind].perplexity(unseen))


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_same_weights_bit_for_bit(backgrounds: dict[Kind, NetworkLM], kind: Kind) -> None:
    before = backgrounds[kind].get_state()
    kept = {name: array.copy() for name, array in before.arrays.items()}
    model = fit(kind, to=backgrounds[kind])
    assert same_bits(model, fit(kind, to=backgrounds[kind]))
    assert not same_bits(model, fit(kind, to=backgrounds[kind], random_state=1))
    for name, array in kept.items():
        np.testing.assert_array_equal(before.arrays[name], array)


def test_without_sentence_marks() -> None:
    params = {"sentence_start": False, "sentence_end": False}
    background = fit(FeedForwardLM, ALL, **params)
    still = fit(FeedForwardLM, ALL, to=background, **STILL, **params)
    text = OWN[:5]
    np.testing.assert_allclose(
        still.batch_log_probs(text), background.batch_log_probs(text), atol=1e-5
    )


# Backgrounds


@pytest.mark.parametrize("kind", KINDS)
def test_the_setting_for_adaptation_fits_its_background(
    kind: Kind,
) -> None:
    prototype = kind.for_adaptation()
    background = prototype.background_model()
    own, theirs = parameter_values(prototype), parameter_values(background)
    assert own["learning_rate"] < theirs["learning_rate"]
    assert own["dropout"] > theirs["dropout"]
    assert own["min_count"] < theirs["min_count"]
    small = SMALL[kind] | {"epochs": 1}
    set_parameters(background, small).fit(ALL, vocabulary_size=V)
    set_parameters(prototype, small).fit(OWN, vocabulary_size=V, background=background)


# Interrupted training


class Interruption(Exception):  # noqa: N818
    """Represents anything that ends a process."""


def interrupt(done: int, total: int, what: str) -> None:
    if "epoch 2" in what:
        raise Interruption


@pytest.mark.parametrize("kind", KINDS)
def test_an_interrupted_run_ends_with_the_same_weights(
    backgrounds: dict[Kind, NetworkLM], kind: Kind, tmp_path: Path
) -> None:
    params: dict[str, Any] = {"to": backgrounds[kind], "checkpoint": tmp_path / "run"}
    with pytest.raises(Interruption):
        fit(kind, progress=interrupt, **params)
    assert (tmp_path / "run").exists()
    whole = fit(kind, to=backgrounds[kind])
    for other in (None, fit(kind, ALL, epochs=1)):
        with pytest.raises(UsageError, match=r"another training run: .* differ"):
            fit(kind, **(params | {"to": other}))
    assert same_bits(fit(kind, **params), whole)


# Storage


@pytest.mark.parametrize("kind", KINDS)
def test_a_stored_model_is_the_same_and_needs_no_background(
    backgrounds: dict[Kind, NetworkLM], kind: Kind
) -> None:
    model = fit(kind, to=backgrounds[kind], min_count=12)
    state = model.get_state()
    params = json.loads(json.dumps(dict(state.params)))
    again = kind.from_state(ModelState(params, state.arrays))
    assert same_bits(again, model)
    np.testing.assert_array_equal(again.batch_log_probs(ALL[:9]), model.batch_log_probs(ALL[:9]))
    assert same_bits(fit(kind, to=again), fit(kind, to=model))


@pytest.mark.parametrize(
    "arrays",
    [
        {"event_counts": None},
        {"event_counts": ids(1, 2, 3)},
        {"event_counts": np.full(V + 1, -1, dtype=np.int32)},
        {"other_word_shares": np.array([0.25])},
        {"other_word_shares": np.full(V, 1 / V)},
    ],
)
def test_damaged_counts_are_refused(
    backgrounds: dict[Kind, NetworkLM], arrays: dict[str, Any]
) -> None:
    state = fit(RecurrentLM, to=backgrounds[RecurrentLM]).get_state()
    kept = {k: v for k, v in (dict(state.arrays) | arrays).items() if v is not None}
    with pytest.raises(ModelFileError, match="not the state of a recurrent model"):
        RecurrentLM.from_state(ModelState(state.params, kept))


# Invalid values


@pytest.mark.parametrize(
    ("kind", "params", "message"),
    [
        (RecurrentLM, {"units": 9}, "units is 8 in the background and 9 here"),
        (
            RecurrentLM,
            {"sentence_end": False},
            "sentence_end is True in the background",
        ),
        (
            FeedForwardLM,
            {"hidden_dims": (8, 8)},
            r"hidden_dims is \[8\] in the background and \[8, 8\]",
        ),
        (
            FeedForwardLM,
            {"context": 3},
            "context is 2 in the background and 3 here; target_pos",
        ),
        (FeedForwardLM, {"shortcut": False}, "shortcut is True in the background and False here"),
    ],
)
def test_a_background_of_another_form_is_refused(
    backgrounds: dict[Kind, NetworkLM],
    kind: Kind,
    params: dict[str, Any],
    message: str,
) -> None:
    with pytest.raises(UsageError, match=message):
        fit(kind, to=backgrounds[kind], **params)


def test_other_backgrounds_are_refused(
    backgrounds: dict[Kind, NetworkLM],
) -> None:
    with pytest.raises(UsageError, match="must be a RecurrentLM; it is a FeedForwardLM"):
        fit(RecurrentLM, to=backgrounds[FeedForwardLM])
    with pytest.raises(UsageError, match="vocabulary_size is 12 in the background and 13 here"):
        RecurrentLM(units=8).fit(OWN, vocabulary_size=13, background=backgrounds[RecurrentLM])
    with pytest.raises(UsageError, match=r"'unigram_shift' .* a number of at least 0. Got -1"):
        fit(RecurrentLM, to=backgrounds[RecurrentLM], unigram_shift=-1)
