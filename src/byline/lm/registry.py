"""The classes of language models that can be saved and loaded, by kind."""

from __future__ import annotations

from typing import TypeVar

from byline.errors import UsageError
from byline.lm.base import LanguageModel
from byline.plugins import LANGUAGE_MODELS, Kinds

_Model = TypeVar("_Model", bound=type[LanguageModel])

LANGUAGE_MODEL_KINDS: Kinds[LanguageModel] = Kinds(
    LANGUAGE_MODELS,
    "language model",
    LanguageModel,  # type: ignore[type-abstract]
    ("ngram", "adapted-ngram", "feedforward", "recurrent", "mixture", "pretrained"),
    {},
)


def register_language_model(model: _Model) -> _Model:
    """Make models of a class savable, and loadable wherever the class is registered.

    An installed package need not call this: it declares its class as an entry point of the group
    ``byline.language_models``, under its ``kind``.

    Parameters
    ----------
    model : type of LanguageModel
        A class whose ``get_params`` and ``get_state`` return JSON values and arrays. A parameter
        may also be a language model, or a sequence of them.

    Returns
    -------
    type of LanguageModel
        The same class, so that this is also a decorator.

    Raises
    ------
    UsageError
        If another class has the same ``kind``.

    See Also
    --------
    LanguageModel : What a class must provide.

    Examples
    --------
    >>> from byline.lm import NgramLM
    >>> register_language_model(NgramLM) is NgramLM
    True
    """
    known = LANGUAGE_MODEL_KINDS.classes.setdefault(model.kind, model)
    if known is not model:
        raise UsageError(
            f"the kind {model.kind!r} belongs to {known.__name__}; give {model.__name__} another"
        )
    return model
