"""The open-set statistic, its values for held-out texts, and p-values from these."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Floats, Integers
from byline.errors import UsageError

# Estimates for a text come from the held-out texts that are at least half and at most twice as
# long. Statistics grow with length: on development data, 8, 14 and 23 % of texts by unknown authors
# were attributed to a candidate at requested rates of 5, 10 and 20 % if shorter passages were
# added until there were 200 texts, and 6, 10 and 17 % without them.
SIMILAR_RATIO = 2.0
MIN_SIMILAR = 30
_ROUNDING = 1e-12  # possible error of sums of weights


def open_set_statistics(log_odds: NDArray[np.floating]) -> Floats:
    """Compute how far the log-odds of each text's first candidate are above those of the others.

    The statistic is the log-odds of the first candidate minus the mean of all other candidates'.
    The largest logit separates known from unknown classes as well as probabilities or better,
    because it does not decrease if a second candidate is similar (Vaze et al. 2022; Hendrycks et
    al. 2022). The difference from the mean does not change if a constant is added to a row, and
    has the same scale for any number of candidates.

    Parameters
    ----------
    log_odds : (n_texts, n_authors) float
        In nats; minus infinity for an author who was not a candidate. At least two were.

    Returns
    -------
    (n_texts,) float64
        In nats, 0 or more.

    Raises
    ------
    UsageError
        A text has fewer than two candidates, or log-odds that are not numbers.

    Examples
    --------
    >>> import numpy as np
    >>> open_set_statistics(np.array([[5.0, 1.0, -3.0]])).tolist()
    [6.0]
    """
    is_candidate = ~np.isneginf(log_odds)
    n_others = is_candidate.sum(axis=1) - 1
    finite = np.where(is_candidate, log_odds, 0.0)
    if (n_others < 1).any() or not np.isfinite(finite).all():
        raise UsageError("every text needs finite log-odds of at least two candidates")
    first = log_odds.max(axis=1)
    differences = np.where(is_candidate, first[:, np.newaxis] - finite, 0.0).sum(axis=1)
    return np.asarray(differences / n_others, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class HeldOutStatistics:
    """Statistics of held-out texts of known authorship.

    Attributes
    ----------
    statistics : (n,) float64
        As `open_set_statistics` computes them.
    sizes : (n,) int64
        Lengths in characters without white space.
    authors : (n,) int64
        The columns of the true authors.
    n_candidates : (n,) int64
        Number of candidates that the text was compared with.
    is_correct : (n,) bool
        Whether the first candidate is the true author.

    Examples
    --------
    >>> import numpy as np
    >>> log_odds = np.array([[4.0, 0.0, 2.0], [1.0, 5.0, -np.inf]])
    >>> found = HeldOutStatistics.of(log_odds, np.array([100, 200]), np.array([0, 2]))
    >>> found.statistics.tolist(), found.is_correct.tolist()
    ([3.0, 4.0], [True, False])
    """

    statistics: Floats
    sizes: Integers
    authors: Integers
    n_candidates: Integers
    is_correct: Booleans

    @classmethod
    def of(
        cls, log_odds: NDArray[np.floating], sizes: Integers, authors: NDArray[np.integer]
    ) -> Self:
        """Compute the statistics of texts.

        Parameters
        ----------
        log_odds : (n, n_authors) float
            In nats; minus infinity for an author who was not a candidate.
        sizes : (n,) int64
            Lengths in characters without white space.
        authors : (n,) int
            The columns of the true authors, whether candidates or not.
        """
        return cls(
            open_set_statistics(log_odds),
            np.asarray(sizes, dtype=np.int64),
            np.asarray(authors, dtype=np.int64),
            (~np.isneginf(log_odds)).sum(axis=1),
            log_odds.argmax(axis=1) == authors,
        )

    def __len__(self) -> int:
        return len(self.statistics)

    def of_similar_length(self, n_characters: int, at_least: int = MIN_SIMILAR) -> Self:
        """Return the texts at least half and at most twice as long.

        Parameters
        ----------
        n_characters : int
            Length of the questioned text in characters without white space.
        at_least : int
            If fewer texts are so similar in length, return that many that are nearest in length, by
            ratio, including all ties.
        """
        n_chosen = min(len(self), at_least)
        distances = np.abs(np.log1p(self.sizes) - np.log1p(n_characters))
        nearest = np.partition(distances, n_chosen - 1)[n_chosen - 1]
        return self._chosen(distances <= max(nearest, math.log(SIMILAR_RATIO)))

    def without_author(self, author: int) -> Self:
        """Return the texts by all other authors."""
        return self._chosen(self.authors != author)

    def _chosen(self, chosen: Booleans) -> Self:
        return type(self)(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def rates_by_author(self, marks: NDArray[np.number] | Booleans) -> Floats:
        """Return the mean of a value of each text by author, (n_authors_with_texts,)."""
        _, places = np.unique(self.authors, return_inverse=True)
        return np.asarray(np.bincount(places, weights=marks) / np.bincount(places))

    def weights(self) -> Floats:
        """Return the weight of each text, (n,); they sum to 1, and all authors weigh the same."""
        _, places, amounts = np.unique(self.authors, return_inverse=True, return_counts=True)
        weights: Floats = 1 / (amounts[places] * len(amounts))
        return weights


@dataclass(frozen=True, slots=True)
class ConformalPValues:
    """Conformal p-values of statistics, from texts by unknown authors.

    The questioned text is counted among the texts by unknown authors. Therefore the p-value of a
    new text by an unknown author is at most ``r`` with a probability of at most ``r``, provided
    that it comes from the same distribution.

    Unknown authors were compared with fewer candidates, because several authors are held out
    together. The candidate most similar to an unknown author among ``n`` candidates is among ``m``
    randomly chosen ones with probability ``m / n``. So the weight of a text that was compared with
    ``m`` candidates is multiplied by ``n / m``.

    Attributes
    ----------
    statistics : (n,) float64
        Of the texts by unknown authors, in ascending order.
    p_values : (n + 1,) float64
        ``p_values[i]`` is the p-value of a new statistic that is above the first ``i`` of
        ``statistics`` and not above the next one.

    References
    ----------
    Vovk, Gammerman & Shafer (2005), Algorithmic learning in a random world.

    Examples
    --------
    >>> import numpy as np
    >>> texts = HeldOutStatistics(*(np.full(4, n) for n in (1.0, 100, 0, 3)), np.full(4, False))
    >>> ConformalPValues.of(texts, n_candidates=3).p_value(2.0)
    0.2
    """

    statistics: Floats
    p_values: Floats

    @classmethod
    def of(cls, unknown_authors: HeldOutStatistics, n_candidates: int) -> Self:
        """Compute p-values in which all authors have the same total weight.

        Parameters
        ----------
        unknown_authors : HeldOutStatistics
            Texts by unknown authors.
        n_candidates : int
            Number of candidates that a questioned text is compared with; ``n`` above.
        """
        weights = unknown_authors.weights() * n_candidates / unknown_authors.n_candidates
        order = np.lexsort((weights, unknown_authors.statistics))
        n_texts = len(unknown_authors)
        at_least = np.append(
            np.cumsum(weights[order][::-1])[::-1], 0.0
        )  # weight from each place on
        p_values = np.minimum((1 + n_texts * at_least) / (n_texts + 1), 1)
        return cls(unknown_authors.statistics[order], p_values)

    def p_value(self, statistic: float) -> float:
        """Return the weighted share of texts by unknown authors with at least that statistic."""
        return float(self.p_values[np.searchsorted(self.statistics, statistic, side="left")])

    def threshold(self, rate: float) -> float:
        """Return the statistic above which p-values are at most ``rate``.

        Parameters
        ----------
        rate : float
            At least the lowest of ``p_values``, and below 1.
        """
        n_larger = int(np.count_nonzero(self.p_values > rate + _ROUNDING))
        return float(self.statistics[max(n_larger - 1, 0)])
