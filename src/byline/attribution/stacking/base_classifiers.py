"""The base classifiers of a stack: what they must provide, and Byline's default selection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol, Self

from numpy.typing import NDArray
from sklearn.base import clone

from byline.array_types import Floats
from byline.attribution.classifiers import (
    BurrowsDelta,
    ChunkedClassifier,
    NgramBlock,
    NgramRidge,
    NgramSVM,
    NumericFeatures,
)
from byline.attribution.classifiers.ridge import DEFAULT_BLOCKS
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.stacking.folds import SentenceSettings
from byline.errors import UsageError
from byline.lm import NgramLM
from byline.text import TextEncoder
from byline.typography import Normalization

LANGUAGE_MODELS = "language-models"
CHARACTER_MODELS = "character-models"
COSINE_DELTA = "cosine-delta"
_CHARACTER_ORDER = 6  # of the n-gram models of characters
# These alone, because the other n-grams, on which the style classifier is based, depend on genre.
CHARACTER_BLOCKS = (NgramBlock("char", (2, 6)),)
_METHODS = ("fit", "decision_function", "get_params", "set_params")


class BaseClassifier(Protocol):
    """A classifier that scores every author for every text."""

    classes_: NDArray[Any]

    def fit(self, X: Iterable[str], y: Iterable[str]) -> object:
        """Fit the classifier to known texts. It may have a further parameter, ``progress``."""

    def decision_function(self, X: Iterable[str]) -> Floats:
        """Score every author for every text, (n_documents, n_authors), columns sorted.

        For two authors, one value per text can be returned (see `author_scores`).
        """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, as scikit-learn's estimators do."""

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name."""


def default_base_classifiers(
    language_models: AuthorshipAttributor | None = None, *, random_state: int = 0
) -> list[tuple[str, BaseClassifier]]:
    """Return the base classifiers that Byline combines by default.

    They performed best together on held-out known texts, because they err on different texts:

    - ``language-models``: word models, which measure how surprising a text is;
    - ``character-models``: n-gram language models of characters, which need less known text than
      word models do; left out if the language models predict characters already;
    - ``characters``: ridge regression on the presence of character n-grams;
    - ``style``: ridge regression on all default features of `NgramRidge`: besides character
      n-grams, word n-grams with names or rare words masked, frequencies of function words,
      punctuation marks and character pairs, and the lengths of sentences and paragraphs;
    - ``word-ngrams``: a support vector machine on lower-case words without punctuation, which
      discriminate between authors if the genre changes, and the punctuation with it;
    - ``cosine-delta``: Cosine Delta on the 2,000 most frequent words, in chunks of 1,000 words. It
      learns no weights from the texts, and so needs few of them.

    Parameters
    ----------
    language_models : AuthorshipAttributor, optional
        The prototype of the language models. The other classifiers use the language and the
        sentence rule of its encoder.
    random_state : int

    See Also
    --------
    StackedAttributor : Combines base classifiers.

    Examples
    --------
    >>> from byline.attribution.stacking import default_base_classifiers
    >>> print(*(name for name, _ in default_base_classifiers()))
    language-models character-models characters style word-ngrams cosine-delta
    """
    models = language_models or AuthorshipAttributor(random_state=random_state)
    settings = sentence_settings_of([(LANGUAGE_MODELS, models)])
    style_blocks = tuple(
        replace(block, language=settings.language, sentence_rule=settings.rule)
        for block in DEFAULT_BLOCKS
    )
    words = NgramSVM(
        "word-without-punctuation",
        (1, 2),
        language=settings.language,
        random_state=random_state,
    )
    classifiers = {
        "characters": NgramRidge(CHARACTER_BLOCKS),
        "style": NgramRidge(style_blocks),
        "word-ngrams": words,
    }
    return [
        (LANGUAGE_MODELS, models),
        *_character_models(models, random_state),
        *(
            (name, ChunkedClassifier(classifier, random_state=random_state))
            for name, classifier in classifiers.items()
        ),
        (COSINE_DELTA, cosine_delta(settings.language, random_state=random_state)),
    ]


def cosine_delta(language: str = "en", *, random_state: int = 0) -> ChunkedClassifier:
    """Return the Cosine Delta among the default base classifiers, unfitted.

    Parameters
    ----------
    language : str
        ISO 639 code.
    random_state : int

    Examples
    --------
    >>> cosine_delta().n_words
    1000
    """
    delta = BurrowsDelta(2000, distance="cosine", language=language)
    return ChunkedClassifier(delta, n_words=1000, random_state=random_state)


def _character_models(
    models: AuthorshipAttributor, random_state: int
) -> list[tuple[str, BaseClassifier]]:
    """Return n-gram language models of characters, unless the language models are of characters."""
    encoder = models.encoder or TextEncoder()
    if encoder.unit == "char":
        return []
    characters = TextEncoder(
        unit="char",
        language=encoder.language,
        sentence_rule=encoder.sentence_rule,
        normalization=encoder.normalization,
    )
    model = NgramLM(order=_CHARACTER_ORDER)
    return [
        (
            CHARACTER_MODELS,
            AuthorshipAttributor(model, characters, random_state=random_state),
        )
    ]


def sentence_settings_of(
    base_classifiers: Sequence[tuple[str, BaseClassifier]],
) -> SentenceSettings:
    """Return the sentence settings of the first base classifier that has a text encoder.

    If there is none, the settings have the language of the first one that states any.
    """
    for _, classifier in base_classifiers:
        encoder = getattr(classifier, "encoder", None)
        if isinstance(encoder, TextEncoder):
            return SentenceSettings(encoder.sentence_rule, encoder.language)
    stated = [each.get_params(deep=True) for _, each in base_classifiers]
    languages = [
        params[name]
        for params in stated
        for name in ("language", "classifier__language")
        if name in params
    ]
    return SentenceSettings(language=languages[0]) if languages else SentenceSettings()


def without_normalization(
    base_classifiers: Sequence[tuple[str, BaseClassifier]],
) -> list[tuple[str, BaseClassifier]]:
    """Return prototypes whose encoders take texts as they are, because the stack normalises them.

    Normalising the texts of every fold again would take a tenth of the training time.
    """
    rules = {"encoder__normalization": "none"}
    return [
        (name, clone(each).set_params(**rules) if isinstance(each, AuthorshipAttributor) else each)
        for name, each in base_classifiers
    ]


def set_normalization(
    base_classifiers: Iterable[BaseClassifier], normalization: Normalization
) -> None:
    """Let the encoders of fitted base classifiers read any text as the whole stack does."""
    for each in base_classifiers:
        if isinstance(each, AuthorshipAttributor):
            each.set_params(encoder__normalization=str(normalization))
            for encoder in each.encoders_.values():
                encoder.set_params(normalization=str(normalization))
        if isinstance(each, NumericFeatures):
            each.normalization_ = str(normalization)


def check_base_classifiers(base_classifiers: object, reserved: set[str]) -> None:
    """Check that objects can be base classifiers.

    Parameters
    ----------
    base_classifiers : object
        Should be a list of pairs of a name and a classifier.
    reserved : set of str
        Names that must not be used.

    Raises
    ------
    UsageError
        If it is not such a list, or a name cannot be used.
    """
    if not isinstance(base_classifiers, tuple | list) or not all(map(is_pair, base_classifiers)):
        raise UsageError(
            f"base_classifiers is {base_classifiers!r}; it must be a list of pairs of a name and "
            "a classifier with fit and decision_function"
        )
    names = [name for name, _ in base_classifiers]
    in_parameters = list(map(parameter_name, names))
    if not names or len(set(in_parameters)) < len(names):
        raise UsageError(
            f"the names of base_classifiers are {names}; give at least one base classifier, and "
            "each a different name"
        )
    clashing = [
        name
        for name, own in zip(names, in_parameters, strict=True)
        if "__" in own or own in reserved
    ]
    if clashing:
        raise UsageError(
            f"a base classifier is called {clashing[0]!r}, which is reserved for a parameter; "
            "rename it"
        )


def parameter_name(name: str) -> str:
    """Return the name of a base classifier as part of a parameter's name, without hyphens.

    Examples
    --------
    >>> parameter_name("word-ngrams")
    'word_ngrams'
    """
    return name.replace("-", "_")


def is_pair(entry: object) -> bool:
    """Whether an object is a name with something that can be a base classifier."""
    return (
        isinstance(entry, tuple | list)
        and len(entry) == 2
        and isinstance(entry[0], str)
        and all(hasattr(entry[1], method) for method in _METHODS)
    )
