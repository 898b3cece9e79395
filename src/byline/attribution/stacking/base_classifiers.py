"""What can be stacked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from byline.attribution.classifiers import ChunkedClassifier, NgramBlock, NgramRidge, NgramSVM
from byline.attribution.classifiers.ridge import DEFAULT_BLOCKS
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.errors import UsageError
from byline.progress import Progress
from byline.text import TextEncoder

_NEEDED = ("fit", "decision_function", "get_params", "set_params")


class BaseClassifier(Protocol):
    """A classifier that scores every author for every text."""

    classes_: NDArray[Any]

    def fit(
        self, X: Iterable[str], y: Iterable[str], *, progress: Progress | None = None
    ) -> object:
        """Learn from known texts."""

    def decision_function(self, X: Iterable[str]) -> NDArray[np.float64]:
        """Every author's score of every text, (n_documents, n_authors), columns sorted."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name, as scikit-learn's estimators have them."""

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name."""


def check_base_classifiers(members: object, taken: set[str]) -> None:
    """Refuse what cannot be stacked.

    Parameters
    ----------
    members : object
        Should be a list of pairs of a name and what can be cloned, fitted and asked.
    taken : set of str
        Names that are others'.

    Raises
    ------
    UsageError
        It is none, or a name cannot be one.
    """
    if not isinstance(members, tuple | list) or not all(map(_is_member, members)):
        raise UsageError(
            f"members is {members!r}; it is a list of pairs of a name and a classifier "
            "with fit and decision_function"
        )
    names = [name for name, _ in members]
    if not names or len(set(names)) < len(names):
        raise UsageError(f"members={names}: one or more, each under its own name, are needed")
    clashing = [name for name in names if "__" in name or name in taken]
    if clashing:
        raise UsageError(f"no member can be called {clashing[0]!r}: a parameter's name is that")


def _is_member(entry: object) -> bool:
    return (
        isinstance(entry, tuple | list)
        and len(entry) == 2
        and isinstance(entry[0], str)
        and all(hasattr(entry[1], method) for method in _NEEDED)
    )


LANGUAGE_MODELS = "language-models"
# Alone, since the other n-grams, which the whole style is made of, change with the genre.
CHARACTERS = (NgramBlock("char", (2, 6)),)


def default_base_classifiers(
    language_models: AuthorshipAttributor | None = None, *, random_state: int = 0
) -> list[tuple[str, BaseClassifier]]:
    """Make the members that held up on held-out known texts, each wrong on other texts.

    Language models of words say which text surprises whom. One ridge regression goes by the n-grams
    of characters that are there at all; another by these and all else that `NgramRidge` looks for
    unless told otherwise: words with names or rare words masked, how often a few function words,
    marks and pairs of characters come, how long sentences and paragraphs are. Words in lower case
    without marks tell authors apart where the genre changes, and with it the marks.

    Parameters
    ----------
    language_models : AuthorshipAttributor, optional
        The prototype of the language models; the others' language is that of its encoder.
    random_state : int
    """
    models = language_models or AuthorshipAttributor(random_state=random_state)
    language = language_of([(LANGUAGE_MODELS, models)])
    blocks = tuple(replace(block, language=language) for block in DEFAULT_BLOCKS)
    classifiers = {
        "characters": NgramRidge(CHARACTERS),
        "style": NgramRidge(blocks),
        "word-ngrams": NgramSVM(
            "word-without-punctuation", (1, 2), language=language, random_state=random_state
        ),
    }
    return [
        (LANGUAGE_MODELS, models),
        *(
            (name, ChunkedClassifier(classifier, random_state=random_state))
            for name, classifier in classifiers.items()
        ),
    ]


def language_of(members: Sequence[tuple[str, BaseClassifier]]) -> str:
    """Return the language of the first member that has an encoder of texts; else English."""
    encoders = (getattr(member, "encoder", None) for _, member in members)
    return next((each.language for each in encoders if isinstance(each, TextEncoder)), "en")
