"""Kernels of ridge regression: products of texts, held-out splits, and the dual solution."""

from __future__ import annotations

import numpy as np
from scipy import linalg, sparse

from byline.array_types import Floats, Integers
from byline.attribution.classifiers.base import HeldOutSplit
from byline.attribution.classifiers.blocks import FittedBlock

_DENSE_COLUMNS = 4096  # multiplied at once: 64 MiB for 2,000 texts


class HeldOutKernel:
    """The kernel of the known texts that are not held out, derived from the kernel of all.

    An n-gram that occurs in too few of the remaining texts is not a feature. This shortens the
    rows, but it changes no product of two remaining texts, because the n-gram occurs in at most
    one of them.

    Parameters
    ----------
    split : HeldOutSplit

    Attributes
    ----------
    known : (n_known,) int
        Indices of the texts that are not held out.
    kernel : (n_known, n_known) float64
    questioned : (n_questioned, n_known) float64
        Products of questioned and known texts.
    is_empty : (n_questioned,) bool
        Whether a questioned text has no feature.
    """

    def __init__(self, split: HeldOutSplit) -> None:
        self.known = np.flatnonzero(~split.held_out)
        self.kernel = np.zeros((len(self.known), len(self.known)))
        self.questioned = np.zeros((len(split.questioned), len(self.known)))
        self.is_empty = np.ones(len(split.questioned), dtype=bool)
        self._texts = split.questioned

    def add(
        self,
        block: FittedBlock,
        features: sparse.csr_array,
        cosines: Floats,
        share: float,
        min_documents: int,
    ) -> None:
        """Add a block of features.

        Parameters
        ----------
        block : FittedBlock
        features : (n_known, n_features) sparse float32
            Of all known texts, with rows of length 1.
        cosines : (n_known, n_known) float64
            Products of all known texts.
        share : float
            The block's share of the kernel.
        min_documents : int
            1 or 2; with more, products of the remaining texts would change.
        """
        own = features[self.known].astype(np.float64)
        is_known = np.bincount(own.indices, minlength=own.shape[1]) >= min_documents
        rows = np.repeat(np.arange(len(self.known)), np.diff(own.indptr))
        own.data *= is_known[own.indices]
        squares = np.bincount(rows, own.data**2, minlength=len(self.known)).astype(np.float64)
        scales = np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
        own.data *= scales[rows]
        products = cosines[np.ix_(self.known, self.known)] * scales * scales[:, np.newaxis]
        np.fill_diagonal(products, scales > 0)
        self.kernel += share * products
        questioned = block.counts(self._texts)
        questioned.data *= is_known[questioned.indices]
        questioned.eliminate_zeros()
        self.is_empty &= np.diff(questioned.indptr) == 0
        self.questioned += share * products_of(block.scale(questioned), own)


def products_of(rows: sparse.csr_array, others: sparse.csr_array) -> Floats:
    """Return the dot products of all rows with all others, (n_rows, n_others).

    Features of many texts, for which sparse products are slow, are multiplied as dense matrices.
    """
    is_common = np.bincount(others.indices, minlength=others.shape[1]) > others.shape[0] / 16
    exact, others = rows.astype(np.float64), others.astype(np.float64)  # float32 sums drift
    rare, common = ~is_common, np.flatnonzero(is_common)
    products: Floats = (exact[:, rare] @ others[:, rare].T).toarray()
    for first in range(0, len(common), _DENSE_COLUMNS):
        columns = common[first : first + _DENSE_COLUMNS]
        products += exact[:, columns].toarray() @ others[:, columns].toarray().T
    return products


def balanced_penalties(kernel: Floats, amounts: Integers, ridge: float) -> Floats:
    """Return penalties that give an author with many texts no more influence than others.

    Besides what all texts share, each text has a part of its own, which acts like a penalty of that
    size. The influence of an author's texts on a score grows with their number and falls with the
    sum of that part and the penalty. So this sum is made proportional to the number of texts, and
    ``ridge`` remains the penalty of the author with the fewest texts. Weights of 1 / number would
    change little, as they do not affect the larger part of the sum.

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
    penalty_i a_i. The a_i sum to zero, as the weighted residuals do. So, centring the features
    affects only the intercept t - m . solution.

    Parameters
    ----------
    kernel : (n_texts, n_texts) float64
    targets : (n_texts, n_authors) float64
    penalties : (n_texts,) float64

    Returns
    -------
    coefficients : (n_texts, n_authors) float64
    intercept : (n_authors,) float64
    """
    shares = 1 / penalties / np.sum(1 / penalties)
    means = shares @ kernel
    centred = kernel - means - means[:, np.newaxis] + means @ shares
    centred[np.diag_indices_from(centred)] += penalties
    prior = shares @ targets
    coefficients = linalg.solve(centred, targets - prior, assume_a="pos", overwrite_a=True)
    return coefficients, prior - means @ coefficients
