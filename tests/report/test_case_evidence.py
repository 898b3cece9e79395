"""Sentences about the evidence of a case."""

from __future__ import annotations

import math
from typing import Any

from byline.formatting import isolated
from byline.report.case_evidence import scale_sentence


def entry_of(log10_lr: float | None, n_candidates: int) -> dict[str, Any]:
    """A questioned text's entry with so many candidates."""
    names = ["Ada", "Ben", "Cleo"][:n_candidates]
    return {
        "declined": None,
        "ranking": [{"author": name, "log10_lr": log10_lr} for name in names],
    }


def nats(log10: float) -> float:
    """A base-10 logarithm as a natural one."""
    return log10 * math.log(10)


def test_calibration_lowers_a_larger_sum() -> None:
    for n_candidates in (2, 3):
        sentence = scale_sentence(nats(5), entry_of(2, n_candidates))
        assert sentence is not None
        assert "is only about 100, because calibration lowers it" in sentence


def test_calibration_raises_a_smaller_sum_of_two_candidates() -> None:
    sentence = scale_sentence(nats(1), entry_of(2, 2))
    assert sentence is not None
    assert "is about 100, because calibration raises it" in sentence


def test_a_ratio_against_all_others_is_larger_than_that_against_the_best_of_them() -> None:
    expected = (
        f"This sum is a factor of 10 and compares {isolated('Ada')} with {isolated('Ben')} only. "
        f"The stated likelihood ratio of about 100 compares {isolated('Ada')} with all other "
        "candidates."
    )
    assert scale_sentence(nats(1), entry_of(2, 3)) == expected


def test_nothing_is_stated_if_the_two_hardly_differ_or_there_is_no_ratio() -> None:
    assert scale_sentence(nats(2), entry_of(2, 3)) is None
    assert scale_sentence(nats(2), entry_of(None, 3)) is None
    assert scale_sentence(nats(2), {**entry_of(2, 3), "declined": "the text is empty"}) is None
