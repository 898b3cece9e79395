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
from byline.experiments.benchmarks.lines import LearntFromLines, LineEncoder, SummedOverLines
from byline.experiments.benchmarks.task import Form
from byline.lm import AdaptedNgramLM, MixtureLM, RecurrentLM
from byline.text import TextEncoder

DEFAULT = "default"
# Chosen on the validation part of lectures16. Alone, n-grams with larger shares of the background
# are less surprised by every author's text, but part authors worse: 78.3 against 81.5 % with .7.
BACKGROUND_SHARE = 0.01


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


def _encoder(setting: Setting, **pruning: Any) -> TextEncoder:
    return LineEncoder(**pruning) if setting.form == "tokenised" else TextEncoder(**pruning)


def _default(setting: Setting) -> Classifier:
    models = AuthorshipAttributor(encoder=_encoder(setting), random_state=setting.seed)
    return StackedAttributor(
        usual_members(models, random_state=setting.seed),
        random_state=setting.seed,
        n_jobs=setting.jobs,
    )


def _language_models(setting: Setting) -> Classifier:
    return AuthorshipAttributor(
        encoder=_encoder(setting), random_state=setting.seed, n_jobs=setting.jobs
    )


def _stacked_language_models(setting: Setting) -> Classifier:
    words = _adapted(_encoder(setting), AdaptedNgramLM(), setting.seed)
    bare = _adapted(_encoder(setting, punctuation="drop"), AdaptedNgramLM(order=2), setting.seed)
    members = [("words", words), ("bare-words", bare)]
    return StackedAttributor(members, random_state=setting.seed, n_jobs=setting.jobs)


def _adapted(encoder: TextEncoder, model: AdaptedNgramLM, seed: int) -> AuthorshipAttributor:
    """Make models that learn from all known text, and are surprised by no word for long."""
    return AuthorshipAttributor(
        model, encoder, balance="none", background="pooled", cache=0.5, random_state=seed
    )


def _adapted_mixture(setting: Setting) -> AuthorshipAttributor:
    network = RecurrentLM.adapting().set_params(validation_fraction=0.0)  # all text is learnt from
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
    members = [("mixture", _adapted_mixture(setting)), ("words", words)]
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
        Method("language-models", "its language models alone", _language_models),
        Method(
            "stacked-language-models",
            "language models of words with and without marks, stacked",
            _stacked_language_models,
        ),
        Method("adapted-mixture", "adapted n-grams and network, mixed", _adapted_mixture),
        Method("mixture-stack", "mixture and word n-gram SVM, stacked", _mixture_stack),
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
