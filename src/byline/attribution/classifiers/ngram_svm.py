"""`NgramSVM`: a linear support vector machine on TF-IDF weighted n-grams, a strong baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.attribution.classifiers.base import BALANCES, Labels, TextClassifier
from byline.attribution.classifiers.blocks import check_orders
from byline.attribution.classifiers.units import split_tokens, split_words_without_punctuation
from byline.attribution.inputs import check_texts
from byline.attribution.stored_arrays import (
    pack_nonzero,
    pack_repeated,
    take_array,
    take_strings,
    unpack_nonzero,
    unpack_repeated,
)
from byline.constraints import Constraints, one_of, positive, whole
from byline.errors import ModelFileError, TrainingError
from byline.lm.model_state import ModelState
from byline.progress import Progress
from byline.text.tokens import check_language_code
from byline.typography.conventions import REMOVABLE

if TYPE_CHECKING:
    from sklearn.svm import LinearSVC

# For all authors: 128 MiB, and three times as much while they are fitted. With a thousand authors
# and 4,000 texts of 500 words, these are the 33,000 most frequent n-grams; all 186,000 would take
# 0.7 GB, and several times that in training.
MAX_WEIGHTS = 1 << 25
_TEXTS_AT_ONCE = 1024
_LARGEST_WEIGHT = float(np.finfo(np.float16).max)
_SPLITTERS = ("word", "word-without-punctuation")


class NgramSVM(TransformerMixin, TextClassifier):  # type: ignore[misc]
    """One linear support vector machine per author, against all others, on weighted n-grams.

    The weights are ``(1 + log count) * idf``, and each text is scaled to unit Euclidean norm. A
    score is the signed distance from the decision boundary, without a unit.

    Texts are not normalised: quotation marks, spaces and whatever else an edition decides are
    features. Without a `StackedAttributor`, apply ``Normalization.parse("edition").apply`` of
    ``byline.typography`` to known and questioned texts (see `TextClassifier`).

    Parameters
    ----------
    analyzer : {"char", "word", "word-without-punctuation"}
        n-grams of characters, with runs of white space as one space; of words, runs of punctuation
        marks and line ends; or of lower-case words only. The last one discriminates between
        authors across genres, because punctuation depends on the genre.
    ngram_range : (int, int)
        Lowest and highest order.
    min_df : int
        An n-gram that occurs in fewer known texts is left out. The least frequent n-grams are left
        out too if there were more than `MAX_WEIGHTS` weights, one per n-gram and author.
    C : float
        Penalty on texts within the margin, as in scikit-learn's ``LinearSVC``.
    balance : {"equal-authors", "none"}
        Whether the penalty is larger for authors who have fewer texts than the average author.
    language : str
        ISO 639 code, for lower-casing in ``word-without-punctuation``.
    random_state : int
        Seed of the order in which the solver processes texts.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted.
    vectorizer_ : TfidfVectorizer
    weights_ : (n_terms, n_authors) float32
        Rounded to half precision: eleven bits. With two authors, there is one column, for the
        second author; the weights of the first are their negatives.
    intercept_ : (n_authors,) float64
        As many as ``weights_`` has columns.

    See Also
    --------
    NgramRidge : Ridge regression on the presence and the counts of n-grams.

    Examples
    --------
    >>> from byline.attribution import NgramSVM
    >>> known = ["the cat sat", "the cat slept", "a dog ran", "a dog barked"]
    >>> svm = NgramSVM().fit(known, ["Ann", "Ann", "Bob", "Bob"])
    >>> svm.predict(["the cat ran off", "a dog slept"]).tolist()
    ['Ann', 'Bob']
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "analyzer": [one_of("char", *_SPLITTERS)],
        "ngram_range": [tuple, list],
        "min_df": [whole(1)],
        "C": [positive()],
        "balance": [one_of(*BALANCES)],
        "language": [str],
        "random_state": [whole(0)],
    }

    def __init__(
        self,
        analyzer: str = "char",
        ngram_range: tuple[int, int] = (2, 5),
        *,
        min_df: int = 2,
        C: float = 1.0,
        balance: str = "equal-authors",
        language: str = "en",
        random_state: int = 0,
    ) -> None:
        self.analyzer = analyzer
        self.ngram_range = ngram_range
        self.min_df = min_df
        self.C = C
        self.balance = balance
        self.language = language
        self.random_state = random_state

    @property
    def depends_on(self) -> frozenset[str]:
        """The conventions that the features depend on (`byline.typography.conventions`)."""
        if self.analyzer == "word-without-punctuation":
            return frozenset({"accents"})
        every = REMOVABLE  # runs of white space are one space for "char"
        return every - {"paragraphs"} if self.analyzer == "char" else every

    def transform(self, X: Iterable[str]) -> sparse.csr_array:
        """Return the features of texts, for other tools: (n_texts, n_terms) sparse float64."""
        check_is_fitted(self, "classes_")
        texts = check_texts(X)
        if not texts:  # scikit-learn's vectorizer refuses an empty list
            return sparse.csr_array((0, len(self.get_feature_names_out())))
        return sparse.csr_array(self.vectorizer_.transform(texts))

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        """Return the names of the columns of `transform`: the n-grams."""
        check_is_fitted(self, "classes_")
        return np.asarray(self.vectorizer_.get_feature_names_out(), dtype=object)

    def get_state(self) -> ModelState:
        """Return the fitted state without the authors' names."""
        check_is_fitted(self, "classes_")
        arrays = {"intercept": self.intercept_}
        arrays |= pack_repeated("idf", self.vectorizer_.idf_)  # as many values as document counts
        arrays |= pack_nonzero("weights", self.weights_.T)
        return ModelState({"terms": self.vectorizer_.get_feature_names_out().tolist()}, arrays)

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
        terms = take_strings(state.params.get("terms"), "the terms")
        if not terms:
            raise ModelFileError("it contains no term")
        n_columns = 1 if len(classes) == 2 else len(classes)
        idf = unpack_repeated("idf", state.arrays)
        if len(idf) != len(terms) or not np.isfinite(idf).all():
            raise ModelFileError(f"not each of its {len(terms):,} terms has a finite idf")
        weights = unpack_nonzero("weights", state.arrays, (n_columns, len(terms)))
        self.weights_ = np.ascontiguousarray(weights.T)
        self.intercept_ = take_array(state.arrays, "intercept", np.float64, (n_columns,))
        self.vectorizer_ = self._make_vectorizer()
        self.vectorizer_.vocabulary_ = dict(zip(terms, range(len(terms)), strict=True))
        self.vectorizer_.idf_ = idf
        self.classes_ = classes
        return self

    def _check_params(self) -> None:
        super()._check_params()
        check_orders("ngram_range", self.ngram_range)
        check_language_code(self.language)

    def _fit(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        self.vectorizer_ = self._make_vectorizer(MAX_WEIGHTS // (int(labels.max()) + 1))
        try:
            features = self.vectorizer_.fit_transform(texts)
        except ValueError as error:  # there is no n-gram left
            raise TrainingError(
                f"no n-gram occurs in {self.min_df} of the {len(texts)} known texts; "
                "add text, or lower min_df"
            ) from error
        progress(1, 2, "n-grams")
        svm = self._make_svm().fit(features, labels)
        if np.abs(svm.coef_).max() > _LARGEST_WEIGHT:
            raise TrainingError(
                f"C={self.C:g} gives weights above {_LARGEST_WEIGHT:,.0f}; use a smaller C"
            )
        self.weights_ = svm.coef_.T.astype(np.float16, order="C").astype(np.float32)
        self.intercept_ = svm.intercept_
        progress(2, 2, "support vector machines")

    def _make_vectorizer(self, most_terms: int | None = None) -> TfidfVectorizer:
        return TfidfVectorizer(
            analyzer="char" if self.analyzer == "char" else "word",
            tokenizer=self._splitter(),
            token_pattern=None,
            ngram_range=tuple(self.ngram_range),
            lowercase=False,
            min_df=self.min_df,
            max_features=most_terms,
            sublinear_tf=True,
        )

    def _splitter(self) -> Callable[[str], list[str]] | None:
        if self.analyzer == "word-without-punctuation":
            return partial(split_words_without_punctuation, language=self.language)
        return split_tokens if self.analyzer == "word" else None

    def _make_svm(self) -> LinearSVC:
        from sklearn.svm import LinearSVC

        balance = "balanced" if self.balance == "equal-authors" else None
        return LinearSVC(C=self.C, class_weight=balance, random_state=self.random_state)

    def _score(self, texts: Sequence[str]) -> Floats:
        features = self.vectorizer_.transform(texts)
        scores = np.concatenate(
            [
                self._weighted(features[first : first + _TEXTS_AT_ONCE])
                for first in range(0, len(texts), _TEXTS_AT_ONCE)
            ]
        )
        scores += self.intercept_
        if len(self.intercept_) == 1:  # scores of the second of two authors
            scores = np.column_stack([-scores, scores])
        scores[features.getnnz(axis=1) == 0] = 0.0
        return np.asarray(scores)

    def _weighted(self, features: sparse.csr_array) -> Floats:
        """Sum the weighted features of some texts in float64, without copying all weights."""
        present = np.unique(features.indices)
        return np.asarray(features[:, present] @ self.weights_[present].astype(np.float64))
