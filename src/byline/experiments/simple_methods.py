"""Simple methods that other methods are compared with, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, Self

from numpy.typing import NDArray

from byline.array_types import Floats
from byline.attribution import AuthorshipAttributor
from byline.attribution.classifiers import BurrowsDelta, MostFrequentAuthor, NgramSVM
from byline.attribution.stacking import COSINE_DELTA, LANGUAGE_MODELS
from byline.attribution.stacking.base_classifiers import cosine_delta
from byline.errors import UsageError
from byline.text import TextEncoder

MOST_FREQUENT = "most-frequent-author"
ALL = "all"


class ScoringClassifier(Protocol):
    """A classifier of texts."""

    classes_: NDArray[Any]

    def fit(self, X: list[str], y: list[str]) -> Self:
        """Train on known texts and their authors."""

    def decision_function(self, X: list[str]) -> Floats:
        """Score every text for every author; the highest score decides."""


@dataclass(frozen=True, slots=True)
class SimpleSettings:
    """The settings for which a simple method is made.

    Attributes
    ----------
    encoder : TextEncoder
        Unfitted; of language models. The other methods use its language.
    seed : int
    jobs : int
        Number of processes for training, for methods that support several.
    """

    encoder: TextEncoder
    seed: int = 0
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class SimpleMethod:
    """A simple method.

    Attributes
    ----------
    name : str
    short : str
        Another name on the command line.
    title : str
        Name in tables and sentences.
    make : function of SimpleSettings
        Returns the unfitted classifier.

    Examples
    --------
    >>> SIMPLE_METHODS["burrows-delta"].make(SimpleSettings(TextEncoder()))
    BurrowsDelta()
    """

    name: str
    short: str
    title: str
    make: Callable[[SimpleSettings], ScoringClassifier]


def _most_frequent(settings: SimpleSettings) -> ScoringClassifier:
    return MostFrequentAuthor()


def _burrows_delta(settings: SimpleSettings) -> ScoringClassifier:
    return BurrowsDelta(language=settings.encoder.language)


def _cosine_delta(settings: SimpleSettings) -> ScoringClassifier:
    return cosine_delta(settings.encoder.language, random_state=settings.seed)


def _character_svm(settings: SimpleSettings) -> ScoringClassifier:
    return NgramSVM(random_state=settings.seed)


def _language_models(settings: SimpleSettings) -> ScoringClassifier:
    return AuthorshipAttributor(
        encoder=settings.encoder, random_state=settings.seed, n_jobs=settings.jobs
    )


SIMPLE_METHODS: dict[str, SimpleMethod] = {
    method.name: method
    for method in (
        SimpleMethod(MOST_FREQUENT, MOST_FREQUENT, "most frequent author", _most_frequent),
        SimpleMethod("burrows-delta", "delta", "Burrows's Delta", _burrows_delta),
        SimpleMethod(COSINE_DELTA, COSINE_DELTA, "Cosine Delta", _cosine_delta),
        SimpleMethod("char-ngram-svm", "svm", "character n-gram SVM", _character_svm),
        SimpleMethod(LANGUAGE_MODELS, LANGUAGE_MODELS, "language models alone", _language_models),
    )
}


def find_simple_methods(names: Iterable[str]) -> list[SimpleMethod]:
    """Return simple methods by name, without duplicates, in the order of the names.

    Parameters
    ----------
    names : iterable of str
        Names or short names; "all" stands for all that train on texts.

    Raises
    ------
    UsageError
        There is no such method, or no name.

    Examples
    --------
    >>> [method.title for method in find_simple_methods(["delta", "svm"])]
    ["Burrows's Delta", 'character n-gram SVM']
    """
    trained = [method for method in SIMPLE_METHODS.values() if method.name != MOST_FREQUENT]
    by_name = {name: [method] for method in trained for name in (method.name, method.short)}
    by_name[ALL] = trained
    found: dict[str, SimpleMethod] = {}
    for name in names:
        if name not in by_name:
            choices = ", ".join([*(method.short for method in trained), ALL])
            raise UsageError(f"there is no simple method {name!r}; choose from {choices}")
        found |= {method.name: method for method in by_name[name]}
    if not found:
        raise UsageError("no simple method is named; name at least one, or give no baselines")
    return list(found.values())
