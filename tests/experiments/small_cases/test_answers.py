"""All methods answer a case, and failures are recorded."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from byline.errors import TrainingError
from byline.experiments.simple_methods import SIMPLE_METHODS
from byline.experiments.small_cases import answers
from byline.experiments.small_cases.answers import answer_case
from byline.experiments.small_cases.cases import Case, case_of_number
from byline.experiments.small_cases.grid import parse_settings
from byline.experiments.small_cases.sources import Source


@pytest.fixture
def case(source: Source) -> Case:
    found = case_of_number(source, parse_settings("3x2x100"), 0, seed=0, per_author=1)
    assert found is not None
    return found


def test_the_default_and_whatever_base_classifiers_it_has(case: Case) -> None:
    found = answer_case(case, "toy", 4, 0)
    assert (found.corpus, found.settings, found.number) == ("toy", "3x2x100", 4)
    assert {"default", "language-models", "burrows-delta", "char-ngram-svm"} <= set(found.answers)
    assert found.failures == {}
    assert found.lengths == [50] * 3 + [150] * 3 + [0] * 3
    assert [len(each) for each in found.answers.values()] == [9] * len(found.answers)
    # The authors have distinctive words.
    assert found.answers["char-ngram-svm"] == found.authors == [0, 1, 2] * 3
    for row in found.log_probabilities:
        assert sum(map(math.exp, row)) == pytest.approx(1, abs=1e-4)


@pytest.mark.usefixtures("fast")
def test_the_same_case_has_the_same_answers(case: Case) -> None:
    first, second = (answer_case(case, "toy", 0, 0).to_dict() for _ in range(2))
    assert {**first, "cpu_seconds": 0} == {**second, "cpu_seconds": 0}
    assert set(first["answers"]) == {
        "default",
        "characters",
        "burrows-delta",
        "char-ngram-svm",
    }


@pytest.mark.usefixtures("fast")
def test_failed_training_is_recorded(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **options: Any) -> Any:
        raise TrainingError("too few texts")

    monkeypatch.setattr(answers, "default_base_classifiers", refuse)
    refusing = replace(SIMPLE_METHODS["burrows-delta"], make=refuse)
    monkeypatch.setitem(SIMPLE_METHODS, "burrows-delta", refusing)
    found = answer_case(case, "toy", 0, 0)
    assert found.failures == {"default": "too few texts", "burrows-delta": "too few texts"}
    assert found.answers["default"] == found.answers["burrows-delta"] == [-1] * 9
    assert found.log_probabilities[0] == pytest.approx([-math.log(3)] * 3, abs=1e-6)
    assert found.log_likelihood_ratios[0] == [0.0] * 3
    assert found.answers["char-ngram-svm"] == found.authors
