from __future__ import annotations

import random
from typing import Any

import pytest

from byline.errors import UsageError
from byline.experiments.runner.config import ExperimentConfig, merge_settings, parse_config
from byline.experiments.runner.plan import Job, JobPlan

AUTHORS = ("ann", "bob", "eve")
CONFIG: dict[str, Any] = {
    "title": "t",
    "scoring": {"sentence_start": False, "sentence_end": False},
    "corpora": {"c": {"path": "c", "form": "text"}},
    "splits": {
        "s": {"corpus": "c", "unit": "sentence", "seeds": [0, 1]},
        "d": {"corpus": "c", "unit": "document", "seeds": [0]},
    },
    "models": {
        "nn": {"label": "network", "kind": "feedforward", "preset": "ge-sun-2016"},
        "best": {
            "label": "searched",
            "kind": "feedforward",
            "preset": "ge-sun-2016",
            "settings_from": "search",
            "seeds": {"s": [1]},
        },
        "kn": {"label": "n-grams", "kind": "ngram", "seeds": {"s": [0, 1]}},
    },
    "search": {
        "model": "nn",
        "split": "s",
        "authors": ["ann", "bob"],
        "settings": 4,
        "rounds": 1,
        "ranges": {
            "hidden_dim": {"low": 50, "high": 200, "whole": True},
            "learning_rate": {"low": 0.05, "high": 0.3},
        },
    },
}


def plan(**changes: Any) -> JobPlan:
    return JobPlan(config(**changes), AUTHORS)


def config(**changes: Any) -> ExperimentConfig:
    return parse_config(merge_settings(CONFIG, changes), "t.toml")


def record(job: Job, cost: float = 4.0) -> dict[str, Any]:
    return {
        "job": job.name,
        "history": [{"validation_cost": cost}],
        "execution": {"cpu_seconds": 1.0},
    }


def test_order_of_jobs() -> None:
    names = [job.name for job in plan().ready({})]
    assert names[:6] == [f"s.{seed}.kn.{author}" for seed in (0, 1) for author in AUTHORS]
    # Trial 0 of each search runs alone: no other of its trials is ready.
    assert names[6:8] == ["search.nn.ann.000", "search.nn.bob.000"]
    assert names[8:11] == [f"s.0.nn.{author}" for author in AUTHORS]
    assert names[11:14] == [f"d.0.nn.{author}" for author in AUTHORS]
    assert names[14:] == [f"s.1.nn.{author}" for author in AUTHORS]


def test_finished_and_failed_jobs_are_not_ready() -> None:
    whole = plan().ready({})
    done = {whole[0].name: record(whole[0]), whole[1].name: {"failed": "why"}}
    assert [job.name for job in plan().ready(done)] == [job.name for job in whole[2:]]


def test_number_of_all_jobs() -> None:
    # 6 of kn, 6 + 3 of nn, 2 searches of 4, and one job for each of the two authors afterwards.
    assert plan().n_total({}) == 6 + 9 + 8 + 2


def test_jobs_that_wait_for_a_search_are_counted_by_model() -> None:
    one = plan()
    # Trial 0 of both searches is ready; three of each wait, and one job of `best` for each author.
    assert one.waiting({}) == {("nn", True): 6, ("best", False): 2}
    assert len(one.ready({})) + one.waiting({}).total() == one.n_total({})
    done = finish(one, random.Random(0), {})  # noqa: S311
    assert not one.waiting(done)


def finish(one: JobPlan, rng: random.Random, costs: dict[str, float]) -> dict[str, dict[str, Any]]:
    """Run all jobs in a random order."""
    done: dict[str, dict[str, Any]] = {}
    while ready := one.ready(done):
        job = rng.choice(ready)
        dims = dict(job.settings).get("hidden_dims", (100,))[0]
        costs.setdefault(job.name, 4.0 + abs(dims - 130) / 100)
        done[job.name] = record(job, costs[job.name])
    return done


def test_the_order_of_results_does_not_matter() -> None:
    ends = []
    for seed in range(4):
        costs: dict[str, float] = {}
        done = finish(plan(), random.Random(seed), costs)  # noqa: S311
        assert len(done) == plan().n_total(done) == plan().n_total({})
        ends.append(costs)
    assert all(end == ends[0] for end in ends)


def test_tuned_jobs_use_the_best_setting() -> None:
    done = finish(plan(), random.Random(0), {})  # noqa: S311
    without = {name: r for name, r in done.items() if not name.startswith("s.1.best")}
    jobs = plan().ready(without)
    assert [job.name for job in jobs] == ["s.1.best.ann", "s.1.best.bob"]
    costs = {n: done[f"search.nn.ann.{n:03}"]["history"][0]["validation_cost"] for n in range(4)}
    best_trial = min(costs, key=lambda n: costs[n])
    trial = next(
        job
        for job in plan().ready(
            {k: v for k, v in done.items() if k != f"search.nn.ann.{best_trial:03}"}
        )
        if job.trial == best_trial
    )
    assert jobs[0].settings == trial.settings
    assert jobs[0].share_key == trial.share_key == "search.ann"


def test_a_search_of_which_all_trials_fail_has_no_tuned_jobs() -> None:
    one = plan()
    done: dict[str, dict[str, Any]] = {}
    while ready := one.ready(done):
        for job in ready:
            done[job.name] = {"failed": "why"} if job.trial is not None else record(job)
    assert not any(name.startswith("s.1.best") for name in done)
    assert one.n_total(done) == len(done)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"search": {"authors": ["zoe"]}}, "search.authors: there is no author zoe"),
        (
            {"evaluation": {"highlighted_author": "zoe"}},
            "evaluation.highlighted_author: there is no author zoe",
        ),
        ({"evaluation": {"same_person": [["ann", "zoe"]]}}, "evaluation.same_person"),
        ({"search": {"ranges": {"hidden_dim": {"whole": False}}}}, "add whole = true"),
        ({"search": {"ranges": {"size": {"low": 1, "high": 2}}}}, "search.ranges: size"),
        ({"models": {"nn": {"settings": {"hidden_dims": [5, 5]}}}}, "search.ranges: hidden_dim"),
    ],
)
def test_impossible_plans_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan(**changes)


def test_a_search_with_minutes_only() -> None:
    # 8 trials a round; each took one CPU second: after 1 minute 60 are through, trial 0 among them.
    search = merge_settings(CONFIG["search"], {"minutes": 1.0, "authors": ["ann"]})
    del search["settings"]
    one = JobPlan(parse_config({**CONFIG, "search": search}, "t.toml"), AUTHORS)
    done = finish(one, random.Random(0), {})  # noqa: S311
    # Those that were begun out of order, before the minutes were used, are there besides.
    assert 60 <= sum(name.startswith("search.") for name in done) < 60 + 8
    assert one.n_total(done) == len(done)


def test_a_search_needs_a_budget() -> None:
    search = {key: value for key, value in CONFIG["search"].items() if key != "settings"}
    with pytest.raises(UsageError, match="has no budget"):
        JobPlan(parse_config({**CONFIG, "search": search}, "t.toml"), AUTHORS)
