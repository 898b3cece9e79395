"""Known texts that are held out, and what is asked about meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from byline.array_types import Floats

if TYPE_CHECKING:
    from byline.attribution.classifiers.blocks import FittedBlock

_DENSE = 4096  # columns multiplied at once: 64 MiB of 2,000 texts


@dataclass(frozen=True, slots=True)
class HeldOutSplit:
    """Known texts held out, and texts to score by what is learnt from the others.

    Attributes
    ----------
    held_out : (n_known,) bool
    questioned : list of str
    """

    held_out: NDArray[np.bool_]
    questioned: list[str]


class HeldOutKernel:
    """The kernel of the known texts that are not held out, made of that of all.

    An n-gram that stands in too few of the texts left is no feature, which shortens rows but
    changes no product of two of these texts, as it stands in one of them at most.

    Parameters
    ----------
    trial : Trial

    Attributes
    ----------
    known : (n_known,) int
        Places of the texts that are not held out.
    kernel : (n_known, n_known) float64
    questioned : (n_questioned, n_known) float64
        Products of questioned and known texts.
    is_empty : (n_questioned,) bool
        Whether no feature stands in a questioned text.
    """

    def __init__(self, trial: HeldOutSplit) -> None:
        self.known = np.flatnonzero(~trial.held_out)
        self.kernel = np.zeros((len(self.known), len(self.known)))
        self.questioned = np.zeros((len(trial.questioned), len(self.known)))
        self.is_empty = np.ones(len(trial.questioned), dtype=bool)
        self._texts = trial.questioned

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
            Of all known texts, rows of length 1.
        cosines : (n_known, n_known) float64
            Their products.
        share : float
            The block's part in the kernel.
        min_documents : int
            1 or 2: of more, products of texts change.
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
        asked = block.counts(self._texts)
        asked.data *= is_known[asked.indices]
        asked.eliminate_zeros()
        self.is_empty &= np.diff(asked.indptr) == 0
        self.questioned += share * products_of(block.scale(asked), own)


def products_of(rows: sparse.csr_array, others: sparse.csr_array) -> Floats:
    """Dot products of all rows with all others, (n_rows, n_others).

    Features of many texts, for which sparse products are slow, are multiplied as dense matrices.
    """
    is_common = np.bincount(others.indices, minlength=others.shape[1]) > others.shape[0] / 16
    exact, others = rows.astype(np.float64), others.astype(np.float64)  # float32 sums drift
    rare, common = ~is_common, np.flatnonzero(is_common)
    products: Floats = (exact[:, rare] @ others[:, rare].T).toarray()
    for first in range(0, len(common), _DENSE):
        columns = common[first : first + _DENSE]
        products += exact[:, columns].toarray() @ others[:, columns].toarray().T
    return products
