"""`OpenSetDecision`: whether a text is attributed to a candidate at all, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from byline.attribution.calibration import verbal_scale
from byline.errors import UsageError
from byline.formatting import (
    WIDE_INTERVAL,
    isolated,
    p_value,
    percent,
    percent_range,
    short_percent,
    signed,
    times_as_much,
)

EVEN_ODDS: Literal["even-odds"] = "even-odds"
#: A false-attribution rate; or "even-odds": attribute a text that is more probable if a candidate
#: wrote it than if an unknown author did.
Criterion = float | Literal["even-odds"]

_NO_SUPPORT = math.log10(2)  # smaller ratios support neither side


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """The estimated share of texts about which a decision is wrong.

    Attributes
    ----------
    rate : float
    lower, upper : float
        The 95 % interval; see `byline.attribution.calibration.clustered_interval`.

    Examples
    --------
    >>> str(ErrorRate(0.05, 0.01, 0.2))
    '5 % (95 % interval 1 to 20 %)'
    """

    rate: float
    lower: float
    upper: float

    def __str__(self) -> str:
        interval = percent_range(self.lower, self.upper, 0)
        if self.upper - self.lower > WIDE_INTERVAL:
            return f"{percent(self.rate, 0)} (known only to within {interval}, the 95 % interval)"
        return f"{percent(self.rate, 0)} (95 % interval {interval})"


@dataclass(frozen=True, slots=True)
class OpenSetDecision:
    """Whether a text is attributed to its first candidate, and how often such decisions are wrong.

    Attributes
    ----------
    false_attribution_rate : float or None
        The requested rate: the share of texts by unknown authors that may be attributed to a
        candidate. None if the text was to be attributed if that is more probable than not, with
        even prior odds.
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
    log10_lr : float
        Decimal logarithm of the likelihood ratio of "one of the candidates wrote the text" against
        "an unknown author wrote it", bounded by what the held-out texts support.
    false_attributions : ErrorRate
        Estimated share of texts by unknown authors that are attributed to a candidate at this
        threshold. If a rate was requested, the threshold for each author is estimated from the
        other authors.
    missed_attributions : ErrorRate
        Estimated share of genuine texts (texts by candidates) that are not attributed to their
        author at this threshold: rejected, or attributed to another candidate.
    misattribution_rate : float
        The part of ``missed_attributions`` that is attributed to another candidate.
    n_unknown_author_texts, n_known_texts : int
        Number of texts of about this length from which all this was estimated. Each author has the
        same total weight.
    n_unknown_authors : int
        Number of authors of the former: candidates who were left out in turn, and other people.

    See Also
    --------
    RejectionRule : Makes the decisions.

    Examples
    --------
    >>> decision = OpenSetDecision(
    ...     false_attribution_rate=0.05, threshold=3.0, statistic=4.5, accepted=True, nearest="Ada",
    ...     p_value=0.008, log10_lr=1.2, false_attributions=ErrorRate(0.05, 0.01, 0.2),
    ...     missed_attributions=ErrorRate(0.49, 0.3, 0.68), misattribution_rate=0.01,
    ...     n_unknown_author_texts=200, n_known_texts=200, n_unknown_authors=5,
    ... )
    >>> print(decision.verdict)
    Attributed to Ada.
    >>> print(decision.finding)
    Attributed to Ada (p = 0.008, requested rate 5 %)
    >>> print(decision.evidence)  # doctest: +NORMALIZE_WHITESPACE
    The text is about 16 times as probable if one of the candidates wrote it as if an unknown author
    did (log10 likelihood ratio +1.20: moderate support)
    >>> print(decision.error_rates)  # doctest: +NORMALIZE_WHITESPACE
    By this rule, about 5 % (95 % interval 1 to 20 %) of texts of this length by unknown
    authors are attributed to a candidate; 49 % (known only to within 30 to 68 %, the 95 % interval)
    of genuine texts are missed (1 % are attributed to the wrong candidate)
    """

    false_attribution_rate: float | None
    threshold: float
    statistic: float
    accepted: bool
    nearest: str
    p_value: float
    log10_lr: float
    false_attributions: ErrorRate
    missed_attributions: ErrorRate
    misattribution_rate: float
    n_unknown_author_texts: int
    n_known_texts: int
    n_unknown_authors: int

    @property
    def missed_attribution_rate(self) -> float:
        """The estimated share of genuine texts that are not attributed to their author."""
        return self.missed_attributions.rate

    @property
    def finding(self) -> str:
        """The decision with its p-value and the requested rate, without a full stop."""
        test = p_value(self.p_value)
        if self.false_attribution_rate is not None:
            test += f", requested rate {short_percent(self.false_attribution_rate)}"
        return f"{self.verdict.removesuffix('.')} ({test})"

    @property
    def verdict(self) -> str:
        """The decision in one short sentence."""
        nearest = isolated(self.nearest)
        if self.accepted:
            return f"Attributed to {nearest}."
        if self.is_undecided:
            return f"Undecided; the nearest candidate is {nearest}."
        return f"Attributed to none of the candidates; the nearest is {nearest}."

    @property
    def points(self) -> tuple[str, ...]:
        """What the decision is based on, one sentence per point."""
        false, missed = self.false_attributions, self.missed_attributions
        rate = self.false_attribution_rate
        requested = "" if rate is None else f" The requested rate is {short_percent(rate)}."
        return (
            f"{self.evidence}.{self._despite}",
            f"{p_value(self.p_value)}: this is the share of texts by unknown authors in which one "
            f"candidate is as far ahead of the others as here.{requested}",
            f"By this rule, about {false} of texts of this length by unknown authors are "
            "attributed to a candidate.",
            f"Of genuine texts, {missed} are missed, including "
            f"{percent(self.misattribution_rate, 0)} that are attributed to the wrong candidate.",
        )

    @property
    def is_undecided(self) -> bool:
        """Whether no candidate is named, although the evidence does not support the opposite."""
        return not self.accepted and self.log10_lr > -_NO_SUPPORT

    @property
    def evidence(self) -> str:
        """The likelihood ratio of candidates against unknown authors, without a full stop."""
        ratio, authors = signed(self.log10_lr), ["one of the candidates", "an unknown author"]
        if abs(self.log10_lr) < _NO_SUPPORT:
            return (
                f"The text is about equally probable if {authors[0]} wrote it and if {authors[1]} "
                f"did (log10 likelihood ratio {ratio})"
            )
        first, second = authors if self.log10_lr > 0 else authors[::-1]
        size = abs(self.log10_lr)
        return (
            f"The text is about {times_as_much(size)} as probable if {first} wrote it as if "
            f"{second} did (log10 likelihood ratio {ratio}: {verbal_scale(size)})"
        )

    @property
    def error_rates(self) -> str:
        """How often such decisions are wrong, without a full stop."""
        return describe_error_rates(
            self.false_attributions, self.missed_attributions, self.misattribution_rate
        )

    @property
    def basis(self) -> str:
        """The evidence and the error rates, without a full stop at the end."""
        return f"{self.evidence}.{self._despite} {self.error_rates}"

    @property
    def _despite(self) -> str:
        if not self.accepted or self.log10_lr > -_NO_SUPPORT:
            return ""
        return (
            " It is attributed nevertheless, because the requested rate allows so many false "
            "attributions. With a lower rate, it is not attributed."
        )

    @property
    def sentence(self) -> str:
        """The finding and its basis, without a full stop at the end."""
        return f"{self.finding}. {self.basis}"

    @property
    def declined(self) -> str | None:
        """Why no author is named, without a full stop at the end; None if one is named."""
        return None if self.accepted else self.sentence


def describe_error_rates(
    false_attributions: ErrorRate, missed_attributions: ErrorRate, misattribution_rate: float
) -> str:
    """Describe the error rates of a rule in one sentence, without a full stop."""
    return (
        f"By this rule, about {false_attributions} of texts of this length by unknown authors "
        f"are attributed to a candidate; {missed_attributions} of genuine texts are missed "
        f"({percent(misattribution_rate, 0)} are attributed to the wrong candidate)"
    )


def check_criterion(criterion: object) -> None:
    """Check that a criterion is a false-attribution rate between 0 and 1, or "even-odds".

    Raises
    ------
    UsageError
        It is not.

    Examples
    --------
    >>> check_criterion(0.05)
    >>> check_criterion("even-odds")
    >>> check_criterion(5)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    byline.errors.UsageError: a false-attribution rate is a number between 0 and 1, such ... not 5
    """
    if criterion == EVEN_ODDS:
        return
    is_number = isinstance(criterion, int | float) and not isinstance(criterion, bool)
    if not is_number or not 0 < criterion < 1:  # type: ignore[operator]
        raise UsageError(
            "a false-attribution rate is a number between 0 and 1, such as 0.05 (or "
            f'"{EVEN_ODDS}"), not {criterion!r}'
        )
