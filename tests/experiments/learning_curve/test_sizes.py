"""Amounts of known text, authors who have them, and lengths of questioned passages."""

from __future__ import annotations

import pytest

from byline.errors import TrainingError, UsageError
from byline.experiments.learning_curve.sizes import choose_known_sizes, choose_text_lengths


def test_the_largest_amount_is_that_of_the_author_with_the_least() -> None:
    sizes = choose_known_sizes({"Ann": 9000, "Bob": 6000, "Cyd": 5200})
    # 5,000 is more than 0.8 times 5,200, and the last amount stands for both.
    assert sizes.words == (200, 500, 1000, 2000, 5200)
    assert (sizes.authors, sizes.left_out) == (("Ann", "Bob", "Cyd"), {})


def test_authors_with_much_less_than_the_median_are_left_out() -> None:
    sizes = choose_known_sizes({"Ann": 40_000, "Bob": 20_000, "Cyd": 4999})
    assert sizes.left_out == {"Cyd": 4999}  # less than a quarter of 20,000
    assert sizes.words[-1] == 20_000
    assert choose_known_sizes({"Ann": 40_000, "Bob": 20_000, "Cyd": 5000}).left_out == {}


def test_two_authors_are_both_kept_however_unequal() -> None:
    sizes = choose_known_sizes({"Ann": 100_000, "Bob": 300})
    assert (sizes.authors, sizes.words) == (("Ann", "Bob"), (200, 300))


def test_a_curve_of_little_text_has_two_amounts() -> None:
    assert choose_known_sizes({"Ann": 220, "Bob": 230}).words == (110, 220)


def test_requested_amounts_decide_who_is_left_out() -> None:
    sizes = choose_known_sizes({"Ann": 900, "Bob": 800, "Cyd": 700}, [800, 100, 800])
    assert (sizes.words, sizes.authors, sizes.left_out) == (
        (100, 800),
        ("Ann", "Bob"),
        {"Cyd": 700},
    )


@pytest.mark.parametrize(
    ("available", "requested", "error", "message"),
    [
        ({"Ann": 900, "Bob": 800}, [100], UsageError, "needs two or more amounts"),
        ({"Ann": 900, "Bob": 800}, [0, 100], UsageError, "each amount of known words"),
        ({"Ann": 900, "Bob": 80}, [100, 500], TrainingError, r"500 known words.*Bob \(80\)"),
        ({"Ann": 90, "Bob": 80}, [], TrainingError, r"200 known words.*Ann \(90\) and Bob \(80\)"),
    ],
)
def test_impossible_amounts_are_errors(
    available: dict[str, int], requested: list[int], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        choose_known_sizes(available, requested)


def test_lengths_are_reached_by_half_of_the_held_out_texts() -> None:
    assert choose_text_lengths([40, 600, 900]) == (50, 100, 200, 500)
    assert choose_text_lengths([40, 30_000, 90_000])[-1] == 5000
    assert choose_text_lengths([40, 45, 30]) == (45,)  # all are shorter than the shortest length
    assert choose_text_lengths([900], [300, 20, 300]) == (20, 300)


def test_lengths_that_no_text_has_are_errors() -> None:
    with pytest.raises(
        TrainingError, match="no held-out text has 1,000 words: the longest has 900"
    ):
        choose_text_lengths([900, 30], [10, 1000])
    with pytest.raises(UsageError, match="each length"):
        choose_text_lengths([900], [0])
