"""The rule that rejects texts by unknown authors, calibrated on texts by such authors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.calibration import (
    Bounds,
    LogisticCalibrator,
    clustered_interval,
    elub_bounds,
)
from byline.attribution.open_set.decision import (
    EVEN_ODDS,
    Criterion,
    ErrorRate,
    OpenSetDecision,
    check_criterion,
    describe_error_rates,
)
from byline.attribution.open_set.held_out_statistics import (
    MIN_SIMILAR,
    ConformalPValues,
    HeldOutStatistics,
    open_set_statistics,
)
from byline.errors import TrainingError, UsageError
from byline.formatting import significant

_LONG_QUANTILE = 0.9  # length of the texts that `RejectionRule.describe` reports on
_STEP = 0.05  # lengths that differ by less than this ratio are treated alike, to save time


@dataclass(frozen=True, slots=True)
class RejectionRule:
    """Decides whether a text is attributed to its first candidate or to none.

    Attributes
    ----------
    unknown_authors : HeldOutStatistics
        Texts and passages by authors who were not candidates when the texts were scored: candidates
        who were left out in turn, and other people.
    candidates : HeldOutStatistics
        Known texts and passages by candidates, which were held out when they were scored.

    Raises
    ------
    TrainingError
        One of the sets is empty.

    See Also
    --------
    OpenSetDecision : The decision about one text.

    Examples
    --------
    >>> import numpy as np
    >>> unknown = HeldOutStatistics(np.arange(1.0, 6), *(np.full(5, n) for n in (9, 0, 3, False)))
    >>> own = HeldOutStatistics(np.array([50.0]), *(np.array([n]) for n in (9, 0, 3, True)))
    >>> rule = RejectionRule(unknown, own)
    >>> rule.threshold(0.2, n_characters=9)
    5.0
    >>> log_odds, names = np.array([[45.0, -1.0, 1.0]]), np.array(["Ada", "Ben", "Cyd"])
    >>> [decision] = rule.decide(log_odds, np.array([9]), names, 0.2)
    >>> decision.nearest, decision.accepted
    ('Ada', True)
    """

    unknown_authors: HeldOutStatistics
    candidates: HeldOutStatistics

    def __post_init__(self) -> None:
        n_unknown, n_candidates = len(self.unknown_authors), len(self.candidates)
        if not n_unknown or not n_candidates:
            raise TrainingError(
                "open-set attribution is calibrated on held-out texts by unknown authors and by "
                f"candidates; there are {n_unknown} and {n_candidates} of these; add known texts"
            )

    def threshold(self, criterion: Criterion, n_characters: int) -> float:
        """Return the statistic that a text must exceed to be attributed to its first candidate.

        Parameters
        ----------
        criterion : float or "even-odds"
            A false-attribution rate between 0 and 1; or attribute a text that is more probable if a
            candidate wrote it than if an unknown author did.
        n_characters : int
            Length of the text in characters without white space.

        Raises
        ------
        UsageError
            The criterion is neither, or the rate is too low for the number of texts by unknown
            authors.
        """
        return self._rule_for(criterion, n_characters).threshold

    def describe(self) -> str:
        """Describe in one sentence the error rates with even odds.

        The rates are those for texts as long as the longest tenth of the known texts.
        """
        size = int(np.quantile(self.unknown_authors.sizes, _LONG_QUANTILE))
        rule = self._rule_for(EVEN_ODDS, size)
        rates = describe_error_rates(*rule.error_rates)
        return (
            f"Open set: a text is attributed if it is more probable that a candidate wrote it than "
            f"that an unknown author did, for instance texts of {significant(size)} characters. "
            f"{rates}"
        )

    def decide(
        self,
        log_odds: Floats,
        sizes: Integers,
        names: NDArray[Any],
        criterion: Criterion = EVEN_ODDS,
    ) -> list[OpenSetDecision]:
        """Decide for each questioned text whether it is attributed to its first candidate.

        Parameters
        ----------
        log_odds : (n_texts, n_authors) float64
            In nats.
        sizes : (n_texts,) int64
            Lengths in characters without white space.
        names : (n_authors,) str
            The candidates.
        criterion : float or "even-odds"
            See `threshold`.

        Raises
        ------
        UsageError
            See `threshold`.
        """
        nearest = names[log_odds.argmax(axis=1)]
        values = open_set_statistics(log_odds).tolist()
        rules: dict[int, _RuleForLength] = {}
        decisions = []
        for statistic, size, name in zip(values, sizes.tolist(), nearest, strict=True):
            step = round(math.log1p(size) / _STEP)
            if step not in rules:
                rules[step] = self._rule_for(criterion, size)
            decisions.append(rules[step].decide(statistic, str(name)))
        return decisions

    def _rule_for(self, criterion: Criterion, n_characters: int) -> _RuleForLength:
        check_criterion(criterion)
        n_characters = round(math.exp(_STEP * round(math.log1p(n_characters) / _STEP)) - 1)
        at_least = MIN_SIMILAR
        if criterion != EVEN_ODDS:
            at_least = max(at_least, math.ceil(1 / criterion))
        return _RuleForLength(
            criterion,
            self.unknown_authors.of_similar_length(n_characters, at_least),
            self.candidates.of_similar_length(n_characters),
            int(self.candidates.n_candidates.max()),
        )


class _RuleForLength:
    """The rule for texts of one length.

    Parameters
    ----------
    criterion : float or "even-odds"
    unknown_authors, candidates : HeldOutStatistics
        The held-out texts of similar length.
    n_candidates : int
        Number of candidates that a questioned text is compared with.
    """

    def __init__(
        self,
        criterion: Criterion,
        unknown_authors: HeldOutStatistics,
        candidates: HeldOutStatistics,
        n_candidates: int,
    ) -> None:
        self._criterion = criterion
        self._unknown, self._genuine = unknown_authors, candidates
        self._n_candidates = n_candidates
        self._p_values = ConformalPValues.of(unknown_authors, n_candidates)
        self._odds, self._bounds = self._fit_odds()
        self.threshold = self._find_threshold()
        self.error_rates = (*self._estimate_error_rates(), self._misattribution_rate())

    def decide(self, statistic: float, name: str) -> OpenSetDecision:
        """Decide about a text with that statistic and that first candidate."""
        false_attributions, missed_attributions, misattribution_rate = self.error_rates
        llr = float(self._bounds.apply(self._odds.apply(statistic)))
        return OpenSetDecision(
            false_attribution_rate=None if self._criterion == EVEN_ODDS else float(self._criterion),
            threshold=self.threshold,
            statistic=statistic,
            accepted=statistic > self.threshold,
            nearest=name,
            p_value=self._p_values.p_value(statistic),
            log10_lr=llr / math.log(10),
            false_attributions=false_attributions,
            missed_attributions=missed_attributions,
            misattribution_rate=misattribution_rate,
            n_unknown_author_texts=len(self._unknown),
            n_known_texts=len(self._genuine),
            n_unknown_authors=len(np.unique(self._unknown.authors)),
        )

    def _fit_odds(self) -> tuple[LogisticCalibrator, Bounds]:
        unknown, genuine = self._unknown, self._genuine
        odds = LogisticCalibrator.fit(
            *(genuine.statistics, unknown.statistics),
            weights=(genuine.weights(), unknown.weights()),
        )
        llrs = odds.apply(genuine.statistics), odds.apply(unknown.statistics)
        return odds, elub_bounds(*llrs)

    def _find_threshold(self) -> float:
        if self._criterion != EVEN_ODDS:
            return _threshold(self._p_values, self._criterion)
        # If the statistic is not higher for candidates, or if the held-out texts support no
        # likelihood ratio above 1, no text is attributed.
        if self._odds.slope <= 0 or self._bounds.upper == 0:
            return math.inf
        return -self._odds.intercept / self._odds.slope

    def _estimate_error_rates(self) -> tuple[ErrorRate, ErrorRate]:
        unknown, genuine = self._unknown, self._genuine
        thresholds = np.full(len(unknown), self.threshold)
        if self._criterion != EVEN_ODDS:
            for author in np.unique(unknown.authors).tolist():
                thresholds[unknown.authors == author] = self._threshold_without(author)
        rejected = unknown.rates_by_author(unknown.statistics <= thresholds)
        # Authors who were left out were compared with fewer candidates. A text is rejected if each
        # of them is below the threshold, here as if independently of each other.
        n_compared = unknown.rates_by_author(unknown.n_candidates)
        false_attributions = 1 - rejected ** (self._n_candidates / n_compared)
        is_missed = ~(self._is_attributed(genuine) & genuine.is_correct)
        return _rate(false_attributions), _rate(genuine.rates_by_author(is_missed))

    def _threshold_without(self, author: int) -> float:
        """Return the threshold that the texts by the other authors give."""
        others = self._unknown.without_author(author)
        if not len(others):
            return math.inf
        p_values = ConformalPValues.of(others, self._n_candidates)
        return p_values.threshold(max(float(self._criterion), 1 / (len(others) + 1)))

    def _misattribution_rate(self) -> float:
        genuine = self._genuine
        is_wrong = self._is_attributed(genuine) & ~genuine.is_correct
        return float(genuine.weights() @ is_wrong)

    def _is_attributed(self, texts: HeldOutStatistics) -> Booleans:
        return np.asarray(texts.statistics > self.threshold)


def _rate(by_author: Floats) -> ErrorRate:
    return ErrorRate(float(by_author.mean()), *clustered_interval(by_author))


def _threshold(p_values: ConformalPValues, rate: float) -> float:
    n_texts = len(p_values.statistics)
    if rate * (n_texts + 1) < 1:
        raise UsageError(
            f"a false-attribution rate of {rate:g} cannot be set from only {n_texts} texts by "
            f"unknown authors; set it to {1 / (n_texts + 1):.2g} or more, or train with more texts"
        )
    return p_values.threshold(rate)
