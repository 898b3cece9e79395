"""`NgramRidge`: ridge regression on which n-grams occur in a text, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.attribution.classifiers.base import (
    BALANCES,
    HeldOutSplit,
    Labels,
    TextClassifier,
    no_progress,
)
from byline.attribution.classifiers.blocks import FittedBlock, NgramBlock
from byline.attribution.classifiers.chunked import text_batches
from byline.attribution.classifiers.dual_regressions import DualRegressions
from byline.attribution.classifiers.packed_features import (
    KnownFeatures,
    PackedFeatures,
    read_features,
    side_by_side,
)
from byline.attribution.inputs import check_texts
from byline.attribution.packed_tables import pack_table
from byline.attribution.stored_arrays import (
    arrays_under,
    take_array,
)
from byline.constraints import Constraints, one_of, positive, whole
from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm.model_state import ModelState
from byline.processes.threads import limits_threads
from byline.progress import Progress

# Chosen on CCAT50's training part, split into early and late texts. The weights of the first six
# blocks matter little. Much larger weights of the length blocks, whose few features occur in every
# text, lower the accuracy.
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
MAX_TEXTS = 20_000  # with a kernel of 3.2 GB
_MAX_MIN_DOCUMENTS = 2  # for which held-out kernels are exact
_MAX_WEIGHTS = 1 << 24  # in memory at once while scoring: 128 MiB


@dataclass(frozen=True, slots=True)
class NgramFeature:
    """An n-gram that contributes to a score.

    Attributes
    ----------
    block : NgramBlock
    ngram : tuple of str
        Consecutive units: words and punctuation marks, or characters.

    See Also
    --------
    NgramRidge.contributions : Returns features with their contributions.

    Examples
    --------
    >>> from byline.attribution import NgramBlock, NgramFeature
    >>> NgramFeature(NgramBlock("word", (1, 2)), ("of", "the")).ngram
    ('of', 'the')
    """

    block: NgramBlock
    ngram: tuple[str, ...]


class NgramRidge(KnownFeatures, TransformerMixin, TextClassifier):  # type: ignore[misc]
    """Ridge regression on n-grams of several kinds: their presence, or the roots of their counts.

    For each block of n-grams, a text is a vector of unit Euclidean norm. Rare n-grams get no larger
    weight (no idf), because they mostly reflect topics. The kernel is the weighted mean of the
    blocks' cosines. There is one regression per author, with the target 1 for the author's texts
    and -1 for all others. It is solved in its dual form (kernel ridge regression; Saunders,
    Gammerman & Vovk 1998) with an intercept that is not penalised. The time is quadratic in the
    number of known texts, and cubic beyond some thousands; the memory is quadratic.

    Texts are not normalised: quotation marks, spaces and whatever else an edition decides are
    features. Without a `StackedAttributor`, apply ``Normalization.parse("edition").apply`` of
    ``byline.typography`` to known and questioned texts (see `TextClassifier`).

    Parameters
    ----------
    blocks : tuple of NgramBlock
        By default: the presence of character n-grams of orders 2 to 6, and of word n-grams of
        orders 1 to 4, with names masked or with all but the 2,000 most frequent words masked; root
        counts of few and frequent n-grams, namely words of orders 1 to 3 with all but 50 masked,
        word pairs with all but 200 masked, and character pairs; and root counts of the lengths of
        sentences, and of single and neighbouring paragraphs.
    ridge : float
        The penalty on the weights; above zero.
    min_documents : int
        An n-gram that occurs in fewer known texts is not a feature.
    balance : {"equal-authors", "none"}
        ``equal-authors``: penalise the fit to an author's texts in proportion to their number, so
        that numbers alone do not decide. ``none``: use the same penalty for all texts, which
        disadvantages authors with few texts. With equal numbers of texts, both are the same.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted.
    blocks_ : list of FittedBlock
        The features of each block.
    known_ : (n_texts, n_features) sparse float32
        The known texts' features, by columns.
    counts_ : list of (n_values,) uint32, or None
        The counts of which the values in ``known_`` are the roots, per block; None for presence.
    dual_coef_ : (n_texts, n_authors) float64
        Weights of the known texts, rounded to float32; each column sums to zero. A feature's weight
        for an author is the sum over known texts of their weight times their value of the feature.
    intercept_ : (n_authors,) float64

    See Also
    --------
    NgramSVM : A linear support vector machine with TF-IDF weights.
    ChunkedClassifier : Trains a classifier on chunks of long texts.

    Examples
    --------
    >>> from byline.attribution import NgramRidge
    >>> known = ["the cat sat", "the cat slept", "a dog ran", "a dog barked"]
    >>> ridge = NgramRidge().fit(known, ["Ann", "Ann", "Bob", "Bob"])
    >>> ridge.predict(["the cat ran off", "a dog slept"]).tolist()
    ['Ann', 'Bob']
    >>> ridge.transform(["a cat"]).shape, ridge.get_feature_names_out()[-3:].tolist()
    ((1, 80), ['char-5:th', 'sentence-length-6:0-3', 'paragraph-length-7:0-7'])
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "blocks": [tuple, list],
        "ridge": [positive()],
        "min_documents": [whole(1)],
        "balance": [one_of(*BALANCES)],
    }

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

    def transform(self, X: Iterable[str]) -> sparse.csr_array:
        """Return the features of texts, for other tools: (n_texts, n_features) sparse float32."""
        check_is_fitted(self, "classes_")
        return self._features(check_texts(X))

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        """Return the columns of `transform`: unit and number of the block, and the n-gram."""
        check_is_fitted(self, "classes_")
        blocks = enumerate(self.blocks_)
        return np.array([name for n, block in blocks for name in block.names(n)], dtype=object)

    @limits_threads
    def contributions(self, text: str) -> tuple[list[NgramFeature], Floats]:
        """Return what each feature of a text adds to each author's score.

        Parameters
        ----------
        text : str

        Returns
        -------
        features : list of NgramFeature, (n_present,)
        contributions : (n_present, n_authors) float64
            Their sum plus ``intercept_`` is the text's row of `score_authors`, unless the text
            has no feature.
        """
        check_is_fitted(self, "classes_")
        present = self._features(check_texts([text]))
        weights = self.feature_weights(present.indices, self.dual_coef_)  # (n_present, n_authors)
        features = list(map(self._feature, present.indices.tolist()))
        return features, present.data[:, np.newaxis] * weights

    @property
    def block_scales(self) -> NDArray[np.float32]:
        """Factors of the blocks' values in ``known_``, (n_blocks,): the roots of the weights."""
        return np.sqrt(self._shares()).astype(np.float32)

    @property
    def depends_on(self) -> frozenset[str]:
        """The conventions that the features depend on (`byline.typography.conventions`)."""
        return frozenset().union(*(block.depends_on for block in self.blocks))

    def get_state(self) -> ModelState:
        """Return the fitted state without the authors' names: JSON values and compact arrays.

        Raises
        ------
        UsageError
            If ``blocks`` was changed after `fit`.
        """
        check_is_fitted(self, "classes_")
        if [fitted.block for fitted in self.blocks_] != list(self.blocks):
            raise UsageError("blocks was changed after fit; call fit again")
        arrays: dict[str, NDArray[Any]] = {
            "dual_coef": self.dual_coef_.astype(np.float32),
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
        """Restore the fitted state of a classifier with the same parameters.

        Parameters
        ----------
        state : ModelState
            What `get_state` returned; the scores are the same to the last bit.
        classes : (n_authors,) str
            The authors, sorted.

        Raises
        ------
        ModelFileError
            If the state does not fit the parameters, or is invalid.
        """
        self._check_params()
        coefficients = take_array(state.arrays, "dual_coef", np.float32, (None, len(classes)))
        intercept = take_array(state.arrays, "intercept", np.float64, (len(classes),))
        described = state.params.get("blocks")
        if not isinstance(described, list) or len(described) != len(self.blocks):
            raise ModelFileError(f"it does not contain {len(self.blocks)} blocks, as it should")
        blocks, tables, counts = [], [], []
        for number, (block, params) in enumerate(zip(self.blocks, described, strict=True)):
            arrays = arrays_under(f"block-{number}.", state.arrays)
            fitted = FittedBlock.from_state(block, ModelState(params, arrays))
            shape = (len(coefficients), len(fitted.ngrams))
            table, of_table = read_features(fitted, arrays, shape)
            tables.append(table)
            counts.append(of_table)
            blocks.append(fitted)
        self.blocks_, self.counts_ = blocks, counts
        self._packed = PackedFeatures(tables, self.block_scales)
        self.__dict__.pop("known_", None)
        if not self._packed.has_values:
            raise ModelFileError("no n-gram occurs in a known text")
        self.dual_coef_, self.intercept_ = coefficients.astype(np.float64), intercept
        self.classes_ = classes
        return self

    def _check_params(self) -> None:
        super()._check_params()
        if not self.blocks:
            raise UsageError("blocks is empty; it must contain at least one NgramBlock")
        for block in self.blocks:
            if not isinstance(block, NgramBlock):
                raise UsageError(f"a block is {block!r}; it must be a NgramBlock")
            block.check()

    def fit_with_held_out_scores(
        self,
        X: Iterable[str],
        y: Iterable[str],
        splits: Sequence[HeldOutSplit],
        *,
        progress: Progress | None = None,
    ) -> list[Floats]:
        """Fit the classifier to all known texts, and score the texts of each split without them.

        This is the method of every classifier at a fraction of the cost, because products of known
        texts are computed once. Only the frequent words, which are not masked, are those of all
        known texts.
        """
        if self.min_documents > _MAX_MIN_DOCUMENTS:  # held-out texts then affect other products
            return super().fit_with_held_out_scores(X, y, splits, progress=progress)
        texts, labels, classes = self._prepare(X, y)
        scores = self._fit_and_score(texts, labels, progress or no_progress, splits)
        self.classes_ = classes
        return scores

    def _fit(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        self._fit_and_score(texts, labels, progress, ())

    def _fit_and_score(
        self,
        texts: Sequence[str],
        labels: Labels,
        progress: Progress,
        splits: Sequence[HeldOutSplit],
    ) -> list[Floats]:
        if len(texts) > MAX_TEXTS:
            raise TrainingError(
                f"there are {len(texts):,} known texts, and more than {MAX_TEXTS:,} would need "
                "gigabytes of memory; join short texts of an author to longer ones"
            )
        total = len(self.blocks) + 1
        self.blocks_, self._packed = [], None
        tables: list[sparse.csr_array] = []
        for done, block in enumerate(self.blocks, 1):
            self.blocks_.append(FittedBlock.fit(block, texts, self.min_documents))
            tables.append(self.blocks_[-1].counts(texts))
            progress(done, total, f"{block.unit} n-grams")
        if not sum(table.nnz for table in tables):
            raise TrainingError(
                f"no n-gram occurs in {self.min_documents} of the {len(texts)} known texts; "
                "add text, or lower min_documents"
            )
        self.counts_ = [
            table.tocsc().data.astype(np.uint32) if block.has_counts else None
            for block, table in zip(self.blocks_, tables, strict=True)
        ]
        parts = [block.scale(table) for block, table in zip(self.blocks_, tables, strict=True)]
        shares = self._shares().tolist()
        settings = self.ridge, self.balance, self.min_documents
        regressions = DualRegressions(self.blocks_, parts, shares, labels, *settings)
        (coefficients, self.intercept_), scores = regressions.fit(splits)
        self.dual_coef_ = coefficients.astype(np.float32).astype(np.float64)  # as in a file
        del regressions, tables
        by_column = [parts.pop(0).tocsc() for _ in self.blocks]  # one at a time is in memory twice
        self.known_ = side_by_side(by_column, self.block_scales)
        progress(total, total, "ridge regression")
        return scores

    def _features(self, texts: Sequence[str]) -> sparse.csr_array:
        """Return features whose dot product with those of a known text is the kernel."""
        parts = [block.features(texts) for block in self.blocks_]
        return side_by_side(parts, self.block_scales)

    def _shares(self) -> Floats:
        """Return the blocks' weights, normalised to sum to 1, (n_blocks,)."""
        weights = np.array([block.weight for block in self.blocks])
        shares: Floats = weights / weights.sum()
        return shares

    def _score(self, texts: Sequence[str]) -> Floats:
        """Score texts in batches, because features take hundreds of bytes per character."""
        few = len(texts) < len(self.intercept_)
        return np.concatenate([self._score_some(some, few=few) for some in text_batches(texts)])

    def _score_some(self, texts: Sequence[str], *, few: bool) -> Floats:
        features = self._features(texts)
        scores = self.intercept_ + (self._by_texts if few else self._by_weights)(features)
        scores[np.diff(features.indptr) == 0] = 0.0
        return scores

    def _by_texts(self, features: sparse.csr_array) -> Floats:
        """Multiply with the known texts' features first, which is faster for few texts."""
        present = np.unique(features.indices)
        known = self._known_columns(present).T.astype(np.float64)  # (n_present, n_known)
        products = (features[:, present].astype(np.float64) @ known).toarray()
        return np.asarray(products @ self.dual_coef_)

    def _by_weights(self, features: sparse.csr_array) -> Floats:
        """Multiply with the features' weights, which are computed for some authors at a time."""
        scores = np.empty((features.shape[0], len(self.intercept_)))
        step = max(1, _MAX_WEIGHTS // features.shape[1])
        for first in range(0, len(self.intercept_), step):
            authors = slice(first, first + step)
            scores[:, authors] = features @ (self.known_.T @ self.dual_coef_[:, authors])
        return scores

    def _feature(self, column: int) -> NgramFeature:
        for fitted in self.blocks_:
            if column < len(fitted.ngrams):
                break
            column -= len(fitted.ngrams)
        return NgramFeature(fitted.block, fitted.ngrams.ngram(column))
