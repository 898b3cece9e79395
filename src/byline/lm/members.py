"""What the models of a mixture are given: seeds, backgrounds, and a part of the progress."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from byline.lm.base import LanguageModel
from byline.progress import Progress

STEPS = 1000  # that the progress of each model is told in


def seeded(models: Sequence[LanguageModel], random_state: int) -> list[LanguageModel]:
    """Clone prototypes; those that draw random numbers are given a seed each."""
    clones: list[LanguageModel] = [clone(model) for model in models]
    for place, model in enumerate(clones):
        if "random_state" in model.get_params(deep=False):
            (seed,) = np.random.SeedSequence((random_state, place)).generate_state(1)
            model.set_params(random_state=int(seed))
    return clones


def background_of(model: LanguageModel) -> LanguageModel:
    """Return the background that a model adapts; of one that adapts none, a clone of itself."""
    make = getattr(model, "background_model", None)
    made: LanguageModel = clone(model) if make is None else make()
    return made


def background_for(
    model: LanguageModel, background: LanguageModel | None
) -> dict[str, LanguageModel]:
    """Return what a model's `fit` is to be told of a background: nothing, if it adapts none."""
    if background is None or not has_fit_parameter(model, "background"):
        return {}
    return {"background": background}


def part_of(progress: Progress | None, place: int, n_models: int) -> Progress | None:
    """Turn the progress of one model of several into the progress of all."""
    if progress is None:
        return None

    def tell(done: int, total: int, what: str) -> None:
        steps = place * STEPS + STEPS * done // max(total, 1)
        progress(steps, n_models * STEPS, f"model {place + 1} of {n_models}: {what}")

    return tell
