"""When no candidate is named: a threshold learnt from authors who were left out in turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.attribution.open_set.held_out_statistics import HeldOutStatistics, Tail, statistics
from byline.attribution.open_set.result import OpenSetDecision
from byline.errors import TrainingError, UsageError

DEFAULT_RATE = 0.05
LONG = 0.9  # of strangers' texts are no longer than a long one


@dataclass(frozen=True, slots=True)
class RejectionRule:
    """What tells texts by none of the candidates from the candidates' own.

    Attributes
    ----------
    strangers : HeldOutStatistics
        Known texts, and runs of their sentences, of authors who were no candidates when they were
        asked about: the members had learnt from the other authors' texts alone.
    known : HeldOutStatistics
        Candidates' known texts, and runs of their sentences, that were held out.

    Raises
    ------
    TrainingError
        There are none of a kind.
    """

    strangers: HeldOutStatistics
    known: HeldOutStatistics

    def __post_init__(self) -> None:
        if not len(self.strangers) or not len(self.known):
            raise TrainingError(
                "when to name nobody is learnt from texts by authors left out and by candidates, "
                f"and there are {len(self.strangers)} and {len(self.known)} of these"
            )

    def threshold(self, rate: float, n_characters: int) -> float:
        """Return the statistic a text must be above to be given to its first candidate.

        Parameters
        ----------
        rate : float
            Of false attributions, between 0 and 1.
        n_characters : int
            Of the text, white space apart.

        Raises
        ------
        UsageError
            The rate is none, or too low to be told from the strangers' texts there are.
        """
        return _threshold(self._tail(self.strangers.near(n_characters)), rate)

    def describe(self, rate: float = DEFAULT_RATE) -> str:
        """Say in one sentence what a rate costs, of texts as long as known ones are."""
        size = int(np.quantile(self.strangers.sizes, LONG))
        rate = max(rate, self.lowest_rate(size))
        missed, wrong = self.cost(rate, size)
        return (
            f"open set: where {100 * rate:.2g}% of texts by none of the candidates may be given to "
            f"somebody, {missed:.0%} of candidates' own texts of about {size:,} characters are "
            f"missed ({wrong:.0%} given to another)"
        )

    def lowest_rate(self, n_characters: int) -> float:
        """Return the lowest rate that can be told of texts of that length."""
        return 1 / (len(self.strangers.near(n_characters)) + 1)

    def cost(self, rate: float, n_characters: int) -> tuple[float, float]:
        """Tell what shares of candidates' own texts of about that length are missed at a rate.

        Parameters
        ----------
        rate : float
            Of false attributions, between 0 and 1.
        n_characters : int
            White space apart.

        Returns
        -------
        missed : float
            Not given to their authors.
        wrong : float
            The part of it that is given to another candidate.

        Raises
        ------
        UsageError
            As of `threshold`.
        """
        return _cost(self.known.near(n_characters), self.threshold(rate, n_characters))

    def answers(
        self, log_odds: Floats, sizes: Integers, names: NDArray[Any], rate: float = DEFAULT_RATE
    ) -> list[OpenSetDecision]:
        """Tell of every questioned text whether its first candidate is accepted.

        Parameters
        ----------
        log_odds : (n, n_authors) float64
        sizes : (n,) int64
            Characters that are not white space.
        names : (n_authors,) str
        rate : float
            Of false attributions, between 0 and 1.

        Raises
        ------
        UsageError
            The rate is none, or too low to be told from the strangers' texts there are.
        """
        nearest = names[log_odds.argmax(axis=1)]
        found = zip(statistics(log_odds).tolist(), sizes.tolist(), nearest, strict=True)
        return [self._answer(statistic, size, str(name), rate) for statistic, size, name in found]

    def _tail(self, strangers: HeldOutStatistics) -> Tail:
        return Tail.of(strangers, int(self.known.n_candidates.max()))

    def _answer(
        self, statistic: float, n_characters: int, name: str, rate: float
    ) -> OpenSetDecision:
        strangers, known = self.strangers.near(n_characters), self.known.near(n_characters)
        tail = self._tail(strangers)
        threshold = _threshold(tail, rate)
        missed, wrong = _cost(known, threshold)
        return OpenSetDecision(
            rate=float(rate),
            threshold=threshold,
            statistic=statistic,
            accepted=statistic > threshold,
            nearest=name,
            likeness=tail.p_value(statistic),
            missed=missed,
            wrong=wrong,
            n_unknown_author_texts=len(strangers),
            n_known=len(known),
            n_authors=len(np.unique(strangers.authors)),
        )


def check_rate(rate: object) -> None:
    """Refuse what is no rate of false attributions (`UsageError`)."""
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 < rate < 1:
        raise UsageError(
            f"a rate of false attributions is a number between 0 and 1, such as 0.05, not {rate!r}"
        )


def _cost(known: HeldOutStatistics, threshold: float) -> tuple[float, float]:
    shares, is_above = known.shares(), known.statistics > threshold
    right = shares[is_above & known.is_right].sum()
    wrong = shares[is_above & ~known.is_right].sum()
    return max(0.0, 1 - float(right)), float(wrong)


def _threshold(tail: Tail, rate: float) -> float:
    check_rate(rate)
    n_texts = len(tail.values)
    if rate * (n_texts + 1) < 1:
        raise UsageError(
            f"a rate of false attributions of {rate:g} cannot be told from {n_texts} texts by "
            f"authors left out: ask for {1 / (n_texts + 1):.2g} or more, or train with more texts"
        )
    return tail.threshold(rate)
