"""Texts that were asked about for trial, found by their length."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.errors import UsageError


def statistics(log_odds: NDArray[np.floating]) -> Floats:
    """Log-odds of each text's first candidate above the mean of all other candidates'.

    The largest logit tells known from unknown classes as well as probabilities do or better, as
    it does not fall where a second candidate is near (Vaze et al. 2022; Hendrycks et al. 2022).
    Taken above the others' mean, it is the same whatever is added to a row, and of one scale for
    any number of candidates.

    Parameters
    ----------
    log_odds : (n, n_authors) float
        Of a stack, in nats; minus infinity for who was no candidate. Two or more were.

    Returns
    -------
    (n,) float64, nats, 0 or more

    Raises
    ------
    UsageError
        A text has fewer than two candidates, or log-odds that are no numbers.
    """
    is_candidate = ~np.isneginf(log_odds)
    n_others = is_candidate.sum(axis=1) - 1
    finite = np.where(is_candidate, log_odds, 0.0)
    if (n_others < 1).any() or not np.isfinite(finite).all():
        raise UsageError("every text needs finite log-odds of at least two candidates")
    first = log_odds.max(axis=1)
    below = np.where(is_candidate, first[:, np.newaxis] - finite, 0.0).sum(axis=1)
    return np.asarray(below / n_others, dtype=np.float64)


# What is said of a text is learnt from the quarter of tried texts that are nearest to it in
# length, but from so many at least: of 200 texts, a share of 5 % is known to within 3 points.
FEWEST = 200
SHARE = 0.25


@dataclass(frozen=True, slots=True)
class HeldOutStatistics:
    """What came out of texts whose authors are known.

    Attributes
    ----------
    statistics : (n,) float64
        As `byline.attribution.open_set.statistics` has them.
    sizes : (n,) int64
        Characters that are not white space.
    authors : (n,) int64
        Columns of the true authors.
    n_candidates : (n,) int64
        Among how many candidates the first one was found.
    is_right : (n,) bool
        Whether the first candidate is the author.
    """

    statistics: Floats
    sizes: Integers
    authors: Integers
    n_candidates: Integers
    is_right: NDArray[np.bool_]

    @classmethod
    def of(
        cls, log_odds: NDArray[np.floating], sizes: Integers, authors: NDArray[np.integer]
    ) -> Self:
        """Note what came out of texts.

        Parameters
        ----------
        log_odds : (n, n_authors) float
            Minus infinity for who was no candidate.
        sizes : (n,) int64
        authors : (n,) int
            Columns of the true authors, candidates or not.
        """
        return cls(
            statistics(log_odds),
            np.asarray(sizes, dtype=np.int64),
            np.asarray(authors, dtype=np.int64),
            (~np.isneginf(log_odds)).sum(axis=1),
            log_odds.argmax(axis=1) == authors,
        )

    def __len__(self) -> int:
        return len(self.statistics)

    def near(self, n_characters: int) -> Self:
        """Return those nearest in length, by ratio; all that are as near as the last one.

        Parameters
        ----------
        n_characters : int
            That are not white space.
        """
        fewest = min(len(self), max(FEWEST, math.ceil(SHARE * len(self))))
        distances = np.abs(np.log1p(self.sizes) - np.log1p(n_characters))
        chosen = distances <= np.partition(distances, fewest - 1)[fewest - 1]
        return type(self)(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def shares(self) -> Floats:
        """Return what each text counts, (n,): authors count alike, and all together 1."""
        amounts = np.bincount(self.authors)
        shares: Floats = 1 / (amounts[self.authors] * np.count_nonzero(amounts))
        return shares


_ROUNDING = 1e-12  # that sums of shares can be off by


@dataclass(frozen=True, slots=True)
class Tail:
    """Conformal p-values of statistics (Vovk, Gammerman & Shafer 2005).

    The questioned text is counted among the strangers. So a new stranger's p-value is at most a
    rate with no more than that probability, if it comes as the others did.

    Strangers had fewer candidates, as they are authors left out with some others. The one that is
    most like a stranger among ``n`` candidates is among ``m`` of these, drawn at random, with
    probability ``m / n``; so a stranger who is too much like one of ``m`` counts ``n / m`` times.

    Attributes
    ----------
    values : (n,) float64
        Strangers' statistics, ascending.
    p_values : (n + 1,) float64
        Of a statistic that is above those before each place, and not above the one there.
    """

    values: Floats
    p_values: Floats

    @classmethod
    def of(cls, strangers: HeldOutStatistics, n_candidates: int) -> Self:
        """Take every author's texts together for as much as any other's.

        Parameters
        ----------
        strangers : HeldOutStatistics
        n_candidates : int
            Whom a questioned text is compared with; ``n`` above.
        """
        shares = strangers.shares() * n_candidates / strangers.n_candidates
        order = np.lexsort((shares, strangers.statistics))
        n_texts = len(strangers)
        above = np.append(np.cumsum(shares[order][::-1])[::-1], 0.0)  # from each place on
        p_values = np.minimum((1 + n_texts * above) / (n_texts + 1), 1)
        return cls(strangers.statistics[order], p_values)

    def p_value(self, statistic: float) -> float:
        """Return the share of strangers whose statistic is as high or higher."""
        return float(self.p_values[np.searchsorted(self.values, statistic, side="left")])

    def threshold(self, rate: float) -> float:
        """Return the statistic above which p-values are at most ``rate``.

        Parameters
        ----------
        rate : float
            At least the lowest of ``p_values``, and below 1.
        """
        n_common = int(np.count_nonzero(self.p_values > rate + _ROUNDING))
        return float(self.values[max(n_common - 1, 0)])
