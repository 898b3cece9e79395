"""Measurements of cells, worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from byline.experiments.small_cases.answers import CaseAnswers
from byline.experiments.small_cases.cells import CaseCell, CellCounts, measure_cells

HALF, SURE = math.log(0.5), (math.log(0.9), math.log(0.1))


def _answers(
    default: list[int], simple: list[int], *, number: int = 0, lengths: list[int] | None = None
) -> CaseAnswers:
    """Answers about texts by the first of two candidates; probabilities are .9 and .1."""
    stated = [list(SURE if first == 0 else SURE[::-1]) for first in default]
    return CaseAnswers(
        digest=str(number),
        corpus="toy",
        settings="2x1x150",
        number=number,
        candidates=["Ann", "Bob"],
        lengths=lengths or [50] * len(default),
        authors=[0] * len(default),
        answers={"default": default, "simple": simple},
        log_probabilities=stated,
        log_likelihood_ratios=[[own - other, other - own] for own, other in stated],
        failures={},
        cpu_seconds=1.0,
    )


def _cell(*cases: CaseAnswers) -> CaseCell:
    [cell] = measure_cells(cases)
    return cell


def test_accuracies_and_clustered_errors() -> None:
    cell = _cell(_answers([0, 0], [0, 1]), _answers([0, 1], [1, 1], number=1))
    assert (cell.n, cell.n_cases, cell.n_candidates, cell.questioned_words) == (4, 2, 2, 50)
    # Deviations from 3/4 are .25, .25, .25 and -.75; by case they sum to .5 and -.5. The variance
    # is 2 / (2 - 1) * (.25 + .25) / 4 ** 2 = 1 / 16.
    assert cell.methods["default"].accuracy == 0.75
    assert cell.methods["default"].standard_error == pytest.approx(0.25)
    assert cell.methods["simple"].accuracy == 0.25
    # The differences are 0, 1, 1, 0 with the mean .5; by case their deviations sum to 0 and 0.
    assert (cell.best_single, cell.difference, cell.difference_error) == ("simple", 0.5, 0.0)


def test_the_method_is_chosen_on_the_other_cases() -> None:
    def case(number: int, default: list[int], one: list[int], other: list[int]) -> CaseAnswers:
        answers = {"default": default, "one": one, "other": other}
        return replace(_answers(default, one, number=number), answers=answers)

    cell = _cell(case(0, [0, 0], [0, 0], [0, 1]), case(1, [0, 0], [1, 0], [0, 0]))
    # Both methods are right in 3 of 4 texts. In the first case, the method that is best in the
    # second one is compared: "other", which is right once. In the second case it is "one".
    assert (cell.best_single, cell.difference) == ("one", 0.25)
    assert cell.held_out_difference == 0.5
    assert cell.held_out_difference_error == 0.0  # one text in each case
    # A single case has no other ones: "one" is right in both of its texts.
    assert _cell(case(0, [0, 0], [0, 0], [0, 1])).held_out_difference == 0.0


def test_probabilities() -> None:
    cell = _cell(_answers([0, 0], [0, 1]), _answers([0, 1], [1, 1], number=1))
    assert cell.log_loss_of_guessing == pytest.approx(math.log(2))
    assert cell.log_loss == pytest.approx(-(3 * math.log(0.9) + math.log(0.1)) / 4)
    assert not cell.is_above_guessing
    # All confidences are .9 and the accuracy is .75.
    assert cell.ece == pytest.approx(0.15)
    # Of four answers at .9, 4, 3 or 2 are right with probabilities .656, .292 and .049.
    expected = 0.656 * 0.1 + 0.292 * 0.15 + 0.049 * 0.4 + 0.004 * 0.65
    assert cell.ece_by_chance == pytest.approx(expected, abs=0.01)
    assert cell.ece_by_chance_95 == pytest.approx(0.15, abs=1e-6) or cell.ece_by_chance_95 > 0.15
    # log2(1 + 1/9) for right answers, log2(1 + 9) for wrong ones, of targets and others alike.
    assert cell.cllr == pytest.approx((3 * math.log2(10 / 9) + math.log2(10)) / 4)


def test_lengths_are_cells_of_their_own() -> None:
    case = _answers([0, 1, 0], [0, 0, 0], lengths=[0, 500, 50])
    cells = list(measure_cells([case]))
    assert [cell.questioned_words for cell in cells] == [50, 500, 0]
    assert [cell.difference for cell in cells] == [0.0, -1.0, 0.0]
    assert cells[0].difference_error == 0.0  # unknown with one case


def test_failed_training_counts_as_wrong() -> None:
    failed = CaseAnswers(
        **{
            **_answers([-1, -1], [0, 0], number=1).to_dict(),
            "answers": {"default": [-1, -1], "simple": [0, 0]},
            "log_probabilities": [[HALF, HALF]] * 2,
            "log_likelihood_ratios": [[0.0, 0.0]] * 2,
            "failures": {"default": "too few texts"},
        }
    )
    whole = _answers([0, 0], [0, 1])
    with_base = CaseAnswers(**{**whole.to_dict(), "answers": {**whole.answers, "base": [0, 0]}})
    cell = _cell(with_base, failed)
    assert (cell.methods["default"].accuracy, cell.methods["default"].n_failed) == (0.5, 2)
    assert (cell.methods["base"].accuracy, cell.methods["base"].n_failed) == (0.5, 2)
    assert cell.methods["simple"].n_failed == 0


def test_the_summary_counts_cells_with_enough_texts() -> None:
    good = _cell(*(_answers([0] * 10, [0] * 10, number=number) for number in range(20)))
    worse = _cell(*(_answers([0, 1] * 5, [0] * 10, number=number) for number in range(20)))
    small = _cell(_answers([1], [0]))
    assert worse.is_below
    assert worse.is_above_guessing  # half of the answers are wrong at .9
    assert worse.is_miscalibrated
    assert worse.is_beyond_chance
    assert not good.is_below
    counts = CellCounts.of([good, worse, small])
    assert (counts.n, counts.n_small, counts.n_below) == (2, 1, 1)
    assert counts.mean_difference == pytest.approx(-0.25)
    # There is one simple method only, which is chosen on any texts.
    assert counts.n_below_held_out == 1
    assert counts.mean_held_out_difference == pytest.approx(-0.25)
    # All answers of the good cell are right and stated at .9: further from it than by chance.
    assert (counts.n_above_guessing, counts.n_miscalibrated, counts.n_beyond_chance) == (1, 2, 2)
    assert CellCounts.of([small]).mean_difference is None
