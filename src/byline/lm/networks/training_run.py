"""The course of every training run: epochs, history, early stopping, divergence, progress."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from byline.constraints import Constraints, at_least, check_parameters, whole, within
from byline.errors import DivergenceError
from byline.lm.inputs import SIZE
from byline.lm.networks.arrays import NetworkArray
from byline.lm.networks.callbacks import NO_CALLBACKS, Callbacks
from byline.lm.networks.history import EpochRecord, StopRule
from byline.progress import Progress


@dataclass(kw_only=True, repr=False)
class NetworkTraining(BaseEstimator):  # type: ignore[misc]
    """The settings that the training of all networks has in common.

    The parameters can be read, set and searched as those of any scikit-learn estimator; as part of
    a model, their names begin with ``training__``.

    Parameters
    ----------
    epochs : int
        Largest number of epochs.
    patience : int
        Training stops after this number of epochs in a row without a new lowest validation cost.
        The weights of the epoch with the lowest cost are the result.
    dropout : float
        Probability with which values are dropped in each mini-batch (Srivastava et al. 2014).
    validation_fraction : float
        Fraction of the sentences that are held out at random if `fit` receives no validation
        sentences. If it is less than one sentence, training does not stop early.
    unigram_shift : float
        With a background: how far the biases are moved, before training, from the logarithms of its
        word frequencies (0) to those of the training text (1).

    See Also
    --------
    FeedForwardTraining, RecurrentTraining : the settings of the two kinds of network

    Examples
    --------
    >>> NetworkTraining().set_params(epochs=5).epochs
    5
    """

    epochs: int = 10
    patience: int = 3
    dropout: float = 0.2
    validation_fraction: float = 0.1
    unigram_shift: float = 0.5

    _parameter_constraints: ClassVar[Constraints] = {
        "epochs": [SIZE],
        "patience": [whole(1)],
        "dropout": [within(0, 1, closed="left")],
        "validation_fraction": [within(0, 1, closed="left")],
        "unigram_shift": [at_least(0)],
    }

    def _check_params(self) -> None:
        """Check the values of the parameters (`UsageError`)."""
        check_parameters(self)


class TrainingRun(ABC):
    """A training run and its state.

    It follows the procedure at the end of section 3 of Ge & Sun (2016). Subclasses define how the
    weights change in an epoch.

    Parameters
    ----------
    settings : NetworkTraining
    validation : sequence of training examples
        Held-out examples. If there are none, training does not stop early.
    probe : sequence of training examples
        A sample of the training examples, whose cost shows whether training diverges.
    rng : numpy.random.Generator
        For all random numbers of the run.

    Attributes
    ----------
    network : a network
    history : list of EpochRecord
    best : list of arrays
        Weights of the last epoch that is kept.

    See Also
    --------
    FeedForwardTrainer, RecurrentTrainer : the runs of the two kinds of network
    byline.lm.networks.checkpoint : runs that can be interrupted and resumed
    """

    network: Any

    def __init__(
        self, settings: NetworkTraining, validation: Any, probe: Any, rng: np.random.Generator
    ) -> None:
        self.settings = settings
        self.validation, self.probe = validation, probe
        self.rng = rng
        self.history: list[EpochRecord] = []
        self.best: list[NetworkArray] = []

    @property
    @abstractmethod
    def n_batches(self) -> int:
        """Number of mini-batches per epoch."""

    @abstractmethod
    def rates(self, epoch: int) -> tuple[float, float]:
        """Return the highest learning rate of an epoch, and its momentum; epochs count from 0."""

    @abstractmethod
    def train_batches(self, epoch: int, batch_done: Callable[[], None]) -> float:
        """Train on all mini-batches of an epoch, which counts from 0.

        Returns
        -------
        float
            Mean cost (nats) of a predicted word; each batch is measured before its update.
        """

    @abstractmethod
    def mean_cost(self, data: Any) -> float:
        """Compute the mean cost (nats) of examples, without dropout."""

    @abstractmethod
    def weights(self) -> list[NetworkArray]:
        """Copy the weights to NumPy arrays."""

    @abstractmethod
    def state(self) -> list[NetworkArray]:
        """Copy everything that the rest of the run depends on to NumPy arrays; weights first."""

    @abstractmethod
    def restore(self, arrays: Sequence[NetworkArray]) -> None:
        """Restore what `state`, or `weights`, returned.

        Raises
        ------
        ValueError
            An array has another shape or type.
        """

    @property
    def n_epochs(self) -> int:
        """Largest number of epochs."""
        return int(self.settings.epochs)

    @property
    def n_outputs(self) -> int:
        """Number of classes of the softmax layer."""
        return int(self.network.n_outputs)

    @property
    def trained(self) -> Any:
        """The network with its weights as NumPy arrays."""
        return self.network

    def validation_cost(self) -> float | None:
        """Compute the mean cost (nats) of the held-out examples; None if there are none."""
        return self.mean_cost(self.validation) if len(self.validation) else None

    def run(
        self,
        progress: Progress | None = None,
        after_epoch: Callable[[], None] | None = None,
        stop: StopRule | None = None,
        callbacks: Callbacks = NO_CALLBACKS,
    ) -> None:
        """Train until all epochs are done, or validation, ``stop`` or a callback ends the run.

        Afterwards, the weights are those of the epoch with the lowest validation cost.

        Parameters
        ----------
        progress : Progress, optional
            Called with the number of finished mini-batches.
        after_epoch : callable, optional
            Called after each epoch; the result of `state` can be saved then.
        stop : callable, optional
            Called with the record of each epoch except the last; a true result ends training. A
            resumed run first calls it with the records of the epochs before the interruption.
        callbacks : Callbacks
            Called after ``after_epoch``. A resumed run first calls them for each epoch before the
            interruption, with the weights of the last of these epochs.

        Raises
        ------
        DivergenceError
            Training diverged.
        """
        report = _EpochProgress(self, progress)
        should_stop = stop or (lambda record: False)
        callbacks.train_begin(lambda: self.trained, self.history)
        before = [self.history[:n] for n in range(1, len(self.history) + 1)]
        ended = [callbacks.epoch_end(lambda: self.trained, history) for history in before]
        stopped = not self.is_over and (any(ended) or any(map(should_stop, self.history)))
        while not (stopped or self.is_over):
            # The costs show overflow, so NumPy need not warn about it.
            with np.errstate(over="ignore", invalid="ignore"):
                record = self.run_epoch(report.batch_done)
                self.check_convergence(record)
            self.history.append(record)
            if record.kept:
                self.best = self.weights()
            report.epoch_done()
            if after_epoch is not None:
                after_epoch()
            has_ended = callbacks.epoch_end(lambda: self.trained, self.history)
            stopped = not self.is_over and (has_ended or should_stop(record))
        if stopped:
            report.stopped()
        self.restore(self.best)
        callbacks.train_end(lambda: self.trained, self.history)

    @property
    def is_over(self) -> bool:
        """Whether the run has no further epoch."""
        return (
            len(self.history) >= self.n_epochs
            or self.n_epochs_without_improvement >= self.settings.patience
        )

    @property
    def n_epochs_without_improvement(self) -> int:
        """Number of epochs since the one with the lowest validation cost."""
        kept = [record.epoch for record in self.history if record.kept]
        return len(self.history) - kept[-1] if kept else 0

    def run_epoch(self, batch_done: Callable[[], None]) -> EpochRecord:
        """Train for one epoch, then compute the validation cost."""
        done = len(self.history)
        rate, momentum = self.rates(done)
        training_cost = self.train_batches(done, batch_done)
        cost = self.validation_cost()
        before = [r.validation_cost for r in self.history if r.validation_cost is not None]
        kept = cost is None or cost <= min(before, default=cost)
        return EpochRecord(done + 1, rate, momentum, training_cost, cost, kept)

    def check_convergence(self, record: EpochRecord) -> None:
        """Check the costs of an epoch.

        The validation cost only has to be finite: held-out text may differ from the training text.

        Raises
        ------
        DivergenceError
            A cost is not finite, or a training cost is over 1 nat higher than that of guessing.
        """
        guessing = log(self.n_outputs)
        worst = max(record.training_cost, self.mean_cost(self.probe))
        costs = [worst, record.training_cost, record.validation_cost or 0.0]
        if np.isfinite(costs).all() and worst <= guessing + 1:
            return
        raise DivergenceError(
            f"training diverged in epoch {record.epoch} at learning rate "
            f"{record.learning_rate:g} and momentum {record.momentum:g}: the cost is "
            f"{worst:.3g} nats per word, and guessing would cost {guessing:.3g}; try a "
            f"learning rate of {record.learning_rate / 4:.2g}"
        )


def check_same_form(expected: Sequence[NetworkArray], given: Sequence[NetworkArray]) -> None:
    """Compare the shapes and types of arrays, as far as both sequences reach.

    Raises
    ------
    ValueError
        An array has another shape or type.

    Examples
    --------
    >>> check_same_form([np.zeros(2), np.zeros(3)], [np.ones(2)])
    """
    for ours, array in zip(expected, given, strict=False):
        if ours.shape != array.shape or ours.dtype != array.dtype:
            raise ValueError(f"an array is {array.shape} {array.dtype}, not {ours.shape}")


class _EpochProgress:
    """Reports progress after each hundredth of an epoch, in mini-batches.

    Each report names the last finished epoch and its perplexity. A run that stops early is reported
    as complete.
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
            self._report()

    def epoch_done(self) -> None:
        """Report the epoch that the run has just recorded."""
        record = self.run.history[-1]
        self.what = f"epoch {record.epoch} of {self.run.n_epochs}: {record}"
        if self.run.is_over and record.epoch < self.run.n_epochs:
            self._end_early()
        self._report()

    def stopped(self) -> None:
        """Report that the stop rule ended the run."""
        self._end_early()
        self._report()

    def _end_early(self) -> None:
        """Count all epochs as done, and name the best epoch if it is not the last."""
        self.done = self.run.n_epochs * self.run.n_batches
        self.what += ", stopped early"
        without_improvement = self.run.n_epochs_without_improvement
        if without_improvement:
            self.what += f": epoch {len(self.run.history) - without_improvement} was better"

    def _report(self) -> None:
        if self.progress is not None:
            self.progress(self.done, self.run.n_epochs * self.run.n_batches, self.what)
