"""Ridge regression on which n-grams stand in a text, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.attribution.classifiers.base import BALANCES, Labels, TextClassifier, no_progress
from byline.attribution.classifiers.blocks import FittedBlock, NgramBlock
from byline.attribution.classifiers.chunked import text_batches
from byline.attribution.classifiers.kernels import HeldOutKernel, HeldOutSplit, products_of
from byline.attribution.inputs import check_choice, check_number, check_positive, check_texts
from byline.attribution.stored_arrays import (
    arrays_under,
    pack_table,
    take_array,
    unpack_table,
)
from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm.base import ModelState
from byline.progress import Progress

# Chosen on CCAT50's training part, early texts against late ones. The weights of the first six
# matter little; lengths, which are few and in every text, harm if they weigh much more.
DEFAULT_BLOCKS = (
    NgramBlock("char", (2, 6), weight=0.2),
    NgramBlock("capitals-masked", (1, 4), weight=0.15),
    NgramBlock("masked", (1, 4), keep=2000, weight=0.1),
    NgramBlock("masked", (1, 3), keep=50, value="root-count", weight=0.25),
    NgramBlock("masked", (2, 2), keep=200, value="root-count", weight=0.15),
    NgramBlock("char", (2, 2), value="root-count", weight=0.15),
    NgramBlock("sentence-length", (1, 1), value="root-count", weight=0.05),
    NgramBlock("paragraph-length", (1, 2), value="root-count", weight=0.05),
)
MAX_TEXTS = 20_000  # whose kernel is 3.2 GB
MOST_IN_TRIALS = 2  # documents that an n-gram must stand in
_MAX_WEIGHTS = 1 << 24  # held at once while scoring: 128 MiB


@dataclass(frozen=True, slots=True)
class NgramFeature:
    """What a score is made of.

    Attributes
    ----------
    block : NgramBlock
    ngram : tuple of str
        The units that follow each other: words and marks, or characters.
    """

    block: NgramBlock
    ngram: tuple[str, ...]


class NgramRidge(TextClassifier):
    """Ridge regression on n-grams of several kinds, by their presence or the root of their counts.

    Each block of n-grams is a vector scaled to unit Euclidean norm a text, without regard to how
    rare an n-gram is (no idf): rare ones are mostly topics. The kernel is the weighted mean of the
    blocks' cosines. One regression an author has the target 1 for the author's texts and -1 for all
    others; it is solved in its dual form (kernel ridge regression; Saunders, Gammerman & Vovk 1998)
    with an intercept that is not penalised. Time grows with the square of the number of known
    texts, and their third power beyond some thousands; memory with the square.

    Parameters
    ----------
    blocks : tuple of NgramBlock
        By default the presence of characters of orders 2 to 6 and of words of orders 1 to 4 with
        names masked, and with words beyond the 2,000 most frequent masked; root counts of few and
        frequent n-grams: words of orders 1 to 3 with all but 50 masked, pairs of words with all but
        200 masked, and pairs of characters; and root counts of lengths of sentences, and of single
        and neighbouring paragraphs.
    ridge : float
        The penalty on the weights; above zero.
    min_documents : int
        An n-gram in fewer known texts is no feature.
    balance : {"equal-authors", "none"}
        Penalise the fit to an author's texts the more, the more of them there are, so that amounts
        alone decide nothing; or the same for all texts, where an author with few is hardly named.
        Both are one where all authors have as many.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted.
    blocks_ : list of FittedBlock
        The features, block by block.
    known_ : (n_texts, n_features) sparse float32
        The known texts' features.
    counts_ : list of (n_values,) uint32, or None
        What the values of each block in ``known_`` are the roots of; None where it has presence.
    dual_coef_ : (n_texts, n_authors) float64
        Weights of the known texts; each column sums to zero. A feature's weight for an author is
        the sum over known texts of their weight times their value of the feature.
    intercept_ : (n_authors,) float64
        What a score begins with.
    """

    def __init__(
        self,
        blocks: tuple[NgramBlock, ...] = DEFAULT_BLOCKS,
        *,
        ridge: float = 0.1,
        min_documents: int = 2,
        balance: str = "equal-authors",
    ) -> None:
        self.blocks = blocks
        self.ridge = ridge
        self.min_documents = min_documents
        self.balance = balance

    def contributions(self, text: str) -> tuple[list[NgramFeature], Floats]:
        """Tell what each feature of a text adds to each author's score.

        Parameters
        ----------
        text : str

        Returns
        -------
        features : list of NgramFeature, (n_present,)
        contributions : (n_present, n_authors) float64
            Their sum and ``intercept_`` are the text's row of `decision_function`, unless there is
            no feature at all.
        """
        check_is_fitted(self, "classes_")
        present = self._features(check_texts([text]))
        weights = self.known_[:, present.indices].T @ self.dual_coef_  # (n_present, n_authors)
        features = list(map(self._feature, present.indices.tolist()))
        return features, present.data[:, np.newaxis] * weights

    @property
    def block_scales(self) -> NDArray[np.float32]:
        """What each block's values are multiplied by in ``known_``, (n_blocks,).

        The squares of a block are its share of a row's.
        """
        return np.sqrt(self._shares()).astype(np.float32)

    def get_state(self) -> ModelState:
        """Return what was learnt, authors' names apart: JSON values, and arrays in few bytes.

        Raises
        ------
        UsageError
            ``blocks`` are no longer those that were learnt.
        """
        check_is_fitted(self, "classes_")
        if [learnt.block for learnt in self.blocks_] != list(self.blocks):
            raise UsageError("blocks are other ones than those that were learnt; fit again")
        arrays: dict[str, NDArray[Any]] = {
            "dual_coef": self.dual_coef_,
            "intercept": self.intercept_,
        }
        blocks, first = [], 0
        for number, (block, counts) in enumerate(zip(self.blocks_, self.counts_, strict=True)):
            state, last = block.get_state(), first + len(block.ngrams)
            own = {**state.arrays, **pack_table(self.known_[:, first:last], counts)}
            arrays |= {f"block-{number}.{name}": array for name, array in own.items()}
            blocks.append(dict(state.params))
            first = last
        return ModelState({"blocks": blocks}, arrays)

    def set_state(self, state: ModelState, classes: NDArray[Any]) -> Self:
        """Take over what another classifier of the same parameters has learnt.

        Parameters
        ----------
        state : ModelState
            What `get_state` returned; scores will be the same to the last bit.
        classes : (n_authors,) str
            The authors, sorted.

        Raises
        ------
        ModelFileError
            The state does not fit the parameters, or is none at all.
        """
        self._check_params()
        coefficients = take_array(state.arrays, "dual_coef", np.float64, (None, len(classes)))
        intercept = take_array(state.arrays, "intercept", np.float64, (len(classes),))
        described = state.params.get("blocks")
        if not isinstance(described, list) or len(described) != len(self.blocks):
            raise ModelFileError(f"it does not have the {len(self.blocks)} blocks it speaks of")
        blocks, tables = [], []
        for number, (block, params) in enumerate(zip(self.blocks, described, strict=True)):
            arrays = arrays_under(f"block-{number}.", state.arrays)
            learnt = FittedBlock.from_state(block, ModelState(params, arrays))
            shape = (len(coefficients), len(learnt.ngrams))
            tables.append(unpack_table(arrays, shape, has_counts=learnt.has_counts))
            blocks.append(learnt)
        self.blocks_ = blocks
        self.known_ = _side_by_side(self._take_counts(tables), self.block_scales)
        if not self.known_.nnz:
            raise ModelFileError("no n-gram stands in a known text")
        self.dual_coef_, self.intercept_, self.classes_ = coefficients, intercept, classes
        return self

    def _check_params(self) -> None:
        if not isinstance(self.blocks, tuple | list) or not self.blocks:
            raise UsageError(f"blocks is {self.blocks!r}; it is a tuple of at least one NgramBlock")
        for block in self.blocks:
            if not isinstance(block, NgramBlock):
                raise UsageError(f"a block is {block!r}; it is a NgramBlock")
            block.check()
        check_number("min_documents", self.min_documents, 1)
        check_choice("balance", self.balance, BALANCES)
        check_positive("ridge", self.ridge)

    def fit_with_held_out_scores(
        self,
        X: Iterable[str],
        y: Iterable[str],
        trials: Sequence[HeldOutSplit],
        *,
        progress: Progress | None = None,
    ) -> list[Floats]:
        """Learn from known texts, and see how it does on some when it has not learnt from them.

        As in every classifier, but at a small part of the cost: products of known texts are
        computed once. Only the words that are not masked are those of all known texts.
        """
        if self.min_documents > MOST_IN_TRIALS:  # without some texts, others' products change too
            return super().fit_with_held_out_scores(X, y, trials, progress=progress)
        texts, labels, classes = self._prepare(X, y)
        scores = self._learn_and_try(texts, labels, progress or no_progress, trials)
        self.classes_ = classes
        return scores

    def _learn(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        self._learn_and_try(texts, labels, progress, ())

    def _learn_and_try(
        self,
        texts: Sequence[str],
        labels: Labels,
        progress: Progress,
        trials: Sequence[HeldOutSplit],
    ) -> list[Floats]:
        if len(texts) > MAX_TEXTS:
            raise TrainingError(
                f"there are {len(texts):,} known texts, and the kernel of more than {MAX_TEXTS:,} "
                "takes gigabytes of memory; join short texts of one author to longer ones"
            )
        total = len(self.blocks) + 1
        self.blocks_ = []
        tables: list[sparse.csr_array] = []
        for done, block in enumerate(self.blocks, 1):
            self.blocks_.append(FittedBlock.learn(block, texts, self.min_documents))
            tables.append(self.blocks_[-1].counts(texts))
            progress(done, total, f"{block.unit} n-grams")
        if not sum(table.nnz for table in tables):
            raise TrainingError(
                f"no n-gram stands in {self.min_documents} of the {len(texts)} known texts; "
                "add text, or lower min_documents"
            )
        parts, shares = self._take_counts(tables), self._shares()
        kernel = np.zeros((len(texts), len(texts)))
        kernels = list(map(HeldOutKernel, trials))
        for learnt, part, share in zip(self.blocks_, parts, shares.tolist(), strict=True):
            cosines = products_of(part, part)
            kernel += share * cosines
            for each in kernels:
                each.add(learnt, part, cosines, share, self.min_documents)
        n_authors = int(labels.max()) + 1
        self.dual_coef_, self.intercept_ = self._solve(kernel, labels, n_authors)
        self.known_ = _side_by_side(parts, self.block_scales)
        progress(total, total, "ridge regression")
        return [self._score_trial(each, labels, n_authors) for each in kernels]

    def _solve(self, kernel: Floats, labels: Labels, n_authors: int) -> tuple[Floats, Floats]:
        targets = np.where(labels[:, np.newaxis] == np.arange(n_authors), 1.0, -1.0)
        penalties = np.full(len(labels), float(self.ridge))
        if self.balance == "equal-authors":
            penalties = _balance(kernel, np.bincount(labels)[labels], self.ridge)
        return _solve_ridge(kernel, targets, penalties)

    def _score_trial(self, kernel: HeldOutKernel, labels: Labels, n_authors: int) -> Floats:
        coefficients, intercept = self._solve(kernel.kernel, labels[kernel.known], n_authors)
        scores = kernel.questioned @ coefficients + intercept
        scores[kernel.is_empty] = 0.0
        return scores

    def _features(self, texts: Sequence[str]) -> sparse.csr_array:
        """Features whose dot product with those of a known text is the kernel."""
        parts = [block.features(texts) for block in self.blocks_]
        return _side_by_side(parts, self.block_scales)

    def _take_counts(self, tables: Sequence[sparse.csr_array]) -> list[sparse.csr_array]:
        """Note the known texts' counts, and make features of them in place."""
        self.counts_ = [
            table.data.astype(np.uint32) if block.has_counts else None
            for block, table in zip(self.blocks_, tables, strict=True)
        ]
        return [block.scale(table) for block, table in zip(self.blocks_, tables, strict=True)]

    def _shares(self) -> Floats:
        """Return the blocks' weights, summing to 1, (n_blocks,)."""
        weights = np.array([block.weight for block in self.blocks])
        shares: Floats = weights / weights.sum()
        return shares

    def _score(self, texts: Sequence[str]) -> Floats:
        """Score texts, some at a time: their features take hundreds of bytes a character."""
        few = len(texts) < len(self.intercept_)
        return np.concatenate([self._score_some(some, few=few) for some in text_batches(texts)])

    def _score_some(self, texts: Sequence[str], *, few: bool) -> Floats:
        features = self._features(texts)
        scores = self.intercept_ + (self._by_texts if few else self._by_weights)(features)
        scores[np.diff(features.indptr) == 0] = 0.0
        return scores

    def _by_texts(self, features: sparse.csr_array) -> Floats:
        """Multiply features with the known texts' first: sooner done for few questioned texts."""
        products = (self.known_ @ features.T.astype(np.float64)).toarray()  # (n_known, n_texts)
        return np.asarray(products.T @ self.dual_coef_)

    def _by_weights(self, features: sparse.csr_array) -> Floats:
        """Multiply features with weights of them, made for some authors at a time."""
        scores = np.empty((features.shape[0], len(self.intercept_)))
        step = max(1, _MAX_WEIGHTS // features.shape[1])
        for first in range(0, len(self.intercept_), step):
            authors = slice(first, first + step)
            scores[:, authors] = features @ (self.known_.T @ self.dual_coef_[:, authors])
        return scores

    def _feature(self, column: int) -> NgramFeature:
        for learnt in self.blocks_:
            if column < len(learnt.ngrams):
                break
            column -= len(learnt.ngrams)
        return NgramFeature(learnt.block, learnt.ngrams.ngram(column))


def _side_by_side(
    parts: Sequence[sparse.csr_array], scales: NDArray[np.float32]
) -> sparse.csr_array:
    """Join blocks, each scaled in place."""
    for part, scale in zip(parts, scales, strict=True):
        part.data *= scale
    return sparse.csr_array(sparse.hstack(parts, format="csr"))


def _balance(kernel: Floats, amounts: NDArray[np.int64], ridge: float) -> Floats:
    """Penalties under which an author's texts count as those of the author with the fewest.

    Beside what all texts share, a text has a part of its own, which acts as a penalty of that size.
    An author's texts pull a score their way in proportion to their number and against that sum; so
    the sum is made proportional to the number, and ``ridge`` is left where texts are fewest. Mere
    weights of 1 / number change little, as they leave the larger part of the sum as it is.

    Parameters
    ----------
    kernel : (n_texts, n_texts) float64
    amounts : (n_texts,) int64
        How many texts the author of each has.
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


def _solve_ridge(kernel: Floats, targets: Floats, penalties: Floats) -> tuple[Floats, Floats]:
    """Minimise the norm of a solution, plus squares of the residuals divided by ``penalties``.

    With features phi, the solution is sum_i a_i phi_i and, for means t and m of targets and
    features weighted by 1 / penalty, the residuals are (target_i - t) - (phi_i - m) . solution =
    penalty_i a_i. The a_i add up to zero, as the weighted residuals do, which leaves of the
    centring of features only the intercept t - m . solution.

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
