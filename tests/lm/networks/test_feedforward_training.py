"""Training of the feed-forward network: momentum, early stopping, divergence, progress."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from byline.errors import TrainingError
from byline.lm.networks.feedforward_network import (
    FeedForwardNetwork,
    Workspace,
    backward,
    feedforward_network_shapes,
    forward,
    training_step,
)
from byline.lm.networks.feedforward_training import (
    EVALUATION_BLOCK,
    FeedForwardTrainer,
    FeedForwardTraining,
    ngram_costs,
)
from byline.lm.networks.layers import softmax_costs
from byline.lm.networks.ngram_windows import NgramWindows

N_WORDS = 4
NONE = NgramWindows(np.zeros((0, 2), dtype=np.int32), np.zeros(0, dtype=np.int32))


def make_settings(
    rates: tuple[float, ...], momenta: tuple[float, ...], **others: Any
) -> FeedForwardTraining:
    """Settings with a learning rate and a momentum per epoch, and nothing beyond the paper."""
    settings = FeedForwardTraining(
        epochs=len(rates),
        learning_rate=rates,
        learning_rate_decay=1,
        momentum=momenta,
        batch_size=4,
        patience=1,
        shuffle=False,
        warm_up=0,
        dropout=0,
    )
    return replace(settings, **others)


STEADY = make_settings((0.1, 0.1, 0.1), (0.5, 0.5, 0.5))


def make_network(dtype: type[np.floating] = np.float32, scale: float = 0.3) -> FeedForwardNetwork:
    shapes = feedforward_network_shapes(
        n_inputs=N_WORDS, context=2, embedding_dim=3, hidden_dims=(5,), n_outputs=N_WORDS
    )
    return FeedForwardNetwork.random(np.random.default_rng(0), shapes, scale, dtype)


def make_ngrams(n: int = 10, *, shift: int = 1) -> NgramWindows:
    """The target is the word before it plus ``shift``."""
    contexts = np.random.default_rng(5).integers(N_WORDS, size=(n, 2)).astype(np.int32)
    return NgramWindows(contexts, (contexts[:, 1] + np.int32(shift)) % np.int32(N_WORDS))


def trainer(
    settings: FeedForwardTraining,
    *,
    validation: NgramWindows = NONE,
    network: FeedForwardNetwork | None = None,
    seed: int = 0,
) -> FeedForwardTrainer:
    network = network or make_network()
    return FeedForwardTrainer(
        network, make_ngrams(), validation, settings, np.random.default_rng(seed)
    )


def network_of(run: FeedForwardTrainer) -> FeedForwardNetwork:
    run.run()
    return run.network


def test_epochs_are_mini_batches_in_order_with_momentum() -> None:
    """Ten n-grams in batches of 4, 4 and 2, two epochs, as in Eq. weight_update."""
    settings = make_settings((0.5, 0.25), (0.5, 0.8))
    trained = network_of(trainer(settings, network=make_network(np.float64)))
    network, data = make_network(np.float64), make_ngrams()
    delta = [np.zeros_like(array) for array in network.arrays]
    for rate, momentum in [(0.5, 0.5), (0.25, 0.8)]:
        for batch in (data[:4], data[4:8], data[8:]):
            work, gradient = Workspace(network, 4), network.map(np.zeros_like)
            softmax_costs(forward(network, batch.contexts, work), batch.targets)
            backward(network, batch.contexts, batch.targets, work, gradient, 0.0)
            for i, array in enumerate(network.arrays):
                delta[i] = momentum * delta[i] + gradient.arrays[i]
                array -= rate * delta[i]
    for ours, expected in zip(trained.arrays, network.arrays, strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-14)


def test_dropout_and_a_learning_rate_that_falls_within_an_epoch() -> None:
    """Each mini-batch has new masks; the learning rate falls to zero by a third in each."""
    settings = make_settings((0.6,), (0.5,), learning_rate_decay="linear", dropout=0.3)
    trained = network_of(trainer(settings, network=make_network(np.float64), seed=7))
    network, data = make_network(np.float64), make_ngrams()
    delta, work = network.map(np.zeros_like), Workspace(network, 4)
    rng = np.random.default_rng(7)
    for rate, batch in zip((0.6, 0.4, 0.2), (data[:4], data[4:8], data[8:]), strict=True):
        work.draw_masks(rng, 0.3)
        training_step(
            network, batch.contexts, batch.targets, work, delta, learning_rate=rate, momentum=0.5
        )
    for ours, expected in zip(trained.arrays, network.arrays, strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-14)


def test_history_records_each_epoch() -> None:
    settings = make_settings((0.1, 0.05), (0.5, 0.8))
    run = trainer(settings, validation=make_ngrams())
    network = network_of(run)
    assert [record.epoch for record in run.history] == [1, 2]
    assert [record.learning_rate for record in run.history] == [0.1, 0.05]
    assert [record.momentum for record in run.history] == [0.5, 0.8]
    assert run.history[-1].validation_cost == ngram_costs(network, make_ngrams()).mean()
    assert run.history[1].training_cost < run.history[0].training_cost


def test_without_validation_all_epochs_are_run() -> None:
    run = trainer(STEADY)
    run.run()
    assert [(r.validation_cost, r.kept) for r in run.history] == [(None, True)] * 3


def test_early_stopping_keeps_the_weights_from_before() -> None:
    contrary = make_ngrams(40, shift=2)  # targets that never occur in training
    run = trainer(STEADY, validation=contrary)
    kept = network_of(run)
    one_epoch = network_of(trainer(replace(STEADY, epochs=1)))
    assert [record.kept for record in run.history] == [True, False]
    for ours, expected in zip(kept.arrays, one_epoch.arrays, strict=True):
        np.testing.assert_array_equal(ours, expected)


def test_same_seed_same_weights_bit_for_bit() -> None:
    shuffled = replace(STEADY, shuffle=True)
    first, again, other = (network_of(trainer(shuffled, seed=seed)) for seed in (1, 1, 2))
    for a, b in zip(first.arrays, again.arrays, strict=True):
        np.testing.assert_array_equal(a, b)
    assert not np.array_equal(first.embedding, other.embedding)


@pytest.mark.parametrize("validation", [NONE, make_ngrams(30)])
@pytest.mark.parametrize("rate", [300.0, 1e30])
def test_divergence_names_epoch_and_rate(validation: NgramWindows, rate: float) -> None:
    settings = make_settings((rate,) * 9, (0.9,) * 9)
    with pytest.raises(TrainingError, match=r"diverged in epoch 1 at learning rate (300|1e\+30)"):
        trainer(settings, validation=validation).run()


def test_held_out_text_that_differs_is_not_divergence() -> None:
    settings = make_settings((0.5,), (0.5,))
    data, held_out = make_ngrams(400), make_ngrams(40, shift=2)
    run = FeedForwardTrainer(make_network(), data, held_out, settings, np.random.default_rng(0))
    run.run()
    assert (run.history[0].validation_cost or 0) > np.log(N_WORDS) + 1


def test_divergence_in_the_last_update_is_reported() -> None:
    """With one batch per epoch, the training cost is that of the network before the update."""
    settings = make_settings((1e4,), (0.0,), batch_size=100)
    with pytest.raises(TrainingError, match=r"try a learning rate of 2\.5e\+03$"):
        trainer(settings).run()


def test_progress_counts_mini_batches_and_names_the_last_epoch() -> None:
    """Ten n-grams are three mini-batches of four."""
    reported: list[tuple[int, int, str]] = []
    run = trainer(STEADY, validation=make_ngrams())
    run.run(lambda done, total, what: reported.append((done, total, what)))
    assert [done for done, _, _ in reported] == list(range(1, 10))
    assert {total for _, total, _ in reported} == {9}
    perplexity = np.exp(run.history[1].validation_cost or 0.0)
    after_two = f"epoch 2 of 3: validation perplexity {perplexity:.1f}"
    assert [what for _, _, what in reported[:3]] == ["epoch 1 of 3"] * 2 + [reported[2][2]]
    assert [what for _, _, what in reported[5:8]] == [after_two] * 3


def test_a_long_epoch_is_reported_a_hundred_times() -> None:
    reported: list[int] = []
    settings = make_settings((0.1,), (0.5,), batch_size=1)
    run = FeedForwardTrainer(
        make_network(), make_ngrams(1000), NONE, settings, np.random.default_rng(0)
    )
    run.run(lambda done, total, what: reported.append(done))
    assert reported == list(range(10, 1001, 10))


def test_progress_without_validation_and_with_early_stopping() -> None:
    reported: list[tuple[int, int, str]] = []
    trainer(STEADY).run(lambda *step: reported.append(step))
    assert reported[2][2].startswith("epoch 1 of 3: training perplexity ")
    reported.clear()
    early = trainer(STEADY, validation=make_ngrams(40, shift=2))
    early.run(lambda *step: reported.append(step))
    assert reported[-1][:2] == (9, 9)
    assert reported[-1][2].endswith(", stopped early: epoch 1 was better")


def test_a_cost_does_not_depend_on_other_ngrams() -> None:
    network, data = make_network(), make_ngrams(2 * EVALUATION_BLOCK + 7)
    together = ngram_costs(network, data)
    assert together.shape == (len(data),)
    for i in (0, 5, EVALUATION_BLOCK, len(data) - 1):
        alone = ngram_costs(network, data[i : i + 1])
        np.testing.assert_allclose(alone, together[i : i + 1], rtol=0, atol=1e-6)
    assert ngram_costs(network, data[:0]).shape == (0,)
