"""The baseline of the organisers of PAN 2019: a support vector machine that may reject a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import SVC

from byline.array_types import Floats
from byline.errors import TrainingError

MAX_FOLDS = 5


class RejectingSVM(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Linear one-vs-rest SVM on character n-grams, with probabilities by cross-validation.

    The features are the n-grams that occur at least ``min_frequency`` times in the known texts, as
    frequencies relative to the length of the text, each divided by its largest value in a known
    text. A text is rejected if its two highest probabilities differ by less than
    ``min_difference``. All settings are those of the published description.

    Parameters
    ----------
    n : int
        Characters per n-gram.
    min_frequency : int
    min_difference : float

    Attributes
    ----------
    classes_ : (n_authors,) str
    vectorizer_ : CountVectorizer
    scaler_ : MaxAbsScaler
    svm_ : CalibratedClassifierCV

    References
    ----------
    Kestemont et al. (2019), Overview of the cross-domain authorship attribution task at PAN 2019.

    Examples
    --------
    >>> known = ["the cat sat on the mat", "a dog ran in a park"] * 5
    >>> svm = RejectingSVM(min_frequency=1).fit(known, ["Ann", "Bob"] * 5)
    >>> svm.classes_[svm.predict_proba(["the cat sat"]).argmax()]
    np.str_('Ann')
    """

    def __init__(self, n: int = 3, *, min_frequency: int = 5, min_difference: float = 0.1) -> None:
        self.n = n
        self.min_frequency = min_frequency
        self.min_difference = min_difference

    def fit(self, X: Sequence[str], y: Sequence[str]) -> Self:
        """Train on known texts and their authors.

        Raises
        ------
        TrainingError
            A candidate has a single text, or no n-gram is frequent enough.
        """
        fewest = min(Counter(y).values())
        if fewest < 2:
            raise TrainingError("the SVM with rejection needs two known texts per candidate")
        counts = Counter(
            text[start : start + self.n] for text in X for start in range(len(text) - self.n + 1)
        )
        kept = sorted(ngram for ngram, n in counts.items() if n >= self.min_frequency)
        if not kept:
            raise TrainingError(
                f"the known texts have no {self.n}-gram of characters that occurs "
                f"{self.min_frequency} times; add known texts"
            )
        self.vectorizer_ = CountVectorizer(
            analyzer="char", ngram_range=(self.n, self.n), lowercase=False, vocabulary=kept
        )
        self.scaler_ = MaxAbsScaler().fit(self._frequencies(X))
        svm = OneVsRestClassifier(SVC(C=1.0, kernel="linear"))
        self.svm_ = CalibratedClassifierCV(svm, cv=min(MAX_FOLDS, fewest))
        self.svm_.fit(self.scaler_.transform(self._frequencies(X)), np.asarray(y))
        self.classes_: NDArray[Any] = self.svm_.classes_
        return self

    def predict_proba(self, X: Iterable[str]) -> Floats:
        """Return the probability of each candidate, (n_documents, n_authors)."""
        texts = list(X)
        found: Floats = self.svm_.predict_proba(self.scaler_.transform(self._frequencies(texts)))
        return found

    def _frequencies(self, texts: Sequence[str]) -> Any:
        counts = self.vectorizer_.transform(texts).astype(np.float64)
        lengths = np.array([max(len(text), 1) for text in texts], dtype=np.float64)
        return counts.multiply(1 / lengths[:, np.newaxis]).tocsr()
