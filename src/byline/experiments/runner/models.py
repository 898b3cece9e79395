"""Unfitted language models, made from the sections of an experiment's configuration."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import clone

from byline.errors import BylineWarning, TrainingError, UsageError
from byline.lm import FeedForwardLM, LanguageModel, NgramLM
from byline.lm.inputs import is_size
from byline.lm.networks.network_lm import parameter_names, set_parameters

KINDS: Mapping[str, type[LanguageModel]] = {"ngram": NgramLM, "feedforward": FeedForwardLM}


def language_model(kind: str, preset: str | None, settings: Mapping[str, Any]) -> LanguageModel:
    """Make an unfitted model with the settings of a preset, changed by the given ones.

    Parameters
    ----------
    kind : {"ngram", "feedforward"}
    preset : {"srilm", "ge-sun-2016"} or None
    settings : mapping of parameter to value
        Parameters of the training have their short names: ``learning_rate``, not
        ``training__learning_rate``.

    Raises
    ------
    UsageError
        The kind has no such preset or parameter.
    """
    if preset is None:
        model = KINDS[kind]()
    elif (kind, preset) == ("ngram", "srilm"):
        model = NgramLM.like_srilm()
    elif (kind, preset) == ("feedforward", "ge-sun-2016"):
        model = FeedForwardLM.like_ge_sun_2016()
    else:
        raise UsageError(f"preset={preset!r}: models of kind {kind!r} have no such preset")
    known = parameter_names(model)
    strange = sorted(set(settings) - set(known))
    if strange:
        raise UsageError(
            f"settings: {', '.join(strange)}: there is no such parameter of a model of kind "
            f"{kind!r}; known are {', '.join(known)}"
        )
    if "random_state" in settings:
        raise UsageError(
            "settings: random_state: seeds derive from the experiment's seed and names"
        )
    return set_parameters(model, settings)


def check_settings(model: LanguageModel) -> None:
    """Refuse values of parameters that cannot be used, by learning from next to nothing.

    Raises
    ------
    UsageError
        As the model's own `fit` says it.
    """
    tried = clone(model)
    if isinstance(tried, FeedForwardLM):
        tried.training.device = "cpu"  # the workers may have a GPU that this computer lacks
        if is_size(tried.training.epochs):
            tried.training.epochs = 1  # one epoch finds the same errors as all
    text = [np.arange(1, 4, dtype=np.int32)] * 4
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        try:
            tried.fit(text, vocabulary_size=4, validation=text)
        except TrainingError:
            return  # there is too little text, as was to be expected
        except TypeError as error:
            raise UsageError(f"settings: {error}") from error


def check_scoring(model: LanguageModel, *, sentence_start: bool, sentence_end: bool) -> None:
    """Refuse a model that cannot be scored with these marks, before it is learnt.

    Raises
    ------
    UsageError
        A network is trained to another start of sentences, or a model without their end.
    """
    if isinstance(model, FeedForwardLM) and model.sentence_start != sentence_start:
        raise UsageError(
            f"settings: sentence_start={model.sentence_start}, but [scoring] has "
            f"sentence_start={sentence_start}, and a network can be scored only as it was trained; "
            "make them the same"
        )
    if sentence_end and not model.sentence_end:
        raise UsageError(
            "settings: sentence_end=False, but [scoring] has sentence_end=True; make them the same"
        )
