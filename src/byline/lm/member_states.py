"""The states of several language models as one, and apart again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from byline.lm.base import LanguageModel, ModelState

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


def part_states(
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
    get_state = getattr(model, "get_own_state", model.get_state) if own else model.get_state
    state: ModelState = get_state()
    return state


def _rebuild(
    kind: type[LanguageModel], state: ModelState, background: LanguageModel | None
) -> LanguageModel:
    if background is None or not hasattr(kind, "from_own_state"):
        return kind.from_state(state)
    model: LanguageModel = kind.from_own_state(state, background)
    return model


def _arrays_of(place: int, arrays: Arrays) -> Arrays:
    start = f"{place}."
    named = {name: array for name, array in arrays.items() if name.startswith(start)}
    return {name.removeprefix(start): array for name, array in named.items()}
