"""Every estimator declares the values of its parameters, and checks them."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import byline.attribution
import byline.lm
import byline.text
from byline.constraints import (
    N_JOBS,
    SEQUENCE,
    Constraints,
    ParameterError,
    check_elements,
    check_parameters,
    describe,
    positive,
)
from byline.errors import UsageError
from byline.lm import FeedForwardTraining

ESTIMATORS = [
    member
    for package in (byline.attribution, byline.lm, byline.text)
    for name in package.__all__
    if isinstance(member := getattr(package, name), type) and issubclass(member, BaseEstimator)
]
ABSTRACT = {"LanguageModel", "TextClassifier"}


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_every_parameter_of_an_estimator_is_declared(kind: Any) -> None:
    if kind.__name__ not in ABSTRACT:
        assert set(kind._parameter_constraints) == set(kind._get_param_names())


def test_truth_values_are_no_numbers() -> None:
    class Stepper(BaseEstimator):  # type: ignore[misc]
        _parameter_constraints: ClassVar[Constraints] = {"steps": N_JOBS}

        def __init__(self, steps: Any = 1) -> None:
            self.steps = steps

    allowed: list[Any] = [1, -1, None, np.int64(4)]
    for steps in allowed:
        check_parameters(Stepper(steps))
    refused: list[Any] = [True, np.bool_(True), 0, 1.0, "1"]
    for steps in refused:
        with pytest.raises(ParameterError, match=r"'steps' parameter of Stepper must be a whole"):
            check_parameters(Stepper(steps))
    with pytest.raises(ValueError, match=r"at least 1, -1 or None\. Got 0 instead"):
        check_parameters(Stepper(0))
    assert issubclass(ParameterError, UsageError)


@pytest.mark.parametrize("rates", [(), [0.5, 0.0], (0.5, True), np.array([0.5, np.nan]), [1, 1, 1]])
def test_elements_of_a_sequence_are_checked(rates: Any) -> None:
    training = FeedForwardTraining(learning_rate=rates)
    with pytest.raises(
        UsageError, match="at least one value and at most 2, each a finite number above 0"
    ):
        check_elements(training, "learning_rate", positive(), 2)
    training.learning_rate = [0.5, 0.1]
    check_elements(training, "learning_rate", positive(), 2)
    training.learning_rate = 3.0
    check_elements(training, "learning_rate", positive(), 2)


def test_constraints_are_described_in_words() -> None:
    assert (
        describe([positive(), *SEQUENCE]) == "a finite number above 0, a list, a tuple or a ndarray"
    )
