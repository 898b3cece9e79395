from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from byline.array_types import Floats
from byline.attribution.verification import AuthorshipVerifier, VerificationProblem
from byline.attribution.verification.calibration import HeldOutAnswers, held_out_answers
from byline.attribution.verification.uncertainty import (
    LikelihoodRatioInterval,
    leave_one_out_log10_lrs,
    resampled_log10_lrs,
)

Problems = tuple[list[VerificationProblem], list[bool], list[tuple[str, str]]]


def _intervals(
    held_out: HeldOutAnswers, asked: Floats, n_resamples: int, random_state: int = 0
) -> list[LikelihoodRatioInterval]:
    """The interval of each problem in question."""
    found = resampled_log10_lrs(held_out, asked, n_resamples=n_resamples, random_state=random_state)
    return [LikelihoodRatioInterval.of(each, held_out.n_authors) for each in found.T]


def _held_out(n_authors: int, n_each: int = 4, noise: float = 0.3) -> HeldOutAnswers:
    """Problems of each kind by so many authors, with one informative similarity."""
    rng = np.random.default_rng(n_authors)
    known_by = np.repeat(np.arange(n_authors), 2 * n_each)
    same = np.tile([True, False], n_authors * n_each)
    questioned_by = np.where(same, known_by, (known_by + 1) % n_authors)
    by_author = rng.normal(scale=noise, size=n_authors)[known_by]
    features = same + by_author + rng.normal(scale=noise, size=same.size)
    return held_out_answers(
        features[:, np.newaxis], same, [*map(str, known_by)], [*map(str, questioned_by)]
    )


def test_the_same_seed_gives_the_same_interval() -> None:
    held_out, asked = _held_out(6), np.array([[1.0], [0.2]])
    first, again, other = (_intervals(held_out, asked, 30, seed) for seed in (0, 0, 1))
    assert first == again != other
    assert [each.n_authors for each in first] == [6, 6]
    assert first[0].n_resamples == 30


def test_an_interval_is_narrower_with_more_authors() -> None:
    few, many = (_intervals(_held_out(n), np.array([[0.3]]), 60)[0] for n in (4, 24))
    assert many.high - many.low < few.high - few.low


def test_the_interval_surrounds_the_ratio_of_the_original_problems() -> None:
    from byline.attribution.verification.calibration import VerificationCalibrator

    held_out, asked = _held_out(12), np.array([[0.7]])
    calibrator = VerificationCalibrator.fit(held_out.features, held_out.same)
    ratio = float(calibrator.bounds.apply(calibrator.log_odds(asked))[0] / np.log(10))
    [interval] = _intervals(held_out, asked, 100)
    assert interval.low < ratio < interval.high


def test_samples_without_problems_of_both_kinds_are_replaced() -> None:
    held_out = _held_out(2, n_each=6)  # in half of all samples, there is one author
    [interval] = _intervals(held_out, np.array([[1.0]]), 40)
    assert np.isfinite([interval.low, interval.high]).all() and interval.n_resamples == 40


def test_a_text_pair_by_two_authors_counts_by_both() -> None:
    # Of three authors, one has no problem of its own: it is drawn all the same.
    held_out = held_out_answers(
        np.array([[1.0], [0.9], [0.8], [0.7], [0.95], [0.0], [0.1], [0.2], [0.3], [0.15]]),
        np.repeat([True, False], 5),
        "aabbbaabbb",
        "aabbbbccca",
    )
    [interval] = _intervals(held_out, np.array([[0.9]]), 20)
    assert interval.n_authors == 3 and interval.low <= interval.high


@pytest.mark.parametrize("n", [1, 3])
def test_each_problem_has_an_interval(n: int) -> None:
    asked = np.linspace(0, 1, n)[:, np.newaxis]
    assert len(_intervals(_held_out(5), asked, 5)) == n


def test_known_texts_are_left_out_in_turn(
    problems: Problems, write: Callable[[int, int, int], str]
) -> None:
    asked, same, authors = problems
    verifier = AuthorshipVerifier().fit(asked, same, authors=authors)
    known = (write(0, 900, 120), write(0, 901, 120), write(3, 902, 120))
    problem = VerificationProblem(known, write(0, 950, 120))
    ratios = leave_one_out_log10_lrs(verifier, problem)
    assert len(ratios) == 3
    assert ratios.argmax() == 2  # without the text by another author
    bounds = verifier.calibrator_.bounds
    assert (ratios >= bounds.lower / np.log(10)).all()
    [alone] = verifier.decision_function([VerificationProblem(known[:2], problem.questioned)])
    assert ratios[2] == pytest.approx(bounds.apply(alone) / np.log(10))
