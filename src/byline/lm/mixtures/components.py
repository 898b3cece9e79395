"""The components of a mixture: their seeds, background models, progress and stored states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from byline.lm.base import LanguageModel, ModelState
from byline.progress import Progress

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


def make_background(model: LanguageModel) -> LanguageModel:
    """Make the unfitted background model of a model, or a clone of a model that uses none."""
    make = getattr(model, "background_model", None)
    made: LanguageModel = clone(model) if make is None else make()
    return made


def background_argument(
    model: LanguageModel, background: LanguageModel | None
) -> dict[str, LanguageModel]:
    """Return the ``background`` argument of a model's `fit`; empty if the model uses none."""
    if background is None or not has_fit_parameter(model, "background"):
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
        {"kind": model.kind, "params": dict(state.params)}
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
    kinds: Mapping[str, type[LanguageModel]],
    backgrounds: Sequence[LanguageModel] | None,
) -> tuple[LanguageModel, ...]:
    """Rebuild the models from the results of `join_states`.

    Parameters
    ----------
    descriptions, arrays : the results of `join_states`
    kinds : mapping of str to class
        Classes that may be rebuilt.
    backgrounds : sequence of LanguageModel, optional
        One per model, if `join_states` did not include them.

    Raises
    ------
    KeyError, TypeError, ValueError
        A kind is unknown, or the number of background models is wrong.
    ModelFileError
        A state does not belong to a model of its kind.
    """
    given = [None] * len(descriptions) if backgrounds is None else backgrounds
    return tuple(
        _rebuild(
            kinds[description["kind"]],
            ModelState(description["params"], _arrays_of(index, arrays)),
            background,
        )
        for index, (description, background) in enumerate(zip(descriptions, given, strict=True))
    )


def _state_of(model: LanguageModel, *, with_background: bool) -> ModelState:
    get_state = model.get_state
    if not with_background:
        get_state = getattr(model, "get_state_without_background", get_state)
    return get_state()


def _rebuild(
    kind: type[LanguageModel], state: ModelState, background: LanguageModel | None
) -> LanguageModel:
    if background is None or not hasattr(kind, "from_state_and_background"):
        return kind.from_state(state)
    model: LanguageModel = kind.from_state_and_background(state, background)
    return model


def _arrays_of(index: int, arrays: Arrays) -> Arrays:
    prefix = f"{index}."
    named = {name: array for name, array in arrays.items() if name.startswith(prefix)}
    return {name.removeprefix(prefix): array for name, array in named.items()}
