"""Discounts, interpolation and back-off, with the arithmetic written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from byline.errors import UsageError
from byline.lm.ngrams.counts import Level, add_sentence_boundaries, count_ngrams
from byline.lm.ngrams.smoothing import SmoothedProbabilities, Smoothing
from byline.lm.ngrams.smoothing.combination import (
    counts_of_counts,
    fixed_discounts,
    good_turing_coefficients,
    kneser_ney_discount,
    modified_discounts,
    single_discount,
)
from byline.lm.ngrams.smoothing.methods import kneser_ney_counts


def levels_of(sentences: list[list[int]], *, order: int, end: bool = True) -> list[Level]:
    arrays = [np.array(sentence, dtype=np.int32) for sentence in sentences]
    stream = add_sentence_boundaries(arrays, 9, sentence_end=end)
    return count_ngrams(stream, order, 9, sentence_start=True)


def smooth(
    levels: list[Level], n_events: int, name: str = "modified-kneser-ney", **params: Any
) -> SmoothedProbabilities:
    params = {"interpolate": True, "min_counts": [1] * len(levels), **params}
    min_counts = params.pop("min_counts")
    return Smoothing(name=name, **params)(levels, n_events, min_counts)


def test_discounts_follow_chen_and_goodman() -> None:
    # Y = 4 / (4 + 2 * 2) = 1/2
    # D1 = 1 - 2 Y 2/4 = 0.5; D2 = 2 - 3 Y 1/2 = 1.25; D3 = 3 - 4 Y 1/1 = 1
    assert modified_discounts((4, 2, 1, 1)) == pytest.approx((0.5, 1.25, 1.0))


def test_without_counts_of_four_the_third_discount_is_three() -> None:
    assert modified_discounts((4, 2, 1, 0)) == pytest.approx((0.5, 1.25, 3.0))


@pytest.mark.parametrize("n", [(0, 2, 1, 1), (4, 0, 1, 1), (4, 2, 0, 1), (0, 0, 0, 0)])
def test_discounts_need_all_counts_of_counts(n: tuple[int, int, int, int]) -> None:
    assert modified_discounts(n) is None


def test_a_negative_discount_is_not_used() -> None:
    assert modified_discounts((4, 2, 1, 2)) is None  # D3 = 3 - 4 * 1/2 * 2 = -1


def test_a_discount_of_exactly_zero_is_not_used() -> None:
    assert modified_discounts((1, 1, 2, 0)) is None  # Y = 1/3, D2 = 2 - 3 * 1/3 * 2/1 = 0


def test_the_discounted_probability_of_unigrams_goes_to_all_events() -> None:
    # counts 1 1 1 1 2 2 3 4: n = (4, 2, 1, 1), so D = 0.5, 1.25, 1; in total 15
    corpus = [[1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8, 8]]
    smoothed = smooth(levels_of(corpus, order=1, end=False), 9)
    assert smoothed.fallback_orders == ()
    backoff = (4 * 0.5 + 2 * 1.25 + 2 * 1.0) / 15
    assert smoothed.backoffs[0] == pytest.approx([backoff])
    uniform = backoff / 9
    expected = [0.5 / 15] * 4 + [0.75 / 15] * 2 + [2 / 15, 3 / 15]
    assert smoothed.probs[1][:-1] == pytest.approx(np.array(expected) + uniform)


def test_lower_orders_count_left_neighbours_except_after_the_sentence_start() -> None:
    # bigrams of <s> 1 2 </s>, <s> 1 2 </s>, <s> 3 2 </s>; sorted: 1 2, 2 </s>, 3 2, <s> 1, <s> 3
    levels = levels_of([[1, 2], [1, 2], [3, 2]], order=3)
    assert kneser_ney_counts(levels[1], 2, highest=False).tolist() == [1, 2, 1, 2, 1]
    assert kneser_ney_counts(levels[1], 2, highest=True).tolist() == [2, 3, 1, 2, 1]
    # unigrams 1, 2, 3, </s>, <s>: {<s>}, {1, 3}, {<s>}, {2}; <s> is never predicted
    assert kneser_ney_counts(levels[0], 1, highest=False).tolist() == [1, 2, 1, 1, 0]


def test_orders_without_discounts_are_named() -> None:
    smoothed = smooth(levels_of([[1, 2], [1, 3]], order=2), 10)
    assert smoothed.fallback_orders == (1, 2)


def test_fallback_discounts() -> None:
    assert single_discount((6, 1, 0, 0)) == (0.75, 0.75, 0.75)  # 6 / (6 + 2)
    assert single_discount((0, 1, 0, 0)) == single_discount((4, 0, 1, 1)) == (0.5, 1.0, 1.5)
    assert fixed_discounts((6, 1, 0, 0)) == (0.5, 1.0, 1.5)


def test_an_order_without_ngrams_needs_no_discounts() -> None:
    smoothed = smooth(levels_of([[1]], order=5), 10)
    assert smoothed.fallback_orders == (1, 2, 3)
    assert len(smoothed.probs[4]) == len(smoothed.probs[5]) == 0


def test_a_context_that_nothing_follows_backs_off_completely() -> None:
    smoothed = smooth(levels_of([[1]], order=2), 10)
    # unigrams 1, </s>, <s>: nothing follows </s>
    assert smoothed.backoffs[1][1] == 1.0


def test_counts_of_counts_ignore_zero_and_large_counts() -> None:
    assert counts_of_counts(np.array([0, 1, 1, 2, 4, 5, 99], dtype=np.int32)) == [2, 1, 0, 1]


# --- one discount per order ---------------------------------------------------------------------


def test_one_discount_needs_ngrams_that_occur_once_and_twice() -> None:
    assert kneser_ney_discount([6, 1]) == 0.75  # 6 / (6 + 2)
    assert kneser_ney_discount([0, 1]) is kneser_ney_discount([4, 0]) is None


def test_kneser_ney_worked_by_hand() -> None:
    levels = levels_of([[1, 2], [1, 2], [1, 3]], order=2)
    smoothed = smooth(levels, 10, "kneser-ney")
    # Unigrams 1 {<s>}, 2 {1}, 3 {1}, </s> {2, 3}: n1 = 3, n2 = 1, D = 3/5; 4 D of 5 are discounted.
    assert smoothed.backoffs[0] == pytest.approx([2.4 / 5])
    expected = np.array([0.4, 0.4, 0.4, 1.4]) / 5 + 0.48 / 10
    assert smoothed.probs[1][:-1] == pytest.approx(expected)
    # Bigrams 1 2 twice, 1 3 once, 2 </s> twice, 3 </s> once, <s> 1 three times: D = 2 / (2 + 4).
    # After 1: (2 - 1/3) / 3 and (1 - 1/3) / 3, and 2/3 of 3 are discounted.
    assert smoothed.probs[2][0] == pytest.approx(5 / 9 + 2 / 9 * expected[1])
    assert smoothed.probs[2][1] == pytest.approx(2 / 9 + 2 / 9 * expected[2])


def test_absolute_discounting_subtracts_a_constant_from_raw_counts() -> None:
    levels = levels_of([[1, 2], [1, 2], [1, 3]], order=2)
    smoothed = smooth(levels, 10, "absolute", discount=0.25)
    # Unigrams 1, 2, 3, </s>: 3 2 1 3 of 9; 4 * 0.25 are discounted.
    unigrams = np.array([2.75, 1.75, 0.75, 2.75]) / 9 + 1 / 9 / 10
    assert smoothed.probs[1][:-1] == pytest.approx(unigrams)
    # After 1: 2 twice, 3 once; 2 * 0.25 of 3 are discounted.
    assert smoothed.probs[2][0] == pytest.approx(1.75 / 3 + 0.5 / 3 * unigrams[1])


def test_absolute_discounting_estimates_its_constant() -> None:
    levels = levels_of([[1, 2], [1, 2], [1, 3]], order=2)
    smoothed = smooth(levels, 10, "absolute")
    # Unigrams 3 2 1 3: n1 = n2 = 1, D = 1 / 3. Bigrams 2 1 2 1 3: n1 = n2 = 2, D = 2 / 6.
    assert smoothed.backoffs[0] == pytest.approx([4 / 3 / 9])
    assert smoothed.backoffs[1][0] == pytest.approx(2 / 3 / 3)


@pytest.mark.parametrize("name", ["kneser-ney", "absolute"])
def test_a_discount_that_cannot_be_estimated_is_one_half(name: str) -> None:
    smoothed = smooth(levels_of([[1, 2]], order=1), 10, name)
    assert smoothed.fallback_orders == (1,)
    assert smoothed.backoffs[0] == pytest.approx([3 * 0.5 / 3])


# --- Witten-Bell --------------------------------------------------------------------------------


def test_witten_bell_interpolated_worked_by_hand() -> None:
    levels = levels_of([[1, 2], [1, 2], [1, 3]], order=2)
    smoothed = smooth(levels, 10, "witten-bell")
    # Unigrams 3 2 1 3, four types: 9 + 4; the uniform distribution has 4/13.
    unigrams = (np.array([3, 2, 1, 3]) + 4 / 10) / 13
    assert smoothed.probs[1][:-1] == pytest.approx(unigrams)
    # After 1: 2 twice, 3 once, two types: 3 + 2.
    assert smoothed.probs[2][:2] == pytest.approx((np.array([2, 1]) + 2 * unigrams[1:3]) / 5)
    assert smoothed.backoffs[1][0] == pytest.approx(2 / 5)
    assert smoothed.fallback_orders == ()


def test_witten_bell_backing_off_worked_by_hand() -> None:
    levels = levels_of([[1, 2], [1, 2], [1, 3]], order=2)
    smoothed = smooth(levels, 10, "witten-bell", interpolate=False)
    # Unigrams 3 2 1 3 of 13; 4/13 for the six unobserved of ten events, each 4/13/6 = bow / 10.
    assert smoothed.probs[1][:-1] == pytest.approx(np.array([3, 2, 1, 3]) / 13)
    assert smoothed.backoffs[0] == pytest.approx([4 / 13 / 0.6])
    # After 1: 2/5 and 1/5, and 2/5 for the others, which have 1 - 2/13 - 1/13 as unigrams.
    assert smoothed.probs[2][:2] == pytest.approx([2 / 5, 1 / 5])
    assert smoothed.backoffs[1][0] == pytest.approx(2 / 5 / (10 / 13))


# --- Good-Turing --------------------------------------------------------------------------------


def test_good_turing_coefficients_follow_katz() -> None:
    # k = 2: A = 3 * 2 / 20 = 0.3; 1*/1 = 2 * 6/20 = 0.6, 2*/2 = 3 * 2 / (2 * 6) = 0.5
    coefficients, complete = good_turing_coefficients([20, 6, 2])
    assert coefficients == pytest.approx([1, 0.3 / 0.7, 0.2 / 0.7])
    assert complete


def test_good_turing_lowers_k_while_the_next_count_is_missing() -> None:
    coefficients, complete = good_turing_coefficients([20, 6, 2, 0, 0])
    assert coefficients == pytest.approx([1, 0.3 / 0.7, 0.2 / 0.7, 1, 1])
    assert not complete


@pytest.mark.parametrize(
    "n",
    [
        [0, 6, 2],  # nothing occurs once
        [20, 0, 0],  # no r* at all
        [20, 0, 2],  # A = 3 * 2/20 is above 1*/1 = 0; 2*/2 is not a number
        [8, 4, 1],  # 1*/1 = 2 * 4/8 = 1; A = 2*/2 = 3/8
        [6, 1, 2],  # A = 1
        [10, 4, 4],  # A = 1.2 and 1*/1 = 0.8, the coefficient 2; 2*/2 = 1.5
    ],
)
def test_good_turing_does_not_discount_counts_without_a_valid_coefficient(n: list[int]) -> None:
    coefficients, complete = good_turing_coefficients(n)
    assert coefficients.tolist() == [1, 1, 1]
    assert not complete


def test_good_turing_backing_off_worked_by_hand() -> None:
    # All bigrams have the count 3, which cannot be discounted. 1 is followed by 2 only: its
    # total is 3 + 1, and the nine others receive a quarter.
    levels = levels_of([[1, 2], [1, 2], [1, 2]], order=2)
    smoothed = smooth(levels, 10, "good-turing", interpolate=False)
    # Unigrams 3 3 3 of 9: nothing is left for seven unobserved events, so the total is 9 + 1.
    assert smoothed.probs[1][:-1] == pytest.approx([0.3, 0.3, 0.3])
    assert smoothed.backoffs[0] == pytest.approx([0.1 / 0.7])
    assert smoothed.probs[2] == pytest.approx([3 / 4, 3 / 4, 3 / 4])
    assert smoothed.backoffs[1][:2] == pytest.approx([0.25 / 0.7, 0.25 / 0.7])
    assert smoothed.fallback_orders == (2,)


def test_without_unobserved_events_back_off_interpolates() -> None:
    # One sentence 1 2 1: all three events are observed, and each receives a third of 3/7.
    smoothed = smooth(levels_of([[1, 2, 1]], order=1), 3, "witten-bell", interpolate=False)
    assert smoothed.probs[1][:-1] == pytest.approx(np.array([2, 1, 1]) / 7 + 3 / 7 / 3)


# --- minimum counts -----------------------------------------------------------------------------


@pytest.mark.parametrize("interpolate", [True, False])
def test_counts_below_the_minimum_remain_in_the_total(interpolate: bool) -> None:
    levels = levels_of([[1, 2], [1, 2], [1, 3]], order=2)
    smoothed = smooth(
        levels, 10, "absolute", interpolate=interpolate, discount=0.25, min_counts=[1, 2]
    )
    unigrams = smoothed.probs[1]
    # After 1: 2 twice, 3 once of 3; 0.25 of the two and all of the one are discounted.
    if interpolate:
        expected = 1.75 / 3 + 1.25 / 3 * unigrams[1]
    else:
        expected = 1.75 / 3
        assert smoothed.backoffs[1][0] == pytest.approx(1.25 / 3 / (1 - unigrams[1]))
    assert smoothed.probs[2][0] == pytest.approx(expected)
    # The rare bigram has the back-off probability.
    assert smoothed.probs[2][1] == pytest.approx(smoothed.backoffs[1][0] * unigrams[2])


# --- rejected input -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"name": "good-touring"}, r"'good-touring' is unknown.*modified-kneser-ney"),
        ({"fallback": "none"}, r"'none' is unknown.*one-discount, fixed"),
        ({"name": "good-turing"}, r"interpolate=True.*set interpolate=False"),
        ({"discount": 0.5}, r"discount=0.5.*computes its own discounts"),
        (
            {"name": "absolute", "discount": 1.0},
            r"discount=1.0: it must be greater than 0 and less than 1",
        ),
        ({"name": "absolute", "discount": "much"}, r"discount='much': it must be a number"),
    ],
)
def test_undefined_methods_are_rejected(params: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Smoothing(**{"name": "modified-kneser-ney", "interpolate": True, **params})
