"""Continue the training of a pretrained network on the texts of one author."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from byline.array_types import Ids, Integers
from byline.lm.networks.arrays import NetworkArray
from byline.lm.networks.training_run import NetworkTraining, TrainingRun, check_same_form
from byline.lm.pretrained.base_model import BaseModel
from byline.lm.pretrained.windows import NOT_TRAINED, packed

_MOMENTUM = 0.9  # the decay of AdamW's mean gradient; PyTorch's default
_MOMENTS = ("exp_avg", "exp_avg_sq")  # PyTorch's names of AdamW's two means


class PretrainedTrainer(TrainingRun):
    """A training run with AdamW, whose learning rate decreases linearly to 0.

    Parameters
    ----------
    base : BaseModel
    passages, validation : sequences of (n_tokens,) integer arrays
        The tokenizer's ids.
    settings : NetworkTraining
        The number of epochs, and when to stop early.
    learning_rate : float
        Of the first step.
    batch_size : int
        Number of windows per step.
    width, stride : int
        See `byline.lm.pretrained.windows.windows_of`; training uses windows without overlap.
    rng : numpy.random.Generator
    """

    def __init__(
        self,
        base: BaseModel,
        passages: Sequence[Ids],
        validation: Sequence[Ids],
        *,
        settings: NetworkTraining,
        learning_rate: float,
        batch_size: int,
        width: int,
        stride: int,
        rng: np.random.Generator,
    ) -> None:
        from torch.optim import AdamW

        super().__init__(settings, validation, list(passages[:1]), rng)
        self.network = base
        self.passages = passages
        self.learning_rate = learning_rate
        self.batch_size, self.width, self.stride = batch_size, width, stride
        base.install(base.initial_weights(rng))
        self.optimizer = AdamW(
            base.trained, lr=learning_rate, betas=(_MOMENTUM, 0.999), weight_decay=0
        )

    @property
    def n_batches(self) -> int:
        """Number of mini-batches per epoch."""
        n_inputs = sum(map(len, self.passages)) + len(self.passages)
        n_windows = -(-n_inputs // self.width)
        return -(-n_windows // self.batch_size)

    @property
    def trained(self) -> list[NetworkArray]:
        """The weights."""
        return self.weights()

    def rates(self, epoch: int) -> tuple[float, float]:
        """Return the learning rate at the start of an epoch, and the momentum."""
        return self.learning_rate * (1 - epoch / self.n_epochs), _MOMENTUM

    def train_batches(self, epoch: int, batch_done: Callable[[], None]) -> float:
        """Train on all passages in random order; return the mean cost (nats) of a token."""
        order = self.rng.permutation(len(self.passages))
        shuffled = [self.passages[number] for number in order]
        inputs, targets = packed(shuffled, self.network.start_id, self.width)
        seed = int(self.rng.integers(1 << 32))
        first, total = epoch * self.n_batches, self.n_epochs * self.n_batches
        self._set_step(first)
        cost = 0.0
        with self._dropout(seed):
            for number in range(self.n_batches):
                rate = self.learning_rate * (1 - (first + number) / total)
                rows = slice(number * self.batch_size, (number + 1) * self.batch_size)
                cost += self._step(inputs[rows], targets[rows], rate)
                batch_done()
        return cost / max(int((targets != NOT_TRAINED).sum()), 1)

    def mean_cost(self, data: Sequence[Ids]) -> float:
        """Compute the mean cost (nats) of the tokens of passages."""
        log_probs = self.network.log_probs(data, self.width, self.stride, self.batch_size)
        return float(-log_probs.mean())

    def weights(self) -> list[NetworkArray]:
        """Copy the weights that are trained to NumPy arrays."""
        weights: list[NetworkArray] = self.network.weights()
        return weights

    def state(self) -> list[NetworkArray]:
        """Copy the weights and AdamW's means to NumPy arrays."""
        return self.weights() + [
            moment.detach().cpu().numpy().copy() for moment in self._moments().values()
        ]

    def restore(self, arrays: Sequence[NetworkArray]) -> None:
        """Restore what `state`, or `weights`, returned."""
        import torch

        n_weights = len(self.network.trained)
        check_same_form(self.state(), arrays)
        self.network.install(arrays[:n_weights])
        for moment, array in zip(self._moments().values(), arrays[n_weights:], strict=False):
            moment.copy_(torch.from_numpy(array))

    def _step(self, inputs: Integers, targets: Integers, rate: float) -> float:
        """Update the weights by one batch; return the sum of the costs before the update."""
        n_targets = int((targets != NOT_TRAINED).sum())
        if not n_targets:  # the last row may contain nothing but <s>
            return 0.0
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        cost = self.network.cost(inputs, targets)
        cost.backward()
        self.optimizer.step()
        return float(cost.detach()) * n_targets

    def _moments(self) -> dict[tuple[str, int], Any]:
        """Return AdamW's means of the gradients by name and weight; they are 0 at first."""
        import torch

        for weight in self.network.trained:
            if not self.optimizer.state[weight]:
                self.optimizer.state[weight].update(
                    step=torch.tensor(0.0), **{name: torch.zeros_like(weight) for name in _MOMENTS}
                )
        weights = list(enumerate(self.network.trained))
        return {
            (name, number): self.optimizer.state[weight][name]
            for name in _MOMENTS
            for number, weight in weights
        }

    def _set_step(self, step: int) -> None:
        """Set AdamW's number of steps, which a checkpoint does not contain."""
        self._moments()
        for weight in self.network.trained:
            self.optimizer.state[weight]["step"].fill_(step)

    @contextmanager
    def _dropout(self, seed: int) -> Iterator[None]:
        """Use the network's own dropout, with a seed that changes no other random numbers."""
        import torch

        device = self.network.device
        with torch.random.fork_rng([device] if device.type == "cuda" else []):
            torch.manual_seed(seed)
            self.network.network.train()
            yield
