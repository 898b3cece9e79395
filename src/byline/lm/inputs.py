"""Checks of the parameters and of the sentences that language models are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator

from byline.array_types import Ids
from byline.constraints import whole
from byline.errors import UsageError

LARGEST_SIZE = 1_000_000
_Model = TypeVar("_Model", bound=BaseEstimator)
#: The constraint of the size of a layer, or of a number of steps.
SIZE = whole(1, LARGEST_SIZE)


def is_whole(value: Any, least: int) -> bool:
    """Whether ``value`` is an integer of at least ``least``; truth values do not count.

    Examples
    --------
    >>> is_whole(3, 1), is_whole(0, 1), is_whole(True, 1), is_whole(3.0, 1)
    (True, False, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least


def is_size(value: Any) -> bool:
    """Whether ``value`` can be the size of a network's layer, or a number of steps.

    Examples
    --------
    >>> is_size(100), is_size(0), is_size(10**7)
    (True, False, False)
    """
    return is_whole(value, 1) and int(value) <= LARGEST_SIZE


def is_within(value: Any, low: float, high: float) -> bool:
    """Whether ``value`` is a number in [low, high).

    Examples
    --------
    >>> is_within(0.0, 0, 1), is_within(1.0, 0, 1), is_within("0", 0, 1)
    (True, False, False)
    """
    return isinstance(value, Real) and low <= float(value) < high


def all_of(value: Any, rule: Callable[[Any], bool]) -> bool:
    """Whether ``value`` is a sequence of at least one element, and every element keeps the rule.

    Examples
    --------
    >>> all_of((100, 50), is_size), all_of((), is_size), all_of(100, is_size)
    (True, False, False)
    """
    if isinstance(value, (str, bytes)):
        return False
    is_sequence = value.ndim > 0 if isinstance(value, np.ndarray) else isinstance(value, Sequence)
    return is_sequence and len(value) > 0 and all(map(rule, value))


def check_vocabulary_size(value: object) -> None:
    """Check that the size of a vocabulary is a whole number from 1.

    Raises
    ------
    UsageError
        It is not.

    Examples
    --------
    >>> check_vocabulary_size(3)
    >>> check_vocabulary_size(0)
    Traceback (most recent call last):
    ...
    byline.errors.UsageError: vocabulary_size must be a whole number from 1; it is 0
    """
    if not is_whole(value, 1):
        raise UsageError(f"vocabulary_size must be a whole number from 1; it is {value!r:.200}")


def json_value(value: Any) -> Any:
    """Convert the value of a parameter to JSON types: lists instead of tuples and arrays.

    Examples
    --------
    >>> json_value((np.int64(3), 0.5))
    [3, 0.5]
    """
    if isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str):
        return [json_value(element) for element in value]
    return value.item() if isinstance(value, np.generic) else value


def parameter_names(model: BaseEstimator) -> dict[str, str]:
    """Map the short name of each parameter of a language model to its full name.

    A parameter of the training has a short name without ``training__``.

    Returns
    -------
    dict of str to str

    See Also
    --------
    parameter_values, set_parameters

    Examples
    --------
    >>> from byline.lm import RecurrentLM
    >>> names = parameter_names(RecurrentLM())
    >>> names["units"], names["epochs"]
    ('units', 'training__epochs')
    """
    full_names = (name for name in model.get_params() if name != "training")
    return dict(sorted((name.removeprefix("training__"), name) for name in full_names))


def parameter_values(model: BaseEstimator) -> dict[str, Any]:
    """Return the parameters of a language model as JSON values, by short name.

    See Also
    --------
    parameter_names : the short names

    Examples
    --------
    >>> from byline.lm import RecurrentLM
    >>> parameter_values(RecurrentLM())["epochs"]
    6
    """
    values = model.get_params()
    return {short: json_value(values[name]) for short, name in parameter_names(model).items()}


def set_parameters(model: _Model, values: Mapping[str, Any]) -> _Model:
    """Set parameters of a language model by short name, and return the model.

    Raises
    ------
    KeyError
        The model has no such parameter.

    See Also
    --------
    parameter_names : the short names

    Examples
    --------
    >>> from byline.lm import RecurrentLM
    >>> model = set_parameters(RecurrentLM(), {"units": 64, "epochs": 3})
    >>> model.training.epochs
    3
    """
    names = parameter_names(model)
    model.set_params(**{names[short]: value for short, value in values.items()})
    return model


def check_sentences(sentences: Sequence[Ids], vocabulary_size: int) -> list[Ids]:
    """Convert sentences to int32 arrays, and check that they hold ids of the vocabulary.

    Parameters
    ----------
    sentences : sequence of integer arrays, each (n_tokens,)
    vocabulary_size : int

    Returns
    -------
    list of (n_tokens,) int32

    Raises
    ------
    UsageError
        A sentence is not a one-dimensional array of integers, or an id is out of range.

    Examples
    --------
    >>> check_sentences([np.array([0, 2])], vocabulary_size=3)
    [array([0, 2], dtype=int32)]
    """
    arrays = [np.asarray(sentence) for sentence in sentences]
    for i, ids in enumerate(arrays):
        if ids.ndim != 1 or (ids.size and not np.issubdtype(ids.dtype, np.integer)):
            raise UsageError(
                f"sentence {i} must be a one-dimensional array of token ids, which are whole "
                f"numbers; it has {ids.ndim} dimensions and the type {ids.dtype}"
            )
        if ids.size and not 0 <= ids.min() <= ids.max() < vocabulary_size:
            raise UsageError(
                f"sentence {i} has ids from {ids.min()} to {ids.max()}, outside the range 0 to "
                f"{vocabulary_size - 1}; encode it with the vocabulary that the model was fitted on"
            )
    return [ids.astype(np.int32, copy=False) for ids in arrays]


def hold_out_sentences(
    sentences: Sequence[Ids], fraction: float, rng: np.random.Generator
) -> tuple[list[Ids], list[Ids]]:
    """Split off a random fraction of the sentences; both parts keep the order of the text.

    Parameters
    ----------
    sentences : sequence of (n_tokens,) int32
    fraction : float
        Of the sentences, rounded down to a whole number of them.
    rng : numpy.random.Generator

    Returns
    -------
    training, held_out : lists of (n_tokens,) int32

    Examples
    --------
    >>> sentences = [np.array([i], dtype=np.int32) for i in range(4)]
    >>> training, held_out = hold_out_sentences(sentences, 0.25, np.random.default_rng(0))
    >>> len(training), len(held_out)
    (3, 1)
    """
    chosen = set(rng.permutation(len(sentences))[: int(fraction * len(sentences))].tolist())
    training = [sentence for i, sentence in enumerate(sentences) if i not in chosen]
    return training, [sentence for i, sentence in enumerate(sentences) if i in chosen]
