"""How often strangers' statistics are as high as one, and above which one they seldom are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.attribution.open_set.tried import TriedTexts

Floats = NDArray[np.float64]
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
    def of(cls, strangers: TriedTexts, n_candidates: int) -> Self:
        """Take every author's texts together for as much as any other's.

        Parameters
        ----------
        strangers : TriedTexts
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
