"""Hierarchical clustering of authors by the distances of their language models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

MAX_ORDERED = 200  # authors: with more, the optimal order of leaves takes minutes


@dataclass(frozen=True, slots=True)
class Join:
    """The merger of two clusters of authors.

    Attributes
    ----------
    first, second : int
        The clusters. A number below the number of authors is a single author; higher numbers are
        the results of the earlier joins, in their order.
    height : float
        Mean distance between the authors of the two clusters, in nats per token.

    Examples
    --------
    >>> Join(first=0, second=1, height=0.25).height
    0.25
    """

    first: int
    second: int
    height: float


@dataclass(frozen=True, slots=True)
class AuthorTree:
    """A tree of authors, as a sequence of joins.

    Attributes
    ----------
    authors : tuple of str
        The leaves.
    joins : tuple of Join, (n_authors - 1,)
        In ascending order of height.

    See Also
    --------
    author_tree : Compute the tree.

    Examples
    --------
    >>> tree = AuthorTree(("Ada", "Ben", "Cyd"), (Join(1, 2, 0.1), Join(0, 3, 0.5)))
    >>> tree.order
    [0, 1, 2]
    """

    authors: tuple[str, ...]
    joins: tuple[Join, ...]

    @property
    def order(self) -> list[int]:
        """Indices of the authors in the order of the leaves, similar authors next to each other."""
        groups = [[place] for place in range(len(self.authors))]
        for join in self.joins:
            groups.append(groups[join.first] + groups[join.second])
        return groups[-1]


def author_tree(authors: Sequence[str], distances: NDArray[np.float64]) -> AuthorTree:
    """Cluster authors by average linkage (UPGMA; Sokal & Michener 1958).

    If there are at most 200 authors, the leaves are ordered so that neighbours are similar
    (Bar-Joseph et al. 2001).

    Parameters
    ----------
    authors : sequence of str, (n_authors,)
        At least two.
    distances : (n_authors, n_authors) float64
        Symmetric, zero on the diagonal, not negative, such as `CrossPerplexity.distances`.

    Examples
    --------
    >>> import numpy as np
    >>> distances = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 6.0], [4.0, 6.0, 0.0]])
    >>> [join.height for join in author_tree(["Ada", "Ben", "Cyd"], distances).joins]
    [1.0, 5.0]
    """
    joined = linkage(squareform(distances), "average", optimal_ordering=len(authors) <= MAX_ORDERED)
    joins = [Join(int(first), int(second), height) for first, second, height, _ in joined.tolist()]
    return AuthorTree(tuple(authors), tuple(joins))
