"""``byline experiment``: complete runs, with interruptions, failures and wrong input."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from byline.cli.experiment import RunLines, show_run_progress
from byline.errors import ExperimentError
from byline.experiments.runner.status import RunProgress
from byline.processes.task import TaskOutcome, run_task

pytestmark = pytest.mark.processes

Run = Callable[..., Any]

CONFIG = """
title = "Trees and beasts [small]"
authors = ["ann", "bob"]

[corpora.texts]
path = "texts"
form = "tokenised"

[splits.by-sentence]
corpus = "texts"
unit = "sentence"
seeds = [0, 1, 2]

[scoring]
sentence_start = true
sentence_end = true

[models.kn]
label = "n-grams [bi]"
kind = "ngram"
settings = { order = 2, smoothing = "witten-bell" }

[models.nn]
label = "network"
kind = "feedforward"
settings = { epochs = 10, patience = 10, embedding_dim = 4, hidden_dims = [5] }
attribution = false
seeds = { by-sentence = [0] }

[search]
model = "nn"
split = "by-sentence"
authors = ["ann"]
settings = 4
rounds = 2

[search.ranges]
hidden_dim = { low = 4, high = 20, whole = true }

[quick.splits.by-sentence]
seeds = [0]

[quick.search]
settings = 1
"""
N_JOBS = 3 * 2 + 2 + 4
"""Three splits of two authors with n-grams, one with networks, and four trials."""
WORDS = {"ann": "ash beech cedar the of", "bob": "ant bee cicada the of"}


class InlinePool:
    """A pool without processes, which runs a job when it is submitted."""

    def __init__(self, work: Any, n_workers: int) -> None:
        self.work = work
        self.n_workers = self.capacity = n_workers
        self.ended: list[tuple[Any, TaskOutcome]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.ended.clear()

    def submit(self, task: Any) -> None:
        self.ended.append((task, run_task(self.work, task)))

    def wait(self, seconds: float) -> list[tuple[Any, TaskOutcome]]:
        ended, self.ended = self.ended, []
        return ended


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run jobs in this process, for tests that are not about processes."""
    monkeypatch.setattr("byline.experiments.runner.loop.ProcessPool", InlinePool)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a configuration and its texts."""
    write_experiment(tmp_path)
    return tmp_path


def write_experiment(folder: Path) -> None:
    (folder / "small.toml").write_text(CONFIG)
    rng = np.random.default_rng(0)
    for author, words in WORDS.items():
        (folder / "texts" / author).mkdir(parents=True)
        text = "\n".join(map(" ".join, rng.choice(words.split(), (200, 6))))
        (folder / "texts" / author / "1.txt").write_text(text + "\n")


def result(runs: Path) -> dict[str, bytes]:
    """Return the files of a run that are the same in every run: those without durations."""
    kept = [path for path in runs.rglob("*") if path.suffix in (".safetensors", ".jsonl")]
    return {path.relative_to(runs).as_posix(): path.read_bytes() for path in kept}


@pytest.fixture(scope="module")
def undisturbed(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a finished run."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_experiment(folder)
    python = str(programs / "python")
    process = start(folder / "small.toml", "-o", folder / "runs", "-j", "2", python=python)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, b"")
    assert out.decode() == f"{folder / 'runs'}: {N_JOBS} of {N_JOBS} jobs finished\n"
    return folder / "runs"


def start(*args: str | Path, python: str = sys.executable) -> subprocess.Popen[bytes]:
    """Start ``byline experiment run`` in its own process group."""
    # Tests in the background may ignore interrupts, and their child processes inherit this.
    handler = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = f"{handler}; from byline.cli import main; main()"
    return subprocess.Popen(
        [python, "-c", command, "experiment", "run", *map(str, args)],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_complete_run(run: Run, folder: Path, undisturbed: Path) -> None:
    run_info = json.loads((undisturbed / "run.json").read_text())
    assert run_info["authors"] == ["ann", "bob"]
    assert run_info["corpora"]["texts"]["n_sentences"] == 400
    assert run_info["corpora"]["texts"]["n_tokens"] == 2400
    assert {"title", "configuration", "quick", "versions", "machine", "started"} <= run_info.keys()
    records = (undisturbed / "records.jsonl").read_text().splitlines()
    assert len(records) == N_JOBS
    job = json.loads((undisturbed / "jobs" / "by-sentence.0.kn.ann.json").read_text())
    assert job["execution"].keys() >= {"seconds", "cpu_seconds", "versions", "machine"}
    assert len(list((undisturbed / "splits").iterdir())) == 3

    before = {path: path.stat().st_mtime_ns for path in undisturbed.rglob("*.json")}
    again = run("experiment", "run", folder / "small.toml", "-o", undisturbed)
    assert again.code == 0
    assert {path: path.stat().st_mtime_ns for path in undisturbed.rglob("*.json")} == before

    shown = run("experiment", "status", undisturbed)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith(
        "Trees and beasts [small]\n12 of 12 jobs finished, 0 failed, none left"
    )
    assert "n-grams [bi]" in shown.out
    assert "network, search" in shown.out
    status = json.loads(run("experiment", "status", undisturbed, "--json").out)
    assert status["jobs"] == {"total": N_JOBS, "done": N_JOBS, "failed": 0, "left": 0}
    assert [row["done"] for row in status["models"]] == [6, 2, 4]


def wait_for_files(runs: Path, n: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a run has written ``n`` files, or has ended."""
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        if sum(path.is_file() for path in runs.rglob("*")) >= n:
            return
        time.sleep(0.001)


posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")


@posix
def test_killed_twice_and_resumed(
    run: Run, folder: Path, undisturbed: Path, programs: Path, copy_of: Callable[[int], int]
) -> None:
    runs = folder / "killed"
    # 1 configuration and 3 splits, then one or two files per job
    moments = sorted(random.Random(7).sample(range(2, 15), 2))  # noqa: S311
    n_killed, done = 0, set[Path]()
    for n_files, kill in zip(moments, (os.killpg, os.kill), strict=True):
        python = sys.executable if kill == os.killpg else str(programs / "python")
        process = start(folder / "small.toml", "-o", runs, "-j", "2", python=python)
        wait_for_files(runs, n_files, process)
        kill(copy_of(process.pid), signal.SIGKILL)
        n_killed += process.wait() == -signal.SIGKILL
        process.communicate()
        times = {path: path.stat().st_mtime_ns for path in (runs / "jobs").glob("*.json")}
        assert done <= times.keys()
        done = set(times)
    assert n_killed > 0
    ended = run("experiment", "run", folder / "small.toml", "-o", runs, "-j", "1")
    assert ended.code == 0, ended
    assert all(path.stat().st_mtime_ns == at for path, at in times.items())
    assert result(runs) == result(undisturbed)


@posix
def test_interrupted(run: Run, folder: Path) -> None:
    runs = folder / "runs"
    # Networks that train for a long time, so that the run does not end before the interrupt.
    long = CONFIG.replace("epochs = 10, patience = 10", "epochs = 40000, patience = 40000")
    (folder / "small.toml").write_text(long)
    process = start(folder / "small.toml", "-o", runs, "-j", "1")
    wait_for_files(runs, 7, process)
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    note = f"note: finished jobs are in {runs}; run the same command again to resume\n"
    assert err.decode() == note
    status = json.loads(run("experiment", "status", runs, "--json").out)["jobs"]
    assert status["total"] == N_JOBS
    assert status["left"] == N_JOBS - status["done"] > 0


@pytest.mark.usefixtures("inline")
def test_a_full_disk_ends_the_run_and_the_same_command_resumes_it(
    run: Run, folder: Path, undisturbed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = folder / "runs"
    command = ("experiment", "run", folder / "small.toml", "-o", runs, "-j", "1")
    fsync, calls = os.fsync, list[int]()

    def full(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) > 7:  # 4 files are the configuration and 3 splits; a job has two files
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        ended = run(*command)
    assert ended.code == 7
    (error,) = ended.err.splitlines()
    assert "No space left on device; correct this or make room on the disk" in error
    status = json.loads(run("experiment", "status", runs, "--json").out)["jobs"]
    assert status == {"total": N_JOBS, "done": 1, "failed": 0, "left": N_JOBS - 1}
    assert run(*command).code == 0
    assert result(runs) == result(undisturbed)


@pytest.mark.usefixtures("inline")
def test_two_shares_make_a_complete_run(run: Run, folder: Path, undisturbed: Path) -> None:
    runs = folder / "shared"
    for share in ("2/2", "1/2"):
        command = ("experiment", "run", folder / "small.toml", "-o", runs, "-j", "1")
        assert run(*command, "--shard", share).code == 0
    assert result(runs) == result(undisturbed)


def test_another_experiment_is_refused(run: Run, folder: Path) -> None:
    config, runs = folder / "small.toml", folder / "runs"
    # This share has no jobs.
    command = ("experiment", "run", config, "-o", runs, "--shard", "999/1000")
    assert run(*command).code == 0
    (runs / "jobs" / "by-sentence.0.kn.ann.json").touch()  # otherwise the run would be replaced
    before = (runs / "run.json").read_bytes()

    ended = run(*command, "--quick")
    assert ended.code == 2
    assert "--quick: was false, is true" in ended.err

    config.write_text(CONFIG.replace("order = 2", "order = 3").replace("epochs = 10", "epochs = 4"))
    ended = run(*command)
    assert ended.code == 2
    assert "configuration.models.kn.settings.order: was 2, is 3" in ended.err
    assert "configuration.models.nn.settings.epochs: was 10, is 4" in ended.err

    config.write_text(CONFIG)
    text = folder / "texts" / "bob" / "1.txt"
    text.write_text("a new sentence\n" + text.read_text())
    ended = run(*command)
    assert ended.code == 2
    assert "texts.texts: " in ended.err
    assert (runs / "run.json").read_bytes() == before


def test_other_versions_give_a_warning(run: Run, folder: Path) -> None:
    runs = folder / "runs"
    command = ("experiment", "run", folder / "small.toml", "-o", runs, "--shard", "999/1000")
    assert run(*command).err == ""
    run_info = json.loads((runs / "run.json").read_text())
    run_info["versions"]["numpy"] = "1.0"
    (runs / "run.json").write_text(json.dumps(run_info))
    ended = run(*command)
    assert ended.code == 0
    assert ended.err.startswith("warning: ")
    assert 'numpy: was "1.0", is ' in ended.err


@pytest.mark.usefixtures("inline")
def test_a_diverging_network_is_a_failed_job(run: Run, folder: Path) -> None:
    config, runs = folder / "small.toml", folder / "runs"
    text = CONFIG.partition("[search]")[0].replace("epochs = 10", "learning_rate = 1e9")
    config.write_text(text)
    ended = run("experiment", "run", config, "-o", runs, "-j", "1")
    assert ended.code == ExperimentError.exit_code
    assert ended.err.startswith("error: 2 of 8 jobs failed; all others are finished")
    assert "by-sentence.0.nn.bob: " in ended.err
    assert len((runs / "records.jsonl").read_text().splitlines()) == 8
    shown = run("experiment", "status", runs)
    assert shown.code == ExperimentError.exit_code
    assert "6 of 8 jobs finished, 2 failed, none left" in shown.out
    assert "by-sentence.0.nn.ann: " in shown.out


def test_wrong_arguments(run: Run, folder: Path) -> None:
    config, runs = folder / "small.toml", folder / "runs"
    cases: list[tuple[int, str, tuple[str | Path, ...]]] = [
        (2, "is not a share", (config, "-o", runs, "--shard", "3/2")),
        (2, "is not a share", (config, "-o", runs, "--shard", "")),
        (2, "is not the address of a Dask scheduler", (config, "-o", runs, "--cluster", "")),
        (
            2,
            "is not the address of a Dask scheduler",
            (config, "-o", runs, "--cluster", "http://a:1"),
        ),
        (2, "--jobs", (config, "-o", runs, "-j", "0")),
        (
            2,
            "--jobs and --cluster exclude each other",
            (config, "-o", runs, "-j", "1", "--cluster", "tcp://a:1"),
        ),
        (2, "ge_sun_2016.toml", ("no.toml", "-o", runs)),
        (2, "holds files that are not of a run", (config, "-o", folder)),
        (3, "lectures16", ("ge_sun_2016.toml", "-o", runs, "--data", folder)),
        (3, "elsewhere", (config, "-o", runs, "--data", folder / "elsewhere")),
    ]
    for code, named, args in cases:
        ended = run("experiment", "run", *args)
        assert ended.code == code, (args, ended)
        assert named in ended.err, (args, ended)
        assert not runs.exists()
    ended = run("experiment", "status", folder / "none")
    assert (ended.code, ended.out) == (2, "")
    assert "is not the folder of an experiment" in ended.err


def test_an_impossible_configuration_writes_no_file(run: Run, folder: Path) -> None:
    config, runs = folder / "small.toml", folder / "runs"
    for faulty in (
        CONFIG.replace('authors = ["ann"]', 'authors = ["eve"]'),
        CONFIG.replace("hidden_dim =", "nonsense ="),
    ):
        config.write_text(faulty)
        assert run("experiment", "run", config, "-o", runs).code == 2
        assert not runs.exists()


def test_no_more_processes_than_jobs(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers: list[int] = []

    def counting(work: Any, n_workers: int) -> InlinePool:
        numbers.append(n_workers)
        return InlinePool(work, 2)

    monkeypatch.setattr("byline.experiments.runner.loop.ProcessPool", counting)
    command = ("experiment", "run", folder / "small.toml", "-o", folder / "runs", "--quick")
    assert run(*command, "-j", "1000").code == 0
    assert numbers == [2 + 2 + 1]


def test_lines_of_progress() -> None:
    times, lines = [0.0], list[str]()
    shown = RunLines(
        "experiment",
        clock=lambda: times[-1],
        write=lambda title, message: lines.append(f"{title}: {message}"),
    )
    for now, done, failed, seconds, at_least in (
        (29.0, 1, 0, 10.0, False),
        (31.0, 2, 0, None, True),
        (45.0, 3, 0, 60.0, False),
        (61.0, 4, 0, 600.0, True),
        (95.0, 5, 1, 90.0, False),
    ):
        times.append(now)
        shown(
            RunProgress(
                done=done,
                failed=failed,
                running=2,
                total=9,
                seconds_left=seconds,
                at_least=at_least,
            )
        )
    assert lines == [
        "experiment: 2 of 9 jobs, 2 running",
        "experiment: 4 of 9 jobs, 2 running, at least 10 min left",
        "experiment: 5 of 9 jobs, 2 running, 1 failed, about 90 s left",
    ]


def test_a_bar_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with show_run_progress("experiment") as report_progress:
        report_progress(
            RunProgress(done=3, failed=0, running=2, total=9, seconds_left=90.0, at_least=False)
        )
    assert "3/9" in capsys.readouterr().err
