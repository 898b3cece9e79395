"""Bootstrap consensus trees: what trees for different numbers of features have in common.

References
----------
M. Eder. Visualization in stylometry: cluster analysis using networks. Digital Scholarship in the
Humanities 32, 2017.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from byline.attribution.exploration.trees import newick_label

Split = frozenset[int]


@dataclass(frozen=True, slots=True)
class Clade:
    """A group of texts that most trees contain.

    Attributes
    ----------
    texts : tuple of int
        The indices of all texts of the group.
    share : float
        The share of the trees that contain the group, above 0.5.
    children : tuple of Clade
        The groups within it.
    """

    texts: tuple[int, ...]
    share: float
    children: tuple[Clade, ...] = ()

    @property
    def own(self) -> list[int]:
        """The texts that belong to no smaller group."""
        inner = {text for child in self.children for text in child.texts}
        return [text for text in self.texts if text not in inner]


@dataclass(frozen=True, slots=True)
class ConsensusTree:
    """The majority consensus of unrooted trees.

    Attributes
    ----------
    names : tuple of str, (n_texts,)
    root : Clade
        The group of all texts. The tree is unrooted; this is the branching point in its middle.
    n_trees : int

    See Also
    --------
    majority_consensus : Compute the tree.
    """

    names: tuple[str, ...]
    root: Clade
    n_trees: int

    def to_newick(self) -> str:
        """Write the tree in the Newick format; the label of a group is its share of the trees."""
        return self._written(self.root) + ";"

    def _written(self, clade: Clade) -> str:
        leaves = [newick_label(self.names[text]) for text in clade.own]
        return f"({','.join([*map(self._written, clade.children), *leaves])}){clade.share:.3g}"


def majority_consensus(names: Sequence[str], trees: Sequence[Iterable[Split]]) -> ConsensusTree:
    """Return the groups that more than half of the trees contain (Margush and McMorris 1981).

    Parameters
    ----------
    names : sequence of str, (n_texts,)
    trees : sequence of iterables of frozenset of int
        The splits of each tree: for each inner branch, the indices of the texts on either side.

    Examples
    --------
    >>> trees = [[frozenset({0, 1})], [frozenset({2, 3})], [frozenset({0, 2})]]
    >>> majority_consensus(["a", "b", "c", "d"], trees).to_newick()
    '((c,d)0.667,a,b)1;'
    """
    n_texts, n_trees = len(names), len(trees)
    counts = Counter(
        side for splits in trees for side in {_smaller_side(split, n_texts) for split in splits}
    )
    kept = {side: n / n_trees for side, n in counts.items() if 2 * n > n_trees and len(side) > 1}
    root = _nested(frozenset(range(n_texts)), 1.0, kept)
    return ConsensusTree(tuple(names), root, n_trees)


def _smaller_side(split: Split, n_texts: int) -> Split:
    """Return the side with fewer texts; of equal sides, the one without the first text.

    If two splits fit into one tree, their smaller sides are disjoint, or one contains the other.
    """
    other = frozenset(range(n_texts)) - split
    return min(split, other, key=lambda side: (len(side), 0 in side))


def _nested(texts: Split, share: float, kept: dict[Split, float]) -> Clade:
    inside = sorted((side for side in kept if side < texts), key=lambda side: -len(side))
    largest: list[Split] = []
    for side in inside:
        if not any(side < other for other in largest):
            largest.append(side)
    children = tuple(_nested(side, kept[side], kept) for side in sorted(largest, key=min))
    return Clade(tuple(sorted(texts)), share, children)
