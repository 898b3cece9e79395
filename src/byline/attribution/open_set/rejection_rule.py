"""The rule that rejects texts by unknown authors, calibrated on authors who were held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.attribution.open_set.held_out_statistics import (
    ConformalPValues,
    HeldOutStatistics,
    open_set_statistics,
)
from byline.errors import TrainingError, UsageError
from byline.formatting import isolated, p_value, percent, short_percent, significant

# If a larger share of genuine texts is missed, a rejection says nothing about the author.
_MAX_MISSED = 0.5


@dataclass(frozen=True, slots=True)
class OpenSetDecision:
    """Whether a text is attributed to its first candidate, and how often such decisions are wrong.

    Attributes
    ----------
    false_attribution_rate : float
        The accepted rate: the share of texts by unknown authors that are attributed to a candidate.
    threshold : float
        The value that the statistic must exceed, for texts of about this length.
    statistic : float
        Log-odds of the first candidate minus the mean of the other candidates', in nats.
    accepted : bool
        Whether the text is attributed to the first candidate. False: to none of the candidates.
    nearest : str
        The first candidate, whether accepted or not.
    p_value : float
        Conformal p-value of the hypothesis "an unknown author wrote the text": the share of texts
        by unknown authors whose statistic is as high. At most ``false_attribution_rate`` if
        accepted.
    missed_attribution_rate : float
        Share of genuine held-out texts (texts by candidates) that are not attributed to their
        author at this threshold: rejected, or attributed to another candidate.
    misattribution_rate : float
        The part of ``missed_attribution_rate`` that is attributed to another candidate.
    n_unknown_author_texts, n_known_texts : int
        Number of texts of about this length from which the p-value and the rates were estimated.
        Each author has the same total weight.
    n_held_out_authors : int
        Number of authors who were held out in turn as unknown authors.

    See Also
    --------
    RejectionRule : Makes the decisions.

    Examples
    --------
    >>> decision = OpenSetDecision(
    ...     false_attribution_rate=0.05, threshold=3.0, statistic=4.5, accepted=True, nearest="Ada",
    ...     p_value=0.008, missed_attribution_rate=0.49, misattribution_rate=0.01,
    ...     n_unknown_author_texts=200, n_known_texts=200, n_held_out_authors=5,
    ... )
    >>> print(decision.finding)
    Attributed to Ada (p = 0.008, threshold 0.05)
    >>> print(decision.error_rates)  # doctest: +NORMALIZE_WHITESPACE
    At this threshold, 48 % of genuine texts of about this length are rejected and 1 % are
    attributed to the wrong candidate
    """

    false_attribution_rate: float
    threshold: float
    statistic: float
    accepted: bool
    nearest: str
    p_value: float
    missed_attribution_rate: float
    misattribution_rate: float
    n_unknown_author_texts: int
    n_known_texts: int
    n_held_out_authors: int

    @property
    def finding(self) -> str:
        """The decision with its p-value and threshold, without a full stop."""
        nearest = isolated(self.nearest)
        test = f"({p_value(self.p_value)}, threshold {self.false_attribution_rate:g})"
        if self.accepted:
            return f"Attributed to {nearest} {test}"
        if self._says_little:
            return f"Undecided; the nearest candidate is {nearest} {test}"
        return f"Attributed to none of the candidates; the nearest is {nearest} {test}"

    @property
    def error_rates(self) -> str:
        """How often genuine texts are rejected or misattributed, without a full stop."""
        rejected = self.missed_attribution_rate - self.misattribution_rate
        return (
            f"At this threshold, {percent(rejected, 0)} of genuine texts of about this length are "
            f"rejected and {percent(self.misattribution_rate, 0)} are attributed to the wrong "
            "candidate"
        )

    @property
    def sentence(self) -> str:
        """The finding and the error rates, without a full stop at the end."""
        weak = ", so a rejection is only weak evidence" if self._says_little else ""
        return f"{self.finding}. {self.error_rates}{weak}"

    @property
    def declined(self) -> str | None:
        """Why no author is named, without a full stop at the end; None if one is named."""
        return None if self.accepted else self.sentence

    @property
    def is_undecided(self) -> bool:
        """Whether so many genuine texts are missed that the rejection says nothing."""
        return self._says_little

    @property
    def _says_little(self) -> bool:
        return not self.accepted and self.missed_attribution_rate > _MAX_MISSED


DEFAULT_RATE = 0.05
_LONG_QUANTILE = 0.9  # length of the texts that `RejectionRule.describe` reports on


@dataclass(frozen=True, slots=True)
class RejectionRule:
    """Decides whether a text is attributed to its first candidate or to none.

    Attributes
    ----------
    unknown_authors : HeldOutStatistics
        Known texts and passages by authors who were not candidates when the texts were scored: the
        base classifiers had been trained on the other authors' texts only.
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

    def threshold(self, rate: float, n_characters: int) -> float:
        """Return the statistic that a text must exceed to be attributed to its first candidate.

        Parameters
        ----------
        rate : float
            False-attribution rate, between 0 and 1.
        n_characters : int
            Length of the text in characters without white space.

        Raises
        ------
        UsageError
            The rate is not between 0 and 1, or too low for the number of texts by unknown authors.
        """
        return _threshold(self._p_values(n_characters), rate)

    def describe(self, rate: float = DEFAULT_RATE) -> str:
        """Describe in one sentence the error rates at a false-attribution rate.

        The rates are those for texts as long as the longest tenth of the known texts.
        """
        size = int(np.quantile(self.unknown_authors.sizes, _LONG_QUANTILE))
        rate = max(rate, self.lowest_rate(size))
        missed, misattributed = self.error_rates(rate, size)
        return (
            f"Open set: at a false-attribution rate of {short_percent(rate)}, "
            f"{percent(missed - misattributed, 0)} of genuine texts of about {significant(size)} "
            f"characters are rejected and {percent(misattributed, 0)} are attributed to the wrong "
            "candidate"
        )

    def lowest_rate(self, n_characters: int) -> float:
        """Return the lowest false-attribution rate that can be set for texts of that length."""
        return 1 / (len(self.unknown_authors.of_similar_length(n_characters)) + 1)

    def error_rates(self, rate: float, n_characters: int) -> tuple[float, float]:
        """Estimate how many genuine texts of about that length are not attributed to their author.

        Parameters
        ----------
        rate : float
            False-attribution rate, between 0 and 1.
        n_characters : int
            Length in characters without white space.

        Returns
        -------
        missed : float
            Missed-attribution rate: the share not attributed to the true author.
        misattributed : float
            The part of it that is attributed to another candidate.

        Raises
        ------
        UsageError
            See `threshold`.
        """
        genuine = self.candidates.of_similar_length(n_characters)
        return _error_rates(genuine, self.threshold(rate, n_characters))

    def decide(
        self, log_odds: Floats, sizes: Integers, names: NDArray[Any], rate: float = DEFAULT_RATE
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
        rate : float
            False-attribution rate, between 0 and 1.

        Raises
        ------
        UsageError
            See `threshold`.
        """
        nearest = names[log_odds.argmax(axis=1)]
        values = open_set_statistics(log_odds).tolist()
        return [
            self._decision(statistic, size, str(name), rate)
            for statistic, size, name in zip(values, sizes.tolist(), nearest, strict=True)
        ]

    def _p_values(self, n_characters: int) -> ConformalPValues:
        unknown_authors = self.unknown_authors.of_similar_length(n_characters)
        return ConformalPValues.of(unknown_authors, int(self.candidates.n_candidates.max()))

    def _decision(
        self, statistic: float, n_characters: int, name: str, rate: float
    ) -> OpenSetDecision:
        unknown_authors = self.unknown_authors.of_similar_length(n_characters)
        genuine = self.candidates.of_similar_length(n_characters)
        p_values = self._p_values(n_characters)
        threshold = _threshold(p_values, rate)
        missed, misattributed = _error_rates(genuine, threshold)
        return OpenSetDecision(
            false_attribution_rate=float(rate),
            threshold=threshold,
            statistic=statistic,
            accepted=statistic > threshold,
            nearest=name,
            p_value=p_values.p_value(statistic),
            missed_attribution_rate=missed,
            misattribution_rate=misattributed,
            n_unknown_author_texts=len(unknown_authors),
            n_known_texts=len(genuine),
            n_held_out_authors=len(np.unique(unknown_authors.authors)),
        )


def check_false_attribution_rate(rate: object) -> None:
    """Check that a false-attribution rate is a number between 0 and 1.

    Raises
    ------
    UsageError
        It is not.

    Examples
    --------
    >>> check_false_attribution_rate(0.05)
    >>> check_false_attribution_rate(5)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    byline.errors.UsageError: a false-attribution rate is a number between 0 and 1, such ... not 5
    """
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 < rate < 1:
        raise UsageError(
            f"a false-attribution rate is a number between 0 and 1, such as 0.05, not {rate!r}"
        )


def _error_rates(genuine: HeldOutStatistics, threshold: float) -> tuple[float, float]:
    weights, is_accepted = genuine.weights(), genuine.statistics > threshold
    correct = weights[is_accepted & genuine.is_correct].sum()
    misattributed = weights[is_accepted & ~genuine.is_correct].sum()
    return max(0.0, 1 - float(correct)), float(misattributed)


def _threshold(p_values: ConformalPValues, rate: float) -> float:
    check_false_attribution_rate(rate)
    n_texts = len(p_values.statistics)
    if rate * (n_texts + 1) < 1:
        raise UsageError(
            f"a false-attribution rate of {rate:g} cannot be set from only {n_texts} texts by "
            f"held-out authors; set it to {1 / (n_texts + 1):.2g} or more, or train with more texts"
        )
    return p_values.threshold(rate)
