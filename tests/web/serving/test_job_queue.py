"""Jobs: a bounded queue, time limits, workers that die, and results that are deleted."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from byline.errors import BylineError, ModelFileError, UsageError
from byline.processes import child
from byline.web import job_queue
from byline.web import workers as worker_threads
from byline.web.data_folder import DataFolder
from byline.web.job_queue import BusyError, JobQueue
from byline.web.jobs import AskResult, JobKind, JobState, JobStatus
from byline.web.messages import GIVEN, Add, Ask, ModelFile, Upload, WorkerSettings
from byline.web.workers import Workers

Sentences = Callable[[str, int, int], str]
Begin = Callable[..., str]
CopyOf = Callable[[int], int]
SECONDS = 60.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    return DataFolder.open(tmp_path_factory.mktemp("own") / "page")


@pytest.fixture(scope="module")
def model(language_models: Path) -> ModelFile:
    return ModelFile(GIVEN, "models.byline", language_models)


@pytest.fixture(scope="module")
def defects() -> list[tuple[str, str]]:
    return []


@pytest.fixture(scope="module")
def queue(folder: DataFolder) -> JobQueue:
    return JobQueue(folder)


@pytest.fixture(scope="module", autouse=True)
def workers(queue: JobQueue, model: ModelFile, defects: list[tuple[str, str]]) -> Iterator[Workers]:
    def on_defect(where: str, name: str) -> None:
        defects.append((where, name))

    opened = Workers(WorkerSettings(model, None, None), queue, 1, on_defect)
    yield opened
    opened.close()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def no_defect(where: str, name: str) -> None:
    raise AssertionError(f"{name} in {where}")


@pytest.fixture
def ask(queue: JobQueue, folder: DataFolder, model: ModelFile, sentences: Sentences) -> Begin:
    """Start a question about a number of sentences."""

    def begin(n_sentences: int = 12, kind: JobKind = JobKind.ASK) -> str:
        job = queue.open_job()
        path = folder.job(job) / "1"
        path.write_text(sentences("ada", n_sentences, 1))
        queue.submit(job, kind, "a text", Ask(model, (Upload(path, "a text", False),), False))
        return job

    return begin


def ended(queue: JobQueue, job: str) -> JobStatus:
    """Wait until a job is over."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        found = queue.get(job)
        assert found is not None
        if found.state.is_over:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{found} after {SECONDS} s")


def running(queue: JobQueue, job: str, copy_of: CopyOf) -> int:
    """Wait until a job is running, and return the number of its process, or of the copy for it."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        entry = queue._entries[job]
        if entry.state is JobState.RUNNING and entry.child and entry.step.done > 1:
            return copy_of(entry.child.pid)
        time.sleep(0.01)
    raise AssertionError(f"{job} does not run")


def test_a_job_is_done_and_its_files_are_gone(
    queue: JobQueue, folder: DataFolder, ask: Begin
) -> None:
    job = ask()
    assert folder.job(job).is_dir()
    result = ended(queue, job).result
    assert isinstance(result, AskResult)
    assert result.model.authors == ("ada", "ben")
    assert result.case["questioned"][0]["ranking"][0]["author"] == "ada"
    assert not folder.job(job).exists()
    assert queue.get("none") is None


def test_jobs_are_done_in_order(queue: JobQueue, ask: Begin, copy_of: CopyOf) -> None:
    slow = ask(1_500)
    running(queue, slow, copy_of)
    later = [ask() for _ in range(3)]
    places = [queue.get(job) for job in later]
    assert [job.ahead for job in places if job] == [1, 2, 3]
    queue.stop(later[1])
    assert ended(queue, later[1]).state is JobState.STOPPED
    assert [job.ahead for job in map(queue.get, later) if job] == [1, 0, 2]
    queue.stop(slow)
    assert ended(queue, later[0]).state is ended(queue, later[2]).state is JobState.DONE


def test_stopping_a_job_does_not_wait(
    queue: JobQueue, folder: DataFolder, ask: Begin, copy_of: CopyOf
) -> None:
    job = ask(3_000)
    pid = running(queue, job, copy_of)
    started = time.monotonic()
    queue.stop(job)
    found = queue.get(job)
    assert found is not None
    assert found.state is JobState.STOPPED
    assert time.monotonic() - started < 0.5
    until = time.monotonic() + 10
    while (folder.job(job).exists() or is_alive(pid)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not folder.job(job).exists()
    assert not is_alive(pid)
    queue.stop(job)  # it has been stopped already
    assert ended(queue, ask()).state is JobState.DONE


def test_a_killed_worker_fails_only_its_job(queue: JobQueue, ask: Begin, copy_of: CopyOf) -> None:
    job = ask(3_000)
    os.kill(running(queue, job, copy_of), signal.SIGKILL)
    failed = ended(queue, job)
    assert failed.state is JobState.FAILED
    assert "killed (SIGKILL; out of memory?)" in (failed.error or "")
    assert ended(queue, ask()).state is JobState.DONE


def test_a_job_that_takes_too_long_fails(
    queue: JobQueue, ask: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ended(queue, ask()).state is JobState.DONE  # a worker is ready
    monkeypatch.setitem(worker_threads.MAX_SECONDS, JobKind.ASK, 0.2)
    failed = ended(queue, ask(20_000))
    assert failed.state is JobState.FAILED
    assert "longer than" in (failed.error or "")
    monkeypatch.undo()
    assert ended(queue, ask()).state is JobState.DONE


def test_the_number_of_waiting_jobs_is_limited(
    queue: JobQueue,
    folder: DataFolder,
    ask: Begin,
    copy_of: CopyOf,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job_queue, "MAX_WAITING", 2)
    slow = ask(3_000)
    running(queue, slow, copy_of)
    waiting = [ask(), ask()]
    opened = {path.name for path in folder.job("").iterdir()}
    with pytest.raises(BusyError, match="2 other jobs are waiting"):
        ask()
    assert {path.name for path in folder.job("").iterdir()} == opened
    queue.stop(slow)
    assert {ended(queue, job).state for job in waiting} == {JobState.DONE}


def test_the_number_size_and_age_of_results_are_limited(
    queue: JobQueue, ask: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [ask() for _ in range(3)]
    for job in jobs:
        ended(queue, job)
    monkeypatch.setattr(job_queue, "MAX_RESULTS", 2)
    assert [queue.get(job) is None for job in jobs] == [True, False, False]
    monkeypatch.setattr(
        job_queue, "MAX_RESULT_BYTES", len(queue._entries[jobs[2]].result or b"") + 1
    )
    assert [queue.get(job) is None for job in jobs] == [True, True, False]
    monkeypatch.setattr(job_queue, "SECONDS_KEPT", 0.0)
    assert queue.get(jobs[2]) is None


def test_a_defect_is_reported_by_its_name_only(
    queue: JobQueue, folder: DataFolder, model: ModelFile, defects: list[tuple[str, str]]
) -> None:
    job = queue.open_job()
    upload = Upload(folder.job(job) / "not there", "a secret name", True)
    queue.submit(job, JobKind.ASK, "a text", Ask(model, (upload,), False))
    failed = ended(queue, job)
    assert failed.state is JobState.FAILED
    assert failed.error == "there is a defect in Byline (FileNotFoundError); this cannot be done"
    assert defects[-1] == ("ask", "FileNotFoundError")


def test_a_result_that_cannot_be_kept_fails_the_job(queue: JobQueue, folder: DataFolder) -> None:
    job = queue.open_job()
    path = folder.job(job) / "1"
    path.write_text("Some words.")
    (folder.job(job) / "read").mkdir()
    task = Add("ada", (Upload(path, "a text", False),), folder.job(job) / "read")

    def finish(result: object) -> AskResult:
        raise UsageError("there is no room")

    queue.submit(job, JobKind.ADD, "a text", task, finish=finish)
    assert ended(queue, job).error == "there is no room"


def test_a_model_is_described_or_an_error_is_raised(
    workers: Workers, model: ModelFile, tmp_path: Path
) -> None:
    card = workers.describe(model).card
    assert (card.authors, card.can_grow, card.performance) == (("ada", "ben"), True, None)
    missing = ModelFile("7", "gone.byline", tmp_path / "gone.byline")
    with pytest.raises(ModelFileError, match=r"gone\.byline"):
        workers.describe(missing)


@pytest.mark.skipif(sys.platform != "linux", reason="there alone is memory bounded")
def test_a_job_that_needs_too_much_memory_fails_alone(
    folder: DataFolder, model: ModelFile, sentences: Sentences, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A copy begins with more memory.
    monkeypatch.setattr(child, "_start", child._start.__wrapped__)  # type: ignore[attr-defined]
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    queue = JobQueue(folder)
    workers = Workers(
        WorkerSettings(model, None, None, memory_share=400e6 / whole), queue, 1, no_defect
    )
    try:
        workers.describe(model)
        for n_bytes, state in ((150_000_000, JobState.FAILED), (10_000, JobState.DONE)):
            job = queue.open_job()
            path = folder.job(job) / "1"
            text = sentences("ada", 100, 1)
            with path.open("w") as stream:
                for _ in range(n_bytes // len(text) + 1):
                    stream.write(text)
            queue.submit(job, JobKind.ASK, "x", Ask(model, (Upload(path, "x", False),), False))
            found = ended(queue, job)
            assert found.state is state
            assert "not enough memory" in (found.error or "not enough memory")
    finally:
        workers.close()


def test_workers_that_cannot_start(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_threads, "SECONDS_BETWEEN_STARTS", 0.0)
    monkeypatch.setattr(worker_threads, "serve_tasks", os._exit)
    model = ModelFile(GIVEN, "models.byline", Path("models.byline"))
    workers = Workers(WorkerSettings(model, None, None), JobQueue(folder), 1, no_defect)
    try:
        with pytest.raises(BylineError, match="no process could be started"):
            workers.describe(model)
    finally:
        workers.close()
