"""The calls of `run_parallel` on a Dask cluster on this machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from byline.errors import DivergenceError, UsageError
from byline.processes.parallel import ALL_WORKERS, on_cluster, run_parallel
from byline.processes.worker_count import describe_workers

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals"),
]


def test_a_killed_worker_costs_only_its_call(work: Any, tmp_path: Path) -> None:
    marker = str(tmp_path / "died")
    calls = [(marker, number) for number in range(8)]
    with on_cluster("local:2"):
        results = run_parallel(work.die_once, calls, ALL_WORKERS)
        assert describe_workers() == ""
        found = [next(results)]
        assert describe_workers() in (", 1 worker", ", 2 workers")  # one may just have died
        assert sorted([*found, *results]) == list(range(8))
        assert describe_workers() == ""
        assert Path(marker).exists()
        with pytest.raises(DivergenceError, match="too fast"):
            list(run_parallel(work.diverge, [("too fast",)], ALL_WORKERS))
        here = list(run_parallel(work.os.getpid, [()], 1))
    assert here == [work.os.getpid()]  # one process is this one


@pytest.mark.parametrize("address", ["local:", "local:0", "local:two", "127.0.0.1", "http://a:1"])
def test_what_is_no_address(address: str) -> None:
    with (
        pytest.raises(UsageError, match=r"address of a Dask scheduler|number of workers"),
        on_cluster(address),
    ):
        pass


def test_calls_are_consumed_only_as_workers_become_free(work: Any, tmp_path: Path) -> None:
    taken: list[int] = []

    def calls() -> Iterator[tuple[str, int]]:
        for number in range(20):
            taken.append(number)
            yield str(tmp_path), number

    with on_cluster("local:1"):
        results = run_parallel(work.die_once, calls(), ALL_WORKERS)
        next(results)
        assert len(taken) < 8
        results.close()  # type: ignore[attr-defined]
