"""Explore texts: distances, maps, trees, and a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from byline.array_types import Floats
from byline.attribution.exploration.consensus import ConsensusTree, Split, majority_consensus
from byline.attribution.exploration.distances import text_distances
from byline.attribution.exploration.frequencies import TextMatrix
from byline.attribution.exploration.maps import (
    TextMap,
    multidimensional_scaling,
    principal_components,
    umap_projection,
)
from byline.attribution.exploration.network import Edge, nearest_neighbours
from byline.attribution.exploration.trees import TextTree, neighbour_joining_splits, ward_tree
from byline.attribution.inputs import check_choice
from byline.display import Displayable
from byline.errors import TrainingError
from byline.processes.threads import limits_threads

#: The name of the distance that language models compute (`byline.attribution.similarity`).
CROSS_PERPLEXITY = "cross-perplexity"
MIN_TEXTS = 3
LINKAGES = ("nj", "ward")


@dataclass(frozen=True, slots=True)
class ClusterQuality:
    """How well distances group the texts by author; questioned texts are left out.

    Attributes
    ----------
    adjusted_rand : float or None
        The adjusted Rand index (Hubert and Arabie 1985) of the cluster tree, cut into as many
        clusters as there are authors: 1 if the clusters are the authors, about 0 for random
        clusters. None if there is one author only, or one text per author.
    nearest_same, nearest_total : int
        ``nearest_total`` is the number of texts by authors with at least two texts.
        ``nearest_same`` is the number of those whose nearest neighbour is by the same author.
    """

    adjusted_rand: float | None
    nearest_same: int
    nearest_total: int


@dataclass(frozen=True, slots=True, eq=False)
class TextExploration(Displayable):
    """The result of an exploration of texts.

    Attributes
    ----------
    features : TextMatrix
        The features that were used, and the names and authors of the texts.
    distance : str
        The name of the distance.
    distances : (n_texts, n_texts) float64
    maps : tuple of TextMap
    tree : TextTree
    consensus : ConsensusTree or None
        None if there are fewer than two numbers of features, or fewer than four texts.
    sizes : tuple of int
        The numbers of features that the consensus tree and the network use.
    linkage : {"nj", "ward"}
        How the trees of the consensus were computed.
    edges : tuple of Edge
        The network of nearest neighbours.
    quality : ClusterQuality

    See Also
    --------
    explore_features : Compute the result.

    Examples
    --------
    >>> values = np.array([[5.0, 1.0], [5.1, 1.1], [1.0, 5.0]])
    >>> names, authors = ("Ada_1", "Ada_2", "Ben_1"), ("Ada", "Ada", "Ben")
    >>> table = TextMatrix(names, authors, ("the", "of"), values, "words")
    >>> found = explore_features(table, distance="manhattan")
    >>> found.quality.adjusted_rand, [(edge.first, edge.second) for edge in found.edges]
    (1.0, [(0, 1), (0, 2), (1, 2)])
    """

    features: TextMatrix
    distance: str
    distances: Floats
    maps: tuple[TextMap, ...]
    tree: TextTree
    consensus: ConsensusTree | None
    sizes: tuple[int, ...]
    linkage: str
    edges: tuple[Edge, ...]
    quality: ClusterQuality

    @property
    def nearest(self) -> list[int]:
        """The index of the nearest other text of each text, (n_texts,)."""
        return _nearest(self.distances)


@limits_threads
def explore_features(
    features: TextMatrix,
    *,
    n_features: int | None = None,
    sizes: Sequence[int] = (),
    distance: str = "wurzburg",
    linkage: str = "nj",
    umap: bool = False,
    random_state: int = 0,
    distances: Floats | None = None,
) -> TextExploration:
    """Compute distances between texts, maps, a cluster tree, a consensus tree, and a network.

    Parameters
    ----------
    features : TextMatrix
        At least three texts. Where only n features are used, they are the first n.
    n_features : int, optional
        Number of features for the distances, the maps and the cluster tree; by default all.
    sizes : sequence of int
        Numbers of features for the consensus tree and the network. Numbers above that of the
        available features are left out. If fewer than two remain, the network uses ``n_features``.
    distance : str
        As for `text_distances`, or the name of ``distances``.
    linkage : {"nj", "ward"}
        Neighbour joining or Ward's method, for the trees of the consensus.
    umap : bool
        Whether to compute a map by UMAP too.
    random_state : int
        Seed of UMAP.
    distances : (n_texts, n_texts) float64, optional
        Distances that were computed in another way. In this case there is no consensus tree.

    Raises
    ------
    TrainingError
        There are fewer than three texts.
    UsageError
        A parameter has an impossible value, or an error of `text_distances` occurs.
    MissingExtraError
        ``umap`` is True, but umap-learn is not installed.

    Examples
    --------
    >>> from byline.attribution.exploration import count_features, relative_frequencies
    >>> texts = {"Ada_1": "the sea and the sky", "Ada_2": "the sky and the sea sea", "Ben_1": "a"}
    >>> counts = list(map(count_features, texts.values()))
    >>> words = ("the", "sea", "a")
    >>> table = TextMatrix(
    ...     tuple(texts), ("Ada", "Ada", "Ben"), words, relative_frequencies(counts, words), "words"
    ... )
    >>> found = explore_features(table, distance="burrows")
    >>> found.tree.order[:2] in ([0, 1], [1, 0]) or found.tree.order[1:] in ([0, 1], [1, 0])
    True
    """
    if len(features.names) < MIN_TEXTS:
        raise TrainingError(
            f"there are {len(features.names)} texts, but a map needs at least {MIN_TEXTS}. "
            "Add texts."
        )
    check_choice("linkage", linkage, LINKAGES)
    used = features.first(n_features or len(features.features))
    computed = distances is None
    chosen = text_distances(used, distance) if distances is None else distances
    possible = [size for size in sizes if size <= len(features.features)] if computed else []
    if len(possible) < 2:
        possible = [len(used.features)]
    matrices = (
        [text_distances(features.first(size), distance) for size in possible]
        if len(possible) > 1
        else [chosen]
    )
    tree = ward_tree(used.names, chosen)
    return TextExploration(
        features=used,
        distance=distance,
        distances=chosen,
        maps=tuple(_maps(used, chosen, umap, random_state)),
        tree=tree,
        consensus=_consensus(features.names, matrices, linkage),
        sizes=tuple(possible),
        linkage=linkage,
        edges=tuple(nearest_neighbours(matrices)),
        quality=_quality(used.authors, tree, chosen),
    )


def _maps(features: TextMatrix, distances: Floats, umap: bool, random_state: int) -> list[TextMap]:
    maps = [multidimensional_scaling(distances)]
    if len(features.features) > 1:
        maps.insert(0, principal_components(features.values))
    if umap:
        maps.append(umap_projection(distances, random_state))
    return maps


def _consensus(
    names: Sequence[str], matrices: Sequence[Floats], linkage: str
) -> ConsensusTree | None:
    if len(matrices) < 2 or len(names) < 4:
        return None
    return majority_consensus(names, [_splits(names, matrix, linkage) for matrix in matrices])


def _splits(names: Sequence[str], distances: Floats, linkage: str) -> list[Split]:
    if linkage == "nj":
        return list(neighbour_joining_splits(distances))
    return list(ward_tree(names, distances).splits())


def _quality(authors: Sequence[str], tree: TextTree, distances: Floats) -> ClusterQuality:
    from sklearn.metrics import adjusted_rand_score

    known = [place for place, author in enumerate(authors) if author]
    labels = [authors[place] for place in known]
    n_authors = len(set(labels))
    nearest = _nearest(distances[np.ix_(known, known)]) if known else []
    repeated = [row for row, author in enumerate(labels) if labels.count(author) > 1]
    same = sum(labels[nearest[row]] == labels[row] for row in repeated)
    rand = None
    if 1 < n_authors < len(known):
        clusters = tree.clusters(n_authors)
        rand = float(adjusted_rand_score(labels, [clusters[place] for place in known]))
    return ClusterQuality(rand, same, len(repeated))


def _nearest(distances: Floats) -> list[int]:
    others = distances + np.diag(np.full(len(distances), np.inf))
    return list(map(int, np.argmin(others, axis=1)))
