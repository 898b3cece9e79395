"""A training that is killed can be resumed, and ends with the same model file."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
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
TIMEOUT = 60.0  # seconds


def write_text(path: Path, n_sentences: int, seed: int) -> Path:
    """Write sentences in which each word partly determines the next."""
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
def checkpoint(run: Run, text: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Interrupt a training in its third epoch; return the checkpoint that it leaves."""

    def interrupt(done: int, total: int, what: str) -> None:
        if what.startswith("epoch 2 of 4: "):
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def interrupted(title: str, **options: bool) -> Iterator[Progress]:
        yield interrupt

    with monkeypatch.context() as patched:
        patched.setattr("byline.cli.lm.show_progress", interrupted)
        ended = run("lm", "fit", text, "-o", out, *FIT)
    path = Path(f"{out}.checkpoint")
    assert ended.code == 130
    assert not out.exists()
    assert f"note: {path} contains the finished epochs; use --resume" in ended.err
    return path


def command(programs: Path, text: Path, out: Path, *options: str) -> list[str]:
    fit = [*SMALL, "--epochs", "12", "--learning-rate", "0.001", "--batch-size", "20"]
    fit += ["-o", str(out), *options]
    return [str(programs / "python"), "-m", "byline", "lm", "fit", str(text), *fit]


def wait_for_an_epoch(process: subprocess.Popen[bytes], checkpoint: Path) -> None:
    """Wait until the file is written again or the process has ended."""

    def state() -> int | None:
        return checkpoint.stat().st_mtime_ns if checkpoint.exists() else None

    before, started = state(), time.monotonic()
    while state() == before and process.poll() is None:
        assert time.monotonic() - started < TIMEOUT
        time.sleep(0.005)


def test_a_run_killed_at_any_moment_ends_with_the_same_file(
    programs: Path, copy_of: Callable[[int], int], tmp_path: Path
) -> None:
    text = write_text(tmp_path / "text.txt", 1000, seed=2)
    undisturbed, killed = tmp_path / "undisturbed.lm", tmp_path / "killed.lm"
    checkpoint = tmp_path / "killed.lm.checkpoint"
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    ended = subprocess.run(
        command(programs, text, undisturbed),
        env=environment,
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    moments = np.random.default_rng(4)
    n_killed = 0
    for is_started in (False, True, True):
        process = subprocess.Popen(
            command(programs, text, killed, "--resume"),
            env=environment,
            stderr=subprocess.DEVNULL,
        )
        if is_started:
            wait_for_an_epoch(process, checkpoint)
        time.sleep(moments.uniform(0, 0.1))
        with contextlib.suppress(ProcessLookupError):
            os.kill(copy_of(process.pid), signal.SIGKILL)
        n_killed += process.wait() != 0
        assert killed.exists() == (process.returncode == 0)
    assert n_killed >= 2
    ended = subprocess.run(
        command(programs, text, killed, "--resume"),
        env=environment,
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert killed.read_bytes() == undisturbed.read_bytes()
    assert not checkpoint.exists()


def test_an_interrupted_run_resumes(run: Run, text: Path, out: Path, checkpoint: Path) -> None:
    resumed = run("lm", "fit", text, "-o", out, *FIT, "--resume")
    assert resumed.code == 0
    assert resumed.err == ""
    assert not checkpoint.exists()
    again = out.with_name("again.lm")
    assert run("lm", "fit", text, "-o", again, *FIT).out == resumed.out.replace(
        str(out), str(again)
    )
    assert again.read_bytes() == out.read_bytes()
    assert sorted(path.name for path in out.parent.iterdir()) == ["again.lm", "net.lm", "text.txt"]


def test_a_checkpoint_is_neither_used_nor_replaced_without_resume(
    run: Run, text: Path, out: Path, checkpoint: Path
) -> None:
    before = checkpoint.read_bytes()
    ended = run("lm", "fit", text, "-o", out, *FIT)
    assert ended.code == 2
    assert f"{checkpoint} is left from an interrupted training; add --resume" in ended.err
    assert "or delete it to start again" in ended.err
    assert checkpoint.read_bytes() == before
    assert not out.exists()
    # The training of n-gram models has no checkpoint.
    assert run("lm", "fit", text, "-o", out, "--tokenised").code == 0
    assert checkpoint.read_bytes() == before


def test_resume_without_a_checkpoint_is_reported(run: Run, text: Path, out: Path) -> None:
    ended = run("lm", "fit", text, "-o", out, *FIT, "--resume")
    assert ended.code == 0
    assert ended.err == (
        f"note: {out}.checkpoint does not exist, so training starts with epoch 1\n"
    )


def test_the_checkpoint_of_another_run_is_refused_and_kept(
    run: Run, text: Path, out: Path, checkpoint: Path
) -> None:
    before = checkpoint.read_bytes()
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
        assert checkpoint.read_bytes() == before
        assert not out.exists()


def test_a_damaged_checkpoint_is_named_and_kept(
    run: Run, text: Path, out: Path, checkpoint: Path
) -> None:
    damaged = checkpoint.read_bytes()[:-9]
    checkpoint.write_bytes(damaged)
    ended = run("lm", "fit", text, "-o", out, *FIT, "--resume")
    assert ended.code == 4
    assert str(checkpoint) in ended.err
    assert checkpoint.read_bytes() == damaged
    assert not out.exists()


@pytest.mark.parametrize("resume", [(), ("--resume",)])
def test_a_path_that_cannot_be_a_checkpoint(
    run: Run, text: Path, out: Path, resume: tuple[str, ...]
) -> None:
    path = Path(f"{out}.checkpoint")
    path.mkdir()
    ended = run("lm", "fit", text, "-o", out, *FIT, *resume)
    assert ended.code == 7
    assert f"{path} is a folder" in ended.err
    path.rmdir()
    text.rename(path)
    ended = run("lm", "fit", path, "-o", out, *FIT, *resume)
    assert ended.code == 7
    assert "is an input of this command" in ended.err
    ended = run("lm", "fit", __file__, "-o", out, *FIT, *resume, "--valid", path)
    assert ended.code == 7
    assert path.read_text().startswith("w")


def test_an_output_that_is_not_a_regular_file_is_refused_before_training(
    run: Run, text: Path
) -> None:
    ended = run("lm", "fit", text, "-o", os.devnull, *FIT)
    assert ended.code == 7
    assert f"{os.devnull} is not a regular file" in ended.err


def test_divergence_is_reported_and_leaves_no_file(run: Run, text: Path, out: Path) -> None:
    ended = run("lm", "fit", text, "-o", out, *FIT, "--learning-rate", "1000")
    assert ended.code == 5
    assert ended.err.startswith("error: training diverged in epoch 1 at learning rate 1000")
    assert ended.err.endswith("; no model was written\n")
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

    def fit(progress: Progress) -> None:
        resuming.fit_with_checkpoint(
            model,
            sentences,
            vocabulary_size=6,
            validation=None,
            progress=progress,
            checkpoint=checkpoint,
        )

    def watch(done: int, total: int, what: str) -> None:
        assert checkpoint.exists() == (3 * done > total)

    def interrupt(done: int, total: int, what: str) -> None:
        if checkpoint.exists():
            raise KeyboardInterrupt

    if interrupted:
        with pytest.raises(KeyboardInterrupt):
            fit(interrupt)
        assert checkpoint.exists()
    with pytest.raises(TrainingError, match=r"diverged in epoch 2.*; no model was written"):
        fit(watch)
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
    assert ended.err.startswith(f"warning: {out}.checkpoint is no longer needed, but cannot be")
