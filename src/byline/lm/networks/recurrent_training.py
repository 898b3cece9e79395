"""Training the recurrent network: batches of sentences, AdamW, one schedule for the whole run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.lm.networks.adamw import BETA_1, AdamW
from byline.lm.networks.recurrent_network import (
    Floats,
    Masks,
    RecurrentNetwork,
    cost_and_gradient,
    draw_weights,
)
from byline.lm.networks.recurrent_scoring import event_costs
from byline.lm.networks.sentence_batches import Batch, Events, ShuffledBatches
from byline.lm.networks.training_run import TrainingRun

PROBE = 1000  # events that show divergence


@dataclass(frozen=True, slots=True)
class Training:
    """Settings of a training run; the names are those of `RecurrentLM`'s parameters."""

    units: int
    epochs: int
    patience: int
    batch_tokens: int
    learning_rate: float
    warm_up: float
    weight_decay: float
    max_norm: float
    embedding_dropout: float
    dropout: float

    def rates(self, n_batches: int) -> NDArray[np.float64]:
        """Learning rate of each mini-batch of each epoch: (epochs, n_batches).

        It rises in equal steps for the share ``warm_up`` of the run, then falls to zero.
        """
        total = self.epochs * n_batches
        done = np.arange(total)
        rise = (done + 1) / max(self.warm_up * total, 1)
        fall = (1 - done / total) / (1 - self.warm_up)
        rates = self.learning_rate * np.minimum(np.minimum(rise, fall), 1)
        return np.asarray(rates.reshape(self.epochs, n_batches))


class RecurrentTrainer(TrainingRun):
    """A training run of a recurrent network.

    Parameters
    ----------
    training : Events
        Sentences longer than a batch are learnt in pieces, each from a state of zeros.
    validation : Events
        May be empty: then there is no early end.
    n_outputs : int
    settings : Training
    rng : numpy.random.Generator
        Draws the initial weights, the batches and what is dropped.

    Attributes
    ----------
    network : Gru
        Its arrays are parts of one vector.
    """

    def __init__(
        self,
        training: Events,
        validation: Events,
        n_outputs: int,
        settings: Training,
        rng: np.random.Generator,
    ) -> None:
        super().__init__(rng, settings.patience)
        pieces = training.pieces(settings.batch_tokens)
        self.batches = ShuffledBatches(pieces, settings.batch_tokens)
        self.validation, self.probe = validation, pieces.first(PROBE)
        self.settings = settings
        self.network, weights = _empty_network(n_outputs, settings.units)
        draw_weights(self.network, np.bincount(training.targets, minlength=n_outputs), rng)
        self.gradient, gradient = _empty_network(n_outputs, settings.units)
        self.optimizer = AdamW(
            weights,
            gradient,
            n_decayed=self.network.n_matrix,
            weight_decay=settings.weight_decay,
            max_norm=settings.max_norm,
        )

    @property
    def n_epochs(self) -> int:
        """At most so many epochs are run."""
        return self.settings.epochs

    @property
    def n_batches(self) -> int:
        """Mini-batches of an epoch."""
        return len(self.batches)

    @property
    def n_outputs(self) -> int:
        """Number of events that are predicted."""
        return self.network.n_outputs

    def rates(self, epoch: int) -> tuple[float, float]:
        """Highest learning rate of an epoch, which counts from 0, and AdamW's momentum."""
        return float(self.settings.rates(self.n_batches)[epoch].max()), BETA_1

    def feed(self, epoch: int, batch_done: Callable[[], None]) -> float:
        """Feed all sentences once; mean cost (nats) of an event, each batch before its update."""
        settings, cost = self.settings, 0.0
        out = np.empty((self.batches.most_events, self.n_outputs), np.float32)
        rates = settings.rates(self.n_batches)[epoch].tolist()
        for rate, batch in zip(rates, self.batches.draw(self.rng), strict=True):
            masks = self._draw_masks(batch)
            room = out[: len(batch.targets)]
            cost += cost_and_gradient(self.network, self.gradient, batch, masks, room)
            self.optimizer.step(rate)
            batch_done()
        return cost / len(self.batches.events)

    def _draw_masks(self, batch: Batch) -> Masks:
        settings = self.settings
        shares = {"x": settings.embedding_dropout, "h": settings.dropout}
        return Masks.draw(self.rng, batch, settings.units, **shares)

    def validation_cost(self) -> float | None:
        """Mean cost (nats) of the held-out events; None without any."""
        return _mean_cost(self.network, self.validation) if len(self.validation) else None

    def probe_cost(self) -> float:
        """Mean cost (nats) of some of the events trained on."""
        return _mean_cost(self.network, self.probe)

    @property
    def trained(self) -> RecurrentNetwork:
        """The network: its weights are NumPy arrays."""
        return self.network

    def weights(self) -> list[NDArray[Any]]:
        """Copy the weights: one vector."""
        return [self.optimizer.weights.copy()]

    def state(self) -> list[NDArray[Any]]:
        """Copy the weights, and what AdamW's next step hangs on."""
        return self.weights() + self.optimizer.state()

    def restore(self, arrays: Sequence[NDArray[Any]]) -> None:
        """Take over weights, and AdamW's state where it is there as well.

        Raises
        ------
        ValueError
            An array has another shape or type.
        """
        for ours, array in zip(self.state(), arrays, strict=False):
            if ours.shape != array.shape or ours.dtype != array.dtype:
                raise ValueError(f"an array is {array.shape} {array.dtype}, not {ours.shape}")
        self.optimizer.weights[...] = arrays[0]
        if len(arrays) > 1:
            self.optimizer.restore(arrays[1:])


def _mean_cost(network: RecurrentNetwork, events: Events) -> float:
    return float(event_costs(network, events).mean())


def _empty_network(n_outputs: int, units: int) -> tuple[RecurrentNetwork, Floats]:
    """Make a network of zeros, and the vector that its arrays are parts of."""
    vector = np.zeros(RecurrentNetwork.n_weights(n_outputs, units), np.float32)
    return RecurrentNetwork.views(vector, n_outputs, units), vector
