"""How long the rest takes, shares of the jobs, and what differs between two runs."""

from __future__ import annotations

import pytest

from byline.errors import UsageError
from byline.experiments.runner.jobs import Job
from byline.experiments.runner.loop import Share
from byline.experiments.runner.preparation import differences
from byline.experiments.runner.status import Pace


def record(model: str, seconds: float, trial: int | None = None) -> dict[str, object]:
    return {"job": "j", "model": model, "trial": trial, "made": {"seconds": seconds}}


CHEAP, DEAR, TRIAL = ("kn", False), ("nn", False), ("nn", True)


def test_time_left_is_by_kind() -> None:
    # n-grams take 2 s on average, networks 100 s: 3 * 2 + 2 * 100
    pace = Pace([record("kn", 1), record("kn", 3), record("nn", 100)])
    assert pace.left([CHEAP] * 3 + [DEAR] * 2) == (206.0, False)
    assert pace.mean(CHEAP) == 2.0


def test_time_left_where_nothing_is_known_of_some_jobs() -> None:
    pace = Pace([record("kn", 2)])
    assert pace.left([CHEAP, DEAR]) == (2.0, True)
    assert pace.left([DEAR]) == (None, True)
    assert pace.left([]) == (0, False)
    assert pace.mean(DEAR) is None
    pace.add({"job": "j", "model": "nn", "trial": None, "failed": "why"})
    assert pace.left([DEAR]) == (None, True)


def test_jobs_that_come_later_are_trials() -> None:
    # 1 * 2 + (1 + 3) * 50
    pace = Pace([record("kn", 2), record("nn", 50, trial=0)])
    assert pace.left([CHEAP, TRIAL], n_later=3) == (202.0, False)
    assert Pace([record("kn", 2)]).left([CHEAP], n_later=3) == (2.0, True)


def test_every_job_falls_to_one_share() -> None:
    jobs = [Job(split="s", seed=n, model="kn", author="ann") for n in range(100)]
    taken = [[share.takes(job) for job in jobs] for share in (Share(n, 4) for n in (1, 2, 3, 4))]
    assert [sum(column) for column in zip(*taken, strict=True)] == [1] * 100
    assert all(sum(row) > 10 for row in taken)
    assert all(Share().takes(job) for job in jobs)


def test_a_search_and_what_hangs_on_it_fall_to_one_share() -> None:
    trials = [Job(split="s", seed=0, model="nn", author="ann", trial=n) for n in range(20)]
    tuned = Job(split="s", seed=1, model="best", author="ann", depends_on_search=True)
    assert (
        len({tuple(Share(n, 5).takes(job) for n in range(1, 6)) for job in [*trials, tuned]}) == 1
    )


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/", "a/b", "1/3/5", "-1/3", "1/0", ""])
def test_what_is_no_share(text: str) -> None:
    with pytest.raises(UsageError, match="is no share"):
        Share.parse(text)


def test_shares_are_read() -> None:
    assert Share.parse("2/8") == Share(2, 8)
    assert Share.parse("1/1") == Share()


def test_differences() -> None:
    old = {"a": {"b": 1, "c": [1, 2], "d": None}, "e": "x"}
    new = {"a": {"b": 1, "c": [1, 3], "f": 2.5}, "e": {"y": 1}}
    assert differences(old, new, "") == [
        "a.c: [1, 2] there, [1, 3] here",
        "a.d: null there, nothing here",
        "a.f: nothing there, 2.5 here",
        'e: "x" there, {"y": 1} here',
    ]
    assert differences(old, old, "") == []
    (long,) = differences("x" * 1000, "y", "title")
    assert len(long) < 120
