"""Checkpoints: an interrupted run resumes and ends with the same weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.errors import ModelFileError, OutputError, TrainingError, UsageError
from byline.lm import EpochRecord, FeedForwardLM
from byline.lm.inputs import set_parameters

TEXT = [np.random.default_rng(i).integers(1, 9, size=12).astype(np.int32) for i in range(60)]
SMALL: dict[str, Any] = {"embedding_dim": 4, "hidden_dims": (5, 4), "epochs": 6, "init_scale": 0.5}


class Interruption(Exception):  # noqa: N818
    """Represents anything that ends a process."""


def fit(path: Path | None, interrupt_at: int | None = None, **parameters: Any) -> FeedForwardLM:
    """Fit, and interrupt the run after ``interrupt_at`` mini-batches."""

    def progress(done: int, total: int, what: str) -> None:
        if interrupt_at is not None and done >= interrupt_at:
            raise Interruption

    model = set_parameters(FeedForwardLM(), SMALL | parameters)
    return model.fit(TEXT, vocabulary_size=9, checkpoint=path, progress=progress)


def same_bits(one: FeedForwardLM, other: FeedForwardLM) -> bool:
    arrays = zip(one.network_.arrays, other.network_.arrays, strict=True)
    return one.history_ == other.history_ and all(a.tobytes() == b.tobytes() for a, b in arrays)


# The network is trained on 54 sentences of 13 events: 702 n-grams in 8 mini-batches per epoch.
@pytest.mark.parametrize("cuts", [(1,), (8,), (9,), (20, 30, 31), (12, 13, 47), (48,)])
@pytest.mark.parametrize("shuffle", [True, False])
def test_an_interrupted_run_ends_with_the_same_weights(
    tmp_path: Path, cuts: tuple[int, ...], shuffle: bool
) -> None:
    path = tmp_path / "run"
    for cut in cuts:
        with pytest.raises(Interruption):
            fit(path, cut, shuffle=shuffle)
    assert same_bits(fit(path, shuffle=shuffle), fit(None, shuffle=shuffle))


@pytest.mark.parametrize("patience", [1, 2])
def test_a_resumed_run_stops_at_the_same_epoch(tmp_path: Path, patience: int) -> None:
    """The learning rate of epoch 3 makes the cost rise; the weights of epoch 2 are kept."""
    rates = (0.5, 0.5, 1.5, 0.1)
    plan: dict[str, Any] = {"learning_rate": rates, "learning_rate_decay": 1, "dropout": 0}
    plan["patience"] = patience
    whole = fit(None, **plan)
    assert [record.kept for record in whole.history_] == [True, True] + [False] * patience
    with pytest.raises(Interruption):
        fit(tmp_path / "run", 23, **plan)
    assert same_bits(fit(tmp_path / "run", **plan), whole)
    assert same_bits(fit(tmp_path / "run", **plan), whole)


def test_a_finished_run_is_not_run_again(tmp_path: Path) -> None:
    first = fit(tmp_path / "run", learning_rate=0.01)
    assert [record.kept for record in first.history_] == [True] * 6
    assert same_bits(fit(tmp_path / "run", interrupt_at=1, learning_rate=0.01), first)


def test_a_diverged_run_leaves_the_last_good_epoch(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with pytest.raises(TrainingError, match="epoch 1 at learning rate 1e"):
        fit(path, learning_rate=1e9)
    assert not path.exists()
    with pytest.raises(TrainingError, match="epoch 2 at learning rate 1e"):
        fit(path, learning_rate=(0.1, 1e9), learning_rate_decay=1)
    with pytest.raises(TrainingError, match="epoch 2 at learning rate 1e"):
        fit(path, learning_rate=(0.1, 1e9), learning_rate_decay=1)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"learning_rate": 0.1}, "learning_rate differ"),
        ({"epochs": 7, "momentum": 0.5}, "epochs, momentum differ"),
        ({"hidden_dims": (5,)}, "hidden_dims differ"),
        ({"random_state": 1}, "random_state, training text, validation text differ"),
        ({"context": 2}, "context differ"),
    ],
)
def test_other_settings_are_refused_by_name(
    tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    with pytest.raises(Interruption):
        fit(tmp_path / "run", 20)
    with pytest.raises(UsageError, match=f"another training run: {named}"):
        fit(tmp_path / "run", **change)


def test_another_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Interruption):
        fit(tmp_path / "run", 20)
    model = set_parameters(FeedForwardLM(), SMALL)
    with pytest.raises(UsageError, match="training text"):
        model.fit(TEXT[::-1], vocabulary_size=9, checkpoint=tmp_path / "run")


def test_damage_is_detected(tmp_path: Path) -> None:
    """Flip the lowest bit of bytes of the header and of the arrays."""
    path = tmp_path / "run"
    with pytest.raises(Interruption):
        fit(path, 20)
    whole = path.read_bytes()
    header = 8 + int.from_bytes(whole[:8], "little")
    for place in [*range(0, header, 3), *range(header, len(whole), 501), len(whole) - 1]:
        data = bytearray(whole)
        data[place] ^= 1
        path.write_bytes(data)
        with pytest.raises(ModelFileError, match="delete it to start from the first epoch"):
            fit(path)
    path.write_bytes(whole[:-1])
    with pytest.raises(ModelFileError, match="damaged"):
        fit(path)


@pytest.mark.parametrize("content", [b"", b"{}", b"\x00" * 100, b"\xff" * 100])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match="delete it to start from the first epoch"):
        fit(path)
    assert path.read_bytes() == content


def test_a_checkpoint_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot write to"):
        fit(tmp_path / "none" / "run")
    with pytest.raises(ModelFileError, match="cannot be read"):
        fit(tmp_path)
    with pytest.raises(ModelFileError, match="cannot be read"):
        fit(tmp_path / ("a" * 300))


@pytest.mark.parametrize("shuffle", [True, False])
def test_a_stop_rule_has_the_effect_of_fewer_epochs(tmp_path: Path, shuffle: bool) -> None:
    """At a constant learning rate, six epochs stopped after the second equal two epochs."""
    steady: dict[str, Any] = SMALL | {"learning_rate_decay": 1, "shuffle": shuffle}
    two = set_parameters(FeedForwardLM(), steady | {"epochs": 2}).fit(TEXT, vocabulary_size=9)
    asked: list[EpochRecord] = []

    def stop(record: EpochRecord) -> bool:
        asked.append(record)
        return record.epoch == 2

    for path in (None, tmp_path / "run", tmp_path / "run"):
        asked.clear()
        model = set_parameters(FeedForwardLM(), steady)
        ended = model.fit(TEXT, vocabulary_size=9, checkpoint=path, stop=stop)
        assert same_bits(ended, two)
        assert tuple(asked) == ended.history_
