"""Callbacks and the history of training."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.errors import MissingExtraError, UsageError
from byline.lm import (
    FeedForwardLM,
    FeedForwardTraining,
    RecurrentLM,
    RecurrentTraining,
    TrainingCallback,
    TrainingHistory,
)

TEXT = [np.array([1, 2, 3, 1, 2, 3], dtype=np.int32)] * 8
HELD_OUT = [np.array([1, 2, 3], dtype=np.int32)]


class Log(TrainingCallback):
    """Record what is called, and end training after an epoch."""

    def __init__(self, last: int = 100) -> None:
        self.last = last
        self.called: list[tuple[Any, ...]] = []

    def on_train_begin(self, model: Any, history: TrainingHistory) -> None:
        self.called.append(("begin", len(history)))

    def on_epoch_end(self, model: Any, history: TrainingHistory) -> bool:
        cost = float(np.log(model.perplexity([HELD_OUT])))
        self.called.append((history[-1].epoch, cost == pytest.approx(history[-1].validation_cost)))
        return history[-1].epoch >= self.last

    def on_train_end(self, model: Any, history: TrainingHistory) -> None:
        self.called.append(("end", model.perplexity([HELD_OUT])))


def feedforward(**training: Any) -> FeedForwardLM:
    settings = FeedForwardTraining(**{"epochs": 4, "patience": 4, "dropout": 0.0} | training)
    return FeedForwardLM(context=2, embedding_dim=3, hidden_dims=(3,), training=settings)


def recurrent() -> RecurrentLM:
    settings = RecurrentTraining(epochs=4, patience=4, dropout=0.0)
    return RecurrentLM(units=4, min_count=1, training=settings)


def fit(model: Any, **options: Any) -> Any:
    return model.fit(TEXT, vocabulary_size=5, validation=HELD_OUT, **options)


@pytest.mark.parametrize("model", [feedforward(), recurrent()], ids=["feedforward", "recurrent"])
def test_callbacks_see_the_model_of_each_epoch(model: Any) -> None:
    """The validation cost of an epoch is that of the model that the callback sees."""
    log = Log()
    fitted = fit(model, callbacks=[log])
    epochs = [(n, True) for n in range(1, len(fitted.history_) + 1)]
    assert log.called == [("begin", 0), *epochs, ("end", fitted.perplexity([HELD_OUT]))]


def test_callbacks_do_not_change_the_result() -> None:
    alone, watched = fit(feedforward()), fit(feedforward(), callbacks=[Log(), Log()])
    assert (alone.network_.embedding == watched.network_.embedding).all()
    assert alone.history_ == watched.history_


def test_a_callback_ends_training() -> None:
    first, second = Log(last=2), Log()
    model = fit(feedforward(), callbacks=[first, second])
    assert len(model.history_) == 2
    assert first.called == second.called  # the end of one does not skip the other


def test_a_resumed_run_repeats_the_calls_and_ends_at_the_same_epoch(tmp_path: Path) -> None:
    class Interrupted(TrainingCallback):
        def on_epoch_end(self, model: Any, history: TrainingHistory) -> None:
            if len(history) == 2:
                raise KeyboardInterrupt

    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        fit(feedforward(), callbacks=[Interrupted()], checkpoint=path)
    log = Log(last=3)
    resumed = fit(feedforward(), callbacks=[log], checkpoint=path)
    assert [call[0] for call in log.called] == ["begin", 1, 2, 3, "end"]
    assert log.called[0] == ("begin", 2)
    whole = fit(feedforward(), callbacks=[Log(last=3)])
    assert (resumed.network_.embedding == whole.network_.embedding).all()


def test_an_error_of_a_callback_leaves_the_model_as_it_was() -> None:
    class Failing(TrainingCallback):
        def on_epoch_end(self, model: Any, history: TrainingHistory) -> None:
            raise ZeroDivisionError

    model = fit(feedforward())
    before = model.network_
    with pytest.raises(ZeroDivisionError):
        fit(model, callbacks=[Failing()])
    assert model.network_ is before


def test_the_history_is_records_and_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    history = fit(feedforward(epochs=2)).history_
    records = history.to_records()
    assert [record["epoch"] for record in records] == [1, 2]
    assert TrainingHistory.from_records(records) == history
    pytest.importorskip("pandas")
    table = history.to_pandas()
    assert table["training_cost"].tolist() == [record.training_cost for record in history]
    assert list(TrainingHistory().to_pandas().columns) == list(table.columns)
    imported = builtins.__import__

    def without_pandas(name: str, *args: Any, **options: Any) -> Any:
        if name == "pandas":
            raise ImportError
        return imported(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(MissingExtraError, match="requires pandas"):
        history.to_pandas()


@pytest.mark.parametrize("callbacks", [Log(), [print], [3]])
def test_objects_that_are_not_callbacks_are_refused(callbacks: Any) -> None:
    model = FeedForwardLM(context=2, embedding_dim=4, hidden_dims=(4,))
    with pytest.raises(
        UsageError, match=r"whose classes inherit from byline\.lm\.TrainingCallback"
    ):
        model.fit(TEXT, vocabulary_size=5, callbacks=callbacks)
