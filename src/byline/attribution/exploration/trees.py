"""Cluster trees of texts, neighbour joining, and the Newick format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.distance import squareform

from byline.array_types import Floats
from byline.attribution.clusters import Join, join_clusters, members

_SPECIAL = re.compile(r"[\s()\[\]{}:;,'\"]")


@dataclass(frozen=True, slots=True)
class TextTree:
    """A cluster tree (dendrogram) of texts.

    Attributes
    ----------
    names : tuple of str, (n_texts,)
        The leaves.
    joins : tuple of Join, (n_texts - 1,)
        In ascending order of height.
    """

    names: tuple[str, ...]
    joins: tuple[Join, ...]

    @property
    def order(self) -> list[int]:
        """Indices of the texts in the order of the leaves, similar texts next to each other."""
        return list(members(len(self.names), self.joins)[-1])

    def clusters(self, n_clusters: int) -> list[int]:
        """Cut the tree into ``n_clusters`` clusters; return the number of each text's cluster."""
        n_texts = len(self.names)
        groups = members(n_texts, self.joins)
        top = set(range(n_texts))
        for number, join in enumerate(self.joins[: n_texts - n_clusters]):
            top = top - {join.first, join.second} | {n_texts + number}
        labels = [0] * n_texts
        for label, group in enumerate(sorted(top)):
            for leaf in groups[group]:
                labels[leaf] = label
        return labels

    def splits(self) -> Iterator[frozenset[int]]:
        """Yield the texts of each cluster, except single texts and the cluster of all texts."""
        yield from map(frozenset, members(len(self.names), self.joins)[len(self.names) : -1])

    def to_newick(self) -> str:
        """Write the tree in the Newick format; the length of a branch is half a height, as in R."""
        n_texts = len(self.names)
        written = [newick_label(name) for name in self.names]
        heights = [0.0] * n_texts
        for join in self.joins:
            parts = (
                f"{written[part]}:{max(join.height - heights[part], 0.0) / 2:.10g}"
                for part in (join.first, join.second)
            )
            written.append(f"({','.join(parts)})")
            heights.append(join.height)
        return written[-1] + ";"


def ward_tree(names: Sequence[str], distances: Floats) -> TextTree:
    """Cluster texts by Ward's method, as stylo does.

    The update formula of Ward (1963) is applied to the distances themselves, as in R's
    ``hclust(method="ward.D")``. SciPy applies the formula to squared distances. It therefore gets
    the square roots of the distances, and its heights are squared. If there are at most 200 texts,
    the leaves are ordered so that neighbours are similar (Bar-Joseph et al. 2001).

    Parameters
    ----------
    names : sequence of str, (n_texts,)
        At least two names.
    distances : (n_texts, n_texts) float64

    Examples
    --------
    >>> distances = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 6.0], [4.0, 6.0, 0.0]])
    >>> tree = ward_tree(["Ada_1", "Ada_2", "Ben_1"], distances)
    >>> [round(join.height, 6) for join in tree.joins]  # (2 * 4 + 2 * 6 - 1) / 3 = 6.333
    [1.0, 6.333333]
    >>> tree.to_newick()
    '(Ben_1:3.166666667,(Ada_1:0.5,Ada_2:0.5):2.666666667);'
    """
    roots = np.sqrt(squareform(distances, checks=False))
    joins = join_clusters(roots, "ward")
    squared = (replace(join, height=join.height**2) for join in joins)
    return TextTree(tuple(names), tuple(squared))


def neighbour_joining_splits(distances: Floats) -> Iterator[frozenset[int]]:
    """Yield one side of each inner branch of the neighbour-joining tree (Saitou and Nei 1987).

    Parameters
    ----------
    distances : (n_texts, n_texts) float64
        At least four texts.

    Examples
    --------
    >>> distances = squareform([1.0, 4.0, 5.0, 4.0, 5.0, 3.0])
    >>> [sorted(side) for side in neighbour_joining_splits(distances)]
    [[2, 3]]
    """
    n_texts = len(distances)
    between = np.array(distances, dtype=np.float64)
    sides = [frozenset([text]) for text in range(n_texts)]
    found: set[frozenset[int]] = set()
    while len(sides) > 3:  # three branches meet in the last node
        first, second = _neighbours(between)
        joined = (between[first] + between[second] - between[first, second]) / 2
        between[first] = between[:, first] = joined
        between[first, first] = 0
        between = np.delete(np.delete(between, second, axis=0), second, axis=1)
        side = sides[first] | sides.pop(second)
        sides[first] = side
        # The tree has no root: both sides of a branch stand for the same split.
        found.add(side if 0 not in side else frozenset(range(n_texts)) - side)
    yield from sorted(found, key=sorted)


def _neighbours(distances: Floats) -> tuple[int, int]:
    """Return the two nodes whose join makes the tree shortest; of equal ones, the first."""
    n_nodes = len(distances)
    totals = distances.sum(axis=1)
    lengths = (n_nodes - 2) * distances - totals[:, np.newaxis] - totals
    np.fill_diagonal(lengths, np.inf)
    first, second = sorted(divmod(int(lengths.argmin()), n_nodes))
    return first, second


def newick_label(name: str) -> str:
    """Write a name for the Newick format, in quotation marks if it has special characters.

    Examples
    --------
    >>> newick_label("Ada_Poems"), newick_label("O'Brien (ed.)")
    ('Ada_Poems', "'O''Brien (ed.)'")
    """
    return "'" + name.replace("'", "''") + "'" if _SPECIAL.search(name) else name
