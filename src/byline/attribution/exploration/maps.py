"""Maps of texts: points whose distances in the plane resemble the distances between the texts."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from byline.array_types import Floats
from byline.attribution.exploration.distances import z_scores
from byline.errors import MissingExtraError

N_AXES = 2
_N_NEIGHBOURS = 15  # UMAP's own default


@dataclass(frozen=True, slots=True, eq=False)
class TextMap:
    """A map of texts.

    Attributes
    ----------
    method : {"PCA", "MDS", "UMAP"}
    coordinates : (n_texts, 2) float64
    shares : tuple of float
        For PCA, the share of the variance on each axis. For MDS, each axis's eigenvalue as a share
        of the sum of the absolute eigenvalues. Empty for UMAP.
    loadings : (n_features, 2) float64 or None
        For PCA, the weight of each feature on each axis; every column has length 1.
    """

    method: str
    coordinates: Floats
    shares: tuple[float, ...] = ()
    loadings: Floats | None = None


def principal_components(values: Floats) -> TextMap:
    """Project texts on the first two principal components of the correlation matrix.

    First each feature is scaled to standard deviation 1, so that the most frequent words do not
    outweigh the others. The sign of an axis is arbitrary; it is chosen so that the largest loading
    is positive.

    Parameters
    ----------
    values : (n_texts, n_features) float64
        At least two texts and two features.

    Examples
    --------
    >>> found = principal_components(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]))
    >>> found.coordinates[:, 0].round(3).tolist(), round(found.shares[0], 3)
    ([-1.414, 0.0, 1.414], 1.0)
    """
    from sklearn.decomposition import PCA

    fitted = PCA(n_components=N_AXES, svd_solver="full")
    coordinates = fitted.fit_transform(z_scores(values))
    shares = tuple(fitted.explained_variance_ratio_.tolist())
    return TextMap("PCA", coordinates, shares, fitted.components_.T)


def multidimensional_scaling(distances: Floats) -> TextMap:
    """Place texts so that their distances in the plane resemble the given distances.

    This is classical (metric) scaling (Torgerson 1952), R's ``cmdscale``.

    Parameters
    ----------
    distances : (n_texts, n_texts) float64
        At least three texts.

    Examples
    --------
    >>> line = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]])
    >>> found = multidimensional_scaling(line)
    >>> abs(found.coordinates[:, 0]).round(6).tolist(), round(found.shares[0], 6)
    ([1.0, 0.0, 1.0], 1.0)
    """
    from sklearn.manifold import ClassicalMDS

    fitted = ClassicalMDS(n_components=N_AXES, metric="precomputed")
    coordinates = fitted.fit_transform(distances)
    squared = distances**2
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    total = np.abs(np.linalg.eigvalsh(-centred / 2)).sum() or 1.0
    shares = tuple((np.maximum(fitted.eigenvalues_[:N_AXES], 0) / total).tolist())
    return TextMap("MDS", np.asarray(coordinates, dtype=np.float64), shares)


def umap_projection(distances: Floats, random_state: int = 0) -> TextMap:
    """Place texts by UMAP (McInnes et al. 2018), which keeps neighbours near each other.

    Unlike in other maps, large distances and the sizes of clusters mean nothing.

    Parameters
    ----------
    distances : (n_texts, n_texts) float64
    random_state : int
        Seed.

    Raises
    ------
    MissingExtraError
        umap-learn is not installed.
    """
    try:
        umap = import_module("umap")  # of umap-learn
    except ImportError as error:
        raise MissingExtraError(
            'UMAP requires umap-learn. Install it: python -m pip install "byline[umap]"'
        ) from error
    n_neighbours = min(_N_NEIGHBOURS, len(distances) - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # UMAP warns that it uses one core because of the seed
        fitted = umap.UMAP(
            n_neighbors=n_neighbours, metric="precomputed", random_state=random_state
        )
        coordinates = fitted.fit_transform(distances)
    return TextMap("UMAP", np.asarray(coordinates, dtype=np.float64))
