from __future__ import annotations

import random
from typing import Any

import pytest

from byline.errors import UsageError
from byline.experiments.runner.config import ExperimentConfig, merged, parse_config
from byline.experiments.runner.jobs import Job
from byline.experiments.runner.plan import Plan

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


def plan(**changes: Any) -> Plan:
    return Plan(config(**changes), AUTHORS)


def config(**changes: Any) -> ExperimentConfig:
    return parse_config(merged(CONFIG, changes), "t.toml")


def record(job: Job, cost: float = 4.0) -> dict[str, Any]:
    return {"job": job.name, "history": [{"validation_cost": cost}], "made": {"cpu_seconds": 1.0}}


def test_quick_models_come_first_then_trials_then_whole_splits_one_by_one() -> None:
    names = [job.name for job in plan().ready({})]
    assert names[:6] == [f"s.{seed}.kn.{author}" for seed in (0, 1) for author in AUTHORS]
    # Trial 0 of each search runs alone: no other of its trials is ready.
    assert names[6:8] == ["search.nn.ann.000", "search.nn.bob.000"]
    assert names[8:11] == [f"s.0.nn.{author}" for author in AUTHORS]
    assert names[11:14] == [f"d.0.nn.{author}" for author in AUTHORS]
    assert names[14:] == [f"s.1.nn.{author}" for author in AUTHORS]


def test_what_is_done_or_failed_is_not_ready() -> None:
    whole = plan().ready({})
    done = {whole[0].name: record(whole[0]), whole[1].name: {"failed": "why"}}
    assert [job.name for job in plan().ready(done)] == [job.name for job in whole[2:]]


def test_all_jobs_are_counted_from_the_start() -> None:
    # 6 of kn, 6 + 3 of nn, 2 searches of 4, and one job for each of the two authors afterwards.
    assert plan().n_total({}) == 6 + 9 + 8 + 2


def test_what_waits_for_a_search_is_counted_by_model() -> None:
    one = plan()
    # Trial 0 of both searches is ready; three of each wait, and one job of `best` for each author.
    assert one.later({}) == {("nn", True): 6, ("best", False): 2}
    assert len(one.ready({})) + one.later({}).total() == one.n_total({})
    done = finish(one, random.Random(0), {})  # noqa: S311
    assert not one.later(done)


def finish(one: Plan, rng: random.Random, costs: dict[str, float]) -> dict[str, dict[str, Any]]:
    """Do all jobs, always a random one of those that are ready."""
    done: dict[str, dict[str, Any]] = {}
    while ready := one.ready(done):
        job = rng.choice(ready)
        dims = dict(job.settings).get("hidden_dims", (100,))[0]
        costs.setdefault(job.name, 4.0 + abs(dims - 130) / 100)
        done[job.name] = record(job, costs[job.name])
    return done


def test_the_order_of_arrival_changes_nothing() -> None:
    ends = []
    for seed in range(4):
        costs: dict[str, float] = {}
        done = finish(plan(), random.Random(seed), costs)  # noqa: S311
        assert len(done) == plan().n_total(done) == plan().n_total({})
        ends.append(costs)
    assert all(end == ends[0] for end in ends)


def test_the_best_setting_is_taken_over() -> None:
    done = finish(plan(), random.Random(0), {})  # noqa: S311
    without = {name: r for name, r in done.items() if not name.startswith("s.1.best")}
    jobs = plan().ready(without)
    assert [job.name for job in jobs] == ["s.1.best.ann", "s.1.best.bob"]
    costs = {n: done[f"search.nn.ann.{n:03}"]["history"][0]["validation_cost"] for n in range(4)}
    best = min(costs, key=lambda n: costs[n])
    trial = next(
        job
        for job in plan().ready({k: v for k, v in done.items() if k != f"search.nn.ann.{best:03}"})
        if job.trial == best
    )
    assert jobs[0].settings == trial.settings
    assert jobs[0].share == trial.share == "search.ann"


def test_a_search_in_which_all_fails_finds_nothing_and_is_counted_so() -> None:
    one = plan()
    done: dict[str, dict[str, Any]] = {}
    while ready := one.ready(done):
        for job in ready:
            done[job.name] = {"failed": "why"} if job.trial is not None else record(job)
    assert not any(name.startswith("s.1.best") for name in done)
    assert one.n_total(done) == len(done)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"search": {"authors": ["zoe"]}}, "search.authors: there is no author zoe"),
        ({"evaluation": {"alone": "zoe"}}, "evaluation.alone: there is no author zoe"),
        ({"evaluation": {"same_person": [["ann", "zoe"]]}}, "evaluation.same_person"),
        ({"search": {"ranges": {"hidden_dim": {"whole": False}}}}, "add whole = true"),
        ({"search": {"ranges": {"size": {"low": 1, "high": 2}}}}, "search.ranges: size"),
        ({"models": {"nn": {"settings": {"hidden_dims": [5, 5]}}}}, "search.ranges: hidden_dim"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        plan(**changes)


def test_a_search_may_have_minutes_alone() -> None:
    # 8 trials a round; each took one CPU second: after 1 minute 60 are through, trial 0 among them.
    search = merged(CONFIG["search"], {"minutes": 1.0, "authors": ["ann"]})
    del search["settings"]
    one = Plan(parse_config({**CONFIG, "search": search}, "t.toml"), AUTHORS)
    done = finish(one, random.Random(0), {})  # noqa: S311
    # Those that were begun out of order, before the minutes were used, are there besides.
    assert 60 <= sum(name.startswith("search.") for name in done) < 60 + 8
    assert one.n_total(done) == len(done)


def test_a_search_needs_a_budget() -> None:
    search = {key: value for key, value in CONFIG["search"].items() if key != "settings"}
    with pytest.raises(UsageError, match="needs a budget"):
        Plan(parse_config({**CONFIG, "search": search}, "t.toml"), AUTHORS)
