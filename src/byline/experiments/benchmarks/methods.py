"""The classifiers that a benchmark can measure, by name: Byline's default and baselines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from byline.array_types import Floats
from byline.attribution import AuthorshipAttributor
from byline.attribution.author_scores import decision_values
from byline.attribution.classifiers import (
    NgramRidge,
    NgramSVM,
    TextClassifier,
)
from byline.attribution.language_models.sentence_scorer import segment_sums
from byline.attribution.stacking import (
    LANGUAGE_MODELS,
    StackedAttributor,
    default_base_classifiers,
    delta_attributor,
    profile_attributor,
)
from byline.errors import UsageError
from byline.experiments.benchmarks.tasks import Form
from byline.experiments.simple_methods import (
    MOST_FREQUENT,
    SIMPLE_METHODS,
    ScoringClassifier,
    SimpleSettings,
)
from byline.lm import AdaptedNgramLM, MixtureLM, RecurrentLM
from byline.progress import Progress
from byline.text import PretokenizedEncoder, TextEncoder


class LineEncoder(TextEncoder):
    """Encoder of tokenised texts: one sentence per line, with spaces between the tokens."""

    def tokenize(self, text: str) -> list[list[str]]:
        """Split one text into sentences of tokens, as `byline.text.PretokenizedEncoder` does."""
        return PretokenizedEncoder().tokenize(text)


class TrainedOnLines(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Trains a classifier on each line of the known texts as a separate text.

    A classifier that normalises the length of texts learns little about single sentences from
    documents of many sentences.

    Parameters
    ----------
    classifier : TextClassifier
        The prototype.

    Attributes
    ----------
    classes_ : (n_authors,) str
    classifier_ : TextClassifier
        The fitted classifier.
    """

    classes_: NDArray[Any]

    def __init__(self, classifier: TextClassifier) -> None:
        self.classifier = classifier

    def fit(self, X: Iterable[str], y: Iterable[str], *, progress: Progress | None = None) -> Self:
        """Train on the lines of known texts."""
        pairs = [(line, author) for text, author in zip(X, y, strict=True) for line in _lines(text)]
        self.classifier_ = clone(self.classifier)
        self.classifier_.fit(
            [self._prepare(line) for line, _ in pairs], [author for _, author in pairs]
        )
        self.classes_ = self.classifier_.classes_
        if progress is not None:
            progress(1, 1, "lines")
        return self

    def score_authors(self, X: Iterable[str]) -> Floats:
        """Return the scores of the classifier, (n_documents, n_authors)."""
        scores: Floats = self.classifier_.score_authors(list(X))
        return scores

    def decision_function(self, X: Iterable[str]) -> Floats:
        """Return the scores of `score_authors`, and one value per text for two authors."""
        return decision_values(self.score_authors(X))

    def _prepare(self, line: str) -> str:
        """Return the form of a line that the classifier gets."""
        return line


class SummedOverLines(TrainedOnLines):
    """Sums a classifier's scores over the lines of a text, as language models do.

    Line breaks are part of each line, so that word n-grams represent the first and last words of
    sentences.
    """

    def score_authors(self, X: Iterable[str]) -> Floats:
        """Score each distinct line once, and sum the scores of each text."""
        lines = list(map(_lines, X))
        distinct, places = np.unique(list(chain.from_iterable(lines)), return_inverse=True)
        scores = self.classifier_.score_authors(list(map(self._prepare, distinct.tolist())))
        return segment_sums(scores[places].T, np.array(list(map(len, lines)))).T

    def _prepare(self, line: str) -> str:
        return f"\n{line}\n"


def _lines(text: str) -> list[str]:
    return text.split("\n")


DEFAULT = "default"
CHAR_SVM = "char-ngram-svm"
# Chosen on the validation part of lectures16. Larger shares of the background model lower the
# perplexity of n-grams on every author's text, but discriminate less: 78.3 % accuracy with 0.7,
# against 81.5 %.
BACKGROUND_SHARE = 0.01


class Classifier(ScoringClassifier, Protocol):
    """Interface of a classifier of raw texts.

    ``fit`` may also take ``groups``, ``validation`` and ``progress``.
    """


@dataclass(frozen=True, slots=True)
class Setting:
    """The setting for which a classifier is made.

    Attributes
    ----------
    form : {"text", "tokenised"}
        Form of the texts.
    seed : int
    jobs : int
        Number of processes for training.

    See Also
    --------
    Method : A classifier by name.

    Examples
    --------
    >>> Setting("text")
    Setting(form='text', seed=0, jobs=1)
    """

    form: Form
    seed: int = 0
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Method:
    """A classifier with a name.

    Attributes
    ----------
    name : str
        Name for ``--method`` and ``--baseline``.
    title : str
        Name in tables.
    make : function of Setting
        Returns the unfitted classifier.

    See Also
    --------
    METHODS : All methods by name.

    Examples
    --------
    >>> METHODS["burrows-delta"].make(Setting("text"))
    BurrowsDelta()
    """

    name: str
    title: str
    make: Callable[[Setting], ScoringClassifier]


def _encoder(setting: Setting, **pruning: Any) -> TextEncoder:
    kind = LineEncoder if setting.form == "tokenised" else TextEncoder
    return kind(normalization=_normalization(setting), **pruning)


def _normalization(setting: Setting) -> str:
    """Tokenised texts are read as they are."""
    return "none" if setting.form == "tokenised" else "edition"


def _default(setting: Setting) -> Classifier:
    models = AuthorshipAttributor(encoder=_encoder(setting), random_state=setting.seed)
    return StackedAttributor(
        default_base_classifiers(models, random_state=setting.seed),
        random_state=setting.seed,
        n_jobs=setting.jobs,
        normalization=_normalization(setting),
    )


def _quick(setting: Setting) -> Classifier:
    return delta_attributor(random_state=setting.seed, normalization=_normalization(setting))


def _profiles(setting: Setting) -> Classifier:
    return profile_attributor(random_state=setting.seed, normalization=_normalization(setting))


def _stacked_language_models(setting: Setting) -> Classifier:
    words = _adapted(_encoder(setting), AdaptedNgramLM(), setting.seed)
    no_punctuation = _encoder(setting, punctuation="drop")
    without_punctuation = _adapted(no_punctuation, AdaptedNgramLM(order=2), setting.seed)
    base_classifiers = [("words", words), ("words-without-punctuation", without_punctuation)]
    return StackedAttributor(
        base_classifiers,
        random_state=setting.seed,
        n_jobs=setting.jobs,
        normalization=_normalization(setting),
    )


def _adapted(encoder: TextEncoder, model: AdaptedNgramLM, seed: int) -> AuthorshipAttributor:
    """Make models that are adapted from all known texts, with a cache of recent words."""
    return AuthorshipAttributor(
        model, encoder, balance="none", background="pooled", cache=0.5, random_state=seed
    )


def _adapted_mixture(setting: Setting) -> AuthorshipAttributor:
    network = RecurrentLM.for_adaptation()
    network.training.validation_fraction = 0.0  # the network is trained on all of the text
    models = (AdaptedNgramLM(background_share=BACKGROUND_SHARE), network)
    return AuthorshipAttributor(
        MixtureLM(models, weights=(0.5, 0.5)),
        _encoder(setting, min_count=1, min_frequency=0.0),
        balance="none",
        background="pooled",
        random_state=setting.seed,
        n_jobs=setting.jobs,
    )


def _mixture_stack(setting: Setting) -> Classifier:
    svm = NgramSVM("word", (1, 3), C=0.5, random_state=setting.seed)
    words = SummedOverLines(svm) if setting.form == "tokenised" else svm
    base_classifiers = [("mixture", _adapted_mixture(setting)), ("words", words)]
    rules = _normalization(setting)
    return StackedAttributor(base_classifiers, random_state=setting.seed, normalization=rules)


def _simple(name: str) -> Method:
    """Return a simple method by the name that the table of simple methods gives it."""
    method = SIMPLE_METHODS[name]

    def make(setting: Setting) -> ScoringClassifier:
        return method.make(SimpleSettings(_encoder(setting), setting.seed, setting.jobs))

    return Method(name, method.title, make)


def _char_svm(setting: Setting) -> Classifier:
    svm: Any = _simple(CHAR_SVM).make(setting)
    return TrainedOnLines(svm) if setting.form == "tokenised" else svm


def _ngram_ridge(setting: Setting) -> Classifier:
    return NgramRidge()


METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        Method(DEFAULT, "Byline's default", _default),
        Method("delta", "Cosine Delta only, calibrated", _quick),
        Method("profiles", "profiles of n-grams only, calibrated", _profiles),
        Method(LANGUAGE_MODELS, "Byline's language models only", _simple(LANGUAGE_MODELS).make),
        Method(
            "stacked-language-models",
            "language models of words with and without punctuation, stacked",
            _stacked_language_models,
        ),
        Method("adapted-mixture", "mixture of adapted n-grams and network", _adapted_mixture),
        Method("mixture-stack", "stack of mixture and word n-gram SVM", _mixture_stack),
        _simple(MOST_FREQUENT),
        _simple("burrows-delta"),
        Method(CHAR_SVM, SIMPLE_METHODS[CHAR_SVM].title, _char_svm),
        Method("ngram-ridge", "ridge regression on n-grams", _ngram_ridge),
    )
}
BASELINES = (MOST_FREQUENT, "burrows-delta", CHAR_SVM)


def find_methods(names: Iterable[str]) -> list[Method]:
    """Return methods by name, without duplicates, in the order of the names.

    Raises
    ------
    UsageError
        A name is not in `METHODS`.
    """
    wanted = list(dict.fromkeys(names))
    unknown = [name for name in wanted if name not in METHODS]
    if unknown:
        raise UsageError(f"there is no method {', '.join(unknown)}; use {', '.join(METHODS)}")
    return [METHODS[name] for name in wanted]
