"""The loop of a run, with a pool that does jobs in this process, in any order."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Self

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from byline.errors import BylineWarning, ExperimentError, OutputError
from byline.experiments.runner.loop import JobShare, RunLoop
from byline.experiments.runner.plan import Job, JobPlan
from byline.experiments.runner.run_directory import RunDirectory
from byline.experiments.runner.status import RunProgress
from byline.processes.task import TaskOutcome, execution_environment, run_task

MakePlan = Callable[..., JobPlan]
N_JOBS = 2 * 2 * 2 + 5 + 2


class InlinePool:
    """Ends the jobs that it holds in a random order.

    Parameters
    ----------
    work : callable
    n_workers : int
    seed : int
    dying : mapping of job's name to int
        How many times its process dies.
    """

    def __init__(
        self, work: Any, n_workers: int = 2, seed: int = 0, dying: Mapping[str, int] | None = None
    ) -> None:
        self.work = work
        self.n_workers = self.capacity = n_workers
        self.random = Random(seed)  # noqa: S311
        self.dying = dict(dying or {})
        self.held: list[Job] = []
        self.held_beside: dict[str, set[int]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.held.clear()

    def submit(self, task: Any) -> None:
        self.held.append(task)
        assert len(self.held) <= self.capacity

    def wait(self, seconds: float) -> list[tuple[Job, TaskOutcome]]:
        for job in self.held:
            self.held_beside.setdefault(job.name, set()).add(len(self.held))
        n = self.random.randint(1, len(self.held))
        ended = self.random.sample(self.held, n)
        self.held = [job for job in self.held if job not in ended]
        return [(job, self.outcome(job)) for job in ended]

    def outcome(self, job: Job) -> TaskOutcome:
        if self.dying.get(job.name, 0):
            self.dying[job.name] -= 1
            return TaskOutcome(
                error="its process was killed", died=True, environment=execution_environment()
            )
        return run_task(self.work, job)


@pytest.fixture
def loop(make_plan: MakePlan, tmp_path: Path) -> Callable[..., RunLoop]:
    """Create the loop of a run in ``tmp_path / folder``."""

    def start(
        *authors: str, folder: str = "run", changes: Mapping[str, Any] | None = None, **options: Any
    ) -> RunLoop:
        return RunLoop(
            make_plan(*authors, **(changes or {})), started(tmp_path / folder), **options
        )

    return start


def started(path: Path) -> RunDirectory:
    directory = RunDirectory(path)
    directory.start({"configuration": {}})
    return directory


def files(path: Path) -> dict[str, bytes]:
    """Files that must not depend on what happened during the run: records and arrays."""
    wanted = [path / "records.jsonl", *path.glob("jobs/*.safetensors")]
    return {file.name: file.read_bytes() for file in wanted}


def test_all_jobs_run_once(loop: Callable[..., RunLoop], work: Any, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    run = loop()
    run.run(InlinePool(work.JobWork(notes)))
    end = run.summary()
    assert (end.done, end.total, end.failed, end.running) == (N_JOBS, N_JOBS, 0, 0)
    assert {file.name: file.read_text() for file in notes.iterdir()} == dict.fromkeys(run.done, "x")
    again = loop()
    assert not again.is_work_left()
    assert again.done == run.done


def test_jobs_finished_by_another_process_are_not_repeated(
    loop: Callable[..., RunLoop], work: Any, tmp_path: Path
) -> None:
    attempted: list[str] = []

    def noting(job: Job) -> Any:
        attempted.append(job.name)
        return work.result_of(job)

    first, second = loop(), loop()
    first.run(InlinePool(noting))
    assert second.is_work_left()
    second.run(InlinePool(noting))
    assert len(attempted) == len(set(attempted)) == N_JOBS
    assert second.done == first.done
    assert second.summary() == first.summary()


@pytest.mark.parametrize(
    "stray",
    [
        {"model": "other"},
        {"author": "eve"},
        {"split": "t"},
        {"seed": 7},
        {"model": "best"},  # no setting was searched for bob
        {"trial": 0},
        {"trial": 0, "model": "nn", "seed": 1},
    ],
)
def test_records_of_other_runs_are_ignored(
    loop: Callable[..., RunLoop], work: Any, stray: dict[str, Any]
) -> None:
    place = {"split": "s", "seed": 0, "model": "kn", "author": "bob", "trial": None, **stray}
    result = work.result_of(Job(**place))
    started(loop().directory.path).save(result.record, {}, {"seconds": 1, "cpu_seconds": 1})
    with pytest.warns(BylineWarning, match="belongs to no job of this run"):
        run = loop(share=JobShare(1, 2))
    assert run.done == {}


def test_max_concurrent_jobs(loop: Callable[..., RunLoop], work: Any) -> None:
    run = loop()
    assert run.max_concurrent_jobs() == N_JOBS
    run.run(InlinePool(work.result_of))
    assert run.max_concurrent_jobs() == 1
    by_time = {"model": "nn", "split": "s", "authors": ["ann"], "minutes": 5, "settings": None}
    assert loop(folder="by-time", changes={"search": by_time}).max_concurrent_jobs() > 10**6


def test_failed_jobs_are_listed_and_the_rest_is_finished(
    loop: Callable[..., RunLoop], work: Any, tmp_path: Path
) -> None:
    run = loop("ann", "diverging")
    run.run(InlinePool(work.JobWork(tmp_path)))
    with pytest.raises(ExperimentError) as raised:
        run.summary()
    assert raised.value.exit_code == 8
    message = str(raised.value)
    assert f"4 of {N_JOBS} jobs failed" in message
    assert "s.1.nn.diverging: the cost of s.1.nn.diverging is not a number" in message
    assert len(run.done) == N_JOBS
    # They are not repeated.
    again = loop("ann", "diverging")
    assert not again.is_work_left()
    assert (
        again.done["s.0.kn.diverging"]["failed"] == "the cost of s.0.kn.diverging is not a number"
    )


def test_a_job_that_always_kills_its_process_fails(loop: Callable[..., RunLoop], work: Any) -> None:
    run = loop("ann", "killer", "bob")
    killers = [f"s.{seed}.{model}.killer" for seed in (0, 1) for model in ("kn", "nn")]
    run.run(InlinePool(work.result_of, n_workers=3, dying=dict.fromkeys(killers, 2)))
    failed = {name: record["failed"] for name, record in run.done.items() if "failed" in record}
    assert failed == dict.fromkeys(killers, "its process was killed")
    assert len(run.done) == N_JOBS + 4


def test_a_suspect_is_repeated_alone(loop: Callable[..., RunLoop], work: Any) -> None:
    run = loop("ann", "bob")
    suspects = [f"s.{seed}.kn.bob" for seed in (0, 1)]
    pool = InlinePool(work.result_of, n_workers=3, dying=dict.fromkeys(suspects, 1))
    run.run(pool)
    assert run.summary().failed == 0
    assert all(1 in pool.held_beside[name] for name in suspects)


def test_a_search_continues_after_a_suspect_trial(loop: Callable[..., RunLoop], work: Any) -> None:
    run = loop("ann", "bob")
    run.run(InlinePool(work.result_of, dying={"search.nn.ann.000": 1, "search.nn.ann.003": 1}))
    assert run.summary().done == N_JOBS


def test_failed_jobs_are_repeated_on_request(
    loop: Callable[..., RunLoop], work: Any, tmp_path: Path
) -> None:
    run = loop("ann", "diverging")
    run.run(InlinePool(work.JobWork(tmp_path)))
    again = loop("ann", "diverging")
    again.discard_failed()
    assert len(again.done) == N_JOBS - 4
    again.run(InlinePool(work.result_of))
    assert again.summary().failed == 0


def test_jobs_that_depend_on_a_failed_trial_are_discarded_with_it(
    loop: Callable[..., RunLoop], work: Any
) -> None:
    undisturbed = loop(folder="undisturbed")
    undisturbed.run(InlinePool(work.result_of))
    undisturbed.directory.write_records()

    def failing(job: Job) -> Any:
        if job.trial == 1:
            raise MemoryError
        return work.result_of(job)

    run = loop()
    run.run(InlinePool(failing))
    again = loop()
    again.discard_failed()
    trials = [name for name in again.done if name.startswith("search.")]
    assert trials == ["search.nn.ann.000"]
    assert "s.0.best.ann" not in again.done
    again.run(InlinePool(work.result_of))
    again.directory.write_records()
    assert files(again.directory.path) == files(undisturbed.directory.path)


def test_shares_divide_all_jobs(loop: Callable[..., RunLoop], work: Any, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    whole = loop(folder="whole")
    whole.run(InlinePool(work.result_of))
    whole.directory.write_records()
    sizes = []
    for number in (3, 1, 2):
        share = loop(share=JobShare(number, 3))
        share.run(InlinePool(work.JobWork(notes)))
        end = share.summary()
        share.directory.write_records()
        assert end.done == end.total
        sizes.append(end.done)
    assert sum(sizes) == N_JOBS
    assert {file.read_text() for file in notes.iterdir()} == {"x"}
    assert files(whole.directory.path) == files(tmp_path / "run")


def test_a_share_lists_its_own_failures(
    loop: Callable[..., RunLoop], work: Any, tmp_path: Path
) -> None:
    for number in (1, 2):
        run = loop("ann", "diverging", share=JobShare(number, 2))
        run.run(InlinePool(work.JobWork(tmp_path)))
    listed = set()
    for number in (1, 2):
        with pytest.raises(ExperimentError) as raised:
            loop("ann", "diverging", share=JobShare(number, 2)).summary()
        listed |= {line.split(":")[0].strip() for line in str(raised.value).splitlines()[1:]}
    assert listed == {f"s.{seed}.{model}.diverging" for seed in (0, 1) for model in ("kn", "nn")}


def test_progress(loop: Callable[..., RunLoop], work: Any) -> None:
    reported: list[RunProgress] = []
    run = loop(progress=reported.append)
    run.run(InlinePool(work.result_of, n_workers=2))
    assert reported[0] == RunProgress(
        done=0, failed=0, running=2, total=N_JOBS, seconds_left=None, at_least=True
    )
    assert [p.done for p in reported] == sorted(p.done for p in reported)
    assert {p.total for p in reported} == {N_JOBS}


class FullDisk(RunDirectory):
    """The folder of a run on a disk that is full after ``n_left`` files."""

    n_left: float = float("inf")

    def write(self, name: str, content: bytes) -> None:
        self.n_left -= 1
        if self.n_left < 0:
            raise OutputError("the disk is full")
        super().write(name, content)


@given(
    full_after=st.lists(st.integers(1, 12), max_size=4),
    seed=st.integers(0, 99),
    n_workers=st.integers(1, 4),
    suspects=st.sets(st.sampled_from(["s.0.kn.bob", "s.1.nn.ann", "search.nn.ann.001"])),
)
@settings(
    deadline=None, max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_result_does_not_depend_on_interruptions(
    make_plan: MakePlan,
    work: Any,
    full_after: list[int],
    seed: int,
    n_workers: int,
    suspects: set[str],
) -> None:
    """Processes die and the run ends at any write: no job is repeated, no file differs."""
    with tempfile.TemporaryDirectory() as folder:
        undisturbed = RunLoop(make_plan(), started(Path(folder, "undisturbed")))
        undisturbed.run(InlinePool(work.result_of))
        undisturbed.directory.write_records()
        started(Path(folder, "run"))
        for n_files in [*full_after, 1000]:
            directory = FullDisk(Path(folder, "run"))
            directory.n_left = n_files
            run = RunLoop(make_plan(), directory)
            before, attempted = set(run.done), list[str]()

            def noting(job: Job, attempted: list[str] = attempted) -> Any:
                attempted.append(job.name)
                return work.result_of(job)

            with contextlib.suppress(OutputError):
                run.run(InlinePool(noting, n_workers, seed, dict.fromkeys(suspects, 1)))
                directory.write_records()
            assert not before & set(attempted)
            assert len(set(attempted)) == len(attempted)
        assert files(directory.path) == files(undisturbed.directory.path)


def test_an_output_error_ends_the_run_without_a_failed_job(
    make_plan: MakePlan, work: Any, tmp_path: Path
) -> None:
    started(tmp_path)
    directory = FullDisk(tmp_path)
    directory.n_left = 3
    run = RunLoop(make_plan(), directory)
    with pytest.raises(OutputError, match="full"):
        run.run(InlinePool(work.result_of))
    assert not any("failed" in record for record in RunDirectory(tmp_path).read_records().values())
