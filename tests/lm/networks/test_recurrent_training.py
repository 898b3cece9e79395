"""Training of the recurrent network: initial weights, epochs by hand, learning rates, AdamW."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

from byline.lm.networks.recurrent_network import (
    DropoutMasks,
    RecurrentNetwork,
    cost_and_gradient,
    initialize_weights,
)
from byline.lm.networks.recurrent_training import AdamW, RecurrentTrainer, RecurrentTraining
from byline.lm.networks.sentence_batches import Events, ShuffledBatches

N_OUTPUTS, UNITS, SIZE, SEED = 6, 4, 12, 5
SETTINGS = RecurrentTraining(
    epochs=2,
    patience=1,
    batch_tokens=SIZE,
    learning_rate=0.05,
    warm_up=0.25,
    weight_decay=0.5,
    max_norm=0.3,
    embedding_dropout=0.25,
    dropout=0.5,
)


def events_of(*lengths: int) -> Events:
    """Sentences of the words 0 to 3; 4 is the class of the other words, and 5 is ``</s>``."""
    rng = np.random.default_rng(2)
    return Events.from_sentences(
        [rng.integers(4, size=n).astype(np.int32) for n in lengths], start=6, end=5
    )


def trainer_of(training: Events, settings: RecurrentTraining = SETTINGS) -> RecurrentTrainer:
    return RecurrentTrainer(
        training,
        events_of(),
        n_outputs=N_OUTPUTS,
        units=UNITS,
        settings=settings,
        rng=np.random.default_rng(SEED),
    )


def test_initial_outputs_are_the_frequencies_of_events() -> None:
    training = Events.from_sentences([np.array([0, 0, 1], np.int32)] * 2, start=6, end=5)
    network = trainer_of(training).network
    # The counts are 4, 2, 0, 0, 0 and 2 of 8 events; one half is added to each of 6.
    expected = np.log(np.array([4.5, 2.5, 0.5, 0.5, 0.5, 2.5]) / 11)
    np.testing.assert_allclose(network.b_out, expected, rtol=1e-6)
    assert not network.b.any() and not network.b_u.any()
    assert 0.2 < np.abs(network.embedding).max() <= 0.3
    assert 0.4 < min(np.abs(w).max() for w in (network.W, network.U)) <= 0.5  # 1 / sqrt(4)


def test_two_epochs_by_hand() -> None:
    training = events_of(3, 5, 2, 7, 4, 0, 6, 9)
    trainer, batch_done = trainer_of(training), Mock()
    costs = [trainer.train_batches(epoch, batch_done) for epoch in (0, 1)]

    rng = np.random.default_rng(SEED)
    network, weights = RecurrentNetwork.zeros(N_OUTPUTS, UNITS)
    gradient, written = RecurrentNetwork.zeros(N_OUTPUTS, UNITS)
    initialize_weights(network, np.bincount(training.targets, minlength=N_OUTPUTS), rng)
    n_decayed = 7 * 4 + 2 * 4 * 12  # embeddings; W and U
    optimizer = AdamW(weights, written, n_decayed=n_decayed, weight_decay=0.5, max_norm=0.3)
    batches = ShuffledBatches(training, SIZE)
    total, done, lengths = 2 * len(batches), 0, []
    for epoch in (0, 1):
        cost = 0.0
        for batch in batches.shuffle(rng):
            embeddings_kept = rng.random((*batch.inputs.shape, UNITS), np.float32) >= 0.25
            states_kept = rng.random((len(batch.targets), UNITS), np.float32) >= 0.5
            masks = DropoutMasks(embeddings_kept * np.float32(4 / 3), states_kept * np.float32(2))
            cost += cost_and_gradient(network, gradient, batch, masks)
            lengths.append(np.linalg.norm(written))
            # The rate rises during the first quarter of the batches, then falls.
            rise, fall = (done + 1) / (total / 4), (1 - done / total) / 0.75
            optimizer.step(0.05 * min(rise, fall, 1))
            done += 1
        assert costs[epoch] == pytest.approx(cost / (36 + 8), rel=1e-5)  # tokens and sentence ends
    assert batch_done.call_count == done == total
    assert max(lengths) > 0.3  # some gradients are clipped
    np.testing.assert_allclose(trainer.weights()[0], weights, atol=1e-5)


def test_the_learning_rate_rises_then_falls_to_zero() -> None:
    settings = replace(SETTINGS, learning_rate=0.6, warm_up=0.2)
    # Of 10 batches, the rate rises in 2, 0.3 and 0.6; then it is 0.6 * (1 - i / 10) / 0.8.
    falling = [0.6 * (1 - i / 10) / 0.8 for i in range(2, 10)]
    np.testing.assert_allclose(settings.learning_rates(5).ravel(), [0.3, 0.6, *falling])
    assert settings.learning_rates(5).shape == (2, 5)


# AdamW


def optimizer(
    weights: NDArray[Any], gradient: NDArray[Any], *, max_norm: float = 10.0, decay: float = 0.5
) -> AdamW:
    return AdamW(weights, gradient, n_decayed=1, weight_decay=decay, max_norm=max_norm)


def test_two_steps_by_hand() -> None:
    weights, gradient = np.array([1.0, 1.0]), np.array([2.0, -4.0])
    adam = optimizer(weights, gradient)
    adam.step(0.1)
    # m = 0.1 g, v = 0.01 g^2; without their bias g and g^2: each weight goes 0.1 g / |g| = +-0.1.
    # The first weight decays by 0.1 * 0.5 of itself: 0.95 - 0.1; the second does not: 1 + 0.1.
    np.testing.assert_allclose(weights, [0.85, 1.1])
    gradient[:] = [-1.0, 0.0]
    adam.step(0.1)
    # m = 0.9 * 0.2 - 0.1 = 0.08, over 1 - 0.81; v = 0.99 * 0.04 + 0.01 = 0.0496, over 1 - 0.9801
    first = 0.85 * 0.95 - 0.1 * (0.08 / 0.19) / sqrt(0.0496 / 0.0199)
    # m = 0.9 * -0.4 = -0.36; v = 0.99 * 0.16 = 0.1584
    second = 1.1 + 0.1 * (0.36 / 0.19) / sqrt(0.1584 / 0.0199)
    np.testing.assert_allclose(weights, [first, second], rtol=1e-7)


def test_a_large_gradient_is_clipped() -> None:
    gradient = np.array([3.0, -4.0])  # its norm is 5
    adam = optimizer(np.zeros(2), gradient, max_norm=1.0)
    adam.step(0.1)
    np.testing.assert_allclose(adam.mean, [0.1 * 0.6, 0.1 * -0.8])  # m = 0.1 g / 5
    gradient[:] = [0.3, -0.4]  # below the limit
    adam.step(0.1)
    np.testing.assert_allclose(adam.mean, [0.9 * 0.06 + 0.03, 0.9 * -0.08 - 0.04])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_restored_optimizer_takes_exactly_the_same_step(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    weights, gradient = np.zeros((2, 50), dtype)
    adam = optimizer(weights, gradient)
    for _ in range(3):
        gradient[:] = rng.standard_normal(50)
        adam.step(0.01)
    again = optimizer(weights.copy(), np.zeros(50, dtype))
    again.restore(adam.state())
    later = rng.standard_normal(50)
    for each in (adam, again):
        each.gradient[:] = later
        each.step(0.01)
    assert adam.n_steps == again.n_steps == 4
    assert adam.weights.dtype == dtype
    assert adam.weights.tobytes() == again.weights.tobytes()
