"""What every training run does: epochs, their history, the early end, divergence, progress."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.errors import DivergenceError
from byline.progress import Progress


@dataclass(frozen=True, slots=True)
class EpochRecord:
    """What one epoch did; costs are means over predicted words, in nats.

    Attributes
    ----------
    epoch : int
        From 1.
    learning_rate, momentum : float
        The learning rate is the highest of the epoch.
    training_cost : float
        Mean over the epoch, each batch before its update.
    validation_cost : float or None
        After the epoch; None without held-out sentences.
    kept : bool
        False where an epoch before had a lower validation cost: the weights of the last epoch that
        is kept are the result.
    """

    epoch: int
    learning_rate: float
    momentum: float
    training_cost: float
    validation_cost: float | None
    kept: bool

    def __str__(self) -> str:
        kind, cost = "validation", self.validation_cost
        if cost is None:
            kind, cost = "training", self.training_cost
        return f"{kind} perplexity {exp(cost):.1f}"


StopRule = Callable[[EpochRecord], bool]


class TrainingRun(ABC):
    """A training run: where it stands, and what it has done.

    It is the procedure that closes section 3 of Ge & Sun (2016); what an epoch does with the
    weights is left to each kind of network.

    Attributes
    ----------
    rng : numpy.random.Generator
        Of all that is drawn in training.
    history : list of EpochRecord
    patience : int
        Training ends after so many epochs in a row without a new lowest validation cost; the
        paper's is 1: it ends where the cost goes up.
    best : list of arrays
        Weights of the last epoch that is kept.
    """

    def __init__(self, rng: np.random.Generator, patience: int = 1) -> None:
        self.rng = rng
        self.patience = patience
        self.history: list[EpochRecord] = []
        self.best: list[NDArray[Any]] = []

    @property
    @abstractmethod
    def n_epochs(self) -> int:
        """At most so many epochs are run."""

    @property
    @abstractmethod
    def n_batches(self) -> int:
        """Mini-batches of an epoch."""

    @property
    @abstractmethod
    def n_outputs(self) -> int:
        """Number of events that a prediction chooses among."""

    @abstractmethod
    def rates(self, epoch: int) -> tuple[float, float]:
        """Highest learning rate of an epoch, and its momentum; epochs count from 0."""

    @abstractmethod
    def feed(self, epoch: int, batch_done: Callable[[], None]) -> float:
        """Feed all training text once; mean cost (nats) of a word, each batch before its update."""

    @abstractmethod
    def validation_cost(self) -> float | None:
        """Mean cost (nats) of a held-out word; None without any."""

    @abstractmethod
    def probe_cost(self) -> float:
        """Mean cost (nats) of a word of some training text: it shows divergence."""

    @property
    @abstractmethod
    def trained(self) -> Any:
        """The network, its weights NumPy arrays."""

    @abstractmethod
    def weights(self) -> list[NDArray[Any]]:
        """Copy the weights to NumPy arrays."""

    @abstractmethod
    def state(self) -> list[NDArray[Any]]:
        """Copy to NumPy arrays all that the rest of the run hangs on: the weights come first."""

    @abstractmethod
    def restore(self, arrays: Sequence[NDArray[Any]]) -> None:
        """Take over what `state`, or `weights` alone, has copied.

        Raises
        ------
        ValueError
            An array has another shape or type.
        """

    def run(
        self,
        progress: Progress | None = None,
        after_epoch: Callable[[], None] | None = None,
        stop: StopRule | None = None,
    ) -> None:
        """Train until the epochs are over, patience with the validation cost is, or ``stop`` says.

        The weights then are those of the epoch with the lowest validation cost.

        Parameters
        ----------
        progress : Progress, optional
            Told of mini-batches.
        after_epoch : callable, optional
            Called after every epoch; `state` may be stored then.
        stop : callable, optional
            Asked, after every epoch that is not the last anyway, whether to end there. Where the
            run goes on from a stored state, it is first asked about the epochs of that.

        Raises
        ------
        DivergenceError
            Training diverged.
        """
        report = EpochProgress(self, progress)
        ask = stop or _never
        stopped = not self.is_over and any(map(ask, self.history))
        while not (stopped or self.is_over):
            with np.errstate(over="ignore", invalid="ignore"):  # the costs are looked at instead
                record = self.run_epoch(report.batch_done)
                self.check_convergence(record)
            self.history.append(record)
            if record.kept:
                self.best = self.weights()
            report.epoch_done()
            if after_epoch is not None:
                after_epoch()
            stopped = not self.is_over and ask(record)
        if stopped:
            report.stopped()
        self.restore(self.best)

    @property
    def is_over(self) -> bool:
        """Whether no epoch is left to run."""
        return (
            len(self.history) >= self.n_epochs or self.n_epochs_without_improvement >= self.patience
        )

    @property
    def n_epochs_without_improvement(self) -> int:
        """Epochs since the one with the lowest validation cost."""
        kept = [record.epoch for record in self.history if record.kept]
        return len(self.history) - kept[-1] if kept else 0

    def run_epoch(self, batch_done: Callable[[], None]) -> EpochRecord:
        """Feed all training text once, then check the validation cost."""
        done = len(self.history)
        rate, momentum = self.rates(done)
        training_cost = self.feed(done, batch_done)
        cost = self.validation_cost()
        before = [r.validation_cost for r in self.history if r.validation_cost is not None]
        kept = cost is None or cost <= min(before, default=cost)
        return EpochRecord(done + 1, rate, momentum, training_cost, cost, kept)

    def check_convergence(self, record: EpochRecord) -> None:
        """Raise DivergenceError where a cost is no number, or worse than guessing by over a nat.

        Held-out text may be unlike the training text, so its cost only has to be a number.
        """
        guessing = log(self.n_outputs)
        worst = max(record.training_cost, self.probe_cost())
        costs = [worst, record.training_cost, record.validation_cost or 0.0]
        if np.isfinite(costs).all() and worst <= guessing + 1:
            return
        raise DivergenceError(
            f"training diverged in epoch {record.epoch} at learning rate "
            f"{record.learning_rate:g} and momentum {record.momentum:g}: a word costs "
            f"{worst:.3g} nats, where guessing costs {guessing:.3g}; try a "
            f"learning rate of {record.learning_rate / 4:.2g}"
        )


def _never(record: EpochRecord) -> bool:
    return False


class EpochProgress:
    """Tells a `Progress` of every hundredth of an epoch, in mini-batches.

    Each call names the last finished epoch and its perplexity; an early end counts as the end.
    """

    def __init__(self, run: TrainingRun, progress: Progress | None) -> None:
        self.run = run
        self.progress = progress
        self.done = len(run.history) * run.n_batches
        self.every = max(1, run.n_batches // 100)
        self.what = f"epoch {len(run.history) + 1} of {run.n_epochs}"

    def batch_done(self) -> None:
        """Count a mini-batch."""
        self.done += 1
        if self.done % self.every == 0 and self.done % self.run.n_batches:
            self.tell()

    def epoch_done(self) -> None:
        """Take note of the epoch that the run has just recorded."""
        record = self.run.history[-1]
        self.what = f"epoch {record.epoch} of {self.run.n_epochs}: {record}"
        if self.run.is_over and record.epoch < self.run.n_epochs:
            self.end_early()
        self.tell()

    def stopped(self) -> None:
        """Take note that the run's caller has ended it."""
        self.end_early()
        self.tell()

    def end_early(self) -> None:
        """Count all epochs as done, and say which was the best where it is not the last."""
        self.done = self.run.n_epochs * self.run.n_batches
        self.what += ", ended early"
        if self.run.n_epochs_without_improvement:
            best = len(self.run.history) - self.run.n_epochs_without_improvement
            self.what += f": epoch {best} was better"

    def tell(self) -> None:
        """Report where the run stands."""
        if self.progress is not None:
            self.progress(self.done, self.run.n_epochs * self.run.n_batches, self.what)
