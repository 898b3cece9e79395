"""Which values the parameters of networks take, and what the feed-forward one makes of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.errors import UsageError
from byline.lm.networks.feedforward_network import feedforward_network_shapes
from byline.lm.networks.feedforward_training import Training

LARGEST = 1_000_000
MOST_LAYERS = 100
MOST_WEIGHTS = 2**28  # without those of the words: a gibibyte of them
SIZE = f"a whole number from 1 to {LARGEST:,}"


def by_epoch(value: float | Sequence[float], epochs: int) -> NDArray[np.float64]:
    """One value an epoch: (epochs,); the last of a shorter sequence goes on."""
    values = np.atleast_1d(np.asarray(value, dtype=np.float64))
    return values[np.minimum(np.arange(epochs), len(values) - 1)]


def decayed(
    rates: NDArray[np.float64], decay: float | str, after: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Learning rates at the start and at the end of each epoch.

    Parameters
    ----------
    rates : (epochs,) float
    decay : float or "linear"
        A factor in every epoch after the first ``after``, or a straight fall to zero from there.
    after : int
    """
    epochs = len(rates)
    if isinstance(decay, str):
        left = (epochs - np.arange(epochs + 1)) / max(epochs - after, 1)
        left = np.minimum(1, left) if after < epochs else np.ones(epochs + 1)
        return tuple((rates * left[:-1]).tolist()), tuple((rates * left[1:]).tolist())
    factors = float(decay) ** np.maximum(0, np.arange(epochs) + 1 - after)
    constant = tuple((rates * factors).tolist())
    return constant, constant


def training_settings(parameters: Mapping[str, Any]) -> Training:
    """Turn a model's parameters into the settings of its training run."""
    rates = by_epoch(parameters["learning_rate"], parameters["epochs"])
    learning_rates, final_rates = decayed(
        rates, parameters["learning_rate_decay"], parameters["decay_after"]
    )
    return Training(
        learning_rates=learning_rates,
        final_rates=final_rates,
        momenta=tuple(by_epoch(parameters["momentum"], parameters["epochs"]).tolist()),
        batch_size=parameters["batch_size"],
        shuffle=parameters["shuffle"],
        dropout=parameters["dropout"],
        warm_up=parameters["warm_up"],
        patience=parameters["patience"],
    )


def json_value(value: Any) -> Any:
    """Turn a parameter's value into one that JSON has."""
    if isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str):
        return [json_value(element) for element in value]
    return value.item() if isinstance(value, np.generic) else value


def is_whole(value: Any, least: int) -> bool:
    """Whether ``value`` is an integer, no bool, of at least ``least``."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least


def is_size(value: Any) -> bool:
    """Whether ``value`` is an integer that a network's size, or a count of its steps, may be."""
    return is_whole(value, 1) and int(value) <= LARGEST


def is_within(value: Any, low: float, high: float) -> bool:
    """Whether ``value`` is a number in [low, high)."""
    return isinstance(value, Real) and low <= float(value) < high


def all_of(value: Any, rule: Callable[[Any], bool]) -> bool:
    """Whether ``value`` is a sequence, not empty, whose elements all keep the rule."""
    if isinstance(value, (str, bytes)):
        return False
    is_sequence = value.ndim > 0 if isinstance(value, np.ndarray) else isinstance(value, Sequence)
    return is_sequence and len(value) > 0 and all(map(rule, value))


def is_rate(value: Any) -> bool:
    """Whether ``value`` is a positive, finite number."""
    return is_within(value, 0, np.inf) and value > 0


def is_momentum(value: Any) -> bool:
    """Whether ``value`` is a number in [0, 1)."""
    return is_within(value, 0, 1)


def is_device(value: Any) -> bool:
    """Whether ``value`` names the CPU or a CUDA GPU."""
    return isinstance(value, str) and re.fullmatch(r"cpu|cuda(:\d{1,3})?", value) is not None


RULES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "context": (is_size, SIZE),
    "embedding_dim": (is_size, SIZE),
    "hidden_dims": (
        lambda v: all_of(v, is_size) and len(v) <= MOST_LAYERS,
        f"a sequence of at most {MOST_LAYERS}, each {SIZE}",
    ),
    "learning_rate": (
        lambda v: is_rate(v) or all_of(v, is_rate),
        "a positive number, or one an epoch",
    ),
    "learning_rate_decay": (
        lambda v: is_rate(v) or (isinstance(v, str) and v == "linear"),
        "a positive number or 'linear'",
    ),
    "decay_after": (lambda v: is_whole(v, 0), "a whole number from 0"),
    "warm_up": (lambda v: is_whole(v, 0), "a whole number from 0"),
    "momentum": (
        lambda v: is_momentum(v) or all_of(v, is_momentum),
        "a number from 0 to below 1, or one an epoch",
    ),
    "batch_size": (is_size, SIZE),
    "epochs": (is_size, SIZE),
    "patience": (lambda v: is_whole(v, 1), "a whole number from 1"),
    "init_scale": (is_rate, "a positive number"),
    "dropout": (lambda v: is_within(v, 0, 1), "a number from 0 to below 1"),
    "shortcut": (lambda v: isinstance(v, (bool, np.bool_)), "True or False"),
    "shuffle": (lambda v: isinstance(v, (bool, np.bool_)), "True or False"),
    "validation_fraction": (lambda v: is_within(v, 0, 1), "a number from 0 to below 1"),
    "min_count": (lambda v: is_whole(v, 1), "a whole number from 1"),
    "min_frequency": (lambda v: is_within(v, 0, 1), "a number from 0 to below 1"),
    "unigram_shift": (lambda v: is_within(v, 0, np.inf), "a number from 0"),
    "sentence_start": (lambda v: isinstance(v, (bool, np.bool_)), "True or False"),
    "sentence_end": (lambda v: isinstance(v, (bool, np.bool_)), "True or False"),
    "vocabulary_size": (lambda v: is_whole(v, 1), "a whole number from 1"),
    "random_state": (lambda v: is_whole(v, 0), "a whole number from 0"),
    "device": (is_device, "'cpu', 'cuda' or 'cuda:N'"),
}


def check_parameters(parameters: Mapping[str, Any]) -> None:
    """Raise UsageError where a parameter's value cannot be used."""
    for name, (rule, need) in RULES.items():
        if not rule(parameters[name]):
            raise UsageError(f"{name} must be {need}; it is {parameters[name]!r:.200}")
    _check_size(parameters)
    position, last = parameters["target_position"], parameters["context"] + 1
    if position is not None and not (is_whole(position, 1) and position <= last):
        raise UsageError(
            f"target_position must be from 1 to {last} (one more than context), or "
            f"None for the last; it is {position!r}"
        )
    if (
        parameters["sentence_end"]
        and not parameters["sentence_start"]
        and position not in (None, last)
    ):
        raise UsageError(
            f"target_position={position} with sentence_end=True needs sentence_start=True: the end "
            "of a sentence never stands within a sentence, so it would not be trained on"
        )


def _check_size(parameters: Mapping[str, Any]) -> None:
    """Refuse a network that no memory holds, before any is asked for."""
    sizes = {name: parameters[name] for name in ("context", "embedding_dim", "hidden_dims")}
    shapes = feedforward_network_shapes(n_inputs=1, n_outputs=1, **sizes)
    n_weights = sum(int(n_in) * int(n_out) for n_in, n_out in shapes)
    if n_weights > MOST_WEIGHTS:
        raise UsageError(
            f"context, embedding_dim and hidden_dims make {n_weights:,} weights; at most "
            f"{MOST_WEIGHTS:,} can be learnt: make them smaller"
        )
