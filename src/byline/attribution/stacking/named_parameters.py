"""The parameters of a stack's base classifiers, by the base classifiers' names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from sklearn.base import BaseEstimator

from byline.attribution.stacking.base_classifiers import (
    BaseClassifier,
    default_base_classifiers,
    is_pair,
    parameter_name,
)


class BaseClassifierParameters(BaseEstimator):  # type: ignore[misc]
    """Give the parameters of named base classifiers, also of those that are the default.

    Attributes
    ----------
    base_classifiers : sequence of (name, classifier), or None
    random_state : int
    """

    base_classifiers: Sequence[tuple[str, BaseClassifier]] | None
    random_state: int

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool
            Also return the base classifiers and their parameters, such as ``characters`` and
            ``characters__classifier__ridge``. In the name of a base classifier, ``_`` stands for
            every ``-``.
        """
        params: dict[str, Any] = super().get_params(deep=deep)
        if deep:
            for name, classifier in self._pairs():
                prefix = parameter_name(name)
                own = classifier.get_params(deep=True)
                params |= {f"{prefix}__{key}": value for key, value in own.items()}
                params[prefix] = classifier
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name.

        The name of a base classifier replaces that classifier. After a parameter of a base
        classifier was set, ``base_classifiers`` is no longer None, and a later change of
        ``random_state`` does not change the base classifiers.
        """
        own = {name: params.pop(name) for name in self._get_param_names() if name in params}
        super().set_params(**own)
        if not params:
            return self
        pairs, others = self._pairs(), {_with_underscores(name): params[name] for name in params}
        names = {parameter_name(name) for name, _ in pairs}
        if {name.partition("__")[0] for name in others} <= names:
            self.base_classifiers = [
                (name, others.pop(parameter_name(name), classifier)) for name, classifier in pairs
            ]
        super().set_params(**others)  # raises ValueError for other names
        return self

    def _pairs(self) -> list[tuple[str, BaseClassifier]]:
        """Return the base classifiers by name; none if what was given cannot be used."""
        given = self.base_classifiers
        if given is None:
            return default_base_classifiers(random_state=self.random_state)
        return list(given) if isinstance(given, tuple | list) and all(map(is_pair, given)) else []


def _with_underscores(parameter: str) -> str:
    head, separator, rest = parameter.partition("__")
    return parameter_name(head) + separator + rest
