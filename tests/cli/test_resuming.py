"""A training that is killed goes on, and ends as if nothing had been."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.cli import resuming
from byline.errors import TrainingError
from byline.lm import FeedForwardLM, FeedForwardTraining
from byline.progress import Progress

pytestmark = pytest.mark.processes

Run = Callable[..., Any]
SMALL = ("--lm", "feedforward", "--embedding-dim", "3", "--hidden-dim", "4", "--tokenised")
FIT = (*SMALL, "--epochs", "4", "--learning-rate", "0.05")
GIVING_UP = 60.0  # seconds


def write_text(path: Path, n_sentences: int, seed: int) -> Path:
    """Sentences of words of which each follows from the one before, more or less."""
    rng = np.random.default_rng(seed)
    steps = rng.integers(1, 4, size=(n_sentences, 9)).cumsum(axis=1) % 200
    path.write_text("\n".join(" ".join(f"w{step}" for step in row) for row in steps) + "\n")
    return path


@pytest.fixture
def text(tmp_path: Path) -> Path:
    return write_text(tmp_path / "text.txt", 60, seed=1)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "net.lm"


@pytest.fixture
def left(run: Run, text: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The checkpoint that a training leaves which is interrupted in its third epoch."""

    def interrupting(done: int, total: int, what: str) -> None:
        if what.startswith("epoch 2 of 4: "):
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def shown(title: str, **options: bool) -> Iterator[Progress]:
        yield interrupting

    with monkeypatch.context() as patched:
        patched.setattr("byline.cli.lm.progress_shown", shown)
        ended = run("lm", "fit", text, "-o", out, *FIT)
    checkpoint = Path(f"{out}.checkpoint")
    assert ended.code == 130
    assert not out.exists()
    assert f"note: {checkpoint} holds the finished epochs; --resume" in ended.err
    return checkpoint


def command(text: Path, out: Path, *options: str) -> list[str]:
    fit = [*SMALL, "--epochs", "20", "--learning-rate", "0.001", "--batch-size", "20"]
    return [sys.executable, "-m", "byline", "lm", "fit", str(text), "-o", str(out), *fit, *options]


def wait_for_an_epoch(process: subprocess.Popen[bytes], checkpoint: Path) -> None:
    """Return once the file is written again, or the process has ended."""

    def state() -> int | None:
        return checkpoint.stat().st_mtime_ns if checkpoint.exists() else None

    before, started = state(), time.monotonic()
    while state() == before and process.poll() is None:
        assert time.monotonic() - started < GIVING_UP
        time.sleep(0.005)


def test_killed_at_any_moment_it_ends_bit_for_bit_where_it_would_have(tmp_path: Path) -> None:
    text = write_text(tmp_path / "text.txt", 1000, seed=2)
    undisturbed, killed = tmp_path / "undisturbed.lm", tmp_path / "killed.lm"
    checkpoint = tmp_path / "killed.lm.checkpoint"
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    ended = subprocess.run(
        command(text, undisturbed), env=environment, capture_output=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    moments = np.random.default_rng(4)
    n_killed = 0
    for is_started in (False, True, True):
        process = subprocess.Popen(
            command(text, killed, "--resume"), env=environment, stderr=subprocess.DEVNULL
        )
        if is_started:
            wait_for_an_epoch(process, checkpoint)
        time.sleep(moments.uniform(0, 0.1))
        process.kill()
        n_killed += process.wait() != 0
        assert killed.exists() == (process.returncode == 0)
    assert n_killed >= 2
    ended = subprocess.run(
        command(text, killed, "--resume"), env=environment, capture_output=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert killed.read_bytes() == undisturbed.read_bytes()
    assert not checkpoint.exists()


def test_interrupted_and_gone_on_from(run: Run, text: Path, out: Path, left: Path) -> None:
    told = run("lm", "fit", text, "-o", out, *FIT, "--resume")
    assert told.code == 0
    assert told.err == ""
    assert not left.exists()
    again = out.with_name("again.lm")
    assert run("lm", "fit", text, "-o", again, *FIT).out == told.out.replace(str(out), str(again))
    assert again.read_bytes() == out.read_bytes()
    assert sorted(path.name for path in out.parent.iterdir()) == ["again.lm", "net.lm", "text.txt"]


def test_what_is_left_is_neither_used_nor_replaced_unasked(
    run: Run, text: Path, out: Path, left: Path
) -> None:
    before = left.read_bytes()
    ended = run("lm", "fit", text, "-o", out, *FIT)
    assert ended.code == 2
    assert f"{left} is left from a training that did not end; add --resume" in ended.err
    assert "or delete it to start anew" in ended.err
    assert left.read_bytes() == before
    assert not out.exists()
    # n-grams have no use for it
    assert run("lm", "fit", text, "-o", out, "--tokenised").code == 0
    assert left.read_bytes() == before


def test_nothing_to_go_on_from_is_said(run: Run, text: Path, out: Path) -> None:
    ended = run("lm", "fit", text, "-o", out, *FIT, "--resume")
    assert ended.code == 0
    assert ended.err == (
        f"note: there is no {out}.checkpoint to go on from: training starts with epoch 1\n"
    )


def test_another_runs_checkpoint_is_refused_and_kept(
    run: Run, text: Path, out: Path, left: Path
) -> None:
    before = left.read_bytes()
    other = write_text(text.with_name("other.txt"), 60, seed=5)
    short = text.with_name("short.txt")
    short.write_text("a\n")
    for code, args in (
        (2, (text, "-o", out, *FIT, "--seed", "7")),
        (2, (text, "-o", out, *FIT, "--valid", other)),
        (2, (other, "-o", out, *FIT)),
        (5, (short, "-o", out, *FIT)),
    ):
        ended = run("lm", "fit", *args, "--resume")
        assert ended.code == code, ended.err
        assert "Traceback" not in ended.err
        assert left.read_bytes() == before
        assert not out.exists()


def test_a_damaged_checkpoint_is_named_and_kept(
    run: Run, text: Path, out: Path, left: Path
) -> None:
    damaged = left.read_bytes()[:-9]
    left.write_bytes(damaged)
    ended = run("lm", "fit", text, "-o", out, *FIT, "--resume")
    assert ended.code == 4
    assert str(left) in ended.err
    assert left.read_bytes() == damaged
    assert not out.exists()


@pytest.mark.parametrize("resume", [(), ("--resume",)])
def test_a_place_where_no_checkpoint_can_be(
    run: Run, text: Path, out: Path, resume: tuple[str, ...]
) -> None:
    place = Path(f"{out}.checkpoint")
    place.mkdir()
    ended = run("lm", "fit", text, "-o", out, *FIT, *resume)
    assert ended.code == 7
    assert f"{place} is a folder" in ended.err
    place.rmdir()
    text.rename(place)
    ended = run("lm", "fit", place, "-o", out, *FIT, *resume)
    assert ended.code == 7
    assert "is read by this command" in ended.err
    ended = run("lm", "fit", __file__, "-o", out, *FIT, *resume, "--valid", place)
    assert ended.code == 7
    assert place.read_text().startswith("w")


def test_a_model_that_could_not_be_written_after_training(run: Run, text: Path) -> None:
    ended = run("lm", "fit", text, "-o", os.devnull, *FIT)
    assert ended.code == 7
    assert f"{os.devnull} is no regular file" in ended.err


def test_divergence_is_named_and_nothing_is_left(run: Run, text: Path, out: Path) -> None:
    ended = run("lm", "fit", text, "-o", out, *FIT, "--learning-rate", "1000")
    assert ended.code == 5
    assert ended.err.startswith("error: training diverged in epoch 1 at learning rate 1000")
    assert ended.err.endswith("; no model is written\n")
    assert list(out.parent.iterdir()) == [text]


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_later_divergence_leaves_no_checkpoint(tmp_path: Path, interrupted: bool) -> None:
    checkpoint = tmp_path / "m.checkpoint"
    rng = np.random.default_rng(0)
    sentences = [rng.integers(1, 6, size=8).astype(np.int32) for _ in range(60)]
    model = FeedForwardLM(
        embedding_dim=3,
        hidden_dims=(4,),
        training=FeedForwardTraining(learning_rate=(0.1, 1e6), epochs=3),
    )

    def train(progress: Progress) -> None:
        resuming.train(
            model,
            sentences,
            vocabulary_size=6,
            validation=None,
            progress=progress,
            checkpoint=checkpoint,
        )

    def watching(done: int, total: int, what: str) -> None:
        assert checkpoint.exists() == (3 * done > total)

    def interrupting(done: int, total: int, what: str) -> None:
        if checkpoint.exists():
            raise KeyboardInterrupt

    if interrupted:
        with pytest.raises(KeyboardInterrupt):
            train(interrupting)
        assert checkpoint.exists()
    with pytest.raises(TrainingError, match=r"diverged in epoch 2.*; no model is written"):
        train(watching)
    assert not checkpoint.exists()


def test_a_checkpoint_that_cannot_be_deleted_is_a_warning(
    run: Run, text: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path.name.endswith(".checkpoint"):
            raise PermissionError(13, "Permission denied")
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    ended = run("lm", "fit", text, "-o", out, *FIT)
    assert ended.code == 0
    assert out.exists()
    assert ended.err.startswith(f"warning: {out}.checkpoint cannot be deleted (Permission denied)")
