"""Which candidates are set against each other: one and another, or one and all the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

#: The second side of evidence that is not against one candidate alone.
ALL_OTHERS = "all other candidates"


@dataclass(frozen=True, slots=True)
class Contrast:
    """A difference of candidates' scores.

    Attributes
    ----------
    first : str
        Whom positive values speak for.
    second : str
        Whom negative ones do; `ALL_OTHERS` where that is the mean of all the rest.
    shares : (n_authors,) float64
        What each candidate's score is multiplied by: 1 for the first, and what adds up to -1 for
        those it is set against.
    """

    first: str
    second: str
    shares: NDArray[np.float64]

    @classmethod
    def between(cls, authors: Sequence[str], first: str, second: str) -> Self:
        """Set one of ``authors`` against another."""
        shares = np.zeros(len(authors))
        shares[authors.index(first)], shares[authors.index(second)] = 1, -1
        return cls(first, second, shares)

    @classmethod
    def with_all(cls, authors: Sequence[str], first: str) -> Self:
        """Set one of ``authors`` against the mean of all the rest."""
        shares = np.full(len(authors), -1 / (len(authors) - 1))
        shares[authors.index(first)] = 1
        if len(authors) == 2:
            return cls(first, next(each for each in authors if each != first), shares)
        return cls(first, ALL_OTHERS, shares)
