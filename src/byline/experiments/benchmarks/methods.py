"""The classifiers a benchmark can run, by name: Byline's default, and those it is measured by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from numpy.typing import NDArray

from byline.attribution import AuthorshipAttributor
from byline.attribution.classifiers import (
    BurrowsDelta,
    MostFrequentAuthor,
    NgramRidge,
    NgramSVM,
)
from byline.attribution.stacking import StackedAttributor, usual_members
from byline.errors import UsageError
from byline.experiments.benchmarks.task import Form
from byline.text import TextEncoder, TokenisedEncoder

DEFAULT = "default"


class Classifier(Protocol):
    """What a benchmark needs of a classifier of raw texts.

    ``fit`` may also take ``progress``; ``decision_function`` gives (n_documents, n_authors).
    """

    classes_: NDArray[Any]

    def fit(self, X: list[str], y: list[str]) -> Self:
        """Learn from known texts and their authors."""

    def decision_function(self, X: list[str]) -> NDArray[Any]:
        """Score every text by every author; the highest answers."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a classifier is made for.

    Attributes
    ----------
    form : {"text", "tokenised"}
        Of the texts.
    seed : int
    jobs : int
        Processes that may learn at a time.
    """

    form: Form
    seed: int = 0
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Method:
    """A classifier by name.

    Attributes
    ----------
    name : str
        What ``--method`` and ``--baseline`` take.
    title : str
        What tables call it.
    make : function of Setting
        Returns the classifier, not yet fitted.
    """

    name: str
    title: str
    make: Callable[[Setting], Classifier]


class LineEncoder(TextEncoder):
    """Takes a text as tokenised already: one sentence a line, tokens between spaces."""

    def tokenize(self, text: str) -> list[list[str]]:
        """Cut one text into sentences of tokens, as :class:`byline.text.TokenisedEncoder` does."""
        return TokenisedEncoder().tokenize(text)


class LearntFromLines:
    """Lets a classifier learn from each line of the known texts as a text of its own.

    A classifier that scales each text to one length learns little about single sentences from
    documents of many.

    Parameters
    ----------
    classifier : Classifier
        Not yet fitted.
    """

    classes_: NDArray[Any]

    def __init__(self, classifier: Classifier) -> None:
        self.classifier = classifier

    def fit(self, X: list[str], y: list[str]) -> Self:
        """Learn from the lines of known texts."""
        lines = [
            (line, author) for text, author in zip(X, y, strict=True) for line in text.split("\n")
        ]
        self.classifier.fit([line for line, _ in lines], [author for _, author in lines])
        self.classes_ = self.classifier.classes_
        return self

    def decision_function(self, X: list[str]) -> NDArray[Any]:
        """Score texts as the classifier does."""
        return self.classifier.decision_function(X)


def _default(setting: Setting) -> Classifier:
    encoder = LineEncoder() if setting.form == "tokenised" else TextEncoder()
    return AuthorshipAttributor(encoder=encoder, random_state=setting.seed, n_jobs=setting.jobs)


def _stacked(setting: Setting) -> Classifier:
    encoder = LineEncoder() if setting.form == "tokenised" else TextEncoder()
    members = usual_members(encoder, random_state=setting.seed, n_jobs=setting.jobs)
    return StackedAttributor(members, random_state=setting.seed)


def _most_frequent(setting: Setting) -> Classifier:
    return MostFrequentAuthor()


def _delta(setting: Setting) -> Classifier:
    return BurrowsDelta()


def _char_svm(setting: Setting) -> Classifier:
    svm = NgramSVM(random_state=setting.seed)
    return LearntFromLines(svm) if setting.form == "tokenised" else svm


def _ngram_ridge(setting: Setting) -> Classifier:
    return NgramRidge()


METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        Method(DEFAULT, "Byline's default", _default),
        Method("stacked", "language models and classifiers, stacked", _stacked),
        Method("most-frequent-author", "most frequent author", _most_frequent),
        Method("burrows-delta", "Burrows's Delta", _delta),
        Method("char-ngram-svm", "character n-gram SVM", _char_svm),
        Method("ngram-ridge", "ridge regression on n-grams", _ngram_ridge),
    )
}
BASELINES = ("most-frequent-author", "burrows-delta", "char-ngram-svm")


def find_methods(names: Iterable[str]) -> list[Method]:
    """Return methods by name, each once, in the order of the names.

    Raises
    ------
    UsageError
        A name is not among `METHODS`.
    """
    wanted = list(dict.fromkeys(names))
    strangers = [name for name in wanted if name not in METHODS]
    if strangers:
        raise UsageError(
            f"there is no method {', '.join(strangers)}; methods are {', '.join(METHODS)}"
        )
    return [METHODS[name] for name in wanted]
