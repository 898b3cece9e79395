"""Training of the recurrent network: how it begins, two epochs written out, the learning rates."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from byline.lm.networks.adamw import AdamW
from byline.lm.networks.recurrent_network import (
    Floats,
    Masks,
    RecurrentNetwork,
    cost_and_gradient,
    draw_weights,
)
from byline.lm.networks.recurrent_training import RecurrentTrainer, Training
from byline.lm.networks.sentence_batches import Events, ShuffledBatches

N_OUTPUTS, UNITS, SIZE, SEED = 6, 4, 12, 5
PLAN = Training(
    units=UNITS,
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
    """Sentences of the words 0 to 3, word 4 being lacking and 5 ``</s>``."""
    rng = np.random.default_rng(2)
    return Events.of([rng.integers(4, size=n).astype(np.int32) for n in lengths], start=6, end=5)


def trainer_of(training: Events, plan: Training = PLAN) -> RecurrentTrainer:
    return RecurrentTrainer(training, events_of(), N_OUTPUTS, plan, np.random.default_rng(SEED))


def test_the_softmax_begins_with_the_frequencies_of_the_events() -> None:
    training = Events.of([np.array([0, 0, 1], np.int32)] * 2, start=6, end=5)
    network = trainer_of(training).network
    # 4, 2, 0, 0, 0 and 2 of 8 events; half of one is added to each of 6
    expected = np.log(np.array([4.5, 2.5, 0.5, 0.5, 0.5, 2.5]) / 11)
    np.testing.assert_allclose(network.b_out, expected, rtol=1e-6)
    assert not network.b.any() and not network.b_u.any()
    assert 0.2 < np.abs(network.embedding).max() <= 0.3
    assert 0.4 < min(np.abs(w).max() for w in (network.W, network.U)) <= 0.5  # 1 / sqrt(4)


def test_two_epochs_by_hand() -> None:
    training = events_of(3, 5, 2, 7, 4, 0, 6, 9)
    trainer, batch_done = trainer_of(training), Mock()
    costs = [trainer.feed(epoch, batch_done) for epoch in (0, 1)]

    rng = np.random.default_rng(SEED)
    network, weights = empty_network()
    gradient, written = empty_network()
    draw_weights(network, np.bincount(training.targets, minlength=N_OUTPUTS), rng)
    n_decayed = 7 * 4 + 2 * 4 * 12  # embeddings; W and U
    optimizer = AdamW(weights, written, n_decayed=n_decayed, weight_decay=0.5, max_norm=0.3)
    batches = ShuffledBatches(training, SIZE)
    total, done, lengths = 2 * len(batches), 0, []
    for epoch in (0, 1):
        cost = 0.0
        for batch in batches.draw(rng):
            kept_x = rng.random((*batch.inputs.shape, UNITS), np.float32) >= 0.25
            kept_h = rng.random((len(batch.targets), UNITS), np.float32) >= 0.5
            masks = Masks(x=kept_x * np.float32(4 / 3), h=kept_h * np.float32(2))
            cost += cost_and_gradient(network, gradient, batch, masks)
            lengths.append(np.linalg.norm(written))
            # it rises for a quarter of the batches, and falls for three
            rise, fall = (done + 1) / (total / 4), (1 - done / total) / 0.75
            optimizer.step(0.05 * min(rise, fall, 1))
            done += 1
        assert costs[epoch] == pytest.approx(cost / (36 + 8), rel=1e-5)  # words and ends
    assert batch_done.call_count == done == total
    assert max(lengths) > 0.3  # some gradient is cut
    np.testing.assert_allclose(trainer.weights()[0], weights, atol=1e-5)


def empty_network() -> tuple[RecurrentNetwork, Floats]:
    vector = np.zeros(RecurrentNetwork.n_weights(N_OUTPUTS, UNITS), np.float32)
    return RecurrentNetwork.views(vector, N_OUTPUTS, UNITS), vector


def test_the_rate_rises_then_falls_to_zero() -> None:
    plan = replace(PLAN, learning_rate=0.6, warm_up=0.2)
    # 10 batches: 2 of them rise, 0.3 and 0.6; then 0.6 * (1 - i / 10) / 0.8
    falling = [0.6 * (1 - i / 10) / 0.8 for i in range(2, 10)]
    np.testing.assert_allclose(plan.rates(5).ravel(), [0.3, 0.6, *falling])
    assert plan.rates(5).shape == (2, 5)
