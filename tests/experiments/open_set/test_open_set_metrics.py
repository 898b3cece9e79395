"""Metrics of open-set attribution: known values, with the arithmetic in comments, and laws."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from byline.errors import UsageError
from byline.experiments.open_set.answers import OpenSetAnswers, RateAnswers
from byline.experiments.open_set.metrics import OpenSetMetrics
from byline.experiments.open_set.scores import (
    c_at_1_of_counts,
    f_05_u,
    interval_over_authors,
    known_unknown_auc,
    open_set_macro_f1,
)

# Five texts by two of three candidates, and three by two unknown authors. Ann's third text and
# Eve's second are undecided; Bob's second is attributed to Ann, and Dan's to Cyd.
TEXTS = (
    # author, first candidate, accepted, withheld, stated missed rate, statistic
    ("Ann", "Ann", True, False, 0.3, 9.0),
    ("Ann", "Ann", True, False, 0.3, 7.0),
    ("Ann", "Ann", False, True, 0.6, 3.0),
    ("Bob", "Bob", True, False, 0.3, 8.0),
    ("Bob", "Ann", True, False, 0.5, 5.0),
    ("Dan", "Cyd", True, False, 0.3, 6.0),
    ("Eve", "Bob", False, False, 0.3, 2.0),
    ("Eve", "Ann", False, True, 0.6, 1.0),
)


def _answers(texts: tuple[tuple[str, str, bool, bool, float, float], ...]) -> OpenSetAnswers:
    authors, first, accepted, withheld, missed, statistics = zip(*texts, strict=True)
    return OpenSetAnswers(
        candidates=("Ann", "Bob", "Cyd"),
        paths=tuple(f"{n}.txt" for n in range(len(texts))),
        authors=authors,
        first=first,
        statistics=statistics,
        by_rate=(RateAnswers(0.1, accepted, withheld, (0.1,) * len(missed), missed),),
        unavailable=((0.05, "there are too few texts"),),
    )


ANSWERS = _answers(TEXTS)


def test_rates_and_scores_of_eight_texts() -> None:
    metrics = OpenSetMetrics.of([ANSWERS])
    assert (metrics.n_known, metrics.n_known_authors) == (5, 2)
    assert (metrics.n_unknown, metrics.n_unknown_authors) == (3, 2)
    assert metrics.accuracy.accuracy == 4 / 5  # Ann is the first candidate of Bob's second text
    [row] = metrics.by_rate
    assert row.false_attribution_rate == pytest.approx(1 / 3)  # Dan's text
    assert row.missed_rate == pytest.approx(2 / 5)  # Ann's third, Bob's second
    assert row.rejected_rate == pytest.approx(1 / 5)
    assert row.misattribution_rate == pytest.approx(1 / 5)
    assert row.stated_missed_rate == pytest.approx((3 * 0.3 + 0.6 + 0.5) / 5)
    assert row.withheld_rate == pytest.approx(2 / 8)
    # Correct: three texts by candidates, and Eve's first. (4 + 2 x 4 / 8) / 8 = 5 / 8
    assert row.c_at_1 == pytest.approx(5 / 8)
    # TP 3; FP 2 (Bob's second, Dan's); FN 1 (Bob's second); U 2:
    # 3.75 / (3.75 + 0.25 x (1 + 2) + 2) = 3.75 / 6.5
    assert row.f_05_u == pytest.approx(3.75 / 6.5)
    # Ann: precision 2/3, recall 2/3, F1 2/3. Bob: precision 1, recall 1/2, F1 2/3. Cyd wrote none.
    assert row.macro_f1 == pytest.approx(2 / 3)
    # Without rejection, Ann: 3 of 5 right, recall 1, F1 3/4. Bob: 1 of 2, recall 1/2, F1 1/2.
    assert metrics.macro_f1_without_rejection == pytest.approx((3 / 4 + 1 / 2) / 2)
    # Pairs in which the candidate's text is higher: 5 x 3, without 6 against 3 and against 5
    assert metrics.auc == pytest.approx(13 / 15)
    assert metrics.unavailable == ((0.05, "there are too few texts"),)


def test_folds_are_pooled_but_the_auc_is_their_mean() -> None:
    # The values of the second model are higher by a constant, which must not matter.
    other = replace(ANSWERS, statistics=tuple((value or 0) + 100 for value in ANSWERS.statistics))
    both, one = OpenSetMetrics.of([ANSWERS, other]), OpenSetMetrics.of([ANSWERS])
    assert both.auc == pytest.approx(13 / 15)
    assert both.n_known == 2 * one.n_known
    assert both.by_rate[0].macro_f1 == pytest.approx(one.by_rate[0].macro_f1)


def test_an_author_is_a_candidate_of_one_fold_and_unknown_in_another() -> None:
    # In the second fold, Ann is unknown, so that the attribution of her text to Bob is false.
    second = replace(
        ANSWERS,
        candidates=("Bob", "Cyd", "Dan"),
        first=tuple("Bob" if name == "Ann" else name for name in ANSWERS.first),
    )
    row = OpenSetMetrics.of([ANSWERS, second]).by_rate[0]
    # Unknown: 3 texts, 1 attributed; then Ann's 3, 2 attributed, and Eve's 2, none.
    assert row.false_attribution_rate == pytest.approx((1 + 2) / (3 + 5))


def test_the_order_of_texts_changes_nothing() -> None:
    metrics = OpenSetMetrics.of([ANSWERS])
    assert OpenSetMetrics.of([_answers(TEXTS[::-1])]) == metrics


def test_unknown_authors_without_names_are_single_observations() -> None:
    authors = tuple(None if author in ("Dan", "Eve") else author for author in ANSWERS.authors)
    metrics = OpenSetMetrics.of([replace(ANSWERS, authors=authors)])
    assert metrics.n_unknown_authors is None
    assert metrics.by_rate[0].false_attribution_rate == pytest.approx(1 / 3)
    low, high = metrics.by_rate[0].false_attribution_interval
    assert low < 0.1
    assert high > 0.9  # from three texts


def test_texts_of_both_kinds_are_needed() -> None:
    with pytest.raises(UsageError, match="no questioned text is by an unknown author"):
        OpenSetMetrics.of([_answers(TEXTS[:5])])
    with pytest.raises(UsageError, match="no questioned text is by a candidate"):
        OpenSetMetrics.of([_answers(TEXTS[5:])])


def test_c_at_1_is_accuracy_if_nothing_is_withheld() -> None:
    assert c_at_1_of_counts(3, 0, 4) == 0.75
    assert c_at_1_of_counts(0, 4, 4) == 0.0
    assert c_at_1_of_counts(3, 1, 4) == pytest.approx((3 + 3 / 4) / 4)


def test_f_05_u_counts_withheld_answers_as_false_negatives() -> None:
    assert f_05_u(0, 3, 2, 1) == 0.0
    assert f_05_u(5, 0, 0, 0) == 1.0
    assert f_05_u(5, 0, 0, 4) == f_05_u(5, 0, 4, 0) == pytest.approx(6.25 / 7.25)
    # A false attribution weighs four times as much as a missed one.
    assert f_05_u(5, 1, 0, 0) == f_05_u(5, 0, 4, 0)


def test_macro_f1_of_unknown_authors_and_candidates_without_texts() -> None:
    assert open_set_macro_f1(["Ann", "Bob", None], ["Ann", "Bob", None]) == 1.0
    # Ann: precision 1/2, recall 1. An attribution to Cyd, who wrote no text, is like a rejection.
    assert open_set_macro_f1(["Ann", None, None], ["Ann", "Ann", "Cyd"]) == pytest.approx(2 / 3)
    assert open_set_macro_f1(["Ann", "Bob"], [None, None]) == 0.0
    with pytest.raises(UsageError, match="no text is by a candidate"):
        open_set_macro_f1([None], ["Ann"])
    with pytest.raises(UsageError, match="2 authors and 1 answers"):
        open_set_macro_f1(["Ann", "Bob"], ["Ann"])


def test_the_interval_follows_authors_and_not_texts() -> None:
    # Four authors of ten texts each: the texts of an author are all marked or none is.
    marks = [True] * 20 + [False] * 20
    by_author = interval_over_authors(marks, [name for name in "ABCD" for _ in range(10)])
    by_text = interval_over_authors(marks, [str(n) for n in range(40)])
    assert by_author[1] - by_author[0] > 0.8
    assert by_text[1] - by_text[0] < 0.4


def test_the_interval_without_a_mark_counts_each_author_once() -> None:
    # 1 - 0.025 ** (1 / 4)
    low, high = interval_over_authors([False] * 8, list("AABBCCDD"))
    assert low == 0.0
    assert high == pytest.approx(1 - 0.025**0.25)


def test_declined_texts_have_the_lowest_values() -> None:
    assert known_unknown_auc([True, False], [None, -5.0]) == 0.0
    assert known_unknown_auc([True, False], [None, None]) == 0.5


def test_answers_survive_json() -> None:
    again = OpenSetAnswers.from_dict(json.loads(json.dumps(ANSWERS.to_dict())))
    assert again == ANSWERS
    broken = ANSWERS.to_dict() | {"first": ("Ann",)}
    with pytest.raises(ValueError, match="different lengths"):
        OpenSetAnswers.from_dict(broken)
