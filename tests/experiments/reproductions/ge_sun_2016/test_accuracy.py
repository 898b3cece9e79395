from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.experiments.reproductions.ge_sun_2016.accuracy import (
    accuracies,
    averaged,
    comparisons,
    exchanges,
    too_short,
)
from byline.experiments.reproductions.ge_sun_2016.decisions import (
    TOO_FEW,
    Decisions,
    SeedDecisions,
    decisions_of_run,
)
from byline.experiments.reproductions.ge_sun_2016.finished_run import ExperimentRun

MakeRun = Callable[..., Path]
RULES = ("sum-of-perplexities", "log-likelihood", "log-likelihood-shared")
SMALL = {"sentences": [1, 2, 5], "stages": [1, 5], "n_best": [1, 2, 9], "random_texts": 2}


def decisions_of(ranks: list[Any], model: str = "nn4") -> Decisions:
    """Make decisions of one seed from ranks, (n_authors, n_texts, n_lengths)."""
    seed = SeedDecisions(np.array(ranks, dtype=np.int16), np.eye(4), (), {}, 0)
    return Decisions("by-sentence", "log-likelihood", model, (1, 2, 5), {0: seed})


# Authors 0 and 2 are averaged. Author 0's trials: 0 0 1 and 2 0 0; author 2's: 1 1 0 and 0 1 0.
ASIDE = [[3, 3, 3], [3, 3, 3]]
RANKS = [[[0, 0, 1], [2, 0, 0]], ASIDE, [[1, 1, 0], [0, 1, 0]], ASIDE]


def test_accuracy_by_hand(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run({"evaluation": SMALL}))
    (entry,) = accuracies(run, [decisions_of(RANKS)])
    assert (entry["model"], entry["label"], entry["seeds"]) == ("nn4", "Neural", [0])
    assert entry["sentences"] == [1, 2, 5]
    # Correct for authors 0 and 2 in the first text: 1 and 0, 1 and 0, 0 and 1;
    # in the second: 0 and 1, 1 and 0, 1 and 1.
    assert entry["mean"]["authors"] == ["course-03", "course-08"]
    assert entry["mean"]["mean"] == [0.5, 0.5, 0.75]
    # The standard deviation of 1/2 and 1 is sqrt(2 * (1/4)^2).
    assert entry["mean"]["sd"] == pytest.approx([0, 0, 0.125**0.5])
    assert entry["highlighted"]["author"] == "course-03"
    assert entry["highlighted"]["mean"] == [0.5, 1.0, 0.5]
    assert entry["stages"] == [
        {"author": "course-03", "accuracy": {"1": 0.5, "5": 0.5}},
        {"author": "course-08", "accuracy": {"1": 0.5, "5": 1.0}},
    ]
    # For one sentence the ranks are 0, 2, 1, 0: two of four are first,
    # and three are among the first two.
    one, five = entry["n_best"]
    assert one == {"sentences": 1, "shares": [{"n": 1, "share": 0.5}, {"n": 2, "share": 0.75}]}
    assert five["shares"] == [{"n": 1, "share": 0.75}, {"n": 2, "share": 1.0}]


def test_comparison_by_hand(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run({"evaluation": SMALL}))
    rival = decisions_of([RANKS[0], ASIDE, ASIDE, ASIDE], "gt4")
    one, five = comparisons(run, [decisions_of(RANKS), rival])
    # Author 0 has the same accuracy with both; the rival is always wrong for author 2.
    assert (one["sentences"], one["accuracy"], one["rival_accuracy"]) == (1, 0.5, 0.25)
    assert (one["difference"], one["low"], one["high"]) == (25.0, 0.0, 50.0)
    assert (one["n_authors"], one["wins"], one["losses"], one["claim"]) == (2, 1, 0, None)
    assert (five["sentences"], five["difference"], five["claim"]) == (5, 50.0, 3.43)


def test_exchanging_by_hand(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run({"evaluation": SMALL}))
    rival = decisions_of([[[0, 0, 0], [0, 0, 0]], ASIDE, ASIDE, ASIDE], "gt4")
    (found,) = exchanges(run, [decisions_of(RANKS), rival])
    # At 5 sentences author 0 has 1/2 against 1: the curve is lower, so that it is exchanged.
    # Author 2 has 1 against 0.
    assert (found["n_lower"], found["n_curves"], found["sentences"]) == (1, 2, 5)
    assert (found["difference"], found["exchanged_difference"]) == (25.0, 75.0)


def test_lengths_for_which_an_author_has_too_few_sentences_are_left_out(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run({"evaluation": SMALL}))
    short = [[[0, 0, TOO_FEW], [0, 0, TOO_FEW]], *RANKS[1:]]
    decisions = decisions_of(short)
    (entry,) = accuracies(run, [decisions])
    assert entry["sentences"] == [1, 2]
    assert [stage["accuracy"] for stage in entry["stages"]] == [
        {"1": 1.0, "5": None},
        {"1": 0.5, "5": 1.0},
    ]
    assert [best["sentences"] for best in entry["n_best"]] == [1]
    rival = replace(decisions_of(RANKS), model="gt4")
    assert [c["sentences"] for c in comparisons(run, [decisions, rival])] == [1]
    assert exchanges(run, [decisions, rival]) == []


def test_the_author_with_the_shortest_test_part_is_named(make_run: MakeRun) -> None:
    # All test parts have 24 sentences; the first author shown is course-03.
    lengths = {"evaluation": {"sentences": [1, 24, 30], "stages": [1]}}
    run = ExperimentRun(make_run(lengths))
    assert too_short(run, decisions_of_run(run)) == [
        {"split": split, "author": "course-03", "n_sentences": 24, "longest": 30}
        for split in ("by-sentence", "by-lecture")
    ]
    assert too_short(run, []) == []
    run = ExperimentRun(make_run())
    assert too_short(run, decisions_of_run(run)) == []


def test_all_models_and_rules_attribute_the_same_texts(
    make_run: MakeRun,
) -> None:
    run = ExperimentRun(make_run())
    decided = decisions_of_run(run)
    found: dict[tuple[str, str], list[str]] = {(d.split, d.model): [] for d in decided}
    for d in decided:
        found[d.split, d.model].append(d.rule)
    assert found["by-sentence", "gt4"] == list(RULES[:2])
    assert found["by-lecture", "nn4"] == list(RULES)
    # The random texts are the same, so that two equal models have equal results.
    twin = ExperimentRun(make_run(advantages={"gt4": 1.0, "kn4": 1.0, "nn4": 1.0}))
    by_model = {
        d.model: d for d in decisions_of_run(twin) if d.rule == RULES[1] and d.split == "by-lecture"
    }
    assert np.array_equal(by_model["gt4"].ranks(range(4)), by_model["nn4"].ranks(range(4)))


def test_laws_of_accuracy(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run())
    decided = decisions_of_run(run)
    entries = accuracies(run, decided)
    assert len(entries) == 2 * (2 + 3 + 3)
    for entry in entries:
        means = entry["mean"]["mean"] + entry["highlighted"]["mean"]
        assert all(0 <= mean <= 1 for mean in means)
        assert entry["mean"]["authors"] == [run.authors[a] for a in averaged(run)]
        for best in entry["n_best"]:
            shares = [share["share"] for share in best["shares"]]
            assert shares == sorted(shares)
            assert [share["n"] for share in best["shares"]] == [1, 2, 3]
            # Among the first one is the accuracy, and the stages average to it.
            place = entry["sentences"].index(best["sentences"])
            stages = [s["accuracy"][str(best["sentences"])] for s in entry["stages"]]
            assert shares[0] == pytest.approx(entry["mean"]["mean"][place])
            assert shares[0] == pytest.approx(np.mean(stages))


def test_longer_texts_are_attributed_more_accurately(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run(advantages={"gt4": 3.0, "kn4": 3.0, "nn4": 3.0}))
    for entry in accuracies(run, decisions_of_run(run)):
        if entry["rule"] == "log-likelihood":
            assert entry["mean"]["mean"][-1] == 1.0
            assert entry["mean"]["mean"][0] > 0.9


def test_a_seed_counts_if_all_candidates_have_a_model(make_run: MakeRun) -> None:
    failed = ["by-sentence.1.nn4.course-16"]
    run = ExperimentRun(make_run(failed=failed))
    decided = decisions_of_run(run)
    seeds = {(d.split, d.model): d.seeds for d in decided}
    assert seeds["by-sentence", "gt4"] == [0, 1]
    assert seeds["by-sentence", "nn4"] == [0]
    compared = comparisons(run, decided)
    assert {tuple(c["seeds"]) for c in compared if c["split"] == "by-sentence"} == {(0,)}


def test_no_author_highlighted_and_all_excluded(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run({"evaluation": {"highlighted_author": None}}))
    assert accuracies(run, decisions_of_run(run))[0]["highlighted"] is None
    excluded_from_mean = ["course-03", "course-07", "course-08", "course-16"]
    run = ExperimentRun(make_run({"evaluation": {"excluded_from_mean": excluded_from_mean}}))
    decided = decisions_of_run(run)
    assert (accuracies(run, decided), comparisons(run, decided)) == ([], [])


def test_one_random_text_has_no_standard_deviation(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run({"evaluation": {"random_texts": 1}}))
    assert set(accuracies(run, decisions_of_run(run))[0]["mean"]["sd"]) == {None}
