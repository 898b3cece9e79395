"""The rule that rejects texts by unknown authors: known values and laws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.open_set import HeldOutStatistics, RejectionRule, open_set_statistics
from byline.errors import TrainingError, UsageError

NAMES = np.array(["Ann", "Bob", "Cid"])


def held_out(
    values: Iterable[float],
    *,
    size: int | Sequence[int] = 100,
    authors: Sequence[int] | None = None,
    n_candidates: int = 3,
) -> HeldOutStatistics:
    """Texts with these statistics, all correctly attributed."""
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
    """Log-odds of three candidates; the first is so far above the mean of the others."""
    return [statistic, -1.0, 1.0]


class TestStatistics:
    def test_is_the_first_minus_the_mean_of_the_others(self) -> None:
        log_odds = np.array([[5.0, 1.0, -3.0], [0.0, 0.0, 0.0]])
        assert open_set_statistics(log_odds).tolist() == [6.0, 0.0]  # 5 - (1 - 3) / 2

    def test_ignores_authors_who_were_not_candidates(self) -> None:
        assert open_set_statistics(np.array([[5.0, -np.inf, -3.0]])).tolist() == [8.0]

    @given(st.lists(st.floats(-50, 50), min_size=2, max_size=6), st.floats(-50, 50))
    @settings(max_examples=50, deadline=None)
    def test_is_invariant_to_a_constant_and_to_the_order_of_authors(
        self, values: list[float], shift: float
    ) -> None:
        own = np.array([values])
        assert open_set_statistics(own + shift) == pytest.approx(open_set_statistics(own), abs=1e-9)
        assert open_set_statistics(own[:, ::-1]) == pytest.approx(
            open_set_statistics(own), abs=1e-9
        )
        assert open_set_statistics(own)[0] >= 0

    @pytest.mark.parametrize("values", [[1.0, -np.inf], [1.0, np.nan], [np.inf, 0.0], [1.0]])
    def test_rejects_a_single_candidate_and_values_not_finite(self, values: list[float]) -> None:
        with pytest.raises(UsageError, match="two candidates"):
            open_set_statistics(np.array([values]))


class TestThreshold:
    def test_is_the_value_that_one_in_twenty_texts_by_unknown_authors_reach(self) -> None:
        # 39 texts by unknown authors, 1..39, and the text itself: 5 % of 40 are 2. So one of the
        # 39 may be as high as the text: 39 is reached by one of them, 38 by two.
        rejection = RejectionRule(held_out(range(1, 40)), held_out([50.0]))
        assert rejection.threshold(0.05, 100) == 38
        assert rejection.threshold(0.5, 100) == 20  # 19 above it: (1 + 19) / 40

    def test_rejects_a_rate_that_is_too_low_for_the_number_of_texts(self) -> None:
        rejection = RejectionRule(held_out(range(19)), held_out([50.0]))
        assert rejection.threshold(0.05, 100) == 18  # none of 19 as high: 1 / 20
        with pytest.raises(UsageError, match=r"from only 19 texts.*0\.05 or more"):
            rejection.threshold(0.049, 100)

    @pytest.mark.parametrize("rate", [0, 1, -0.1, 2, float("nan"), True, "0.05", None])
    def test_rejects_values_that_are_not_rates(self, rate: Any) -> None:
        with pytest.raises(UsageError, match="between 0 and 1"):
            RejectionRule(held_out(range(50)), held_out([50.0])).threshold(rate, 100)

    def test_depends_on_texts_of_similar_length(self) -> None:
        short, long = list(range(300)), list(range(1000, 1300))
        unknown = held_out(short + long, size=[50] * 300 + [5000] * 300)
        rejection = RejectionRule(unknown, held_out([2000.0]))
        assert rejection.threshold(0.05, 40) == 285  # (1 + 14) / 301 < 5 % < (1 + 15) / 301
        assert rejection.threshold(0.05, 9000) == 1285
        assert rejection.threshold(0.05, 0) == 285

    def test_gives_all_authors_the_same_weight(self) -> None:
        # Author 0 has 90 low values, author 1 ten high ones: half of the weight is high.
        unknown = held_out([0.0] * 90 + [9.0] * 10, authors=[0] * 90 + [1] * 10)
        rejection = RejectionRule(unknown, held_out([50.0]))
        assert rejection.threshold(0.3, 100) == 9
        assert rejection.threshold(0.6, 100) == 0  # (1 + 100 / 2) / 101 reach 9

    def test_gives_texts_with_fewer_candidates_more_weight(self) -> None:
        # The most similar of 3 candidates is among 2 of them with a probability of 2/3.
        rejection = RejectionRule(held_out(range(1, 40), n_candidates=2), held_out([50.0]))
        assert rejection.threshold(0.1, 100) == 37  # (1 + 1.5 * 2) / 40; 36 without the weights
        assert rejection.threshold(0.99, 100) == 14  # (1 + 1.5 * 26) / 40 is 1, the maximum

    @given(
        st.lists(st.integers(0, 30), min_size=30, max_size=80),
        st.lists(st.floats(0.04, 0.9), min_size=2, max_size=2),
        st.randoms(use_true_random=False),
    )
    @settings(max_examples=50, deadline=None)
    def test_rises_as_the_rate_falls_and_does_not_depend_on_the_order(
        self, values: list[int], rates: list[float], random: Random
    ) -> None:
        low, high = sorted(rates)
        rejection = RejectionRule(held_out(values), held_out([50.0]))
        thresholds = [rejection.threshold(rate, 100) for rate in (low, high)]
        assert thresholds[0] >= thresholds[1]
        assert np.mean(np.array(values) > thresholds[0]) <= low
        random.shuffle(values)
        assert (
            RejectionRule(held_out(values), held_out([50.0])).threshold(low, 100) == thresholds[0]
        )

    def test_keeps_the_rate_on_new_texts_by_unknown_authors(self) -> None:
        rng = np.random.default_rng(0)
        shares = []
        for _ in range(200):
            old, new = rng.normal(size=100), rng.normal(size=100)
            threshold = RejectionRule(held_out(old), held_out([50.0])).threshold(0.05, 100)
            shares.append((new > threshold).mean())
        assert np.mean(shares) == pytest.approx(5 / 101, abs=0.006)  # standard error 0.002


class TestDecisions:
    REJECTION = RejectionRule(
        held_out(range(1, 40), authors=[0, 1, 2] * 13, n_candidates=3),
        HeldOutStatistics(
            np.array([10.0, 60.0, 60.0, 60.0]),
            np.full(4, 100),
            np.array([0, 0, 1, 1]),
            np.full(4, 3),
            np.array([True, True, True, False]),
        ),
    )

    def test_states_the_nearest_candidate_the_p_value_and_the_error_rates(self) -> None:
        accepted, rejected = self.REJECTION.decide(
            np.array([row(38.5), row(20.0)]), np.array([100, 100]), NAMES, 0.05
        )
        assert asdict(accepted) == {
            "false_attribution_rate": 0.05,
            "threshold": 38.0,
            "statistic": 38.5,
            "accepted": True,
            "nearest": "Ann",
            "p_value": pytest.approx(2 / 40),
            "missed_attribution_rate": 0.5,  # one rejected, one misattributed
            "misattribution_rate": 0.25,
            "n_unknown_author_texts": 39,
            "n_known_texts": 4,
            "n_held_out_authors": 3,
        }
        assert accepted.declined is None
        assert accepted.finding == "Attributed to Ann (p = 0.05, threshold 0.05)"
        assert not rejected.accepted
        assert rejected.p_value == pytest.approx(21 / 40)  # 20 to 39, and the text itself
        assert rejected.declined == (
            "Attributed to none of the candidates; the nearest is Ann (p = 0.53, threshold 0.05). "
            "At this threshold, 25 % of genuine texts of about this length are rejected and 25 % "
            "are attributed to the wrong candidate"
        )
        assert self.REJECTION.error_rates(0.05, 100) == (0.5, 0.25)
        assert self.REJECTION.lowest_rate(100) == 1 / 40
        assert self.REJECTION.describe() == (
            "Open set: at a false-attribution rate of 5 %, 25 % of genuine texts of about 100 "
            "characters are rejected and 25 % are attributed to the wrong candidate"
        )
        assert "rate of 2.5 %, " in self.REJECTION.describe(0.001)  # the lowest possible rate

    @given(st.lists(st.floats(1, 60), min_size=1, max_size=20), st.floats(0.03, 0.5))
    @settings(max_examples=50, deadline=None)
    def test_accepts_low_p_values_and_more_texts_at_a_higher_rate(
        self, values: list[float], rate: float
    ) -> None:
        log_odds, sizes = np.array([row(value) for value in values]), np.full(len(values), 100)
        found = self.REJECTION.decide(log_odds, sizes, NAMES, rate)
        higher = self.REJECTION.decide(log_odds, sizes, NAMES, min(0.9, 2 * rate))
        for answer, more in zip(found, higher, strict=True):
            assert answer.accepted == (answer.statistic > answer.threshold)
            assert answer.accepted == (answer.p_value <= rate + 1e-12)
            assert more.accepted >= answer.accepted
            assert more.missed_attribution_rate <= answer.missed_attribution_rate
            assert 0 <= answer.misattribution_rate <= answer.missed_attribution_rate <= 1

    def test_no_texts_give_no_decisions(self) -> None:
        assert self.REJECTION.decide(np.zeros((0, 3)), np.zeros(0, dtype=int), NAMES) == []

    def test_needs_texts_of_both_kinds(self) -> None:
        with pytest.raises(TrainingError, match="there are 0 and 1"):
            RejectionRule(held_out([]), held_out([1.0]))


class TestHeldOutStatistics:
    def test_compares_the_first_candidate_with_the_author(self) -> None:
        log_odds = np.array([[1.0, 5.0, -np.inf], [4.0, 0.0, 2.0]], dtype=np.float32)
        found = HeldOutStatistics.of(log_odds, np.array([10, 20]), np.array([2, 0]))
        assert found.statistics.tolist() == [4.0, 3.0]
        assert found.is_correct.tolist() == [False, True]
        assert found.n_candidates.tolist() == [2, 3]

    def test_takes_all_texts_if_there_are_few(self) -> None:
        assert len(held_out(range(9), size=list(range(9))).of_similar_length(3)) == 9

    def test_weights_sum_to_one_and_are_equal_for_all_authors(self) -> None:
        weights = held_out(range(4), authors=[5, 5, 5, 1]).weights()
        assert weights == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2])


def test_an_uninformative_rejection_is_called_undecided() -> None:
    [answer] = TestDecisions.REJECTION.decide(np.array([row(20.0)]), np.array([100]), NAMES)
    strict = replace(answer, false_attribution_rate=0.025, missed_attribution_rate=0.8)
    assert strict.declined == (
        "Undecided; the nearest candidate is Ann (p = 0.53, threshold 0.025). At this threshold, "
        "55 % of genuine texts of about this length are rejected and 25 % are attributed to the "
        "wrong candidate, so a rejection is only weak evidence"
    )
