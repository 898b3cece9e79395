"""The rules of the parameters that several kinds of model have."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from byline.errors import UsageError
from byline.lm.inputs import COMMON_RULES, check_values


@pytest.mark.parametrize(
    ("name", "least", "too_small"),
    [
        ("validation_fraction", 0.0, -0.001),
        ("min_count", 1, 0),
        ("min_frequency", 0, -1e-9),
        ("vocabulary_size", 1, 0),
        ("random_state", 0, -1),
    ],
)
def test_values_are_accepted_from_a_least_one(name: str, least: Any, too_small: Any) -> None:
    check_values(COMMON_RULES, {name: least})
    with pytest.raises(UsageError, match=re.escape(f"{name} must be a")):
        check_values(COMMON_RULES, {name: too_small})


@pytest.mark.parametrize("name", ["validation_fraction", "min_frequency"])
def test_shares_are_below_one(name: str) -> None:
    check_values(COMMON_RULES, {name: 0.999})
    with pytest.raises(UsageError, match=f"{name} must be a number from 0 to below 1; it is 1"):
        check_values(COMMON_RULES, {name: 1})


@pytest.mark.parametrize("name", ["sentence_start", "sentence_end"])
def test_truth_values_may_be_of_numpy_but_no_numbers(name: str) -> None:
    check_values(COMMON_RULES, {name: True})
    check_values(COMMON_RULES, {name: np.bool_(False)})
    with pytest.raises(UsageError, match=f"{name} must be True or False; it is 1"):
        check_values(COMMON_RULES, {name: 1})
