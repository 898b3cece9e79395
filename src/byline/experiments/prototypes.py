"""What an evaluation needs to know of the unfitted attributor that it evaluates."""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from typing import Any

from sklearn.base import BaseEstimator, clone

from byline.attribution import AuthorshipAttributor, StackedAttributor, TextFeatures
from byline.attribution.stacking.base_classifiers import sentence_settings_of
from byline.text import TextEncoder


def encoder_of(attributor: AuthorshipAttributor | StackedAttributor) -> TextEncoder:
    """Return the unfitted encoder whose words and sentences the evaluation uses."""
    if isinstance(attributor, AuthorshipAttributor):
        return (attributor.encoder or TextEncoder()).word_encoder()
    given = attributor.base_classifiers or ()
    models = [each for _, each in given if isinstance(each, AuthorshipAttributor)]
    language = sentence_settings_of(given).language
    encoder: TextEncoder = TextEncoder(language=language)
    if models:
        encoder = clone(encoder_of(models[0]))
    encoder.set_params(normalization=attributor.normalization)
    return encoder


def settings_of(attributor: AuthorshipAttributor | StackedAttributor) -> dict[str, Any]:
    """Return the parameters by name as JSON values; estimators are given by their class."""
    params = attributor.get_params() | {"normalization": encoder_of(attributor).normalization}
    return {name: _setting(value) for name, value in sorted(params.items())}


def _setting(value: Any) -> Any:
    """Replace what JSON does not support: estimators by their class, other objects by a string."""
    if isinstance(value, BaseEstimator):
        return type(value).__name__
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, TextFeatures):
        return str(value)
    return list(map(_setting, value)) if isinstance(value, list | tuple) else value


def describe_estimator(value: Any) -> Any:
    """Describe an unfitted estimator and all its parameters by JSON values.

    The number of processes is left out, because it changes no result. Of an estimator that reads
    files, the digest of their contents is included (``input_digest``).

    Parameters
    ----------
    value : object
        An estimator, or a value of one of its parameters.
    """
    if isinstance(value, BaseEstimator):
        params = value.get_params(deep=False)
        own = {name: describe_estimator(each) for name, each in params.items() if name != "n_jobs"}
        return [type(value).__name__, own, getattr(value, "input_digest", None)]
    if isinstance(value, list | tuple):
        return list(map(describe_estimator, value))
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value if isinstance(value, str | int | float | None) else str(value)
