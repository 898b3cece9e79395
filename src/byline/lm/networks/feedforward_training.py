"""Training the feed-forward network: mini-batches of n-grams, momentum, schedules over epochs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.lm.networks.arrays import NUMPY, Array, Arrays
from byline.lm.networks.feedforward_network import (
    FeedForwardNetwork,
    Workspace,
    forward,
    softmax_cost,
    training_step,
)
from byline.lm.networks.ngram_windows import NGrams
from byline.lm.networks.training_run import TrainingRun

EVALUATION_BLOCK = 128
PROBE = 1000  # n-grams that show divergence where none are held out


@dataclass(frozen=True, slots=True)
class Training:
    """Settings of a training run.

    Attributes
    ----------
    learning_rates, momenta : tuple of float
        Epsilon and alpha of Eq. weight_update, one an epoch.
    batch_size : int
        M, the n-grams of a mini-batch.
    shuffle : bool
        Whether every epoch takes the n-grams in a new random order, or all in the text's order.
    final_rates : tuple of float, optional
        Where each epoch's learning rate falls to, in equal steps; by default it stays.
    dropout : float
        Share of each layer's inputs that is dropped in each mini-batch.
    warm_up : int
        Mini-batches over which the learning rate rises to what it should be, in equal steps.
    patience : int
        Epochs in a row without a new lowest validation cost, after which training ends.
    """

    learning_rates: tuple[float, ...]
    momenta: tuple[float, ...]
    batch_size: int
    shuffle: bool
    final_rates: tuple[float, ...] | None = None
    dropout: float = 0.0
    warm_up: int = 0
    patience: int = 1

    def rates(self, epoch: int, n_batches: int) -> NDArray[np.float64]:
        """Learning rate of each mini-batch of an epoch, which counts from 0: (n_batches,)."""
        first = self.learning_rates[epoch]
        last = first if self.final_rates is None else self.final_rates[epoch]
        number = epoch * n_batches + np.arange(1, n_batches + 1)
        risen = np.minimum(1, number / (self.warm_up + 1))
        return np.linspace(first, last, n_batches, endpoint=False) * risen


class FeedForwardTrainer(TrainingRun):
    """A training run of a feed-forward network.

    Parameters
    ----------
    network : Network
        Changed in place, where the library computes with NumPy's arrays.
    training : NGrams
    validation : NGrams
        May be empty: then there is no early end.
    settings : Training
    rng : numpy.random.Generator
        Draws the order of the n-grams and what is dropped.
    arrays : Arrays
        The library, and with it the device, to compute with.
    """

    def __init__(
        self,
        network: FeedForwardNetwork,
        training: NGrams,
        validation: NGrams,
        settings: Training,
        rng: np.random.Generator,
        arrays: Arrays = NUMPY,
    ) -> None:
        super().__init__(rng, settings.patience)
        self.arrays = arrays
        self.network = network.map(arrays.from_numpy)
        self.training = training.map(arrays.from_numpy)
        self.validation = validation.map(arrays.from_numpy)
        self.settings = settings
        self.delta = self.network.map(arrays.zeros_like)

    @property
    def n_epochs(self) -> int:
        """At most so many epochs are run."""
        return len(self.settings.learning_rates)

    @property
    def n_batches(self) -> int:
        """Mini-batches of an epoch."""
        return -(-len(self.training) // self.settings.batch_size)

    @property
    def n_outputs(self) -> int:
        """Number of classes of the softmax layer."""
        return self.network.n_outputs

    def rates(self, epoch: int) -> tuple[float, float]:
        """Learning rate of an epoch's first batch, and its momentum; epochs count from 0."""
        return self.settings.learning_rates[epoch], self.settings.momenta[epoch]

    def feed(self, epoch: int, batch_done: Callable[[], None]) -> float:
        """Feed all n-grams once; their mean cost (nats), each batch before its update."""
        settings = self.settings
        data = self.training
        work = Workspace(self.network, min(settings.batch_size, len(data)), self.arrays)
        if settings.shuffle:
            data = data[self.arrays.from_numpy(self.rng.permutation(len(data)))]
        cost: Array = 0.0
        rates = settings.rates(epoch, self.n_batches).tolist()
        for rate, batch in zip(rates, data.blocks(settings.batch_size), strict=True):
            if settings.dropout:
                work.draw_masks(self.rng, settings.dropout)
            cost += training_step(
                self.network,
                batch.contexts,
                batch.targets,
                work,
                self.delta,
                learning_rate=rate,
                momentum=settings.momenta[epoch],
            )
            batch_done()
        return float(cost) / len(data)

    def validation_cost(self) -> float | None:
        """Mean cost (nats) of the held-out n-grams; None without any."""
        return self.mean_cost(self.validation) if len(self.validation) else None

    def probe_cost(self) -> float:
        """Mean cost (nats) of some of the n-grams trained on."""
        return self.mean_cost(self.training[:PROBE])

    def mean_cost(self, data: NGrams) -> float:
        """Mean cost (nats) of the n-grams."""
        return float(ngram_costs(self.network, data, self.arrays).mean())

    @property
    def trained(self) -> FeedForwardNetwork:
        """The network, its weights NumPy arrays."""
        return self.network.map(self.arrays.to_numpy)

    def weights(self) -> list[NDArray[Any]]:
        """Copy the weights to NumPy arrays."""
        return [self.arrays.to_numpy(self.arrays.copy(array)) for array in self.network.arrays]

    def state(self) -> list[NDArray[Any]]:
        """Copy the weights, then Delta of each, to NumPy arrays."""
        deltas = [self.arrays.to_numpy(self.arrays.copy(array)) for array in self.delta.arrays]
        return self.weights() + deltas

    def restore(self, arrays: Sequence[NDArray[Any]]) -> None:
        """Take over weights, and Delta where it is there as well.

        Raises
        ------
        ValueError
            An array has another shape or type.
        """
        ours = self.network.arrays + self.delta.arrays
        kept = self.state()
        for own, copied, array in zip(ours, kept, arrays, strict=False):
            if copied.shape != array.shape or copied.dtype != array.dtype:
                raise ValueError(f"an array is {array.shape} {array.dtype}, not {copied.shape}")
            own[...] = self.arrays.from_numpy(array)


def ngram_costs(
    network: FeedForwardNetwork, data: NGrams, arrays: Arrays = NUMPY
) -> NDArray[np.float64]:
    """Cost (nats) of each n-gram: the negative log-probability of its target (Eq. costfunction).

    Returns
    -------
    (n,) float64
    """
    work = Workspace(network, EVALUATION_BLOCK, arrays)
    costs = [
        softmax_cost(forward_block(network, block.contexts, work), block.targets, work)
        for block in data.blocks(EVALUATION_BLOCK)
    ]
    return np.concatenate([np.zeros(0), *map(arrays.to_numpy, costs)])


def forward_block(network: FeedForwardNetwork, contexts: Array, work: Workspace) -> Array:
    """`forward` with as many rows as ``work`` holds, however few are asked for.

    Products of another shape are rounded otherwise; so an n-gram's probability would hang on how
    many others come with it. (Rounding still does, where inputs of the softmax are past
    `byline.lm.networks.arrays.LARGE`.)

    Returns
    -------
    (len(contexts), n_outputs) float
    """
    n = len(contexts)
    return forward(network, contexts[work.rows % n], work)[:n]
