"""Join the leaves of a tree, authors or texts, by their distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from byline.array_types import Floats

MAX_ORDERED = 200  # leaves: with more, the best order takes minutes


@dataclass(frozen=True, slots=True)
class Join:
    """The merger of two clusters of authors or texts.

    Attributes
    ----------
    first, second : int
        The clusters. A number below the number of leaves is a single author or text; higher
        numbers are the results of the earlier joins, in their order.
    height : float
        The distance at which they are joined: in a tree of authors, the mean distance between the
        authors of the two clusters, in nats per token.

    Examples
    --------
    >>> Join(first=0, second=1, height=0.25).height
    0.25
    """

    first: int
    second: int
    height: float


def join_clusters(distances: Floats, method: Literal["average", "ward"]) -> tuple[Join, ...]:
    """Cluster leaves, and order them so that neighbours are similar (Bar-Joseph et al. 2001).

    More than 200 leaves are not ordered.

    Parameters
    ----------
    distances : (n_pairs,) float64
        One distance per pair of leaves, as `scipy.spatial.distance.pdist` returns them.
    method : {"average", "ward"}

    Returns
    -------
    tuple of Join, (n_leaves - 1,)
        In ascending order of height.
    """
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import num_obs_y

    joined = linkage(distances, method, optimal_ordering=num_obs_y(distances) <= MAX_ORDERED)
    return tuple(Join(int(one), int(two), height) for one, two, height, _ in joined.tolist())


def members(n_leaves: int, joins: Sequence[Join]) -> list[tuple[int, ...]]:
    """Return the leaves of each cluster in their order: single leaves first, then the joins.

    Examples
    --------
    >>> members(3, [Join(1, 2, 0.1), Join(0, 3, 0.5)])
    [(0,), (1,), (2,), (1, 2), (0, 1, 2)]
    """
    groups: list[tuple[int, ...]] = [(leaf,) for leaf in range(n_leaves)]
    for join in joins:
        groups.append(groups[join.first] + groups[join.second])
    return groups
