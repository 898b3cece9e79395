"""The components of a mixture: their seeds, background models, progress and stored states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from byline.array_types import Floats
from byline.errors import TrainingError, UsageError
from byline.lm.base import LanguageModel
from byline.lm.inputs import all_of, is_within
from byline.lm.model_state import ModelState
from byline.lm.registry import LANGUAGE_MODEL_KINDS
from byline.progress import Progress

TOLERANCE = 1e-7  # nats per token
MAX_STEPS = 1000


def normalized_weights(weights: Sequence[float] | None, n_components: int) -> Floats:
    """Return the given weights, with a sum of exactly one; equal weights for None.

    Returns
    -------
    (n_components,) float64

    Raises
    ------
    UsageError
        The number of weights is wrong, a weight is negative, or their sum is not one.

    Examples
    --------
    >>> normalized_weights(None, 4).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    if weights is None:
        return np.full(n_components, 1 / n_components)
    are_numbers = all_of(weights, lambda weight: is_within(weight, 0, np.inf))
    has_right_length = are_numbers and len(weights) == n_components
    if not has_right_length or not np.isclose(sum(weights), 1, atol=1e-6):
        raise UsageError(
            f"weights must be 'em', or {n_components} numbers from 0 with a sum of 1, one per "
            f"component; they are {weights!r}"
        )
    given = np.asarray(weights, dtype=np.float64)
    return np.asarray(given / given.sum())


def fit_weights(log_probs: Floats) -> tuple[Floats, list[float]]:
    """Find the weights with which a mixture gives held-out tokens the highest probability.

    The method is expectation maximisation (Dempster et al. 1977) from equal weights. In each step,
    the new weight of a component is the mean, over the tokens, of the probability that the token
    came from this component. No step decreases the likelihood, and its only local maximum is the
    global one. The iteration stops when a step improves the likelihood by less than `TOLERANCE`.

    Parameters
    ----------
    log_probs : (n_components, n_tokens) float64
        Log-probabilities (nats) of the tokens under each component.

    Returns
    -------
    weights : (n_components,) float64
    history : list of float
        Mean log-probability (nats) per token with the weights of each step, the last one included.

    Raises
    ------
    TrainingError
        There is no token.

    Examples
    --------
    The second model gives a higher probability to all tokens:

    >>> weights, _ = fit_weights(np.log([[0.1, 0.2, 0.1], [0.5, 0.6, 0.7]]))
    >>> weights.round(3).tolist()
    [0.0, 1.0]
    """
    if not log_probs.shape[1]:
        raise TrainingError(
            "no token is held out, so the weights of the mixture cannot be fitted; add training "
            "texts or validation texts, or set fixed weights"
        )
    highest = log_probs.max(axis=0)
    probs = np.exp(log_probs - highest)
    weights = np.full(len(probs), 1 / len(probs))
    history: list[float] = []
    while True:
        mixed = weights @ probs  # (n_tokens,)
        history.append(float((np.log(mixed) + highest).mean()))
        gain = history[-1] - history[-2] if len(history) > 1 else np.inf
        if gain < TOLERANCE or len(history) > MAX_STEPS:
            return weights, history
        weights = weights * (probs / mixed).mean(axis=1)
        weights /= weights.sum()


Arrays = Mapping[str, NDArray[Any]]

_STEPS = 1000  # in which the progress of each component is reported


def clone_with_seeds(models: Sequence[LanguageModel], random_state: int) -> list[LanguageModel]:
    """Clone prototypes, and give each one that uses random numbers a seed of its own."""
    clones: list[LanguageModel] = [clone(model) for model in models]
    for index, model in enumerate(clones):
        if "random_state" in model.get_params(deep=False):
            (seed,) = np.random.SeedSequence((random_state, index)).generate_state(1)
            model.set_params(random_state=int(seed))
    return clones


def background_argument(
    model: LanguageModel, background: LanguageModel | None
) -> dict[str, LanguageModel]:
    """Return the ``background`` argument of a model's `fit`; empty if the model uses none."""
    if background is None or model.background_use == "none":
        return {}
    return {"background": background}


def progress_of_component(
    progress: Progress | None, index: int, n_components: int
) -> Progress | None:
    """Convert the progress of one component to the progress of the mixture."""
    if progress is None:
        return None

    def report(done: int, total: int, what: str) -> None:
        steps = index * _STEPS + _STEPS * done // max(total, 1)
        progress(steps, n_components * _STEPS, f"component {index + 1} of {n_components}: {what}")

    return report


def join_states(
    models: Sequence[LanguageModel], *, with_background: bool
) -> tuple[list[dict[str, Any]], Arrays]:
    """Describe models, and collect their arrays: ``name`` of the first model becomes ``0.name``.

    Parameters
    ----------
    models : sequence of LanguageModel
        Fitted models.
    with_background : bool
        Whether background models are included.

    Returns
    -------
    descriptions : list of dict of JSON values
    arrays : dict of str to array
    """
    states = [_state_of(model, with_background=with_background) for model in models]
    descriptions = [
        LANGUAGE_MODEL_KINDS.entry(type(model)) | {"params": dict(state.params)}
        for model, state in zip(models, states, strict=True)
    ]
    arrays = {
        f"{index}.{name}": array
        for index, state in enumerate(states)
        for name, array in state.arrays.items()
    }
    return descriptions, arrays


def split_states(
    descriptions: Sequence[Mapping[str, Any]],
    arrays: Arrays,
    backgrounds: Sequence[LanguageModel] | None,
) -> tuple[LanguageModel, ...]:
    """Rebuild the models from the results of `join_states`.

    Parameters
    ----------
    descriptions, arrays : the results of `join_states`
    backgrounds : sequence of LanguageModel, optional
        One per model, if `join_states` did not include them.

    Raises
    ------
    KeyError, TypeError, ValueError
        A kind is unknown, or the number of background models is wrong.
    PluginError
        A kind belongs to a package that is missing or broken.
    ModelFileError
        A state does not belong to a model of its kind.
    """
    given = [None] * len(descriptions) if backgrounds is None else backgrounds
    return tuple(
        _rebuild(
            LANGUAGE_MODEL_KINDS.of_entry(description),
            ModelState(description["params"], _arrays_of(index, arrays)),
            background,
        )
        for index, (description, background) in enumerate(zip(descriptions, given, strict=True))
    )


def _state_of(model: LanguageModel, *, with_background: bool) -> ModelState:
    return model.get_state() if with_background else model.get_state_without_background()


def _rebuild(
    kind: type[LanguageModel], state: ModelState, background: LanguageModel | None
) -> LanguageModel:
    if background is None:
        return kind.from_state(state)
    return kind.from_state_and_background(state, background)


def _arrays_of(index: int, arrays: Arrays) -> Arrays:
    prefix = f"{index}."
    named = {name: array for name, array in arrays.items() if name.startswith(prefix)}
    return {name.removeprefix(prefix): array for name, array in named.items()}
