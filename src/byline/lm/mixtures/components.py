"""What the models of a mixture are given: seeds, backgrounds, and a part of the progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from byline.lm.base import LanguageModel, ModelState
from byline.progress import Progress

STEPS = 1000  # that the progress of each model is told in


def clone_with_seeds(models: Sequence[LanguageModel], random_state: int) -> list[LanguageModel]:
    """Clone prototypes; those that draw random numbers are given a seed each."""
    clones: list[LanguageModel] = [clone(model) for model in models]
    for place, model in enumerate(clones):
        if "random_state" in model.get_params(deep=False):
            (seed,) = np.random.SeedSequence((random_state, place)).generate_state(1)
            model.set_params(random_state=int(seed))
    return clones


def make_background(model: LanguageModel) -> LanguageModel:
    """Return the background that a model adapts; of one that adapts none, a clone of itself."""
    make = getattr(model, "background_model", None)
    made: LanguageModel = clone(model) if make is None else make()
    return made


def background_argument(
    model: LanguageModel, background: LanguageModel | None
) -> dict[str, LanguageModel]:
    """Return what a model's `fit` is to be told of a background: nothing, if it adapts none."""
    if background is None or not has_fit_parameter(model, "background"):
        return {}
    return {"background": background}


def progress_of_component(progress: Progress | None, place: int, n_models: int) -> Progress | None:
    """Turn the progress of one model of several into the progress of all."""
    if progress is None:
        return None

    def tell(done: int, total: int, what: str) -> None:
        steps = place * STEPS + STEPS * done // max(total, 1)
        progress(steps, n_models * STEPS, f"model {place + 1} of {n_models}: {what}")

    return tell


Arrays = Mapping[str, NDArray[Any]]


def join_states(
    models: Sequence[LanguageModel], *, own: bool
) -> tuple[list[dict[str, Any]], Arrays]:
    """Describe models, and put their arrays together: ``name`` of the first becomes ``0.name``.

    Parameters
    ----------
    models : sequence of LanguageModel
        Fitted.
    own : bool
        Whether models that keep a background are to leave it out.

    Returns
    -------
    descriptions : list of dict of JSON values
    arrays : dict of str to array
    """
    states = [_state_of(model, own=own) for model in models]
    descriptions = [
        {"kind": model.kind, "params": dict(state.params)}
        for model, state in zip(models, states, strict=True)
    ]
    arrays = {
        f"{place}.{name}": array
        for place, state in enumerate(states)
        for name, array in state.arrays.items()
    }
    return descriptions, arrays


def split_states(
    descriptions: Sequence[Mapping[str, Any]],
    arrays: Arrays,
    kinds: Mapping[str, type[LanguageModel]],
    backgrounds: Sequence[LanguageModel] | None,
) -> tuple[LanguageModel, ...]:
    """Rebuild the models that `join_states` was given.

    Parameters
    ----------
    descriptions, arrays : as `join_states` returned them
    kinds : mapping of str to class
        Nothing else is built.
    backgrounds : sequence of LanguageModel, optional
        One a model, where they were left out.

    Raises
    ------
    KeyError, TypeError, ValueError
        A kind is not known, or there are not as many backgrounds.
    ModelFileError
        A state is none of its kind.
    """
    given = [None] * len(descriptions) if backgrounds is None else backgrounds
    return tuple(
        _rebuild(
            kinds[description["kind"]],
            ModelState(description["params"], _arrays_of(place, arrays)),
            background,
        )
        for place, (description, background) in enumerate(zip(descriptions, given, strict=True))
    )


def _state_of(model: LanguageModel, *, own: bool) -> ModelState:
    get_state = (
        getattr(model, "get_state_without_background", model.get_state) if own else model.get_state
    )
    state: ModelState = get_state()
    return state


def _rebuild(
    kind: type[LanguageModel], state: ModelState, background: LanguageModel | None
) -> LanguageModel:
    if background is None or not hasattr(kind, "from_state_and_background"):
        return kind.from_state(state)
    model: LanguageModel = kind.from_state_and_background(state, background)
    return model


def _arrays_of(place: int, arrays: Arrays) -> Arrays:
    start = f"{place}."
    named = {name: array for name, array in arrays.items() if name.startswith(start)}
    return {name.removeprefix(start): array for name, array in named.items()}
