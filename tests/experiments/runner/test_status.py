"""The estimate of the time left, shares of the jobs, and differences between two runs."""

from __future__ import annotations

import pytest

from byline.errors import UsageError
from byline.experiments.runner.loop import JobShare
from byline.experiments.runner.plan import Job
from byline.experiments.runner.preparation import differences
from byline.experiments.runner.status import JobDurations


def record(model: str, seconds: float, trial: int | None = None) -> dict[str, object]:
    return {"job": "j", "model": model, "trial": trial, "execution": {"seconds": seconds}}


FAST, SLOW, TRIAL = ("kn", False), ("nn", False), ("nn", True)


def test_time_left_by_job_type() -> None:
    # n-grams take 2 s on average, networks 100 s: 3 * 2 + 2 * 100
    durations = JobDurations([record("kn", 1), record("kn", 3), record("nn", 100)])
    assert durations.seconds_left([FAST] * 3 + [SLOW] * 2) == (206.0, False)
    assert durations.mean(FAST) == 2.0


def test_time_left_with_job_types_of_unknown_duration() -> None:
    durations = JobDurations([record("kn", 2)])
    assert durations.seconds_left([FAST, SLOW]) == (2.0, True)
    assert durations.seconds_left([SLOW]) == (None, True)
    assert durations.seconds_left([]) == (0, False)
    assert durations.mean(SLOW) is None
    durations.add({"job": "j", "model": "nn", "trial": None, "failed": "why"})
    assert durations.seconds_left([SLOW]) == (None, True)


def test_later_jobs_are_assumed_to_be_trials() -> None:
    # 1 * 2 + (1 + 3) * 50
    durations = JobDurations([record("kn", 2), record("nn", 50, trial=0)])
    assert durations.seconds_left([FAST, TRIAL], n_later=3) == (202.0, False)
    assert JobDurations([record("kn", 2)]).seconds_left([FAST], n_later=3) == (2.0, True)


def test_every_job_is_in_one_share() -> None:
    jobs = [Job(split="s", seed=n, model="kn", author="ann") for n in range(100)]
    taken = [
        [share.includes(job) for job in jobs] for share in (JobShare(n, 4) for n in (1, 2, 3, 4))
    ]
    assert [sum(column) for column in zip(*taken, strict=True)] == [1] * 100
    assert all(sum(row) > 10 for row in taken)
    assert all(JobShare().includes(job) for job in jobs)


def test_a_search_and_the_jobs_that_depend_on_it_are_in_one_share() -> None:
    trials = [Job(split="s", seed=0, model="nn", author="ann", trial=n) for n in range(20)]
    tuned = Job(split="s", seed=1, model="best", author="ann", depends_on_search=True)
    assert (
        len({tuple(JobShare(n, 5).includes(job) for n in range(1, 6)) for job in [*trials, tuned]})
        == 1
    )


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/", "a/b", "1/3/5", "-1/3", "1/0", ""])
def test_invalid_shares_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a share"):
        JobShare.parse(text)


def test_shares_are_read() -> None:
    assert JobShare.parse("2/8") == JobShare(2, 8)
    assert JobShare.parse("1/1") == JobShare()


def test_differences() -> None:
    old = {"a": {"b": 1, "c": [1, 2], "d": None}, "e": "x"}
    new = {"a": {"b": 1, "c": [1, 3], "f": 2.5}, "e": {"y": 1}}
    assert list(differences(old, new)) == [
        "a.c: was [1, 2], is [1, 3]",
        "a.d: was null, is missing",
        "a.f: was missing, is 2.5",
        'e: was "x", is {"y": 1}',
    ]
    assert list(differences(old, old)) == []
    (long,) = differences("x" * 1000, "y", "title")
    assert len(long) < 120
