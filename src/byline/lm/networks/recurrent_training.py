"""Training of the recurrent network: batches of sentences, AdamW, learning rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from byline.array_types import Floats
from byline.constraints import Constraints, at_least, positive, within
from byline.lm.inputs import SIZE
from byline.lm.networks.arrays import NetworkArray
from byline.lm.networks.recurrent_network import (
    DropoutMasks,
    RecurrentNetwork,
    cost_and_gradient,
    initialize_weights,
)
from byline.lm.networks.recurrent_scoring import event_costs
from byline.lm.networks.sentence_batches import Events, ShuffledBatches
from byline.lm.networks.training_run import NetworkTraining, TrainingRun, check_same_form

BETA_1, BETA_2 = 0.9, 0.99
EPSILON = 1e-8
PROBE_EVENTS = 1000


@dataclass(kw_only=True, repr=False)
class RecurrentTraining(NetworkTraining):
    """The settings with which a `RecurrentLM` is trained.

    Parameters
    ----------
    epochs, patience, dropout, validation_fraction, unigram_shift
        See `NetworkTraining`. Dropout applies to the states before the softmax.
    embedding_dropout : float
        Probability with which each value of the embeddings is dropped (Srivastava et al. 2014).
    batch_tokens : int
        Largest number of tokens in a mini-batch, including the padding of shorter sentences. A
        sentence with more tokens is split, and each part starts from a state of zeros.
    learning_rate : float
        The highest learning rate: it rises linearly to this value, then falls linearly to zero.
    warm_up : float
        Fraction of all mini-batches during which the learning rate rises.
    weight_decay : float
        Lambda: each step multiplies each weight, but no bias, by ``1 - learning_rate * lambda``.
    max_norm : float
        A gradient with a larger norm is scaled down to this norm (Pascanu et al. 2013).

    See Also
    --------
    FeedForwardTraining : the settings for a `FeedForwardLM`

    Examples
    --------
    >>> RecurrentTraining(epochs=1, learning_rate=0.6, warm_up=0.5).learning_rates(4)
    array([[0.3, 0.6, 0.6, 0.3]])
    """

    epochs: int = 6
    patience: int = 2
    dropout: float = 0.3
    embedding_dropout: float = 0.1
    batch_tokens: int = 350
    learning_rate: float = 0.01
    warm_up: float = 0.05
    weight_decay: float = 0.1
    max_norm: float = 1.0

    _parameter_constraints: ClassVar[Constraints] = {
        **NetworkTraining._parameter_constraints,
        "embedding_dropout": [within(0, 1, closed="left")],
        "batch_tokens": [SIZE],
        "learning_rate": [positive()],
        "warm_up": [within(0, 1, closed="left")],
        "weight_decay": [at_least(0)],
        "max_norm": [positive()],
    }

    def learning_rates(self, n_batches: int) -> Floats:
        """Compute the learning rate of each mini-batch of each epoch: (epochs, n_batches)."""
        total = self.epochs * n_batches
        done = np.arange(total)
        rise = (done + 1) / max(self.warm_up * total, 1)
        fall = (1 - done / total) / (1 - self.warm_up)
        rates = self.learning_rate * np.minimum(np.minimum(rise, fall), 1)
        return np.asarray(rates.reshape(self.epochs, n_batches))


class AdamW:
    """Adam with decoupled weight decay, and with gradients that are clipped to a norm.

    All arrays are changed in place.

    Parameters
    ----------
    weights, gradient : (n,) float
    n_decayed : int
        Number of weights that decay, from the first: matrices do, biases do not.
    weight_decay : float
        Lambda: each step multiplies a weight by ``1 - learning_rate * lambda``.
    max_norm : float
        A gradient with a larger norm is scaled down to this norm (Pascanu et al. 2013).

    Attributes
    ----------
    mean, square : (n,) float
        m and v: the running means of the gradient and of its square.
    n_steps : int

    References
    ----------
    Loshchilov, I., and Hutter, F. (2019). Decoupled weight decay regularization. ICLR.

    Examples
    --------
    >>> weights, gradient = np.array([1.0, 1.0]), np.array([2.0, -4.0])
    >>> AdamW(weights, gradient, n_decayed=0, weight_decay=0.5, max_norm=10.0).step(0.1)
    >>> weights.round(6)
    array([0.9, 1.1])
    """

    def __init__(
        self,
        weights: NetworkArray,
        gradient: NetworkArray,
        *,
        n_decayed: int,
        weight_decay: float,
        max_norm: float,
    ) -> None:
        self.weights, self.gradient = weights, gradient
        self.n_decayed, self.weight_decay, self.max_norm = n_decayed, weight_decay, max_norm
        self.mean, self.square, self._step = (np.zeros_like(weights) for _ in range(3))
        self.n_steps = 0

    def step(self, learning_rate: float) -> None:
        """Take one step; this overwrites ``gradient``."""
        self.n_steps += 1
        self._clip()
        g, step = self.gradient, self._step
        self.mean *= BETA_1
        self.mean += np.multiply(g, 1 - BETA_1, out=step)
        self.square *= BETA_2
        self.square += np.multiply(np.square(g, out=g), 1 - BETA_2, out=step)
        np.sqrt(self.square, out=step)
        step *= (1 - BETA_2**self.n_steps) ** -0.5
        step += EPSILON
        np.divide(self.mean, step, out=step)
        step *= learning_rate / (1 - BETA_1**self.n_steps)
        self.weights[: self.n_decayed] *= 1 - learning_rate * self.weight_decay
        self.weights -= step

    def _clip(self) -> None:
        norm = float(np.sqrt(self.gradient @ self.gradient))
        if norm > self.max_norm:
            self.gradient *= self.max_norm / norm

    def state(self) -> list[NetworkArray]:
        """Copy everything that the next step depends on, except weights and gradient."""
        return [self.mean.copy(), self.square.copy(), np.array([self.n_steps], dtype=np.int64)]

    def restore(self, arrays: Sequence[NetworkArray]) -> None:
        """Restore a state that `state` returned."""
        self.mean[...], self.square[...], (self.n_steps,) = arrays[0], arrays[1], arrays[2].tolist()


class RecurrentTrainer(TrainingRun):
    """A training run of a recurrent network.

    Parameters
    ----------
    training : Events
    validation : Events
        If it is empty, training does not stop early.
    n_outputs : int
    units : int
    settings : RecurrentTraining
    rng : numpy.random.Generator
        For the initial weights, the batches and dropout.

    Attributes
    ----------
    network : RecurrentNetwork
        Its arrays are views of one vector.

    Examples
    --------
    >>> sentences = [np.array([0, 1, 0, 1], dtype=np.int32)] * 5
    >>> events = Events.from_sentences(sentences, start=3, end=2)
    >>> rng, settings = np.random.default_rng(0), RecurrentTraining(epochs=2)
    >>> run = RecurrentTrainer(events, events, n_outputs=3, units=4, settings=settings, rng=rng)
    >>> run.run()
    >>> [record.epoch for record in run.history]
    [1, 2]
    """

    settings: RecurrentTraining
    network: RecurrentNetwork

    def __init__(
        self,
        training: Events,
        validation: Events,
        *,
        n_outputs: int,
        units: int,
        settings: RecurrentTraining,
        rng: np.random.Generator,
    ) -> None:
        chunks = training.split(settings.batch_tokens)
        super().__init__(settings, validation, chunks.first(PROBE_EVENTS), rng)
        self.batches = ShuffledBatches(chunks, settings.batch_tokens)
        self.network, weights = RecurrentNetwork.zeros(n_outputs, units)
        initialize_weights(self.network, np.bincount(training.targets, minlength=n_outputs), rng)
        self.gradient, gradient = RecurrentNetwork.zeros(n_outputs, units)
        self.optimizer = AdamW(
            weights,
            gradient,
            n_decayed=self.network.n_matrix_weights,
            weight_decay=settings.weight_decay,
            max_norm=settings.max_norm,
        )

    @property
    def n_batches(self) -> int:
        """Number of mini-batches per epoch."""
        return len(self.batches)

    def rates(self, epoch: int) -> tuple[float, float]:
        """Return the highest learning rate of an epoch, and AdamW's momentum."""
        return float(self.settings.learning_rates(self.n_batches)[epoch].max()), BETA_1

    def train_batches(self, epoch: int, batch_done: Callable[[], None]) -> float:
        """Train on all batches once; return the mean cost (nats) of an event."""
        settings, cost = self.settings, 0.0
        out = np.empty((self.batches.max_events, self.n_outputs), np.float32)
        rates = settings.learning_rates(self.n_batches)[epoch].tolist()
        for rate, batch in zip(rates, self.batches.shuffle(self.rng), strict=True):
            masks = DropoutMasks.sample(
                self.rng,
                batch,
                self.network.units,
                embedding_dropout=settings.embedding_dropout,
                dropout=settings.dropout,
            )
            buffer = out[: len(batch.targets)]
            cost += cost_and_gradient(self.network, self.gradient, batch, masks, buffer)
            self.optimizer.step(rate)
            batch_done()
        return cost / len(self.batches.events)

    def mean_cost(self, data: Events) -> float:
        """Compute the mean cost (nats) of events."""
        return float(event_costs(self.network, data).mean())

    def weights(self) -> list[NetworkArray]:
        """Copy the weights: one vector."""
        return [self.optimizer.weights.copy()]

    def state(self) -> list[NetworkArray]:
        """Copy the weights and the state of the optimizer."""
        return self.weights() + self.optimizer.state()

    def restore(self, arrays: Sequence[NetworkArray]) -> None:
        """Restore the weights, and the state of the optimizer if it is given.

        Raises
        ------
        ValueError
            An array has another shape or type.
        """
        check_same_form(self.state(), arrays)
        self.optimizer.weights[...] = arrays[0]
        if len(arrays) > 1:
            self.optimizer.restore(arrays[1:])
