"""Texts that are tokenised already, a sentence a line, as language models and others take them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from byline.attribution.classifiers import TextClassifier
from byline.attribution.sentence_scorer import segment_sums
from byline.progress import Progress
from byline.text import TextEncoder, TokenisedEncoder


class LineEncoder(TextEncoder):
    """Takes a text as tokenised already: one sentence a line, tokens between spaces."""

    def tokenize(self, text: str) -> list[list[str]]:
        """Cut one text into sentences of tokens, as :class:`byline.text.TokenisedEncoder` does."""
        return TokenisedEncoder().tokenize(text)


class LearntFromLines(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Lets a classifier learn from each line of the known texts as a text of its own.

    A classifier that scales each text to one length learns little about single sentences from
    documents of many.

    Parameters
    ----------
    classifier : TextClassifier
        The prototype.

    Attributes
    ----------
    classes_ : (n_authors,) str
    classifier_ : TextClassifier
        Fitted.
    """

    classes_: NDArray[Any]

    def __init__(self, classifier: TextClassifier) -> None:
        self.classifier = classifier

    def fit(self, X: Iterable[str], y: Iterable[str], *, progress: Progress | None = None) -> Self:
        """Learn from the lines of known texts."""
        pairs = [(line, author) for text, author in zip(X, y, strict=True) for line in _lines(text)]
        self.classifier_ = clone(self.classifier)
        self.classifier_.fit(
            [self._shown(line) for line, _ in pairs], [author for _, author in pairs]
        )
        self.classes_ = self.classifier_.classes_
        if progress is not None:
            progress(1, 1, "lines")
        return self

    def decision_function(self, X: Iterable[str]) -> NDArray[np.float64]:
        """Score texts as the classifier does: (n_documents, n_authors)."""
        scores: NDArray[np.float64] = self.classifier_.decision_function(list(X))
        return scores

    def _shown(self, line: str) -> str:
        """Return what the classifier is shown of a line."""
        return line


class SummedOverLines(LearntFromLines):
    """Sums what a classifier makes of each line of a text, as a language model does.

    The classifier is shown the ends of each line, too: n-grams of words hold sentences' first and
    last words.
    """

    def decision_function(self, X: Iterable[str]) -> NDArray[np.float64]:
        """Score each distinct line once, and add up those of each text."""
        lines = list(map(_lines, X))
        distinct, places = np.unique(list(chain.from_iterable(lines)), return_inverse=True)
        scores = self.classifier_.decision_function(list(map(self._shown, distinct.tolist())))
        return segment_sums(scores[places].T, np.array(list(map(len, lines)))).T

    def _shown(self, line: str) -> str:
        return f"\n{line}\n"


def _lines(text: str) -> list[str]:
    return text.split("\n")
