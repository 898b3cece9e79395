"""The multi-resolution search: trials by hand, and laws that hold for any results."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.errors import UsageError
from byline.experiments.runner.search import (
    Range,
    Search,
    Trial,
    TrialResult,
    TrialSetting,
    best_trial,
    next_trials,
    search_box,
    trials,
)

RANGES = {
    "embedding_dim": Range(25, 200, "log", whole=True),
    "hidden_dim": Range(100, 800, "log", whole=True),
    "learning_rate": Range(0.05, 0.3, "log"),
    "momentum": Range(0.8, 0.99, "complement-log"),
    "batch_size": Range(100, 400, "log", whole=True),
}
START = {
    "embedding_dim": 100,
    "hidden_dim": 100,
    "learning_rate": 0.2,
    "momentum": 0.9,
    "batch_size": 100,
}
TrialResults = dict[int, TrialResult]


def search(**changes: Any) -> Search:
    usual: dict[str, Any] = {"ranges": RANGES, "start": START, "seed": 1, "settings": 20}
    return Search(**(usual | changes))


def distance(setting: TrialSetting) -> float:
    """Replace the validation cost by the distance from a point in the upper half."""
    at = search().positions(setting)
    return 4 + float(np.abs(at - np.array([0.6, 0.7, 0.8, 0.55, 0.65])).sum())


def done(
    of: Search,
    *,
    cost: Callable[[TrialSetting], float] = distance,
    rng: random.Random | None = None,
    failing: Callable[[Trial], bool] = lambda trial: False,
    seconds: float = 0.0,
) -> tuple[list[Trial], TrialResults]:
    """Run a whole search, with the trials in their order or in a random one."""
    results: TrialResults = {}
    while ready := next_trials(of, results):
        trial = rng.choice(ready) if rng else ready[0]
        costs = () if failing(trial) else (cost(trial.setting) + 1, cost(trial.setting))
        results[trial.number] = TrialResult(costs, seconds)
    return trials(of, results), results


# By hand


def test_rounds_divide_the_settings() -> None:
    """19 after trial 0, over three rounds: 7, 6 and 6."""
    drawn, _ = done(search())
    assert [trial.number for trial in drawn] == list(range(20))
    assert [trial.round for trial in drawn] == [0] * 8 + [1] * 6 + [2] * 6
    assert list(search(settings=1).round_sizes()) == [0, 0, 0]
    assert list(search(settings=2).round_sizes()) == [1, 0, 0]
    assert list(search(settings=10, rounds=4).round_sizes()) == [3, 2, 2, 2]


def test_the_production_setting_runs_first_and_alone() -> None:
    assert next_trials(search(), {}) == [Trial(0, 0, START)]
    assert [t.number for t in next_trials(search(), {0: TrialResult((5.0,))})] == [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
    ]
    assert next_trials(search(settings=1), {0: TrialResult((5.0,))}) == []


def test_a_round_starts_when_the_previous_one_is_finished() -> None:
    results = {n: TrialResult((5.0,)) for n in range(8) if n != 3}
    assert [trial.number for trial in next_trials(search(), results)] == [3]
    results[3] = TrialResult(())
    assert [trial.number for trial in next_trials(search(), results)] == [8, 9, 10, 11, 12, 13]


def test_reference_costs_of_trials() -> None:
    """Round 0 is compared with trial 0, later rounds with the best before (first of equals)."""
    results = {n: TrialResult((6.0, 5.0)) for n in range(8)}
    results[5] = results[6] = TrialResult((5.5, 4.0, 4.1))
    reference = {trial.round: set[tuple[float, ...]]() for trial in trials(search(), results)}
    for trial in trials(search(), results)[1:]:
        reference[trial.round].add(trial.reference_costs)
    assert reference == {0: {(6.0, 5.0)}, 1: {(5.5, 4.0, 4.1)}}
    assert best_trial(search(), results) == trials(search(), results)[5]


def test_a_failed_production_setting_is_not_a_reference() -> None:
    round_0 = next_trials(search(), {0: TrialResult(())})
    assert len(round_0) == 7
    assert {trial.reference_costs for trial in round_0} == {()}


def test_if_all_trials_fail_the_search_stays_around_the_production_setting() -> None:
    drawn, results = done(search(), failing=lambda trial: True)
    assert best_trial(search(), results) is None and best_trial(search(), {}) is None
    assert len(drawn) == 20
    lows, highs = search_box(search().positions(START), 2)
    for trial in drawn[14:]:
        at = search().positions(trial.setting)
        assert np.all((lows - 0.02 <= at) & (at <= highs + 0.02))


def test_one_parameter_by_hand() -> None:
    """Thirds of 0 to 1, then thirds of a box of half the length around the best."""
    of = search(ranges={"x": Range(0, 1)}, start={"x": 0.5}, settings=7, rounds=2)
    drawn, _ = done(of, cost=lambda setting: setting["x"])  # the lowest value is the best
    first = sorted(trial.setting["x"] for trial in drawn[1:4])
    assert [int(3 * x) for x in first] == [0, 1, 2]
    high = first[0] + 0.25
    low = max(0, first[0] - 0.25)
    second = sorted(trial.setting["x"] for trial in drawn[4:])
    assert [int(3 * (x - low) / (high - low)) for x in second] == [0, 1, 2]


def test_repeated_whole_numbers_are_left_out() -> None:
    of = search(ranges={"n": Range(1, 4, whole=True)}, start={"n": 2}, settings=10)
    drawn, results = done(of, cost=lambda setting: setting["n"])
    assert sorted(trial.setting["n"] for trial in drawn) == [1, 2, 3, 4]
    assert next_trials(of, results) == []


def test_a_start_outside_the_ranges_is_tried() -> None:
    of = search(ranges={"n": Range(10, 20, whole=True)}, start={"n": 5}, settings=7, rounds=2)
    drawn, _ = done(of, cost=lambda setting: setting["n"])
    assert drawn[0].setting == {"n": 5}
    assert all(10 <= trial.setting["n"] <= 15 for trial in drawn if trial.round == 1)


# Minutes


def test_no_trial_starts_after_the_minutes_are_used_up() -> None:
    """25 s per trial: three trials take 75 s, the budget is 60 s."""
    of = search(minutes=1)
    drawn, results = done(of, seconds=25)
    assert [trial.number for trial in drawn] == sorted(results) == [0, 1, 2]
    exact, _ = done(of, seconds=20)
    assert len(exact) == 3
    ample, _ = done(of, seconds=1)
    assert len(ample) == 20


def test_trials_started_by_other_processes_do_not_count() -> None:
    """Trials 0 to 2 use up the minute; trial 3 was running by then, and had the lowest cost."""
    of = search(minutes=1)
    results = {0: TrialResult((5.0,), 25), 1: TrialResult((4.5,), 25), 3: TrialResult((4.0,), 25)}
    assert [t.number for t in next_trials(of, results)] == [2]
    results[2] = TrialResult((4.6,), 25)
    assert next_trials(of, results) == []
    leader = best_trial(of, results)
    assert leader is not None and leader.number == 1


def test_with_minutes_only_rounds_continue() -> None:
    of = search(settings=None, minutes=10)
    drawn, _ = done(of, seconds=15)  # 40 trials: trial 0, four rounds of eight, seven more
    assert [trial.round for trial in drawn] == [0] + [0] * 8 + [1] * 8 + [2] * 8 + [3] * 8 + [4] * 7
    of = search(ranges={"n": Range(1, 3, whole=True)}, start={"n": 1}, settings=None, minutes=1)
    narrow, _ = done(of, cost=lambda setting: setting["n"])
    assert len(narrow) == 3


# Laws


@given(st.integers(1, 40), st.integers(1, 5), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_all_settings_are_new_and_in_their_box(n: int, rounds: int, seed: int) -> None:
    of = search(settings=n, rounds=rounds, seed=seed)
    drawn, results = done(of)
    assert len(drawn) <= n
    assert len({tuple(sorted(trial.setting.items())) for trial in drawn}) == len(drawn)
    for trial in drawn[1:]:
        before = {t.number: results[t.number] for t in drawn if t.round < trial.round}
        centre = best_trial(of, before | {0: results[0]})
        assert centre is not None
        lows, highs = search_box(of.positions(centre.setting), trial.round)
        slack = 0.02  # half a unit of 25, on a scale that is log(8) long, is 0.01
        at = of.positions(trial.setting)
        assert np.all((lows - slack <= at) & (at <= highs + slack))
        for name, value in trial.setting.items():
            assert RANGES[name].low <= value <= RANGES[name].high
            assert isinstance(value, int) == RANGES[name].whole


@given(st.randoms(use_true_random=False), st.integers(1, 30), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_order_of_results_does_not_matter(rng: random.Random, n: int, fail: bool) -> None:
    def failing(trial: Trial) -> bool:
        return fail and trial.number % 3 == 0

    of, turned = search(settings=n), search(settings=n, ranges=dict(reversed(RANGES.items())))
    in_order, results = done(of, failing=failing)
    for other in (of, turned):
        shuffled, theirs = done(other, rng=rng, failing=failing)
        assert shuffled == in_order
        assert theirs == results
        assert best_trial(other, theirs) == best_trial(of, results)


def test_another_seed_draws_other_settings() -> None:
    one, other = (next_trials(search(seed=seed), {0: TrialResult((5.0,))}) for seed in (1, 2))
    assert not [trial for trial in one if trial.setting in [t.setting for t in other]]


def test_several_rounds_find_better_settings_than_one() -> None:
    found = {}
    for rounds in (1, 4):
        costs = []
        for seed in range(10):
            of = search(settings=40, rounds=rounds, seed=seed)
            leader = best_trial(of, done(of)[1])
            assert leader is not None
            costs.append(distance(leader.setting) - 4)
        found[rounds] = np.mean(costs)
    assert found[4] < 0.7 * found[1]


# What is refused


@pytest.mark.parametrize(
    ("changes", "need"),
    [
        ({"settings": None}, "has no budget"),
        ({"settings": 0}, "1 or more"),
        ({"rounds": 0}, "1 or more"),
        ({"minutes": 0}, "positive"),
        ({"minutes": float("nan")}, "positive"),
        ({"start": {"momentum": 0.9}}, "start values for momentum"),
        ({"ranges": {}, "start": {}}, "ranges for no parameter"),
    ],
)
def test_impossible_searches_are_refused(changes: dict[str, Any], need: str) -> None:
    with pytest.raises(UsageError, match=need):
        search(**changes)
