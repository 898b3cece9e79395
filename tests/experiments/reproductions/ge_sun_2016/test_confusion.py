from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from byline.experiments.reproductions.ge_sun_2016.confusion import confusion_matrices, pair_claims
from byline.experiments.reproductions.ge_sun_2016.decisions import (
    Decisions,
    SeedDecisions,
    decisions_of_run,
)
from byline.experiments.reproductions.ge_sun_2016.finished_run import ExperimentRun

MakeRun = Callable[..., Path]


def decisions_of(model: str, *attributed_to: list[float]) -> Decisions:
    """Return decisions on two seeds, in both of which course-07 has sentences 3 and 4."""
    attributed = np.array([[2, 0, 0, 0], [0, 1, 0, 1], [0, 0, 2, 0], [1, 0.5, 0.5, 0]], dtype=float)
    sentences = tuple(np.array([2 * a + 1, 2 * a + 2]) for a in range(4))
    by_seed = {}
    for seed, shares in enumerate(attributed_to):
        pairs = {(1, 3): np.array(shares), (3, 1): np.array([0.5, 0.0])}
        by_seed[seed] = SeedDecisions(
            np.zeros((4, 1, 1), np.int16), attributed, sentences, pairs, 1
        )
    return Decisions("by-sentence", "log-likelihood", model, (1,), by_seed)


def test_matrix_by_hand(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run())
    (entry,) = confusion_matrices(run, [decisions_of("nn4", [1, 0], [0, 1])])
    assert entry["labels"] == list(run.authors)
    assert entry["n"] == [4, 4, 4, 4]
    assert entry["shares"][3] == [0.5, 0.25, 0.25, 0.0]
    # Correct are 2 + 1 + 2 + 0 of 8; by the highest cost 1 of 8.
    assert (entry["accuracy"], entry["accuracy_of_highest"]) == (5 / 8, 1 / 8)
    seven, sixteen = entry["pairs"]
    assert (seven["author"], seven["predicted"], seven["share"]) == ("course-07", "course-16", 0.5)
    assert (seven["rank"], seven["largest_other"], seven["mean_other"]) == (1, 0.0, 0.0)
    # Half of the sentences of course-16 are attributed to course-03, and 1/4 to course-07.
    assert (sixteen["rank"], sixteen["largest_other"]) == (2, 0.5)
    assert sixteen["largest_other_author"] == "course-03"
    assert sixteen["mean_other"] == (0.5 + 0.25) / 2


def test_a_sentence_in_two_seeds_is_resampled_as_one(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run())
    # Sentence 3 is always misattributed, sentence 4 never: a resample has it never, once or twice.
    (entry,) = confusion_matrices(run, [decisions_of("nn4", [1, 0], [1, 0])])
    assert (entry["pairs"][0]["low"], entry["pairs"][0]["high"]) == (0.0, 1.0)
    # Both sentences are misattributed once in two seeds: every resample has half.
    (entry,) = confusion_matrices(run, [decisions_of("nn4", [1, 0], [0, 1])])
    assert (entry["pairs"][0]["low"], entry["pairs"][0]["high"]) == (0.5, 0.5)


def test_difference_of_two_models_by_hand(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run())
    decided = [decisions_of("nn4", [1, 0], [0, 1]), decisions_of("gt4", [0, 0], [0, 1], [1, 1])]
    seven, sixteen = pair_claims(run, decided)
    # On seeds 0 and 1 the network misattributes 2 of 4, the n-grams 1 of 4.
    assert (seven["model"], seven["rival"], seven["seeds"]) == ("nn4", "gt4", [0, 1])
    assert seven["difference"] == 0.25
    assert (sixteen["author"], sixteen["difference"]) == ("course-16", 0.0)
    assert (sixteen["low"], sixteen["high"]) == (0.0, 0.0)


def test_laws_of_confusion(make_run: MakeRun) -> None:
    run = ExperimentRun(make_run())
    decided = decisions_of_run(run)
    for entry, decisions in zip(confusion_matrices(run, decided), decided, strict=True):
        shares = np.array(entry["shares"])
        assert shares.sum(axis=1) == pytest.approx(np.ones(4))
        assert entry["n"] == [24 * len(decisions.seeds)] * 4
        assert entry["accuracy"] == pytest.approx(np.diag(shares).mean())
        for pair in entry["pairs"]:
            assert 0 <= pair["low"] <= pair["share"] <= pair["high"] <= 1
            assert 1 <= pair["rank"] <= 3


def test_two_candidates_have_no_others(make_run: MakeRun) -> None:
    authors = ("course-07", "course-16")
    run = ExperimentRun(
        make_run(
            {"evaluation": {"highlighted_author": None, "excluded_from_mean": []}}, authors=authors
        )
    )
    pair = confusion_matrices(run, decisions_of_run(run))[0]["pairs"][0]
    assert pair["rank"] == 1
    others = (pair["largest_other"], pair["largest_other_author"], pair["mean_other"])
    assert others == (None, None, None)
