"""Jobs on a Dask cluster: a scheduler and two workers on this machine, which die now and then."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from byline.errors import BylineWarning, ExperimentError, MissingExtraError, UsageError
from byline.experiments.runner.loop import RunLoop, run_experiment
from byline.experiments.runner.plan import JobPlan
from byline.experiments.runner.run_directory import RunDirectory
from byline.processes import dask_pool
from byline.processes.dask_pool import DaskPool, run_task_on_worker
from byline.processes.task import TaskOutcome

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals"),
]

MakePlan = Callable[..., JobPlan]
HERE = Path(__file__).parent
WORK_FOLDERS = (HERE, HERE.parents[1] / "processes")
SECONDS_TO_START = 60
SECONDS_FOR_ALL = 90
DEATHS = 2  # of a task's workers, before the scheduler gives it up


class Cluster:
    """A scheduler and workers, each with the nanny that starts it again, as processes here."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)
        until = time.monotonic() + SECONDS_TO_START
        while not file.exists() or not file.read_text().strip().endswith("}"):
            assert time.monotonic() < until
            time.sleep(0.02)
        self.address: str = json.loads(file.read_text())["address"]

    def start_worker(self, n_threads: int = 1) -> None:
        place = self.folder / f"worker-{len(self.processes)}"
        self._start(
            *("worker", self.address, "--nthreads", str(n_threads), "--host", "127.0.0.1"),
            *("--local-directory", place, "--death-timeout", "60"),
        )

    def _start(self, program: str, *args: str | Path) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{program}", "--no-dashboard"]
        with (self.folder / f"{len(self.processes)}.log").open("wb") as log:
            process = subprocess.Popen(
                [*command, *map(str, args)],
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join([*map(str, WORK_FOLDERS), *sys.path]),
                    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(DEATHS - 1),
                    # A worker that is started again need not import everything again.
                    "DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD": "forkserver",
                },
            )
        self.processes.append(process)

    def kill_scheduler(self) -> None:
        self.processes[0].kill()
        self.processes[0].wait()

    def end(self) -> None:
        for process in self.processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            process.wait()


@contextmanager
def cluster_in(folder: Path) -> Iterator[Cluster]:
    cluster = Cluster(folder)
    try:
        yield cluster
    finally:
        cluster.end()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster_in(tmp_path_factory.mktemp("cluster")) as cluster:
        cluster.start_worker()
        cluster.start_worker()
        yield cluster


def run_all(pool: DaskPool, tasks: list[Any]) -> dict[str, TaskOutcome]:
    """Run each task once; return the outcomes by name."""
    left, outcomes = list(tasks), dict[str, TaskOutcome]()
    n_running, until = 0, time.monotonic() + SECONDS_FOR_ALL
    while len(outcomes) < len(tasks):
        assert time.monotonic() < until, (left, outcomes)
        while left and n_running < pool.capacity:
            pool.submit(left.pop(0))
            n_running += 1
        for task, outcome in pool.wait(1):
            assert task.name not in outcomes
            outcomes[task.name] = outcome
            n_running -= 1
    return outcomes


def test_what_comes_of_tasks(cluster: Cluster, work: Any) -> None:
    tasks = [
        work.Task("add-1", 1),
        work.Task("diverge", "the cost is not a number"),
        work.Task("err", "unforeseen"),
        work.Task("add-2", 2),
    ]
    with DaskPool(work.Work(10), cluster.address) as pool:
        outcomes = run_all(pool, tasks)
        assert 1 <= pool.n_workers <= 2
        assert pool.capacity == 2 * pool.n_workers
    assert [outcomes[f"add-{n}"].result[0] for n in (1, 2)] == [11, 12]
    assert outcomes["diverge"].error == "the cost is not a number"
    assert outcomes["err"].error == "a defect in Byline (KeyError: 'unforeseen')"
    assert not any(outcome.died for outcome in outcomes.values())


def test_a_worker_killed_in_the_middle_loses_nothing(
    cluster: Cluster, work: Any, tmp_path: Path
) -> None:
    with DaskPool(work.Work(0), cluster.address) as pool:
        pid = run_all(pool, [work.Task("sleep", 0)])["sleep"].result
        killed = tmp_path / "killed"
        for n in range(4):
            pool.submit(work.Task(f"wait_for-{n}", str(killed)))
        assert pool.wait(0.2) == []  # none ends before the worker is killed
        os.kill(pid, signal.SIGKILL)
        killed.touch()
        ended, until = list[Any](), time.monotonic() + SECONDS_FOR_ALL
        while len(ended) < 4 and time.monotonic() < until:
            ended += pool.wait(1)
        assert sorted(task.name for task, _ in ended) == [f"wait_for-{n}" for n in range(4)]
        assert not any(outcome.error for _, outcome in ended)
        assert pid not in [outcome.result for _, outcome in ended]


def test_a_job_that_always_kills_its_worker_fails_by_name(
    cluster: Cluster, make_plan: MakePlan, work: Any, tmp_path: Path
) -> None:
    """All other jobs are done, and no result occurs twice."""
    notes = tmp_path / "notes"
    notes.mkdir()
    directory = RunDirectory(tmp_path / "run")
    directory.start({"configuration": {}})
    loop = RunLoop(make_plan("ann", "killer", splits={"s": {"seeds": [0]}}), directory)
    with DaskPool(work.JobWork(str(notes), 0.02), cluster.address) as pool:
        loop.run(pool)
    directory.write_records()
    lines = (directory.path / "records.jsonl").read_text().splitlines()
    names = [json.loads(line)["job"] for line in lines]
    assert sorted(set(names)) == names
    assert len(names) == 2 * 2 + 5 + 1
    failed = {name: record["failed"] for name, record in loop.done.items() if "failed" in record}
    assert failed.keys() == {"s.0.kn.killer", "s.0.nn.killer"}
    assert all("2 workers in turn were killed" in why for why in failed.values())
    # Suspected once among others, and found guilty alone.
    assert len((notes / "s.0.kn.killer").read_text()) >= DEATHS + 1


CONFIG = """
title = "t"
[corpora.c]
path = "texts"
form = "tokenised"
[splits.s]
corpus = "c"
unit = "sentence"
seeds = [0, 1]
[models.kn]
label = "n-grams"
kind = "ngram"
settings = { order = 2, smoothing = "witten-bell" }
"""


def test_a_run_on_a_cluster_is_the_same(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(CONFIG)
    for author, words in (("ann", "ash beech cedar"), ("bob", "ant bee cicada")):
        (tmp_path / "texts" / author).mkdir(parents=True)
        text = "".join(f"the {word} of {n}\n" for n in range(150) for word in words.split())
        (tmp_path / "texts" / author / "1.txt").write_text(text)
    results = []
    for name, address in (("here", None), ("there", cluster.address)):
        runs = tmp_path / name
        run_experiment(tmp_path / "small.toml", runs, data=tmp_path, cluster=address)
        kept = [runs / "records.jsonl", *sorted((runs / "jobs").glob("*.safetensors"))]
        results.append({path.name: path.read_bytes() for path in kept})
    assert results[0] == results[1]
    assert len(results[0]) == 1 + 4


def test_workers_have_our_version(
    cluster: Cluster, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_pool, "__version__", "99.0")
    with pytest.raises(ExperimentError, match=r"tcp://.* has Byline .*, and this is Byline 99\.0"):
        DaskPool(work.Work(0), cluster.address).__enter__()
    with pytest.raises(ExperimentError, match=r"has Byline 99\.0, and this is Byline 1\.0"):
        run_task_on_worker("key", "1.0", work.Task("add", 1))


def test_a_worker_that_cannot_do_such_jobs(
    cluster: Cluster, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with DaskPool(work.Work(0), cluster.address) as pool:
        pool._key = "never sent"
        pool.submit(work.Task("add", 1))
        with pytest.raises(ExperimentError, match=r"cannot do these jobs: KeyError: 'never sent'"):
            run_all(pool, [])
            for _ in range(SECONDS_FOR_ALL):
                pool.wait(1)


def test_a_cluster_without_workers_and_one_whose_scheduler_dies(
    tmp_path: Path, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_pool, "SECONDS_FOR_WORKERS", 0.2)
    with cluster_in(tmp_path) as cluster:
        with pytest.raises(ExperimentError, match="has no worker; start some"):
            DaskPool(work.Work(0), cluster.address).__enter__()
        monkeypatch.undo()
        for folder in WORK_FOLDERS:
            monkeypatch.syspath_prepend(folder)
        cluster.start_worker(n_threads=2)
        with contextlib.ExitStack() as stack:
            with pytest.warns(BylineWarning, match="several threads"):
                pool = stack.enter_context(DaskPool(work.Work(0), cluster.address))
            pool.submit(work.Task("sleep", 60))
            assert pool.wait(0.2) == []
            cluster.kill_scheduler()
            with pytest.raises(ExperimentError, match="is gone"):
                for _ in range(SECONDS_FOR_ALL):
                    pool.wait(1)


def test_no_scheduler_answers(work: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_pool, "SECONDS_TO_CONNECT", 0.2)
    with pytest.raises(ExperimentError, match="no Dask scheduler answers at"):
        DaskPool(work.Work(0), "tcp://127.0.0.1:1").__enter__()
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(ExperimentError, match="timed out"):
            DaskPool(work.Work(0), address).__enter__()


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH_9.6\r\n"])
def test_something_else_answers(work: Any, greeting: bytes) -> None:
    def greet(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection:
            connection.sendall(greeting)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=greet, args=(server,))
        thread.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ExperimentError, match="something else answers there"):
            DaskPool(work.Work(0), address).__enter__()
        thread.join()


@pytest.mark.parametrize(
    "address", ["", "foo", "127.0.0.1:8786", "http://a:1", "tcp://a", "tcp://a:b", "tcp://a:1/x"]
)
def test_what_is_no_address(work: Any, address: str) -> None:
    with pytest.raises(UsageError, match=r"is not the address .* write tcp://HOST:PORT"):
        DaskPool(work.Work(0), address)


def test_without_dask(work: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r'pip install "byline\[dask\]"'):
        DaskPool(work.Work(0), "tcp://127.0.0.1:1")


def test_a_result_that_was_lost_is_waited_for(work: Any) -> None:
    """If a worker dies before the result of its task is fetched, the task runs again."""

    class Future:
        key = "k"
        timeouts = 1

        def add_done_callback(self, call: Callable[[Any], None]) -> None:
            call(self)

        def result(self, timeout: float) -> TaskOutcome:
            if self.timeouts:
                self.timeouts -= 1
                raise TimeoutError
            return TaskOutcome(result=5, environment={})

    pool, future, task = DaskPool(work.Work(0), "tcp://127.0.0.1:1"), Future(), work.Task("add")
    pool._tasks["k"] = future, task
    future.add_done_callback(pool._ended.put)
    assert pool.wait(1) == []
    ((found, outcome),) = pool.wait(1)
    assert (found, outcome.result) == (task, 5)
    assert pool.wait(0) == []
