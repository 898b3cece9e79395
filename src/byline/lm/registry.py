"""The classes of language models that can be saved and loaded, by kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from byline.errors import PluginError, UsageError
from byline.formatting import join_names
from byline.lm.base import LanguageModel
from byline.plugins import LANGUAGE_MODELS as GROUP
from byline.plugins import Plugin, find_plugin, plugin_names

_Model = TypeVar("_Model", bound=type[LanguageModel])

BUILT_IN = ("ngram", "adapted-ngram", "feedforward", "recurrent", "mixture")
LANGUAGE_MODELS: dict[str, type[LanguageModel]] = {}


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

    Examples
    --------
    >>> from byline.lm import NgramLM
    >>> register_language_model(NgramLM) is NgramLM
    True
    """
    known = LANGUAGE_MODELS.setdefault(model.kind, model)
    if known is not model:
        raise UsageError(
            f"the kind {model.kind!r} belongs to {known.__name__}; give {model.__name__} another"
        )
    return model


def language_model_class(kind: str, package: object = None) -> type[LanguageModel]:
    """Return the class of a kind: Byline's, a registered one, or an installed package's.

    Parameters
    ----------
    kind : str
    package : str, optional
        What `kind_entry` recorded as the package that declares the class.

    Raises
    ------
    UsageError
        No class has this kind.
    PluginError
        The package is missing or broken, or its name of the class is taken.

    Examples
    --------
    >>> language_model_class("ngram").__name__
    'NgramLM'
    """
    plugin = find_plugin(GROUP, kind, BUILT_IN)
    if plugin is not None:
        return _load(plugin)
    if kind in LANGUAGE_MODELS:
        return LANGUAGE_MODELS[kind]
    require_package("language model", kind, package)
    raise UsageError(
        f"{kind!r} is not a kind of language model that this Byline knows; it knows "
        f"{join_names(known_kinds(), None)}"
    )


def known_kinds() -> list[str]:
    """Return the kinds of Byline, of registered classes and of installed packages."""
    return list(dict.fromkeys([*BUILT_IN, *LANGUAGE_MODELS, *plugin_names(GROUP)]))


def kind_entry(model: type[LanguageModel]) -> dict[str, str]:
    """Return what a file records of a class: its kind, and the package that declares it, if any.

    Raises
    ------
    UsageError
        The class could not be found when the file is loaded.
    """
    plugin = find_plugin(GROUP, model.kind, BUILT_IN)
    if plugin is not None and _load(plugin) is model:
        return {"kind": model.kind, "package": f"{plugin.package} {plugin.version}"}
    if plugin is not None or LANGUAGE_MODELS.get(model.kind) is not model:
        raise UsageError(
            f"a {model.__name__} cannot be saved; use a language model of kind "
            f"{join_names(known_kinds(), None)}, or call register_language_model"
        )
    return {"kind": model.kind}


def class_of_entry(entry: Mapping[str, Any]) -> type[LanguageModel]:
    """Return the class that `kind_entry` recorded; errors as in `language_model_class`."""
    return language_model_class(str(entry["kind"]), entry.get("package"))


def require_package(what: str, kind: str, package: object) -> None:
    """Raise PluginError if a file names the package that declares what cannot be found.

    Parameters
    ----------
    what : str
        Such as "language model".
    kind : str
    package : object
        The file's value. It is only shown if it can be the name and version of a package.
    """
    if isinstance(package, str) and re.fullmatch(r"[\w.-]{1,80} [\w.+!-]{1,40}", package):
        name = package.partition(" ")[0]
        raise PluginError(
            f"the {what} {kind!r} was added to Byline by the package {package}, which is not "
            f"installed here. If you trust it, install it: pip install {name}"
        )


def _load(plugin: Plugin) -> type[LanguageModel]:
    model = plugin.load()
    if not (isinstance(model, type) and issubclass(model, LanguageModel)):
        raise plugin.error(f"it is {model!r:.60}, not a subclass of byline.lm.LanguageModel")
    if getattr(model, "kind", None) != plugin.name:
        raise plugin.error(
            f"the kind of its class {model.__name__} is {getattr(model, 'kind', None)!r}; the two "
            "must be equal"
        )
    return model
