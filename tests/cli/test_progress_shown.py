"""Progress as lines in a log: which, when, and with how much time left."""

from __future__ import annotations

import pytest

from byline.cli.progress import EpochLines, Lines, Log, show_progress
from byline.formatting import duration
from byline.processes import worker_count

Report = tuple[float, int, int, str]


def written(kind: type[Lines], reports: list[Report]) -> list[str]:
    """The lines for reports that come so many seconds after the start."""
    now, lines = 0.0, list[str]()
    shown = kind(
        "learning",
        clock=lambda: now,
        write=lambda title, message: lines.append(f"{title}: {message}"),
    )
    for seconds, done, total, what in reports:
        now = seconds
        shown(done, total, what)
    return lines


def test_a_line_every_half_minute_with_the_remaining_time() -> None:
    reports = [(10.0 * n, n, 10, f"author {n}") for n in range(1, 11)]
    assert written(Lines, reports) == [
        "learning: 3 of 10, about 70 s left (author 3)",
        "learning: 6 of 10, about 40 s left (author 6)",
        "learning: 9 of 10, about 10 s left (author 9)",
    ]


def test_a_line_is_due_once() -> None:
    seconds = iter([5.0, 6.0, 15.0, 16.0, 24.9, 25.0])
    log = Log("learning", clock=lambda: next(seconds))
    due = [log.is_due(10) for _ in range(5)]
    assert due == [False, True, False, False, True]


def test_short_work_prints_nothing() -> None:
    assert written(Lines, [(1.0, 1, 2, "a"), (29.0, 2, 2, "b")]) == []
    assert written(EpochLines, [(0.5, 5, 10, "epoch 1 of 2"), (0.9, 10, 10, "epoch 2 of 2")]) == []


def test_no_remaining_time_if_unknown_or_zero() -> None:
    assert written(Lines, [(30.0, 0, 9, "a")]) == ["learning: 0 of 9 (a)"]
    assert written(Lines, [(30.0, 1, 9, "a"), (60.0, 9, 9, "i")])[1] == "learning: 9 of 9 (i)"


def test_a_line_states_the_workers_of_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_count, "_n_workers", 12)
    assert written(Lines, [(30.0, 5, 10, "ada")]) == ["learning: 5 of 10, 12 workers (ada)"]


def test_one_line_per_epoch() -> None:
    # two epochs of 100 mini-batches, told of every one; an epoch takes 100 s
    names = ["epoch 1 of 2"] * 99 + ["epoch 1 of 2: validation perplexity 80.0"] * 100
    names.append("epoch 2 of 2: validation perplexity 70.0")
    reports = [(float(n), n, 200, what) for n, what in enumerate(names, start=1)]
    assert written(EpochLines, reports) == [
        "learning: epoch 1 of 2",  # one of 200 steps, below 2 %
        "learning: epoch 1 of 2: validation perplexity 80.0, about 100 s left",
        "learning: epoch 2 of 2: validation perplexity 70.0",
    ]


def test_one_line_per_second_if_epochs_are_shorter() -> None:
    reports = [(0.25 * n, n, 10, f"epoch {n} of 10") for n in range(1, 10)]
    assert written(EpochLines, reports) == [
        "learning: epoch 4 of 10, about 2 s left",
        "learning: epoch 8 of 10, about 0 s left",  # 0.5 s
    ]


def test_a_resumed_run_has_its_own_speed() -> None:
    # 900 of 1,000 are there at once; the next 10 take 20 s, so the other 90 take 180 s
    reports = [(2.0, 900, 1000, "epoch 9 of 10"), (22.0, 910, 1000, "epoch 9 of 10: 70.0")]
    assert written(EpochLines, reports) == [
        "learning: epoch 9 of 10",
        "learning: epoch 9 of 10: 70.0, about 3 min left",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (119.4, "119 s"), (120, "2 min"), (7000, "117 min"), (12000, "3 h 20 min")],
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize("epochs", [True, False])
def test_a_bar_on_a_terminal(
    epochs: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with show_progress("learning", epochs=epochs) as progress:
        progress(30, 120, "epoch 2 of 8: validation perplexity 85.2")
    shown = capsys.readouterr().err
    assert "epoch 2 of 8: validation perplexity 85.2" in shown
    assert ("25%" if epochs else "30/120") in shown


def test_lines_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress("learning", epochs=True) as progress:
        progress(1, 2, "epoch 1 of 2")
    assert capsys.readouterr().err == ""
    seconds = iter(range(9))
    EpochLines("learning", clock=lambda: next(seconds))(1, 2, "epoch 1 of 2")
    assert capsys.readouterr().err == "learning: epoch 1 of 2, about 1 s left\n"
