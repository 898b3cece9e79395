"""When no candidate is named: known values, laws, and what is stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.open_set import HeldOutStatistics, RejectionRule, statistics
from byline.errors import TrainingError, UsageError

NAMES = np.array(["Ann", "Bob", "Cid"])


def tried(
    values: Iterable[float],
    *,
    size: int | Sequence[int] = 100,
    authors: Sequence[int] | None = None,
    n_candidates: int = 3,
) -> HeldOutStatistics:
    """Texts with such statistics, all right."""
    statistic = np.array([*values], dtype=np.float64)
    n = len(statistic)
    return HeldOutStatistics(
        statistic,
        np.full(n, size),
        np.zeros(n, dtype=np.int64) if authors is None else np.array(authors),
        np.full(n, n_candidates),
        np.full(n, True),
    )


def row(statistic: float) -> list[float]:
    """Log-odds of three candidates, the first of whom is so far above the others' mean."""
    return [statistic, -1.0, 1.0]


class TestStatistics:
    def test_is_the_first_above_the_mean_of_the_others(self) -> None:
        log_odds = np.array([[5.0, 1.0, -3.0], [0.0, 0.0, 0.0]])
        assert statistics(log_odds).tolist() == [6.0, 0.0]  # 5 - (1 - 3) / 2

    def test_leaves_out_who_was_no_candidate(self) -> None:
        assert statistics(np.array([[5.0, -np.inf, -3.0]])).tolist() == [8.0]

    @given(st.lists(st.floats(-50, 50), min_size=2, max_size=6), st.floats(-50, 50))
    @settings(max_examples=50, deadline=None)
    def test_stays_whatever_is_added_to_a_row_and_in_whatever_order(
        self, values: list[float], shift: float
    ) -> None:
        own = np.array([values])
        assert statistics(own + shift) == pytest.approx(statistics(own), abs=1e-9)
        assert statistics(own[:, ::-1]) == pytest.approx(statistics(own), abs=1e-9)
        assert statistics(own)[0] >= 0

    @pytest.mark.parametrize("values", [[1.0, -np.inf], [1.0, np.nan], [np.inf, 0.0], [1.0]])
    def test_refuses_one_candidate_and_what_is_no_number(self, values: list[float]) -> None:
        with pytest.raises(UsageError, match="two candidates"):
            statistics(np.array([values]))


class TestThreshold:
    def test_is_the_stranger_that_one_in_twenty_reach(self) -> None:
        # 39 strangers 1..39 and the text itself: of 40, 2 are 5 %. One stranger may be as high
        # as the text; 38 is reached by two, 39 by one.
        rejection = RejectionRule(tried(range(1, 40)), tried([50.0]))
        assert rejection.threshold(0.05, 100) == 38
        assert rejection.threshold(0.5, 100) == 20  # 19 above it: (1 + 19) / 40

    def test_refuses_a_rate_that_so_few_texts_cannot_tell(self) -> None:
        rejection = RejectionRule(tried(range(19)), tried([50.0]))
        assert rejection.threshold(0.05, 100) == 18  # none of 19 as high: 1 / 20
        with pytest.raises(UsageError, match=r"from 19 texts by authors left out.*0\.05 or more"):
            rejection.threshold(0.049, 100)

    @pytest.mark.parametrize("rate", [0, 1, -0.1, 2, float("nan"), True, "0.05", None])
    def test_refuses_what_is_no_rate(self, rate: Any) -> None:
        with pytest.raises(UsageError, match="between 0 and 1"):
            RejectionRule(tried(range(50)), tried([50.0])).threshold(rate, 100)

    def test_is_that_of_texts_of_about_the_same_length(self) -> None:
        short, long = list(range(300)), list(range(1000, 1300))
        strangers = tried(short + long, size=[50] * 300 + [5000] * 300)
        rejection = RejectionRule(strangers, tried([2000.0]))
        assert rejection.threshold(0.05, 40) == 285  # (1 + 14) / 301 < 5 % < (1 + 15) / 301
        assert rejection.threshold(0.05, 9000) == 1285
        assert rejection.threshold(0.05, 0) == 285

    def test_takes_authors_for_alike_whatever_the_number_of_their_texts(self) -> None:
        # Author 0 has 90 low texts, author 1 ten high ones: half of what strangers do is high.
        strangers = tried([0.0] * 90 + [9.0] * 10, authors=[0] * 90 + [1] * 10)
        rejection = RejectionRule(strangers, tried([50.0]))
        assert rejection.threshold(0.3, 100) == 9
        assert rejection.threshold(0.6, 100) == 0  # (1 + 100 / 2) / 101 reach 9

    def test_counts_strangers_with_fewer_candidates_for_more(self) -> None:
        # Among 2 of 3 candidates a stranger finds the one who is most like them 2 times of 3.
        rejection = RejectionRule(tried(range(1, 40), n_candidates=2), tried([50.0]))
        assert rejection.threshold(0.1, 100) == 37  # (1 + 1.5 * 2) / 40, where else 36 would do
        assert rejection.threshold(0.99, 100) == 14  # (1 + 1.5 * 26) / 40 is 1: no more is

    @given(
        st.lists(st.integers(0, 30), min_size=30, max_size=80),
        st.lists(st.floats(0.04, 0.9), min_size=2, max_size=2),
        st.randoms(use_true_random=False),
    )
    @settings(max_examples=50, deadline=None)
    def test_rises_as_the_rate_falls_and_keeps_it_in_whatever_order(
        self, values: list[int], rates: list[float], random: Random
    ) -> None:
        low, high = sorted(rates)
        rejection = RejectionRule(tried(values), tried([50.0]))
        thresholds = [rejection.threshold(rate, 100) for rate in (low, high)]
        assert thresholds[0] >= thresholds[1]
        assert np.mean(np.array(values) > thresholds[0]) <= low
        random.shuffle(values)
        assert RejectionRule(tried(values), tried([50.0])).threshold(low, 100) == thresholds[0]

    def test_keeps_the_rate_on_new_strangers(self) -> None:
        rng = np.random.default_rng(0)
        shares = []
        for _ in range(200):
            old, new = rng.normal(size=100), rng.normal(size=100)
            threshold = RejectionRule(tried(old), tried([50.0])).threshold(0.05, 100)
            shares.append((new > threshold).mean())
        assert np.mean(shares) == pytest.approx(5 / 101, abs=0.006)  # standard error 0.002


class TestAnswers:
    REJECTION = RejectionRule(
        tried(range(1, 40), authors=[0, 1, 2] * 13, n_candidates=3),
        HeldOutStatistics(
            np.array([10.0, 60.0, 60.0, 60.0]),
            np.full(4, 100),
            np.array([0, 0, 1, 1]),
            np.full(4, 3),
            np.array([True, True, True, False]),
        ),
    )

    def test_says_who_is_nearest_how_many_are_as_like_and_what_is_missed(self) -> None:
        accepted, rejected = self.REJECTION.answers(
            np.array([row(38.5), row(20.0)]), np.array([100, 100]), NAMES, 0.05
        )
        assert asdict(accepted) == {
            "rate": 0.05,
            "threshold": 38.0,
            "statistic": 38.5,
            "accepted": True,
            "nearest": "Ann",
            "likeness": pytest.approx(2 / 40),
            "missed": 0.5,  # one rejected, one given to another
            "wrong": 0.25,
            "n_unknown_author_texts": 39,
            "n_known": 4,
            "n_authors": 3,
        }
        assert accepted.declined is None
        assert accepted.sentence.startswith("Ann stands out: 5.0% of texts by authors left out ")
        assert not rejected.accepted
        assert rejected.likeness == pytest.approx(21 / 40)  # 20 to 39, and itself
        assert rejected.declined == (
            "none of the candidates: Ann comes nearest, but 52.5% of texts by authors left out "
            "look as much like a candidate's, and at most 5% of such may be given to anybody; this "
            "misses 50% of candidates' own texts of about this length"
        )
        assert self.REJECTION.cost(0.05, 100) == (0.5, 0.25)
        assert self.REJECTION.lowest_rate(100) == 1 / 40
        assert self.REJECTION.describe() == (
            "open set: where 5% of texts by none of the candidates may be given to somebody, 50% "
            "of candidates' own texts of about 100 characters are missed (25% given to another)"
        )
        assert "where 2.5% of" in self.REJECTION.describe(0.001)  # as low as can be told

    @given(st.lists(st.floats(1, 60), min_size=1, max_size=20), st.floats(0.03, 0.5))
    @settings(max_examples=50, deadline=None)
    def test_accepts_what_strangers_seldom_reach_and_more_at_a_higher_rate(
        self, values: list[float], rate: float
    ) -> None:
        log_odds, sizes = np.array([row(value) for value in values]), np.full(len(values), 100)
        found = self.REJECTION.answers(log_odds, sizes, NAMES, rate)
        higher = self.REJECTION.answers(log_odds, sizes, NAMES, min(0.9, 2 * rate))
        for answer, more in zip(found, higher, strict=True):
            assert answer.accepted == (answer.statistic > answer.threshold)
            assert answer.accepted == (answer.likeness <= rate + 1e-12)
            assert more.accepted >= answer.accepted
            assert more.missed <= answer.missed
            assert 0 <= answer.wrong <= answer.missed <= 1

    def test_of_no_text_there_is_none(self) -> None:
        assert self.REJECTION.answers(np.zeros((0, 3)), np.zeros(0, dtype=int), NAMES) == []

    def test_is_not_learnt_from_nothing(self) -> None:
        with pytest.raises(TrainingError, match="there are 0 and 1"):
            RejectionRule(tried([]), tried([1.0]))


class TestTriedTexts:
    def test_notes_who_is_first(self) -> None:
        log_odds = np.array([[1.0, 5.0, -np.inf], [4.0, 0.0, 2.0]], dtype=np.float32)
        found = HeldOutStatistics.of(log_odds, np.array([10, 20]), np.array([2, 0]))
        assert found.statistics.tolist() == [4.0, 3.0]
        assert found.is_right.tolist() == [False, True]
        assert found.n_candidates.tolist() == [2, 3]

    def test_near_ones_are_all_where_there_are_few(self) -> None:
        assert len(tried(range(9), size=list(range(9))).near(3)) == 9

    def test_shares_sum_to_one_and_authors_count_alike(self) -> None:
        shares = tried(range(4), authors=[5, 5, 5, 1]).shares()
        assert shares == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2])


def test_rejected_answers_name_the_rate_in_per_cent() -> None:
    [answer] = TestAnswers.REJECTION.answers(np.array([row(20.0)]), np.array([100]), NAMES)
    assert "at most 2.5% of such may" in (replace(answer, rate=0.025).declined or "")
