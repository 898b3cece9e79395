"""A tree of authors: those whose language models predict each other's texts best are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

MOST_ORDERED = 200  # authors: with more, the best order of leaves takes minutes


@dataclass(frozen=True, slots=True)
class Join:
    """Two groups of authors that become one.

    Attributes
    ----------
    first, second : int
        The groups: below the number of authors an author alone, from there on what the earlier
        joins made, in their order.
    height : float
        Mean distance of the one's authors from the other's, in nats a token.
    """

    first: int
    second: int
    height: float


@dataclass(frozen=True, slots=True)
class AuthorTree:
    """Authors joined until there is one group.

    Attributes
    ----------
    authors : tuple of str
    joins : tuple of Join, (n_authors - 1,)
        By height.
    """

    authors: tuple[str, ...]
    joins: tuple[Join, ...]

    @property
    def order(self) -> list[int]:
        """Places of the authors as they hang in the tree, near ones beside each other."""
        groups = [[place] for place in range(len(self.authors))]
        for join in self.joins:
            groups.append(groups[join.first] + groups[join.second])
        return groups[-1]


def author_tree(authors: Sequence[str], distances: NDArray[np.float64]) -> AuthorTree:
    """Join the two groups with the least mean distance, again and again, until there is one.

    Average linkage (UPGMA; Sokal & Michener 1958), by SciPy. Leaves are ordered so that neighbours
    are near each other (Bar-Joseph et al. 2001), where there are at most 200.

    Parameters
    ----------
    authors : sequence of str, (n_authors,)
        At least two.
    distances : (n_authors, n_authors) float64
        Symmetric, zero on the diagonal, none below zero, such as `CrossPerplexity.distances`.
    """
    joined = linkage(
        squareform(distances), "average", optimal_ordering=len(authors) <= MOST_ORDERED
    )
    joins = [Join(int(first), int(second), height) for first, second, height, _ in joined.tolist()]
    return AuthorTree(tuple(authors), tuple(joins))
