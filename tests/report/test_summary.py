from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from byline.attribution import Attribution, Evidence
from byline.attribution.caveats import Caveat
from byline.attribution.open_set import OpenSetDecision
from byline.experiments import Evaluation
from byline.report import attribution_summary, evaluation_summary
from byline.report.summary import how_split


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for entry in value.values() for number in numbers(entry)]
    if isinstance(value, list):
        return [number for entry in value for number in numbers(entry)]
    return [value] if isinstance(value, float) else []


def test_an_attribution_has_the_documented_fields(
    attribution: Attribution, declined: Attribution
) -> None:
    summary = attribution_summary([attribution, declined])
    assert list(summary) == ["schema", "questioned"]
    assert summary["schema"] == 2
    first, second = summary["questioned"]
    fields = [
        "path",
        "n_tokens",
        "scored_by",
        "declined",
        "known_copy",
        "calibration_unavailable_reason",
        "calibration_basis",
        "similar_cases",
        "ranking",
        "contributions",
        "open_set",
    ]
    assert list(first) == list(second) == fields
    assert first["ranking"][0] == {
        "author": "Ada",
        "score": -30.0,
        "log_likelihood": -30.0,
        "log_likelihood_per_token": -2.0,
        "perplexity": 2.0,
        "probability": None,
        "log10_lr": None,
        "support": None,
        "posterior_uncalibrated": 1.0,
    }
    assert second == {
        "path": None,
        "n_tokens": 0,
        "scored_by": "log-likelihood",
        "declined": "the text is <empty>",
        "known_copy": None,
        "calibration_unavailable_reason": None,
        "calibration_basis": None,
        "similar_cases": None,
        "ranking": [],
        "contributions": {},
        "open_set": None,
    }


def test_probabilities_come_with_ratios_and_words(calibrated: Attribution, caveat: Caveat) -> None:
    [entry] = attribution_summary([calibrated], caveats=[[caveat]])["questioned"]
    told = [(p["probability"], p["log10_lr"], p["support"]) for p in entry["ranking"]]
    assert told == [
        (0.9, 1.25527, "moderate support"),
        (0.0995, -0.65572, "weak support for the others"),
        (0.0005, -2.99978, "moderately strong support for the others"),
    ]
    assert entry["calibration_unavailable_reason"] is None
    assert entry["calibration_basis"] == "3 held-out known texts and 9 simulated cases"
    assert entry["similar_cases"]["accuracy"] == 214 / 310
    assert entry["similar_cases"]["sentence"].startswith("In 30 simulated cases of this size (3 to")
    assert [said["code"] for said in entry["caveats"]] == ["shared-passages"]
    assert entry["caveats"][0]["sentence"] == caveat.sentence
    assert entry["caveats"][0]["figures"] == dict(caveat.figures)


def test_an_open_set_decision_is_summarised(
    declined: Attribution, open_set: OpenSetDecision
) -> None:
    rejected = replace(declined, declined=open_set.declined, open_set=open_set)
    [entry] = attribution_summary([rejected])["questioned"]
    assert entry["open_set"]["accepted"] is False
    assert entry["open_set"]["sentence"] in entry["declined"]


def test_a_number_that_is_not_finite_becomes_null(attribution: Attribution) -> None:
    summary = attribution_summary([attribution])
    worst = summary["questioned"][0]["ranking"][-1]
    assert worst["log_likelihood"] is None
    assert worst["perplexity"] is None
    assert all(map(math.isfinite, numbers(summary)))


def test_an_evaluation_has_the_documented_fields(evaluation: Evaluation) -> None:
    summary = evaluation_summary(evaluation)
    promised = "accuracy accuracy_interval macro_f1 n_authors n_documents confusion baselines"
    assert set(promised.split()) < set(summary)
    assert summary["schema"] == 2
    assert summary["accuracy"] == 2 / 3
    assert summary["accuracy_interval"] == list(evaluation.whole.accuracy_interval)
    assert summary["baselines"]["most_frequent_author"]["accuracy"] == 1 / 3
    assert [row["sentences"] for row in summary["by_length"]] == [5]


def test_evidence_is_ordered_by_its_size(attribution: Attribution, evidence: Evidence) -> None:
    summary = attribution_summary([attribution], [evidence])
    found = summary["questioned"][0]["evidence"]
    assert [sentence["number"] for sentence in found["sentences"]] == [2, 1]
    assert found["tokens_for_first"] == [
        {"token": "<em>", "unknown": True, "count": 2, "log_lr": 8.0},
        {"token": "</s>", "unknown": False, "count": 1, "log_lr": 0.25},
    ]
    assert [entry["token"] for entry in found["tokens_for_second"]] == ["&"]


def test_every_summary_is_json(
    attribution: Attribution,
    declined: Attribution,
    evidence: Evidence,
    evaluation: Evaluation,
) -> None:
    for summary in (
        attribution_summary([attribution, declined], [evidence, None]),
        evaluation_summary(evaluation),
    ):
        assert json.loads(json.dumps(summary, allow_nan=False)) == summary


@pytest.mark.parametrize(
    ("split", "words"),
    [
        ({"protocol": "document", "folds": 5, "random_state": 3}, "by whole document, in 5 folds"),
        ({"protocol": "work", "folds": "leave-one-out", "random_state": 0}, "leave-one-out"),
        ({"protocol": "sentence", "folds": 1, "random_state": 0}, "by sentence, one fifth"),
        ({"protocol": "test", "test": "other"}, "a separate corpus, other"),
        ({"protocol": "hold-out", "n_held_out": 7}, "7 whole documents"),
    ],
)
def test_splits_are_described_in_words(split: dict[str, Any], words: str) -> None:
    assert words in how_split(split)
