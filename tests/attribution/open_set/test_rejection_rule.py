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

from byline.attribution.calibration import clustered_interval
from byline.attribution.open_set import (
    EVEN_ODDS,
    HeldOutStatistics,
    RejectionRule,
    open_set_statistics,
)
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
        assert rejection.threshold(0.05, 0) == 285  # the nearest ones

    def test_takes_more_texts_where_a_rate_needs_them(self) -> None:
        # 40 texts are as long as the questioned one, and a rate of 1 % needs 99 texts.
        unknown = held_out(range(140), size=[100] * 40 + [1000] * 100)
        rejection = RejectionRule(unknown, held_out([200.0]))
        assert rejection.threshold(0.05, 100) == 38  # (1 + 1) / 41 < 5 % < (1 + 2) / 41
        assert rejection.threshold(0.01, 100) == 139  # (1 + 0) / 141 < 1 % < (1 + 1) / 141

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


# The threshold without each of the three authors: 26 texts are left, so that one in 27 may be as
# high. It is 39, 38 and 38 without the authors of 37, 38 and 39, so that only 39 is above: one of
# 13 texts by the third author.
_SHARES = [0, 0, 1 / 13]
FALSE_ATTRIBUTIONS = dict(
    zip(("rate", "lower", "upper"), (1 / 39, *clustered_interval(_SHARES)), strict=True)
)
MISSED = dict(zip(("rate", "lower", "upper"), (0.5, *clustered_interval([0.5, 0.5])), strict=True))


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
        assert {**asdict(accepted), "log10_lr": None} == {
            "false_attribution_rate": 0.05,
            "threshold": 38.0,
            "statistic": 38.5,
            "accepted": True,
            "nearest": "Ann",
            "p_value": pytest.approx(2 / 40),
            "log10_lr": None,
            "false_attributions": pytest.approx(FALSE_ATTRIBUTIONS),
            "missed_attributions": pytest.approx(MISSED),  # one rejected, one misattributed
            "misattribution_rate": 0.25,
            "n_unknown_author_texts": 39,
            "n_known_texts": 4,
            "n_unknown_authors": 3,
        }
        assert accepted.missed_attribution_rate == 0.5
        assert accepted.declined is None
        assert accepted.verdict == "Attributed to Ann."
        assert accepted.finding == "Attributed to Ann (p = 0.05, requested rate 5 %)"
        assert rejected.verdict == "Undecided; the nearest candidate is Ann."
        _, p_value, false, missed = accepted.points
        assert p_value.startswith("p = 0.05: ") and p_value.endswith("The requested rate is 5 %.")
        # An interval of more than 20 percentage points is described in words.
        assert f"about {accepted.false_attributions} of texts" in false
        assert "known only to within" in str(accepted.missed_attributions)
        assert missed.endswith("including 25 % that are attributed to the wrong candidate.")
        assert accepted.log10_lr > rejected.log10_lr
        assert not rejected.accepted
        assert rejected.p_value == pytest.approx(21 / 40)  # 20 to 39, and the text itself
        assert rejected.declined is not None
        assert rejected.declined.startswith(
            "Undecided; the nearest candidate is Ann (p = 0.53, requested rate 5 %). The text is "
            "about equally probable if "
        )
        assert rejected.declined.endswith(
            "By this rule, about 3 % (known only to within 0 to 41 %, the 95 % interval) of texts "
            "of this length by unknown authors are attributed to a candidate; 50 % (known only to "
            "within 1 to 99 %, the 95 % interval) of genuine texts are missed (25 % are attributed "
            "to the wrong candidate)"
        )
        assert self.REJECTION.describe().startswith(
            "Open set: a text is attributed if it is more probable that a candidate wrote it than "
            "that an unknown author did, for instance texts of 100 characters. By this rule, "
        )

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


def test_a_rejection_is_undecided_if_the_evidence_supports_neither_side() -> None:
    [answer] = TestDecisions.REJECTION.decide(
        np.array([row(20.0)]), np.array([100]), NAMES, criterion=0.05
    )
    assert (
        replace(answer, log10_lr=0.9).finding
    ) == "Undecided; the nearest candidate is Ann (p = 0.53, requested rate 5 %)"
    assert replace(answer, log10_lr=-0.31).finding == (
        "Attributed to none of the candidates; the nearest is Ann (p = 0.53, requested rate 5 %)"
    )
    assert "about 7.9 times as probable if an unknown author wrote it as if one of the" in (
        replace(answer, log10_lr=-0.9).evidence
    )


class TestEvenOdds:
    RULE = RejectionRule(
        held_out([1.0, 2.0, 3.0, 4.0] * 10, authors=[0, 1] * 20, n_candidates=2),
        held_out([3.0, 4.0, 5.0, 6.0] * 10, authors=[0, 1] * 20),
    )

    def test_attributes_what_is_more_probable_if_a_candidate_wrote_it(self) -> None:
        # The two distributions mirror each other around 3.5.
        assert self.RULE.threshold(EVEN_ODDS, 100) == pytest.approx(3.5, abs=0.01)
        below, above = self.RULE.decide(np.array([row(3.4), row(3.6)]), np.array([100, 100]), NAMES)
        assert (below.accepted, above.accepted) == (False, True)
        assert below.log10_lr < 0 < above.log10_lr
        assert above.false_attribution_rate is None
        assert above.finding == "Attributed to Ann (p = 0.39)"  # (1 + 10 * 3 / 2) / 41
        # Half of the second author's texts are above 3.5. Each of 2 candidates is below it with a
        # probability of 0.5 ** (1 / 2), so that all 3 candidates are with 0.5 ** (3 / 2).
        assert above.false_attributions.rate == pytest.approx((1 - 0.5 ** (3 / 2)) / 2)
        assert above.missed_attribution_rate == pytest.approx(0.25)

    def test_a_ratio_below_two_is_undecided(self) -> None:
        near, far = self.RULE.decide(np.array([row(3.4), row(1.0)]), np.array([100, 100]), NAMES)
        assert near.finding.startswith("Undecided; ")
        assert "about equally probable" in near.evidence
        assert far.finding.startswith("Attributed to none of the candidates; ")
        assert "as probable if an unknown author wrote it as if one of the candidates did" in (
            far.evidence
        )

    def test_nothing_is_attributed_if_the_statistic_says_nothing(self) -> None:
        rule = RejectionRule(held_out([5.0] * 20), held_out([1.0] * 20))
        [answer] = rule.decide(np.array([row(9.0)]), np.array([100]), NAMES)
        assert (answer.accepted, answer.log10_lr) == (False, 0.0)

    @given(st.lists(st.floats(0, 60), min_size=2, max_size=10), st.integers(0, 2000))
    @settings(max_examples=30, deadline=None)
    def test_the_answer_to_a_text_does_not_depend_on_the_others(
        self, values: list[float], size: int
    ) -> None:
        log_odds, sizes = np.array([row(value) for value in values]), np.full(len(values), size)
        together = self.RULE.decide(log_odds, sizes, NAMES)
        alone = [self.RULE.decide(log_odds[[n]], sizes[[n]], NAMES)[0] for n in range(len(values))]
        assert together == alone
        order = np.argsort([each.statistic for each in together], kind="stable").tolist()
        ratios = [together[n].log10_lr for n in order]
        assert ratios == sorted(ratios)

    def test_nothing_is_attributed_if_no_ratio_above_one_is_supported(self) -> None:
        # The statistic is a little higher for candidates, but too few texts show it.
        rule = RejectionRule(held_out([1.0, 4.0, 6.0]), held_out([2.0, 5.0, 7.0]))
        [answer] = rule.decide(np.array([row(9.0)]), np.array([100]), NAMES)
        assert (answer.accepted, answer.log10_lr) == (False, 0.0)
        assert answer.finding.startswith("Undecided; ")
        assert (answer.false_attributions.rate, answer.missed_attribution_rate) == (0, 1)


def test_an_attribution_against_the_evidence_states_why() -> None:
    [answer] = TestEvenOdds.RULE.decide(np.array([row(2.5)]), np.array([100]), NAMES, 0.99)
    assert answer.accepted and answer.log10_lr < -0.31
    assert "It is attributed nevertheless, because the requested rate allows" in answer.basis
    [few] = TestEvenOdds.RULE.decide(np.array([row(5.5)]), np.array([100]), NAMES, 0.2)
    assert few.accepted and "nevertheless" not in few.basis


def test_the_interval_of_a_rate_is_wide_with_few_unknown_authors() -> None:
    # Half of the texts by one of two authors reach the threshold that the other author's give.
    few = RejectionRule(
        held_out([1.0, 9.0] * 20, authors=[0] * 20 + [1] * 20), held_out([5.0] * 20)
    )
    many = RejectionRule(
        held_out([1.0, 9.0] * 20, authors=[n // 2 for n in range(40)]), held_out([5.0] * 20)
    )
    widths = []
    for rule in (few, many):
        [answer] = rule.decide(np.array([row(5.0)]), np.array([100]), NAMES, 0.2)
        rates = answer.false_attributions
        assert rates.lower <= rates.rate <= rates.upper
        widths.append(rates.upper - rates.lower)
    assert widths[0] > widths[1]
