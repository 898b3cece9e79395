"""How often the author of a text is among the best candidates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Self

import numpy as np

#: The share of texts whose author must be on a shortlist of candidates.
WANTED_RECALL = 0.99


@dataclass(frozen=True, slots=True)
class ShortlistRecall:
    """How often the author is among the best candidates, for the choice of a shortlist.

    Attributes
    ----------
    recall : dict of int to float
        For 1, 10, 100 and so on, up to the number of candidates: share of texts whose author is
        among that many best candidates.
    size : int
        Length of the shortest shortlist with the author of at least `WANTED_RECALL` of the texts.

    See Also
    --------
    Metrics : All metrics of an evaluation.

    Examples
    --------
    >>> from byline.experiments import ShortlistRecall
    >>> ShortlistRecall.from_ranks([1, 1, 12, 3], n_candidates=40)
    ShortlistRecall(recall={1: 0.5, 10: 0.75}, size=12)
    """

    recall: dict[int, float]
    size: int

    @classmethod
    def from_ranks(cls, ranks: Sequence[int], n_candidates: int) -> Self:
        """Compute the recalls from the rank of each text's author, 1 for the best candidate."""
        ordered = np.sort(ranks)
        sizes = takewhile(lambda size: size < n_candidates, (10**power for power in count()))
        return cls(
            {size: float(np.mean(ordered <= size)) for size in sizes},
            int(ordered[math.ceil(WANTED_RECALL * len(ordered)) - 1]),
        )
