"""What all text classifiers share: checks, scikit-learn's interface, and the rule for ties."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Booleans, Floats
from byline.attribution.inputs import TextEstimatorMixin, check_authors, check_texts
from byline.attribution.training_data import count_tokens_by_author, group_by_author
from byline.errors import UsageError
from byline.lm.model_state import ModelState
from byline.plugins import CLASSIFIERS, naming_package
from byline.processes.threads import limited_threads
from byline.progress import Progress
from byline.typography.conventions import REMOVABLE

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


class TextClassifier(TextEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
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
    BurrowsDelta, NgramRidge, NgramSVM, NgramProfiles, MostFrequentAuthor, ChunkedClassifier

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

    #: Parameters that a model file does not contain.
    not_saved: ClassVar[tuple[str, ...]] = ()

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
        with limited_threads(), naming_package(CLASSIFIERS, self):
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
        with limited_threads(), naming_package(CLASSIFIERS, self):
            self._fit(texts, labels, progress or no_progress)
        self.classes_ = classes
        return scores

    def score_authors(self, X: Iterable[str]) -> Floats:
        """Score every author for every text; the author with the highest score wins.

        A text without any feature has a row of equal scores.

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
        if not texts:
            return np.zeros((0, len(self.classes_)))
        with limited_threads(), naming_package(CLASSIFIERS, self):
            return self._score(texts)

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
        own = fitted.score_authors(split.questioned)
        scores = np.repeat(own.min(axis=1, keepdims=True), n_authors, axis=1)
        scores[:, fitted.classes_] = own
        return scores

    def get_state(self) -> ModelState:
        """Return what was fitted, as JSON values and arrays, so that it can be saved.

        Raises
        ------
        UsageError
            The class does not implement it.
        """
        raise UsageError(
            f"a {type(self).__name__} cannot be saved, because it has no get_state and set_state"
        )

    def set_state(self, state: ModelState, classes: NDArray[Any]) -> Self:
        """Restore what `get_state` returned, and the authors; errors as there.

        Raises
        ------
        ModelFileError
            A value or an array is missing, or they contradict each other.
        """
        raise UsageError(
            f"a {type(self).__name__} cannot be loaded, because it has no get_state and set_state"
        )

    @abstractmethod
    def _fit(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        """Fit to checked texts; a label is the column of the text's author."""

    @abstractmethod
    def _score(self, texts: Sequence[str]) -> Floats:
        """Score at least one checked text."""


def no_progress(done: int, total: int, what: str) -> None:
    """Report no progress."""
