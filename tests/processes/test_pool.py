"""A pool of processes: results and errors of tasks, processes that die, and how the pool ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import pytest

from byline.errors import ExperimentError
from byline.processes.pool import ProcessPool
from byline.processes.task import TaskOutcome, run_task
from byline.processes.threads import thread_environment

HERE = Path(__file__).parent
KILLED = "its process was killed (SIGKILL; out of memory?)"

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals"),
]


def run_all(pool: ProcessPool, tasks: Iterable[Any]) -> dict[str, TaskOutcome]:
    """Do each task once and return the outcomes by name."""
    left, outcomes = list(tasks), dict[str, TaskOutcome]()
    n = len(left)
    n_running = 0
    while len(outcomes) < n:
        while left and n_running < pool.capacity:
            pool.submit(left.pop(0))
            n_running += 1
        for task, outcome in pool.wait(30):
            assert task.name not in outcomes
            outcomes[task.name] = outcome
            n_running -= 1
    return outcomes


def test_results_and_errors_of_tasks(work: Any) -> None:
    tasks = [
        work.Task("add-1", 1),
        work.Task("diverge", "the cost is not a number"),
        work.Task("err", "unforeseen"),
        work.Task("die"),
        work.Task("add-2", 2),
        work.Task("leave", 3),
        work.Task("hoard"),
        work.Task("add-3", 3),
        work.Task("environment", list(thread_environment())),
    ]
    with ProcessPool(work.Work(10), 2) as pool:
        assert (pool.n_workers, pool.capacity) == (2, 2)
        outcomes = run_all(pool, tasks)
    assert [outcomes[f"add-{n}"].result[0] for n in (1, 2, 3)] == [11, 12, 13]
    assert outcomes["environment"].result == ["1"] * len(thread_environment())
    assert {name for name, outcome in outcomes.items() if outcome.died} == {"die", "leave"}
    errors = {name: outcome.error for name, outcome in outcomes.items() if outcome.error}
    assert errors == {
        "diverge": "the cost is not a number",
        "err": "a defect in Byline (KeyError: 'unforeseen')",
        "hoard": "out of memory",
        "die": KILLED,
        "leave": "its process ended with exit code 3",
    }
    assert "raise KeyError(message)" in (outcomes["err"].trace or "")
    assert all("byline" in outcome.environment["versions"] for outcome in outcomes.values())


def test_work_is_sent_once(work: Any) -> None:
    with ProcessPool(work.Work(0), 1) as pool:
        outcomes = run_all(pool, [work.Task(f"add-{n}", n) for n in range(5)])
    # One and the same object counted all five.
    assert [outcome.result[1] for outcome in outcomes.values()] == [1, 2, 3, 4, 5]


def test_a_process_dies_while_it_sends_its_result(work: Any) -> None:
    with ProcessPool(work.Work(0), 1) as pool:
        run_all(pool, [work.Task("add", 1)])
        pool.submit(work.Task("send", 10_000_000))
        (worker,) = pool._workers
        assert wait([worker.pipe], 30)  # the pipe is full, and nobody reads it
        os.kill(pool.pids[0], signal.SIGKILL)
        ((task, outcome),) = pool.wait(30)
        assert (task.name, outcome.error, outcome.died) == ("send", KILLED, True)
        assert run_all(pool, [work.Task("add", 2)])["add"].result == (2, 1)


def test_idle_processes_that_die_are_replaced(work: Any) -> None:
    with ProcessPool(work.Work(0), 2) as pool:
        run_all(pool, [work.Task("add", 1)])
        before = pool.pids
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        assert run_all(pool, [work.Task(f"add-{n}", n) for n in (1, 2, 3)]).keys() == {
            "add-1", "add-2", "add-3",
        }  # fmt: skip
        assert not set(before) & set(pool.pids)


def test_processes_that_end_while_they_start(work: Any) -> None:
    with ProcessPool(work.Unloadable(), 1) as pool:
        pool.submit(work.Task("add", 1))
        with pytest.raises(ExperimentError, match=r"end while they start .*exit code 7"):
            for _ in range(10):
                assert pool.wait(30) == []


def test_leaving_the_pool_ends_running_tasks(work: Any) -> None:
    started = time.monotonic()
    with ProcessPool(work.Work(0), 2) as pool:
        pool.submit(work.Task("sleep-1", 60))
        pids = pool.pids
    assert time.monotonic() - started < 30
    assert not any(map(is_alive, pids))


ORPHANS = """
import os, sys, signal
sys.path.insert(0, sys.argv[1])
from byline.processes.pool import ProcessPool
import pool_work

with ProcessPool(pool_work.Work(0), 2) as pool:
    pool.submit(pool_work.Task("add", 1))
    pool.wait(30)
    pool.submit(pool_work.Task("sleep", 120))
    print(*pool.pids, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_processes_end_with_their_parent(tmp_path: Path) -> None:
    script = tmp_path / "orphans.py"
    script.write_text(ORPHANS)
    ended = subprocess.run(
        [sys.executable, script, HERE], capture_output=True, timeout=60, check=False
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    pids = [int(pid) for pid in ended.stdout.split()]
    assert len(pids) == 2
    until = time.monotonic() + 20  # one is working and one is idle; both should end at once
    while any(map(is_alive, pids)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(map(is_alive, pids))


def is_alive(pid: int) -> bool:
    """Return whether the process exists and is not a zombie."""
    psutil = pytest.importorskip("psutil")
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_the_time_of_a_task_is_measured(work: Any) -> None:
    outcome = run_task(work.Work(0), work.Task("sleep", 0.05))
    assert outcome.result == os.getpid()
    assert 0.05 <= outcome.seconds < 5
    assert outcome.cpu_seconds < outcome.seconds
    assert outcome.error is None and outcome.trace is None and not outcome.died
