"""The parameters that several kinds of model have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from byline.constraints import check_parameters
from byline.errors import UsageError
from byline.lm import FeedForwardLM, FeedForwardTraining
from byline.lm.inputs import check_vocabulary_size


@pytest.mark.parametrize(
    ("name", "least", "too_small"),
    [("min_count", 1, 0), ("min_frequency", 0, -1e-9), ("random_state", 0, -1)],
)
def test_values_are_accepted_from_a_least_one(name: str, least: Any, too_small: Any) -> None:
    check_parameters(FeedForwardLM(**{name: least}))
    with pytest.raises(UsageError, match=f"'{name}' parameter"):
        check_parameters(FeedForwardLM(**{name: too_small}))


def test_a_vocabulary_has_at_least_one_word() -> None:
    check_vocabulary_size(1)
    with pytest.raises(UsageError, match="vocabulary_size must be a whole number from 1; it is 0"):
        check_vocabulary_size(0)


def test_shares_are_below_one() -> None:
    check_parameters(FeedForwardLM(min_frequency=0.999))
    check_parameters(FeedForwardTraining(validation_fraction=0.0))
    check_parameters(FeedForwardTraining(validation_fraction=0.999))
    for value in (-0.001, 1):
        with pytest.raises(UsageError, match="a number from 0 to below 1"):
            check_parameters(FeedForwardTraining(validation_fraction=value))
    with pytest.raises(UsageError, match="a number from 0 to below 1"):
        check_parameters(FeedForwardLM(min_frequency=1))


@pytest.mark.parametrize("name", ["sentence_start", "sentence_end"])
def test_truth_values_may_be_of_numpy_but_no_numbers(name: str) -> None:
    values: tuple[Any, ...] = (True, np.bool_(False))
    for value in values:
        check_parameters(FeedForwardLM(**{name: value}))
    given: Any = 1
    with pytest.raises(UsageError, match=rf"'{name}' parameter .* True or False"):
        check_parameters(FeedForwardLM(**{name: given}))
