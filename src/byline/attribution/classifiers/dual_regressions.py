"""Ridge regressions on all known texts and on those that remain in each split, in dual form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from byline.array_types import Floats
from byline.attribution.classifiers.base import HeldOutSplit, Labels
from byline.attribution.classifiers.blocks import FittedBlock
from byline.attribution.classifiers.chunked import text_batches
from byline.attribution.classifiers.kernels import (
    BlockProducts,
    HeldOutKernel,
    Products,
    balanced_penalties,
    groups_in_memory,
    solve_ridge,
)

Solution = tuple[Floats, Floats]  # coefficients of the known texts, and intercepts

_TEXTS_AT_ONCE = 1024  # questioned texts of a split
_MAX_WEIGHTS = 1 << 26  # of features, in memory at once: 256 MiB


@dataclass(frozen=True, slots=True)
class DualRegressions:
    """One ridge regression per author, with the target 1 for the author's texts, else -1.

    Attributes
    ----------
    blocks : sequence of FittedBlock
    features : sequence of (n_known, n_features) sparse float32
        The known texts' features in each block, with rows of length 1.
    shares : sequence of float
        The blocks' shares of the kernel.
    labels : (n_known,) int
        Column of each text's author.
    ridge : float
    balance : {"equal-authors", "none"}
    min_documents : int
    """

    blocks: Sequence[FittedBlock]
    features: Sequence[sparse.csr_array]
    shares: Sequence[float]
    labels: Labels
    ridge: float
    balance: str
    min_documents: int

    @property
    def n_authors(self) -> int:
        """Number of authors, which are the columns of all results."""
        return int(self.labels.max()) + 1

    def fit(self, splits: Sequence[HeldOutSplit]) -> tuple[Solution, list[Floats]]:
        """Fit the regressions to all known texts, and score the questioned texts of each split.

        Parameters
        ----------
        splits : sequence of HeldOutSplit

        Returns
        -------
        solution : (n_known, n_authors) float64, and (n_authors,) float64
            Coefficients and intercepts of the regressions on all known texts.
        scores : list of (n_questioned, n_authors) float64
            By regressions on the texts that are not held out.
        """
        everything = HeldOutSplit(np.zeros(len(self.labels), dtype=bool), [])
        kernels = [HeldOutKernel(each, self.min_documents) for each in (everything, *splits)]
        own, *solutions = self._solve_all(kernels)
        return own, self._score(splits, kernels[1:], solutions) if splits else []

    def _solve_all(self, kernels: Sequence[HeldOutKernel]) -> list[Solution]:
        """Solve the regressions on the texts that remain in each split."""
        solutions = []
        for group in groups_in_memory(kernels):
            for features, share in zip(self.features, self.shares, strict=True):
                for kernel in group:
                    kernel.begin_block(features)
                for columns, products in BlockProducts(features).lower_triangle():
                    for kernel in group:
                        kernel.add(columns, products, share)
            solutions += [self._solve(kernel) for kernel in group]
        return solutions

    def _solve(self, of_split: HeldOutKernel) -> Solution:
        kernel, labels = of_split.take(), self.labels[of_split.known]
        targets = np.where(labels[:, np.newaxis] == np.arange(self.n_authors), 1.0, -1.0)
        penalties = np.full(len(labels), float(self.ridge))
        if self.balance == "equal-authors":
            penalties = balanced_penalties(kernel, np.bincount(labels)[labels], self.ridge)
        return solve_ridge(kernel, targets, penalties)

    def _score(
        self,
        splits: Sequence[HeldOutSplit],
        kernels: Sequence[HeldOutKernel],
        solutions: Sequence[Solution],
    ) -> list[Floats]:
        scores = [np.zeros((len(split.questioned), self.n_authors)) for split in splits]
        has_feature = [np.zeros(len(split.questioned), dtype=bool) for split in splits]
        for number, (block, features) in enumerate(zip(self.blocks, self.features, strict=True)):
            scorer, share = _scorer(features, self.n_authors), self.shares[number]
            for split, kernel, (coefficients, _), found, has in zip(
                splits, kernels, solutions, scores, has_feature, strict=True
            ):
                score = scorer(kernel.weights_of_texts(coefficients, number, share))
                for rows, texts in _batches(split.questioned):
                    counts = kernel.features_of(block.counts(texts), number)
                    has[rows] |= np.diff(counts.indptr) > 0
                    found[rows] += score(block.scale(counts))
        for found, has, (_, intercept) in zip(scores, has_feature, solutions, strict=True):
            found += intercept
            found[~has] = 0.0
        return scores


def _scorer(
    features: sparse.csr_array, n_authors: int
) -> Callable[[Products], Callable[[sparse.csr_array], Products]]:
    """Choose the cheaper of two orders in which questioned, known texts and weights are multiplied.

    Either each feature's weight for each author is computed first, which costs one operation per
    feature of a questioned text and author; or the products with the known texts come first, which
    costs one operation per feature of a questioned text and known text that has it. For 50 authors
    with 50 texts each, the first takes a twentieth of the time of the second.
    """
    n_features = features.shape[1]
    n_texts = np.bincount(features.indices, minlength=n_features).astype(np.float64)
    # A questioned text has a feature about as often as known texts have it.
    texts_per_feature = (n_texts**2).sum() / max(n_texts.sum(), 1.0)
    if n_authors <= texts_per_feature and n_features * n_authors <= _MAX_WEIGHTS:
        of_features = features.T

        def by_features(weights: Products) -> Callable[[sparse.csr_array], Products]:
            own = of_features @ weights  # (n_features, n_authors)
            return lambda texts: np.asarray(texts @ own)

        return by_features
    products = BlockProducts(features)
    return lambda weights: lambda texts: np.asarray(products.of(texts).T @ weights)


def _batches(texts: Sequence[str]) -> Iterator[tuple[slice, Sequence[str]]]:
    """Yield some texts at a time, and their places."""
    first = 0
    for batch in text_batches(texts):
        for start in range(0, len(batch), _TEXTS_AT_ONCE):
            some = batch[start : start + _TEXTS_AT_ONCE]
            yield slice(first, first + len(some)), some
            first += len(some)
