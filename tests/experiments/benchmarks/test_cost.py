"""What is counted as cost, here and in other processes."""

from __future__ import annotations

import sys
import time
import timeit

import pytest
from joblib import Parallel, delayed

from byline.experiments.benchmarks.classifier_runs import Cost


def spend(seconds: float) -> None:
    """Compute for so many seconds of this process."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_stages_are_counted_apart() -> None:
    cost = Cost()
    with cost.of("learning"):
        spend(0.05)
    with cost.of("attributing"):
        spend(0.01)
    with cost.of("learning"):
        spend(0.05)
    assert 0.1 <= cost.learning < 0.15
    assert 0.01 <= cost.attributing < 0.05
    assert cost.wall >= 0.1


def test_where_no_process_is_started_none_is_counted() -> None:
    cost = Cost()
    with cost.of_workers():
        spend(0.05)
    assert cost == Cost()


def spend_in_two_processes() -> float:
    """Compute in two processes; return the CPU seconds that it took them."""
    work = delayed(timeit.timeit)("sum(range(1000))", timer=time.process_time, number=20_000)
    return float(sum(Parallel(n_jobs=2)([work, work])))


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="not told there")
def test_processes_are_counted_as_learning() -> None:
    cost = Cost()
    spend_in_two_processes()
    with cost.of_workers():
        pass
    assert cost == Cost()  # what was spent before is not counted
    spent = 0.0
    for _ in range(2):
        with cost.of_workers():
            spent += spend_in_two_processes()
    assert cost.learning >= spent > 0
    assert cost.attributing == 0
