"""Discounts and interpolation with the arithmetic written out."""

from __future__ import annotations

import numpy as np
import pytest

from byline.errors import UsageError
from byline.lm.counts import Level, count_ngrams, mark_sentences
from byline.lm.smoothing import (
    find_smoothing,
    fixed_discounts,
    kneser_ney_counts,
    modified_discounts,
    modified_kneser_ney,
    one_discount,
)


def levels_of(sentences: list[list[int]], *, order: int, end: bool = True) -> list[Level]:
    arrays = [np.array(sentence, dtype=np.int32) for sentence in sentences]
    stream = mark_sentences(arrays, 9, sentence_end=end)
    return count_ngrams(stream, order, 9, sentence_start=True)


def test_discounts_follow_chen_and_goodman() -> None:
    # Y = 4 / (4 + 2 * 2) = 1/2
    # D1 = 1 - 2 Y 2/4 = 0.5; D2 = 2 - 3 Y 1/2 = 1.25; D3 = 3 - 4 Y 1/1 = 1
    assert modified_discounts((4, 2, 1, 1)) == pytest.approx((0.5, 1.25, 1.0))


def test_no_count_of_four_leaves_the_third_discount_whole() -> None:
    assert modified_discounts((4, 2, 1, 0)) == pytest.approx((0.5, 1.25, 3.0))


@pytest.mark.parametrize("n", [(0, 2, 1, 1), (4, 0, 1, 1), (4, 2, 0, 1), (0, 0, 0, 0)])
def test_a_missing_count_of_counts_allows_no_discounts(n: tuple[int, int, int, int]) -> None:
    assert modified_discounts(n) is None


def test_a_negative_discount_is_none() -> None:
    assert modified_discounts((4, 2, 1, 2)) is None  # D3 = 3 - 4 * 1/2 * 2 = -1


def test_a_discount_of_exactly_zero_is_none() -> None:
    assert modified_discounts((1, 1, 2, 0)) is None  # Y = 1/3, D2 = 2 - 3 * 1/3 * 2/1 = 0


def test_unigrams_share_what_is_taken_with_all_events() -> None:
    # counts 1 1 1 1 2 2 3 4: n = (4, 2, 1, 1), so D = 0.5, 1.25, 1; together 15
    corpus = [[1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8, 8]]
    smoothed = modified_kneser_ney(
        levels_of(corpus, order=1, end=False), n_events=9, fallback=one_discount
    )
    assert smoothed.fallback_orders == ()
    backoff = (4 * 0.5 + 2 * 1.25 + 2 * 1.0) / 15
    assert smoothed.backoffs[0] == pytest.approx([backoff])
    uniform = backoff / 9
    expected = [0.5 / 15] * 4 + [0.75 / 15] * 2 + [2 / 15, 3 / 15]
    assert smoothed.probs[1][:-1] == pytest.approx(np.array(expected) + uniform)


def test_lower_orders_count_left_neighbours_except_after_the_start() -> None:
    # bigrams of <s> 1 2 </s>, <s> 1 2 </s>, <s> 3 2 </s>; sorted: 1 2, 2 </s>, 3 2, <s> 1, <s> 3
    levels = levels_of([[1, 2], [1, 2], [3, 2]], order=3)
    assert kneser_ney_counts(levels[1], 2, highest=False).tolist() == [1, 2, 1, 2, 1]
    assert kneser_ney_counts(levels[1], 2, highest=True).tolist() == [2, 3, 1, 2, 1]
    # unigrams 1, 2, 3, </s>, <s>: {<s>}, {1, 3}, {<s>}, {2}, never predicted
    assert kneser_ney_counts(levels[0], 1, highest=False).tolist() == [1, 2, 1, 1, 0]


def test_orders_without_discounts_are_named() -> None:
    smoothed = modified_kneser_ney(
        levels_of([[1, 2], [1, 3]], order=2), n_events=10, fallback=one_discount
    )
    assert smoothed.fallback_orders == (1, 2)


def test_fallbacks() -> None:
    assert one_discount((6, 1, 0, 0)) == (0.75, 0.75, 0.75)  # 6 / (6 + 2)
    assert one_discount((0, 1, 0, 0)) == one_discount((4, 0, 1, 1)) == (0.5, 1.0, 1.5)
    assert fixed_discounts((6, 1, 0, 0)) == (0.5, 1.0, 1.5)


def test_an_order_without_ngrams_needs_no_discounts() -> None:
    smoothed = modified_kneser_ney(levels_of([[1]], order=5), n_events=10, fallback=one_discount)
    assert smoothed.fallback_orders == (1, 2, 3)
    assert len(smoothed.probs[4]) == len(smoothed.probs[5]) == 0


def test_a_context_that_nothing_follows_leaves_all_its_mass() -> None:
    smoothed = modified_kneser_ney(levels_of([[1]], order=2), n_events=10, fallback=one_discount)
    # unigrams 1, </s>, <s>: nothing follows </s>
    assert smoothed.backoffs[1][1] == 1.0


def test_an_unknown_smoothing_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'good-touring' is unknown.*modified-kneser-ney"):
        find_smoothing("good-touring", interpolate=True, fallback="fixed")


def test_an_unknown_fallback_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'none' is unknown.*one-discount, fixed"):
        find_smoothing("modified-kneser-ney", interpolate=True, fallback="none")


def test_a_smoothing_that_is_not_defined_as_asked_is_refused() -> None:
    with pytest.raises(UsageError, match=r"interpolate=False.*set interpolate=True"):
        find_smoothing("modified-kneser-ney", interpolate=False, fallback="fixed")
