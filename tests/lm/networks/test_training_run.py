"""The early end and its patience, with a run whose validation costs are written down beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from byline.errors import DivergenceError
from byline.lm.networks.checkpoint import run_with_checkpoint
from byline.lm.networks.training_run import EpochRecord, TrainingRun


class Scripted(TrainingRun):
    """Its one weight is the number of epochs fed, its optimiser's state that number's square."""

    n_epochs, n_batches, n_outputs = 6, 1, 10

    def __init__(self, costs: Sequence[float | None], patience: int = 1) -> None:
        super().__init__(np.random.default_rng(0), patience)
        self.costs = costs
        self.weight, self.moment = np.zeros(1), np.zeros(1)

    def rates(self, epoch: int) -> tuple[float, float]:
        return 0.1, 0.9

    def feed(self, epoch: int, batch_done: Callable[[], None]) -> float:
        self.weight = self.weight + 1
        self.moment = self.weight**2
        batch_done()
        return 2.0

    def validation_cost(self) -> float | None:
        return self.costs[len(self.history)]

    def probe_cost(self) -> float:
        return 2.0

    @property
    def trained(self) -> Any:
        return self.weight

    def weights(self) -> list[NDArray[Any]]:
        return [self.weight.copy()]

    def state(self) -> list[NDArray[Any]]:
        return [self.weight.copy(), self.moment.copy()]

    def restore(self, arrays: Sequence[NDArray[Any]]) -> None:
        self.weight = arrays[0].copy()
        if len(arrays) > 1:
            self.moment = arrays[1].copy()


CASES = [
    # costs of the epochs, patience, epochs run, epoch whose weights are kept
    ((5, 4, 3, 2, 1, 0.5), 1, 6, 6),
    (
        (5, 4, 4, 4.1, 1, 1),
        1,
        4,
        3,
    ),  # ends where it goes up, not where it stays
    ((5, 6, 1, 1, 1, 1), 1, 2, 1),
    ((5, 6, 4, 5, 5, 1), 2, 5, 3),
    ((5, 6, 7, 4, 5, 6), 3, 6, 4),
    ((5, 6, 7, 8, 1, 1), 3, 4, 1),
    ((None,) * 6, 1, 6, 6),
]


@pytest.mark.parametrize(("costs", "patience", "n_run", "kept"), CASES)
def test_the_lowest_cost_decides(
    costs: tuple[float | None, ...], patience: int, n_run: int, kept: int
) -> None:
    told: list[tuple[int, int, str]] = []
    run = Scripted(costs, patience)
    run.run(lambda *step: told.append(step))
    assert len(run.history) == n_run
    assert run.weight == kept
    assert [r.epoch for r in run.history if r.kept][-1] == kept
    assert told[-1][:2] == (6, 6)
    assert (f"ended early: epoch {kept} was better" in told[-1][2]) == (n_run < 6)


@pytest.mark.parametrize(("costs", "patience", "n_run", "kept"), CASES)
@pytest.mark.parametrize("cut", [1, 2, 3, 4])
def test_a_run_cut_off_remembers_the_best(
    tmp_path: Path, costs: tuple[float | None, ...], patience: int, n_run: int, kept: int, cut: int
) -> None:
    path = tmp_path / "run"

    def stop(done: int, total: int, what: str) -> None:
        if done > cut:
            raise KeyboardInterrupt

    first = Scripted(costs, patience)
    if n_run > cut + 1:
        with pytest.raises(KeyboardInterrupt):
            run_with_checkpoint(first, path, {}, stop)
    again = Scripted(costs, patience)
    run_with_checkpoint(again, path, {}, None)
    assert len(again.history) == n_run
    assert again.weight == kept
    assert again.moment == n_run**2


def test_a_cost_that_is_no_number_is_divergence() -> None:
    with pytest.raises(DivergenceError, match="epoch 2"):
        Scripted((5, float("nan"), 1, 1, 1, 1), 9).run()


def after(epoch: int) -> Callable[[EpochRecord], bool]:
    return lambda record: record.epoch >= epoch


@pytest.mark.parametrize(
    ("costs", "patience", "n_run", "kept", "ending"),
    [
        ((5, 4, 3, 2, 1, 0.5), 1, 3, 3, ", ended early"),
        ((5, 4, 4.5, 2, 1, 0.5), 2, 3, 2, ", ended early: epoch 2 was better"),
        ((5, 6, 1, 1, 1, 1), 1, 2, 1, ", ended early: epoch 1 was better"),  # before it is asked
        ((None,) * 6, 1, 3, 3, ", ended early"),
    ],
)
@pytest.mark.parametrize("stored", [False, True])
def test_the_caller_may_end_a_run(
    tmp_path: Path,
    costs: tuple[float | None, ...],
    patience: int,
    n_run: int,
    kept: int,
    ending: str,
    stored: bool,
) -> None:
    """As if the epochs were over; and a run that goes on from where it was ended, ends there."""
    path = tmp_path / "run" if stored else None
    told: list[tuple[int, int, str]] = []
    for _ in range(2):
        run = Scripted(costs, patience)
        run_with_checkpoint(run, path, {}, lambda *step: told.append(step), after(3))
        assert len(run.history) == n_run
        assert run.weight == kept
        assert told[-1][:2] == (6, 6)
        assert told[-1][2].endswith(ending)


def test_the_caller_is_asked_once_an_epoch_and_not_after_the_last(tmp_path: Path) -> None:
    """It sees all epochs in their order, those before the run was cut off among them."""
    path, costs = tmp_path / "run", (6, 5, 4, 3, 2, 1)
    asked: list[tuple[int, bool]] = []

    def cut_off(done: int, total: int, what: str) -> None:
        if done == 3:
            raise KeyboardInterrupt

    def stop(record: EpochRecord) -> bool:
        asked.append((record.epoch, path.exists()))
        return False

    with pytest.raises(KeyboardInterrupt):
        run_with_checkpoint(Scripted(costs), path, {}, cut_off, stop)
    assert asked == [(1, True), (2, True)]
    asked.clear()
    run_with_checkpoint(Scripted(costs), path, {}, None, stop)
    assert [epoch for epoch, _ in asked] == [1, 2, 3, 4, 5]
    asked.clear()
    run_with_checkpoint(Scripted(costs), path, {}, None, stop)
    assert asked == []


def test_a_run_without_an_end_of_its_callers_is_the_same() -> None:
    alone, asked = Scripted((5, 6, 4, 5, 5, 1), 2), Scripted((5, 6, 4, 5, 5, 1), 2)
    alone.run()
    asked.run(stop=after(7))
    assert alone.history == asked.history and alone.weight == asked.weight == 3
