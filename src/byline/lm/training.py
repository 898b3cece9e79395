"""Training the network: n-grams, mini-batches, schedules over epochs, early end, history.

The procedure is the one that closes section 3 of Ge & Sun (2016).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.typing import NDArray

from byline.errors import LearningError
from byline.lm.arrays import NUMPY, Array, Arrays
from byline.lm.network import Network, Workspace, forward, softmax_cost, training_step
from byline.lm.windows import NGrams
from byline.progress import Progress

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
    """

    learning_rates: tuple[float, ...]
    momenta: tuple[float, ...]
    batch_size: int
    shuffle: bool
    final_rates: tuple[float, ...] | None = None
    dropout: float = 0.0

    def rates(self, epoch: int, n_batches: int) -> NDArray[np.float64]:
        """Learning rate of each mini-batch of an epoch, which counts from 0: (n_batches,)."""
        first = self.learning_rates[epoch]
        last = first if self.final_rates is None else self.final_rates[epoch]
        return np.linspace(first, last, n_batches, endpoint=False)


@dataclass(frozen=True, slots=True)
class EpochRecord:
    """What one epoch did; costs are means over n-grams, in nats.

    Attributes
    ----------
    epoch : int
        From 1.
    learning_rate, momentum : float
        The learning rate is that of the first mini-batch.
    training_cost : float
        Mean over the epoch, each batch before its update.
    validation_cost : float or None
        After the epoch; None without held-out n-grams.
    kept : bool
        False where the validation cost rose, and the weights from before the epoch were kept.
    """

    epoch: int
    learning_rate: float
    momentum: float
    training_cost: float
    validation_cost: float | None
    kept: bool


class Trainer:
    """A training run: the network, where the run stands, and what it has done.

    Parameters
    ----------
    network : Network
    training : NGrams
    validation : NGrams
        May be empty: then there is no early end.
    settings : Training
    rng : numpy.random.Generator
        Draws the order of the n-grams, where they are shuffled.
    arrays : Arrays
        The library, and with it the device, to compute with.
    """

    def __init__(
        self,
        network: Network,
        training: NGrams,
        validation: NGrams,
        settings: Training,
        rng: np.random.Generator,
        arrays: Arrays = NUMPY,
    ) -> None:
        self.arrays = arrays
        self.network = network.map(arrays.take_in)
        self.training = training.map(arrays.take_in)
        self.validation = validation.map(arrays.take_in)
        self.settings = settings
        self.rng = rng
        self.delta = self.network.map(arrays.zeros_like)
        self.history: list[EpochRecord] = []

    def run(
        self,
        progress: Progress | None = None,
        after_epoch: Callable[[], None] | None = None,
    ) -> Network:
        """Train until the epochs are over or the validation cost rises.

        Parameters
        ----------
        progress : Progress, optional
            Told of mini-batches.
        after_epoch : callable, optional
            Called after every epoch whose weights are kept; `state` may be stored then.

        Returns
        -------
        Network
            The trained network, or where the cost rose, the one from before that epoch; in NumPy.

        Raises
        ------
        LearningError
            Training diverged.
        """
        report = EpochProgress(self, progress)
        while len(self.history) < len(self.settings.learning_rates):
            before = self.network.map(self.arrays.copy)
            with np.errstate(over="ignore", invalid="ignore"):  # the costs are looked at instead
                record = self.run_epoch(report)
                self.check_convergence(record)
            self.history.append(record)
            report.epoch_done()
            if not record.kept:
                self.network = before
                break
            if after_epoch is not None:
                after_epoch()
        return self.network.map(self.arrays.give_back)

    def run_epoch(self, report: EpochProgress) -> EpochRecord:
        """Feed all n-grams once, a mini-batch at a time, then check the validation cost."""
        done = len(self.history)
        rate, momentum = self.settings.learning_rates[done], self.settings.momenta[done]
        training_cost = self.feed(done, report) / len(self.training)
        cost = self.mean_cost(self.validation) if len(self.validation) else None
        last = self.history[-1].validation_cost if done else None
        kept = cost is None or last is None or cost <= last
        return EpochRecord(done + 1, rate, momentum, training_cost, cost, kept)

    def feed(self, epoch: int, report: EpochProgress) -> float:
        """One epoch's iterations; the summed cost (nats) of all n-grams."""
        settings = self.settings
        work = Workspace(self.network, settings.batch_size, self.arrays)
        data = self.training
        if settings.shuffle:
            data = data[self.arrays.take_in(self.rng.permutation(len(data)))]
        cost: Array = 0.0
        rates = settings.rates(epoch, report.n_batches).tolist()
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
            report.batch_done()
        return float(cost)

    def mean_cost(self, data: NGrams) -> float:
        """Mean cost (nats) of the n-grams."""
        return float(ngram_costs(self.network, data, self.arrays).mean())

    def check_convergence(self, record: EpochRecord) -> None:
        """Raise LearningError where a cost is no number, or worse than guessing by over a nat."""
        after = record.validation_cost
        if after is None:
            after = self.mean_cost(self.training[:PROBE])
        guessing = float(np.log(self.network.n_outputs))
        worst = max(record.training_cost, after)
        if np.isfinite([record.training_cost, after]).all() and worst <= guessing + 1:
            return
        raise LearningError(
            f"training diverged in epoch {record.epoch} at learning rate "
            f"{record.learning_rate:g} and momentum {record.momentum:g}: a word costs "
            f"{worst:.3g} nats, where guessing costs {guessing:.3g}; try a "
            f"learning rate of {record.learning_rate / 4:.2g} or a lower momentum"
        )


class EpochProgress:
    """Tells a `Progress` of every hundredth of an epoch, in mini-batches.

    Each call names the last finished epoch and its perplexity; an early end counts as the last.
    """

    def __init__(self, trainer: Trainer, progress: Progress | None) -> None:
        self.trainer = trainer
        self.progress = progress
        self.n_epochs = len(trainer.settings.learning_rates)
        self.n_batches = -(-len(trainer.training) // trainer.settings.batch_size)
        self.done = len(trainer.history) * self.n_batches
        self.every = max(1, self.n_batches // 100)
        self.what = f"epoch {len(trainer.history) + 1} of {self.n_epochs}"

    def batch_done(self) -> None:
        """Count a mini-batch."""
        self.done += 1
        if self.done % self.every == 0 and self.done % self.n_batches:
            self.tell()

    def epoch_done(self) -> None:
        """Take note of the epoch that the trainer has just recorded."""
        record = self.trainer.history[-1]
        kind, cost = "validation", record.validation_cost
        if cost is None:
            kind, cost = "training", record.training_cost
        self.what = f"epoch {record.epoch} of {self.n_epochs}: {kind} perplexity {exp(cost):.1f}"
        if not record.kept:
            self.what += ", higher than before: ended early"
            self.done = self.n_epochs * self.n_batches
        self.tell()

    def tell(self) -> None:
        """Report where the run stands."""
        if self.progress is not None:
            self.progress(self.done, self.n_epochs * self.n_batches, self.what)


def ngram_costs(network: Network, data: NGrams, arrays: Arrays = NUMPY) -> NDArray[np.float64]:
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
    return np.concatenate([np.zeros(0), *map(arrays.give_back, costs)])


def forward_block(network: Network, contexts: Array, work: Workspace) -> Array:
    """`forward` with as many rows as ``work`` holds, however few are asked for.

    Products of another shape are rounded otherwise; so an n-gram's probability would hang on how
    many others come with it.

    Returns
    -------
    (len(contexts), n_outputs) float
    """
    n = len(contexts)
    return forward(network, contexts[work.rows % n], work)[:n]
