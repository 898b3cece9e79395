"""CPU time of training and attribution, in this process and in others."""

from __future__ import annotations

import sys
import time
import timeit
from importlib import import_module

import pytest
from joblib import Parallel, delayed

from byline.experiments.benchmarks.classifier_runs import Cost


def spend(seconds: float) -> None:
    """Use CPU time in this process."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_stages_are_measured_separately() -> None:
    cost = Cost()
    with cost.of("training"):
        spend(0.05)
    with cost.of("attribution"):
        spend(0.01)
    with cost.of("training"):
        spend(0.05)
    assert 0.1 <= cost.training < 0.15
    assert 0.01 <= cost.attribution < 0.05
    assert cost.wall >= 0.1


def test_without_other_processes_no_time_is_added() -> None:
    cost = Cost()
    with cost.of_workers():
        spend(0.05)
    assert cost == Cost()


def spend_in_two_processes() -> float:
    """Use CPU time in two processes and return it in seconds."""
    work = delayed(timeit.timeit)("sum(range(1000))", timer=time.process_time, number=20_000)
    return float(sum(Parallel(n_jobs=2)([work, work])))


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="not told there")
def test_time_of_other_processes_counts_as_training(monkeypatch: pytest.MonkeyPatch) -> None:
    # The time of copies (see `_children_are_copies`) is not that of children of this process.
    loky = import_module("joblib.externals.loky.backend.popen_loky_posix")
    started_afresh = getattr(loky.Popen._launch, "__wrapped__", loky.Popen._launch)
    monkeypatch.setattr(loky.Popen, "_launch", started_afresh)
    cost = Cost()
    spend_in_two_processes()
    with cost.of_workers():
        pass
    assert cost == Cost()  # time before the context is not counted
    spent = 0.0
    for _ in range(2):
        with cost.of_workers():
            spent += spend_in_two_processes()
    assert cost.training >= spent > 0
    assert cost.attribution == 0
