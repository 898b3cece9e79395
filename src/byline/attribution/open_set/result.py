"""The decision whether a text is attributed to its first candidate or to none."""

from __future__ import annotations

from dataclasses import dataclass

from byline.formatting import isolated, p_value, percent

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
    def _says_little(self) -> bool:
        return not self.accepted and self.missed_attribution_rate > _MAX_MISSED
