"""What all text classifiers share: checks, scikit-learn's interface, and the rule for ties."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.classifiers.blocks import FittedBlock
from byline.attribution.inputs import TextEstimatorMixin, check_authors, check_texts
from byline.attribution.training_data import count_tokens_by_author, group_by_author
from byline.progress import Progress
from byline.typography.conventions import REMOVABLE

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


BALANCES = ("equal-authors", "none")
Labels = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class HeldOutSplit:
    """Known texts that are held out, and texts to score by a classifier trained on the others.

    Attributes
    ----------
    held_out : (n_known,) bool
    questioned : list of str
    """

    held_out: Booleans
    questioned: list[str]


class TextClassifier(TextEstimatorMixin, ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A scikit-learn classifier over raw texts that scores every author for every text.

    The texts are not normalised, so that quotation marks, spaces and whatever else an edition
    decides are features like all others. `StackedAttributor` normalises texts for its base
    classifiers. If you use one without it, normalise known and questioned texts alike.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted. Integers if ``y`` was.

    See Also
    --------
    BurrowsDelta, NgramRidge, NgramSVM, MostFrequentAuthor, ChunkedClassifier

    Examples
    --------
    >>> from byline.attribution import MostFrequentAuthor, NgramSVM, TextClassifier
    >>> from byline.typography import Normalization
    >>> normalize = Normalization.parse("edition").apply
    >>> known = map(normalize, ["“A cat sat,” he said.", "'A dog ran,' he said."])
    >>> svm = NgramSVM(min_df=1).fit(list(known), ["Ann", "Bob"])
    >>> svm.predict([normalize("‘A cat slept,’ he said.")]).tolist()
    ['Ann']
    >>> classifier = MostFrequentAuthor()
    >>> isinstance(classifier, TextClassifier)
    True
    >>> classifier.fit(["a cat", "a dog", "a cow"], ["Ann", "Bob", "Bob"]).predict(["an owl"])
    array(['Bob'], dtype='<U3')
    """

    classes_: NDArray[Any]

    @property
    def depends_on(self) -> frozenset[str]:
        """The conventions that the features depend on: all, unless a subclass excludes some."""
        return REMOVABLE

    def fit(self, X: Iterable[str], y: Iterable[str], *, progress: Progress | None = None) -> Self:
        """Fit the classifier to known texts.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
        y : sequence of str, (n_documents,)
            The author of each text.
        progress : Progress, optional
            Called after each step.

        Raises
        ------
        UsageError
            If a parameter is out of range, or ``X`` or ``y`` do not contain strings.
        TrainingError
            If there are fewer than two authors, an author has no word, or there is no feature.
        """
        texts, labels, classes = self._prepare(X, y)
        self._fit(texts, labels, progress or no_progress)
        self.classes_ = classes
        return self

    def fit_with_held_out_scores(
        self,
        X: Iterable[str],
        y: Iterable[str],
        splits: Sequence[HeldOutSplit],
        *,
        progress: Progress | None = None,
    ) -> list[Floats]:
        """Fit the classifier to all known texts, and score the texts of each split without them.

        Parameters
        ----------
        X, y : sequences of str, (n_documents,)
        splits : sequence of HeldOutSplit
        progress : Progress, optional

        Returns
        -------
        list of (n_questioned, n_authors) float64
            Per split, the scores of its questioned texts after training on the texts that are not
            held out. An author without such texts gets the lowest score.
        """
        texts, labels, classes = self._prepare(X, y)
        scores = [self._score_split(texts, labels, split, len(classes)) for split in splits]
        self._fit(texts, labels, progress or no_progress)
        self.classes_ = classes
        return scores

    def decision_function(self, X: Iterable[str]) -> Floats:
        """Score every author for every text; the author with the highest score wins.

        There is one column per author, for two authors too. A text without any feature has a row
        of equal scores.

        Parameters
        ----------
        X : sequence of str, (n_documents,)

        Returns
        -------
        (n_documents, n_authors) float64, columns as ``classes_``
        """
        check_is_fitted(self, "classes_")
        self._check_params()
        texts = check_texts(X)
        return self._score(texts) if texts else np.zeros((0, len(self.classes_)))

    def predict(self, X: Iterable[str]) -> NDArray[Any]:
        """Return the author with the highest score for every text; of equal scores, the first.

        Parameters
        ----------
        X : sequence of str, (n_documents,)

        Returns
        -------
        (n_documents,) str
        """
        scores = self.decision_function(X)
        authors: NDArray[Any] = self.classes_[scores.argmax(axis=1)]
        return authors

    def _prepare(
        self, X: Iterable[str], y: Iterable[str]
    ) -> tuple[list[str], Labels, NDArray[Any]]:
        """Check the training data; return texts, the column of each text's author, and authors."""
        self._check_params()
        if hasattr(self, "classes_"):
            del self.classes_  # a fit that fails must not leave a fitted state
        texts = check_texts(X)
        authors: list[Any] = [*check_authors(y)]
        classes, known = group_by_author(texts, authors)
        count_tokens_by_author(
            {author: [[text.split()] for text in own] for author, own in known.items()}
        )
        return texts, np.searchsorted(classes, authors), classes

    def _score_split(
        self, texts: Sequence[str], labels: Labels, split: HeldOutSplit, n_authors: int
    ) -> Floats:
        known = np.flatnonzero(~split.held_out).tolist()
        fitted: Any = clone(self)
        fitted.fit([texts[place] for place in known], labels[known].tolist())
        own = fitted.decision_function(split.questioned)
        scores = np.repeat(own.min(axis=1, keepdims=True), n_authors, axis=1)
        scores[:, fitted.classes_] = own
        return scores

    @abstractmethod
    def _check_params(self) -> None:
        """Check that the parameters are within their ranges (`UsageError`)."""

    @abstractmethod
    def _fit(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        """Fit to checked texts; a label is the column of the text's author."""

    @abstractmethod
    def _score(self, texts: Sequence[str]) -> Floats:
        """Score at least one checked text."""


def no_progress(done: int, total: int, what: str) -> None:
    """Report no progress."""
