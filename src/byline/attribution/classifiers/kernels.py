"""Kernels of the known texts, and of those that remain while others are held out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.classifiers.base import HeldOutSplit
from byline.errors import TrainingError

Products = NDArray[np.float32]

_TEXTS_AT_ONCE = 512
_COMMON_COLUMNS = 1024  # multiplied at once: 18 MB for 4,500 texts
_KERNEL_BYTES = 1 << 28  # for the kernels that one pass over the known texts computes


class BlockProducts:
    """Dot products of texts with all known texts, in one block of features.

    Features that occur in many texts are multiplied as dense matrices, because sparse products
    would be slow for them.

    Parameters
    ----------
    features : (n_known, n_features) sparse float32
        Of the known texts.
    """

    def __init__(self, features: sparse.csr_array) -> None:
        self.n_known = features.shape[0]
        n_texts = np.bincount(features.indices, minlength=features.shape[1])
        is_common = n_texts > self.n_known / 16
        common = np.flatnonzero(is_common)
        firsts = range(0, len(common), _COMMON_COLUMNS)
        self._columns = [common[first : first + _COMMON_COLUMNS] for first in firsts]
        self._rare_columns = np.flatnonzero(~is_common)
        self._rare, self._common = self._divide(features)

    def of(self, texts: sparse.csr_array) -> Products:
        """Return the products of all known texts with others, (n_known, n_texts) float32."""
        return self._multiply(0, *self._divide(texts))

    def lower_triangle(self) -> Iterator[tuple[slice, Products]]:
        """Yield the products of some known texts with these and all later ones.

        Yields
        ------
        columns : slice
            The texts.
        products : (n_known - columns.start, n_columns) float32
            The first row belongs to the first of the texts.
        """
        for first in range(0, self.n_known, _TEXTS_AT_ONCE):
            columns = slice(first, min(first + _TEXTS_AT_ONCE, self.n_known))
            common = [table[columns] for table in self._common]
            yield columns, self._multiply(first, self._rare[columns], common)

    def _divide(self, texts: sparse.csr_array) -> tuple[sparse.csr_array, list[sparse.csr_array]]:
        """Return the rare features, and the common features in groups of columns."""
        return texts[:, self._rare_columns], [texts[:, columns] for columns in self._columns]

    def _multiply(
        self, first: int, rare: sparse.csr_array, common: Sequence[sparse.csr_array]
    ) -> Products:
        products: Products = (self._rare[first:] @ rare.T).toarray()
        for ours, theirs in zip(self._common, common, strict=True):
            products += ours[first:].toarray() @ theirs.toarray().T
        return products


class HeldOutKernel:
    """The kernel of the known texts that are not held out, derived from the products of all.

    An n-gram that occurs in too few of the remaining texts is not a feature. This shortens the
    rows, but it changes no product of two remaining texts, because the n-gram occurs in at most
    one of them.

    Parameters
    ----------
    split : HeldOutSplit
    min_documents : int
        1 or 2; with more, products of the remaining texts would change.

    Attributes
    ----------
    known : (n_known,) int
        Indices of the texts that are not held out.

    Notes
    -----
    The kernel is symmetric, and only half of it is stored, in float32: 2 bytes per pair of texts.
    """

    def __init__(self, split: HeldOutSplit, min_documents: int) -> None:
        self.known = np.flatnonzero(~split.held_out)
        self._held_out = np.flatnonzero(split.held_out)
        self._min_documents = min_documents
        self._columns: list[Products] = []
        self._is_feature: list[Booleans] = []
        self._scales: list[Floats] = []  # 0 for texts that are held out

    def begin_block(self, features: sparse.csr_array) -> None:
        """Find the features and the lengths of the remaining texts in the next block.

        Parameters
        ----------
        features : (n_texts, n_features) sparse float32
            Of all known texts, with rows of length 1.
        """
        n_features = features.shape[1]
        n_texts = np.bincount(features.indices, minlength=n_features)
        n_texts -= np.bincount(features[self._held_out].indices, minlength=n_features)
        is_feature = n_texts >= self._min_documents
        squares = _squared_lengths(features, is_feature)
        squares[self._held_out] = 0
        scales = np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
        self._is_feature.append(is_feature)
        self._scales.append(scales)

    def add(self, columns: slice, products: Products, share: float) -> None:
        """Add products of all known texts to the kernel.

        Parameters
        ----------
        columns : slice
        products : (n_texts - columns.start, n_columns) float32
            As `BlockProducts.lower_triangle` yields them.
        share : float
            The block's share of the kernel.
        """
        own = slice(*np.searchsorted(self.known, [columns.start, columns.stop]).tolist())
        places = self.known[own.start :] - columns.start
        scales = self._scales[-1][columns.start :][places].astype(np.float32)
        n_own = own.stop - own.start
        part = products[np.ix_(places, places[:n_own])]
        part *= scales[:, np.newaxis]
        part *= scales[:n_own] * np.float32(share)
        diagonal = np.arange(n_own)
        part[diagonal, diagonal] = share * (scales[:n_own] > 0)
        number = columns.start // _TEXTS_AT_ONCE
        if number < len(self._columns):
            self._columns[number] += part
        else:
            self._columns.append(part)

    def take(self) -> Floats:
        """Return the kernel, (n_known, n_known) float64, and forget it."""
        kernel = np.empty((len(self.known), len(self.known)))
        first = 0
        for part in self._columns:
            last = first + part.shape[1]
            kernel[first:, first:last] = part
            kernel[first:last, first:] = part.T
            square = np.tril(part[: part.shape[1]])  # rounded products may not be symmetric
            kernel[first:last, first:last] = square + np.tril(square, -1).T
            first = last
        self._columns = []
        return kernel

    def features_of(self, texts: sparse.csr_array, block: int) -> sparse.csr_array:
        """Return the counts of the features that the remaining texts have.

        Parameters
        ----------
        texts : (n_texts, n_features) sparse float32
            Changed in place.
        block : int
            The number of the block.
        """
        texts.data *= self._is_feature[block][texts.indices]
        texts.eliminate_zeros()
        return texts

    def weights_of_texts(self, coefficients: Floats, block: int, share: float) -> Products:
        """Return the factors by which products with the known texts are multiplied, per author.

        Parameters
        ----------
        coefficients : (n_known, n_authors) float64
            Of the remaining texts.
        block : int
            The number of the block.
        share : float
            The block's share of the kernel.

        Returns
        -------
        (n_texts, n_authors) float32
            Zero for texts that are held out.
        """
        scales = self._scales[block]
        weights = np.zeros((len(scales), coefficients.shape[1]), dtype=np.float32)
        weights[self.known] = share * scales[self.known, np.newaxis] * coefficients
        return weights


def _squared_lengths(features: sparse.csr_array, is_feature: Booleans) -> Floats:
    """Sum the squared values of some features of each text, (n_texts,) float64."""
    n_texts = features.shape[0]
    squares = np.zeros(n_texts)
    for first in range(0, n_texts, _TEXTS_AT_ONCE):
        some = features[first : first + _TEXTS_AT_ONCE]
        rows = np.repeat(np.arange(some.shape[0]), np.diff(some.indptr))
        values = (some.data * is_feature[some.indices]).astype(np.float64)
        squares[first : first + _TEXTS_AT_ONCE] = np.bincount(
            rows, values**2, minlength=some.shape[0]
        )
    return squares


def groups_in_memory(kernels: Sequence[HeldOutKernel]) -> list[list[HeldOutKernel]]:
    """Divide kernels into groups that are computed one after another, to limit the memory use.

    The products of the known texts are computed again for each group. Usually, one group is enough:
    it holds 11 kernels of 3,600 texts each, or many small ones.
    """
    groups: list[list[HeldOutKernel]] = []
    free = 0
    for kernel in kernels:
        size = 2 * len(kernel.known) ** 2
        if not groups or size > free:
            groups.append([])
            free = _KERNEL_BYTES
        groups[-1].append(kernel)
        free -= size
    return groups


def balanced_penalties(kernel: Floats, amounts: Integers, ridge: float) -> Floats:
    """Return penalties that give an author with many texts no more influence than others.

    The kernel of a text has a part that all texts share, and a part of its own, which acts like a
    penalty of that size. The influence of an author's texts on a score grows with their number and
    falls with the sum of the own part and the penalty. Therefore, this sum is made proportional to
    the number of texts, and ``ridge`` remains the penalty of the author with the fewest texts.
    Weights of 1 / number would change little, because they do not affect the larger part of the
    sum.

    Parameters
    ----------
    kernel : (n_texts, n_texts) float64
    amounts : (n_texts,) int64
        The number of texts by the author of each text.
    ridge : float

    Returns
    -------
    (n_texts,) float64
    """
    n_texts, own = len(kernel), kernel.diagonal()
    shared = (kernel.sum() - own.sum()) / (n_texts * (n_texts - 1))
    apart = own.mean() - shared
    penalties: Floats = (apart + ridge) * amounts / amounts.min() - apart
    return penalties


def solve_ridge(kernel: Floats, targets: Floats, penalties: Floats) -> tuple[Floats, Floats]:
    """Minimise the norm of a solution plus the squared residuals divided by ``penalties``.

    With features phi, the solution is sum_i a_i phi_i. With the means t and m of targets and
    features, weighted by 1 / penalty, the residuals are (target_i - t) - (phi_i - m) . solution =
    penalty_i a_i. The a_i sum to zero because the weighted residuals do. Therefore, centring the
    features affects only the intercept t - m . solution.

    Parameters
    ----------
    kernel : (n_texts, n_texts) float64
        Overwritten.
    targets : (n_texts, n_authors) float64
    penalties : (n_texts,) float64

    Returns
    -------
    coefficients : (n_texts, n_authors) float64
    intercept : (n_authors,) float64

    Raises
    ------
    TrainingError
        If the penalties are too small for the precision of the kernel.
    """
    shares = 1 / penalties / np.sum(1 / penalties)
    means = shares @ kernel
    kernel -= means
    kernel -= means[:, np.newaxis]
    kernel += means @ shares
    kernel[np.diag_indices_from(kernel)] += penalties
    prior = shares @ targets
    try:
        factor = linalg.cho_factor(kernel.T, lower=True, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError as error:
        raise TrainingError(
            f"ridge is too small: with penalties of {penalties.min():.2g}, the regression has no "
            "unique solution; use a larger ridge"
        ) from error
    coefficients: Floats = linalg.cho_solve(factor, targets - prior, check_finite=False)
    return coefficients, prior - means @ coefficients
