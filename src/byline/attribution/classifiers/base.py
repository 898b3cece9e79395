"""What all classifiers over texts share: checks, scikit-learn's interface, and who wins a tie."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.attribution.classifiers.kernels import HeldOutSplit
from byline.attribution.inputs import TextEstimatorMixin, check_authors, check_texts
from byline.attribution.training_data import count_tokens_by_author, group_by_author
from byline.progress import Progress

BALANCES = ("equal-authors", "none")
Labels = NDArray[np.intp]


class TextClassifier(TextEstimatorMixin, ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A scikit-learn classifier over raw texts that scores every author for every text.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted. Whole numbers where ``y`` was.
    """

    classes_: NDArray[Any]

    def fit(self, X: Iterable[str], y: Iterable[str], *, progress: Progress | None = None) -> Self:
        """Learn from known texts.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
        y : sequence of str, (n_documents,)
            The author of each text.
        progress : Progress, optional
            Told of each step as it is finished.

        Raises
        ------
        UsageError
            A parameter is out of its range, or ``X`` or ``y`` are not strings.
        TrainingError
            Fewer than two authors, an author without a word, or nothing to learn from.
        """
        texts, labels, classes = self._prepare(X, y)
        self._learn(texts, labels, progress or no_progress)
        self.classes_ = classes
        return self

    def fit_with_held_out_scores(
        self,
        X: Iterable[str],
        y: Iterable[str],
        trials: Sequence[HeldOutSplit],
        *,
        progress: Progress | None = None,
    ) -> list[Floats]:
        """Learn from known texts, and see how it does on some when it has not learnt from them.

        Parameters
        ----------
        X, y : sequences of str, (n_documents,)
        trials : sequence of Trial
        progress : Progress, optional

        Returns
        -------
        list of (n_questioned, n_authors) float64
            One a trial: the scores of its questioned texts by what is learnt from texts that are
            not held out. An author who has none of these scores as low as any.
        """
        texts, labels, classes = self._prepare(X, y)
        scores = [self._try(texts, labels, trial, len(classes)) for trial in trials]
        self._learn(texts, labels, progress or no_progress)
        self.classes_ = classes
        return scores

    def decision_function(self, X: Iterable[str]) -> Floats:
        """Every author's score of every text; the highest answers.

        It has one column an author for two authors too. A text in which the classifier finds
        nothing to go by has a row of equal scores.

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
        """Name the author with the highest score, the first of them where scores are equal.

        Parameters
        ----------
        X : sequence of str, (n_documents,)

        Returns
        -------
        (n_documents,) str
        """
        scores = self.decision_function(X)
        named: NDArray[Any] = self.classes_[scores.argmax(axis=1)]
        return named

    def _prepare(
        self, X: Iterable[str], y: Iterable[str]
    ) -> tuple[list[str], Labels, NDArray[Any]]:
        """Check what is to be learnt from; return texts, the column of each's author, authors."""
        self._check_params()
        if hasattr(self, "classes_"):
            del self.classes_  # what cannot learn now has not learnt before either
        texts = check_texts(X)
        authors: list[Any] = [*check_authors(y)]
        classes, known = group_by_author(texts, authors)
        count_tokens_by_author(
            {author: [[t.split()] for t in texts] for author, texts in known.items()}
        )
        return texts, np.searchsorted(classes, authors), classes

    def _try(
        self, texts: Sequence[str], labels: Labels, trial: HeldOutSplit, n_authors: int
    ) -> Floats:
        known = np.flatnonzero(~trial.held_out).tolist()
        fitted: Any = clone(self)
        fitted.fit([texts[place] for place in known], labels[known].tolist())
        own = fitted.decision_function(trial.questioned)
        scores = np.repeat(own.min(axis=1, keepdims=True), n_authors, axis=1)
        scores[:, fitted.classes_] = own
        return scores

    @abstractmethod
    def _check_params(self) -> None:
        """Refuse parameters out of their range (`UsageError`)."""

    @abstractmethod
    def _learn(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        """Learn from checked texts; a label is the column of the text's author."""

    @abstractmethod
    def _score(self, texts: Sequence[str]) -> Floats:
        """Score at least one checked text."""


def no_progress(done: int, total: int, what: str) -> None:
    """Tell nobody."""
