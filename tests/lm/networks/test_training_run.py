"""Early stopping and patience, with a run whose validation costs are fixed beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from byline.errors import DivergenceError
from byline.lm.networks.checkpoint import run_with_checkpoint
from byline.lm.networks.history import EpochRecord
from byline.lm.networks.training_run import NetworkTraining, TrainingRun


class ScriptedRun(TrainingRun):
    """Its only weight is the number of epochs, and its optimizer's state is the square of that."""

    n_batches, n_outputs = 1, 10

    def __init__(self, costs: Sequence[float | None], patience: int = 1) -> None:
        settings = NetworkTraining(epochs=6, patience=patience, dropout=0)
        super().__init__(settings, (), (), np.random.default_rng(0))
        self.costs = costs
        self.weight, self.moment = np.zeros(1), np.zeros(1)

    def rates(self, epoch: int) -> tuple[float, float]:
        return 0.1, 0.9

    def train_batches(self, epoch: int, batch_done: Callable[[], None]) -> float:
        self.weight = self.weight + 1
        self.moment = self.weight**2
        batch_done()
        return 2.0

    def validation_cost(self) -> float | None:
        return self.costs[len(self.history)]

    def mean_cost(self, data: Any) -> float:
        return 2.0  # the cost of the probe

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
    # validation costs, patience, number of epochs run, epoch whose weights are kept
    ((5, 4, 3, 2, 1, 0.5), 1, 6, 6),
    (
        (5, 4, 4, 4.1, 1, 1),
        1,
        4,
        3,
    ),  # stops where the cost rises, not where it stays equal
    ((5, 6, 1, 1, 1, 1), 1, 2, 1),
    ((5, 6, 4, 5, 5, 1), 2, 5, 3),
    ((5, 6, 7, 4, 5, 6), 3, 6, 4),
    ((5, 6, 7, 8, 1, 1), 3, 4, 1),
    ((None,) * 6, 1, 6, 6),
]


@pytest.mark.parametrize(("costs", "patience", "n_run", "kept"), CASES)
def test_the_weights_with_the_lowest_cost_are_kept(
    costs: tuple[float | None, ...], patience: int, n_run: int, kept: int
) -> None:
    reported: list[tuple[int, int, str]] = []
    run = ScriptedRun(costs, patience)
    run.run(lambda *step: reported.append(step))
    assert len(run.history) == n_run
    assert run.weight == kept
    assert [r.epoch for r in run.history if r.kept][-1] == kept
    assert reported[-1][:2] == (6, 6)
    assert (f"stopped early: epoch {kept} was better" in reported[-1][2]) == (n_run < 6)


@pytest.mark.parametrize(("costs", "patience", "n_run", "kept"), CASES)
@pytest.mark.parametrize("cut", [1, 2, 3, 4])
def test_a_resumed_run_remembers_the_best_epoch(
    tmp_path: Path, costs: tuple[float | None, ...], patience: int, n_run: int, kept: int, cut: int
) -> None:
    path = tmp_path / "run"

    def stop(done: int, total: int, what: str) -> None:
        if done > cut:
            raise KeyboardInterrupt

    first = ScriptedRun(costs, patience)
    if n_run > cut + 1:
        with pytest.raises(KeyboardInterrupt):
            run_with_checkpoint(first, path, {}, stop)
    again = ScriptedRun(costs, patience)
    run_with_checkpoint(again, path, {}, None)
    assert len(again.history) == n_run
    assert again.weight == kept
    assert again.moment == n_run**2


def test_a_cost_of_nan_is_divergence() -> None:
    with pytest.raises(DivergenceError, match="epoch 2"):
        ScriptedRun((5, float("nan"), 1, 1, 1, 1), 9).run()


def after(epoch: int) -> Callable[[EpochRecord], bool]:
    return lambda record: record.epoch >= epoch


@pytest.mark.parametrize(
    ("costs", "patience", "n_run", "kept", "ending"),
    [
        ((5, 4, 3, 2, 1, 0.5), 1, 3, 3, ", stopped early"),
        ((5, 4, 4.5, 2, 1, 0.5), 2, 3, 2, ", stopped early: epoch 2 was better"),
        (
            (5, 6, 1, 1, 1, 1),
            1,
            2,
            1,
            ", stopped early: epoch 1 was better",
        ),
        ((None,) * 6, 1, 3, 3, ", stopped early"),
    ],
)
@pytest.mark.parametrize("stored", [False, True])
def test_a_stop_rule_ends_a_run(
    tmp_path: Path,
    costs: tuple[float | None, ...],
    patience: int,
    n_run: int,
    kept: int,
    ending: str,
    stored: bool,
) -> None:
    """The run ends as after its last epoch; a resumed run ends at once."""
    path = tmp_path / "run" if stored else None
    reported: list[tuple[int, int, str]] = []
    for _ in range(2):
        run = ScriptedRun(costs, patience)
        run_with_checkpoint(run, path, {}, lambda *step: reported.append(step), after(3))
        assert len(run.history) == n_run
        assert run.weight == kept
        assert reported[-1][:2] == (6, 6)
        assert reported[-1][2].endswith(ending)


def test_the_stop_rule_is_called_once_per_epoch_and_not_after_the_last(tmp_path: Path) -> None:
    """It receives all epochs in order, including those before an interruption."""
    path, costs = tmp_path / "run", (6, 5, 4, 3, 2, 1)
    asked: list[tuple[int, bool]] = []

    def interrupt(done: int, total: int, what: str) -> None:
        if done == 3:
            raise KeyboardInterrupt

    def stop(record: EpochRecord) -> bool:
        asked.append((record.epoch, path.exists()))
        return False

    with pytest.raises(KeyboardInterrupt):
        run_with_checkpoint(ScriptedRun(costs), path, {}, interrupt, stop)
    assert asked == [(1, True), (2, True)]
    asked.clear()
    run_with_checkpoint(ScriptedRun(costs), path, {}, None, stop)
    assert [epoch for epoch, _ in asked] == [1, 2, 3, 4, 5]
    asked.clear()
    run_with_checkpoint(ScriptedRun(costs), path, {}, None, stop)
    assert asked == []


def test_a_stop_rule_that_never_applies_changes_nothing() -> None:
    alone, asked = ScriptedRun((5, 6, 4, 5, 5, 1), 2), ScriptedRun((5, 6, 4, 5, 5, 1), 2)
    alone.run()
    asked.run(stop=after(7))
    assert alone.history == asked.history and alone.weight == asked.weight == 3
