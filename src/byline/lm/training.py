"""Training the network: n-grams, mini-batches, schedules over epochs, early end, history.

The procedure is the one that closes section 3 of Ge & Sun (2016).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.typing import NDArray

from byline.errors import LearningError
from byline.lm.network import Floats, Network, Workspace, forward, softmax_cost, training_step
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
    """

    learning_rates: tuple[float, ...]
    momenta: tuple[float, ...]
    batch_size: int
    shuffle: bool


@dataclass(frozen=True, slots=True)
class EpochRecord:
    """What one epoch did; costs are means over n-grams, in nats.

    Attributes
    ----------
    epoch : int
        From 1.
    learning_rate, momentum : float
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
        Changed in place.
    training : NGrams
    validation : NGrams
        May be empty: then there is no early end.
    settings : Training
    rng : numpy.random.Generator
        Draws the order of the n-grams, where they are shuffled.
    """

    def __init__(
        self,
        network: Network,
        training: NGrams,
        validation: NGrams,
        settings: Training,
        rng: np.random.Generator,
    ) -> None:
        self.network = network
        self.training = training
        self.validation = validation
        self.settings = settings
        self.rng = rng
        self.delta = network.zeros_like()
        self.history: list[EpochRecord] = []

    def run(self, progress: Progress | None = None) -> Network:
        """Train until the epochs are over or the validation cost rises.

        Returns
        -------
        Network
            The trained network, or where the cost rose, the one from before that epoch.

        Raises
        ------
        LearningError
            Training diverged.
        """
        n_epochs = len(self.settings.learning_rates)
        while len(self.history) < n_epochs:
            before = self.network.copy()
            with np.errstate(over="ignore", invalid="ignore"):  # the costs are looked at instead
                record = self.run_epoch()
                self.check_convergence(record)
            self.history.append(record)
            report(record, n_epochs, progress)
            if not record.kept:
                self.network = before
                break
        return self.network

    def run_epoch(self) -> EpochRecord:
        """Feed all n-grams once, a mini-batch at a time, then check the validation cost."""
        done = len(self.history)
        rate, momentum = self.settings.learning_rates[done], self.settings.momenta[done]
        training_cost = self.feed(rate, momentum) / len(self.training)
        cost = mean_cost(self.network, self.validation) if len(self.validation) else None
        last = self.history[-1].validation_cost if done else None
        kept = cost is None or last is None or cost <= last
        return EpochRecord(done + 1, rate, momentum, training_cost, cost, kept)

    def feed(self, learning_rate: float, momentum: float) -> float:
        """One epoch's iterations; the summed cost (nats) of all n-grams."""
        work = Workspace(self.network, self.settings.batch_size)
        data = self.training
        if self.settings.shuffle:
            data = data[self.rng.permutation(len(data))]
        return sum(
            training_step(
                self.network,
                batch.contexts,
                batch.targets,
                work,
                self.delta,
                learning_rate=learning_rate,
                momentum=momentum,
            )
            for batch in data.blocks(self.settings.batch_size)
        )

    def check_convergence(self, record: EpochRecord) -> None:
        """Raise LearningError where a cost is no number, or worse than guessing by over a nat."""
        after = record.validation_cost
        if after is None:
            after = mean_cost(self.network, self.training[:PROBE])
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


def mean_cost(network: Network, data: NGrams) -> float:
    """Mean cost (nats) of the n-grams."""
    return float(ngram_costs(network, data).mean())


def ngram_costs(network: Network, data: NGrams) -> NDArray[np.float64]:
    """Cost (nats) of each n-gram: the negative log-probability of its target (Eq. costfunction).

    Returns
    -------
    (n,) float64
    """
    work = Workspace(network, EVALUATION_BLOCK)
    costs = [
        softmax_cost(forward_block(network, block.contexts, work), block.targets)
        for block in data.blocks(EVALUATION_BLOCK)
    ]
    return np.concatenate([np.zeros(0), *costs])


def forward_block(network: Network, contexts: NDArray[np.int32], work: Workspace) -> Floats:
    """`forward` with as many rows as ``work`` holds, however few are asked for.

    Products of another shape are rounded otherwise; so an n-gram's probability would hang on how
    many others come with it.

    Returns
    -------
    (len(contexts), n_outputs) float
    """
    block = np.zeros((len(work.out), contexts.shape[1]), dtype=np.int32)
    block[: len(contexts)] = contexts
    return forward(network, block, work)[: len(contexts)]


def report(record: EpochRecord, n_epochs: int, progress: Progress | None) -> None:
    """Tell ``progress`` of an epoch; an early end counts as the last epoch."""
    if progress is None:
        return
    what, cost = "validation", record.validation_cost
    if cost is None:
        what, cost = "training", record.training_cost
    line = f"epoch {record.epoch} of {n_epochs}: {what} perplexity {exp(cost):.1f}"
    if record.kept:
        progress(record.epoch, n_epochs, line)
    else:
        progress(n_epochs, n_epochs, f"{line}, higher than before: ended early")
