"""Training of the feed-forward network: mini-batches of n-grams, momentum, learning rates."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from byline.array_types import Floats
from byline.constraints import (
    BOOLEAN,
    SEQUENCE,
    Constraints,
    check_elements,
    one_of,
    positive,
    whole,
    within,
)
from byline.errors import UsageError
from byline.lm.inputs import SIZE
from byline.lm.networks.arrays import NUMPY, Array, ArrayLibrary, NetworkArray
from byline.lm.networks.feedforward_network import (
    FeedForwardNetwork,
    Workspace,
    forward,
    training_step,
)
from byline.lm.networks.layers import softmax_costs
from byline.lm.networks.ngram_windows import NgramWindows
from byline.lm.networks.training_run import NetworkTraining, TrainingRun, check_same_form

EVALUATION_BLOCK = 128
PROBE_NGRAMS = 1000


_MOMENTUM = within(0, 1, closed="left")


def _is_device(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"cpu|cuda(:\d{1,3})?", value) is not None


@dataclass(kw_only=True, repr=False)
class FeedForwardTraining(NetworkTraining):
    """The settings with which a `FeedForwardLM` is trained.

    Parameters
    ----------
    epochs, patience, dropout, validation_fraction, unigram_shift
        See `NetworkTraining`. The patience of the paper is 1. Dropout applies to the inputs of each
        layer, the embeddings included.
    learning_rate : float or sequence of float
        Epsilon. A sequence has one value per epoch; its last value holds for all later epochs.
    learning_rate_decay : float or "linear"
        Factor on the learning rate in every epoch after the first ``decay_after``. With "linear",
        the learning rate falls from then on to zero, in equal steps from mini-batch to mini-batch.
    decay_after : int
    warm_up : int
        Number of mini-batches during which the learning rate first rises linearly. Without it,
        training on short texts can diverge.
    momentum : float or sequence of float
        Alpha, in [0, 1); a sequence as for ``learning_rate``.
    batch_size : int
        M, the number of n-grams in a mini-batch.
    init_scale : float
        Standard deviation of the initial weights; biases start at zero.
    shuffle : bool
        Whether the n-grams are in a new random order in each epoch, instead of the text's order.
    device : str
        Where the network is trained: "cpu" (with NumPy), or "cuda" or "cuda:N" (with PyTorch).
        Scoring always uses NumPy.

    See Also
    --------
    RecurrentTraining : the settings for a `RecurrentLM`

    Examples
    --------
    >>> settings = FeedForwardTraining(epochs=2, learning_rate=0.4, warm_up=0)
    >>> settings.batch_rates(epoch=0, n_batches=2)  # a linear fall to zero in four mini-batches
    array([0.4, 0.3])
    """

    learning_rate: float | Sequence[float] = 0.5
    learning_rate_decay: float | Literal["linear"] = "linear"
    decay_after: int = 0
    warm_up: int = 100
    momentum: float | Sequence[float] = 0.9
    batch_size: int = 100
    init_scale: float = 0.1
    shuffle: bool = True
    device: str = "cpu"

    _parameter_constraints: ClassVar[Constraints] = {
        **NetworkTraining._parameter_constraints,
        "learning_rate": [positive(), *SEQUENCE],
        "learning_rate_decay": [positive(), one_of("linear")],
        "decay_after": [whole(0)],
        "warm_up": [whole(0)],
        "momentum": [_MOMENTUM, *SEQUENCE],
        "batch_size": [SIZE],
        "init_scale": [positive()],
        "shuffle": [BOOLEAN],
        "device": [str],
    }

    def _check_params(self) -> None:
        super()._check_params()
        check_elements(self, "learning_rate", positive())
        check_elements(self, "momentum", _MOMENTUM)
        if not _is_device(self.device):
            raise UsageError(f"device must be 'cpu', 'cuda' or 'cuda:N'; it is {self.device!r}")

    def epoch_momenta(self) -> Floats:
        """Return the momentum of each epoch: (epochs,)."""
        return self._per_epoch(self.momentum)

    def epoch_rates(self) -> tuple[Floats, Floats]:
        """Compute the learning rates at the start and at the end of each epoch, without warm-up.

        Returns
        -------
        start, end : (epochs,) float64
        """
        epochs, after = self.epochs, self.decay_after
        rates = self._per_epoch(self.learning_rate)
        if isinstance(self.learning_rate_decay, str):
            left = (epochs - np.arange(epochs + 1)) / max(epochs - after, 1)
            left = np.minimum(1, left) if after < epochs else np.ones(epochs + 1)
            return rates * left[:-1], rates * left[1:]
        exponents = np.maximum(0, np.arange(epochs) + 1 - after)
        rates = rates * float(self.learning_rate_decay) ** exponents
        return rates, rates

    def batch_rates(self, epoch: int, n_batches: int) -> Floats:
        """Compute the learning rate of each mini-batch of an epoch, which counts from 0."""
        start, end = self.epoch_rates()
        number = epoch * n_batches + np.arange(1, n_batches + 1)
        warmth = np.minimum(1, number / (self.warm_up + 1))
        return np.linspace(start[epoch], end[epoch], n_batches, endpoint=False) * warmth

    def _per_epoch(self, value: float | Sequence[float]) -> Floats:
        values = np.atleast_1d(np.asarray(value, dtype=np.float64))
        return values[np.minimum(np.arange(self.epochs), len(values) - 1)]


class FeedForwardTrainer(TrainingRun):
    """A training run of a feed-forward network.

    Parameters
    ----------
    network : FeedForwardNetwork
        Changed in place if the library is NumPy.
    training : NgramWindows
    validation : NgramWindows
        If it is empty, training does not stop early.
    settings : FeedForwardTraining
    rng : numpy.random.Generator
        For the order of the n-grams and dropout.
    arrays : ArrayLibrary
        The library, and with it the device, that computes.

    Examples
    --------
    >>> contexts = np.array([[0, 1], [1, 0]] * 50)
    >>> data = NgramWindows(contexts, contexts[:, 0])
    >>> rng, settings = np.random.default_rng(0), FeedForwardTraining(epochs=2)
    >>> network = FeedForwardNetwork.random(rng, [(2, 3), (7, 4), (5, 2)], scale=0.1)
    >>> run = FeedForwardTrainer(network, data, data, settings, rng)
    >>> run.run()
    >>> [record.epoch for record in run.history]
    [1, 2]
    """

    settings: FeedForwardTraining
    network: FeedForwardNetwork

    def __init__(
        self,
        network: FeedForwardNetwork,
        training: NgramWindows,
        validation: NgramWindows,
        settings: FeedForwardTraining,
        rng: np.random.Generator,
        arrays: ArrayLibrary = NUMPY,
    ) -> None:
        self.arrays = arrays
        self.network = network.map(arrays.from_numpy)
        self.training = training.map(arrays.from_numpy)
        held_out = validation.map(arrays.from_numpy)
        super().__init__(settings, held_out, self.training[:PROBE_NGRAMS], rng)
        self.delta = self.network.map(arrays.zeros_like)

    @property
    def n_batches(self) -> int:
        """Number of mini-batches per epoch."""
        return -(-len(self.training) // self.settings.batch_size)

    def rates(self, epoch: int) -> tuple[float, float]:
        """Return the learning rate at the start of an epoch, without warm-up, and its momentum."""
        settings = self.settings
        return float(settings.epoch_rates()[0][epoch]), float(settings.epoch_momenta()[epoch])

    def train_batches(self, epoch: int, batch_done: Callable[[], None]) -> float:
        """Train on all n-grams once; return their mean cost (nats)."""
        settings = self.settings
        data = self.training
        work = Workspace(self.network, min(settings.batch_size, len(data)), self.arrays)
        if settings.shuffle:
            data = data[self.arrays.from_numpy(self.rng.permutation(len(data)))]
        cost: Array = 0.0
        momentum = float(settings.epoch_momenta()[epoch])
        rates = settings.batch_rates(epoch, self.n_batches).tolist()
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
                momentum=momentum,
            )
            batch_done()
        return float(cost) / len(data)

    def mean_cost(self, data: NgramWindows) -> float:
        """Compute the mean cost (nats) of n-grams."""
        return float(ngram_costs(self.network, data, self.arrays).mean())

    @property
    def trained(self) -> FeedForwardNetwork:
        """The network with its weights as NumPy arrays."""
        return self.network.map(self.arrays.to_numpy)

    def weights(self) -> list[NetworkArray]:
        """Copy the weights to NumPy arrays."""
        return self._copies(self.network)

    def state(self) -> list[NetworkArray]:
        """Copy the weights, then Delta of each, to NumPy arrays."""
        return self._copies(self.network) + self._copies(self.delta)

    def _copies(self, network: FeedForwardNetwork) -> list[NetworkArray]:
        return [self.arrays.to_numpy(self.arrays.copy(array)) for array in network.arrays]

    def restore(self, arrays: Sequence[NetworkArray]) -> None:
        """Restore the weights, and Delta if it is given.

        Raises
        ------
        ValueError
            An array has another shape or type.
        """
        check_same_form(self.state(), arrays)
        ours = self.network.arrays + self.delta.arrays
        for own, array in zip(ours, arrays, strict=False):
            own[...] = self.arrays.from_numpy(array)


def ngram_costs(
    network: FeedForwardNetwork, data: NgramWindows, arrays: ArrayLibrary = NUMPY
) -> Floats:
    """Compute the cost (nats) of each n-gram: the negative log-probability of its target.

    This is Eq. costfunction of Ge & Sun (2016).

    Returns
    -------
    (n,) float64

    Examples
    --------
    >>> network = FeedForwardNetwork(np.zeros((4, 3)), (np.zeros((7, 4)), np.zeros((5, 4))))
    >>> ngram_costs(network, NgramWindows(np.array([[0, 1]]), np.array([2]))).round(3)
    array([1.386])
    """
    work = Workspace(network, EVALUATION_BLOCK, arrays)
    costs = [
        softmax_costs(
            forward_block(network, block.contexts, work),
            block.targets,
            rows=work.rows[: len(block)],
            arrays=arrays,
        )
        for block in data.blocks(EVALUATION_BLOCK)
    ]
    return np.concatenate([np.zeros(0), *map(arrays.to_numpy, costs)])


def forward_block(network: FeedForwardNetwork, contexts: Array, work: Workspace) -> Array:
    """Run `forward` on all rows of ``work``, however few contexts there are.

    Matrix products of other shapes are rounded differently, so that the probability of an n-gram
    would depend on the number of other n-grams. (A difference in rounding remains if inputs of the
    softmax exceed `byline.lm.networks.arrays.LARGE`.)

    Returns
    -------
    (len(contexts), n_outputs) float

    Examples
    --------
    >>> network = FeedForwardNetwork(np.zeros((4, 3)), (np.zeros((7, 4)), np.zeros((5, 4))))
    >>> forward_block(network, np.array([[0, 1]]), Workspace(network, size=10)).shape
    (1, 4)
    """
    n = len(contexts)
    return forward(network, contexts[work.rows % n], work)[:n]
