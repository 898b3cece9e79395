"""Untrained language models made from the settings of a configuration, and checks of these."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import clone

from byline.errors import BylineWarning, TrainingError, UsageError
from byline.lm import FeedForwardLM, LanguageModel, NgramLM
from byline.lm.inputs import is_size, parameter_names, set_parameters

KINDS: Mapping[str, type[LanguageModel]] = {"ngram": NgramLM, "feedforward": FeedForwardLM}


def language_model(kind: str, preset: str | None, settings: Mapping[str, Any]) -> LanguageModel:
    """Make an untrained model with the settings of a preset and those given.

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
    unknown = sorted(set(settings) - set(known))
    if unknown:
        raise UsageError(
            f"settings: {', '.join(unknown)}: a model of kind {kind!r} has no such parameter; "
            f"known are {', '.join(known)}"
        )
    if "random_state" in settings:
        raise UsageError(
            "settings: random_state cannot be set, because it derives from the experiment's seed; "
            "remove it"
        )
    return set_parameters(model, settings)


def check_settings(model: LanguageModel) -> None:
    """Check the values of parameters by training on a tiny text.

    Raises
    ------
    UsageError
        The `fit` of the model rejects a value.
    """
    tried = clone(model)
    if isinstance(tried, FeedForwardLM):
        tried.training.device = "cpu"  # workers on other machines may have other devices
        if is_size(tried.training.epochs):
            tried.training.epochs = 1  # one epoch is enough to check the values
    text = [np.arange(1, 4, dtype=np.int32)] * 4
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        try:
            tried.fit(text, vocabulary_size=4, validation=text)
        except TrainingError:
            return  # the text is too short, as expected
        except UsageError:  # which names the parameter
            raise
        except TypeError as error:
            raise UsageError(f"settings: {error}") from error


def check_scoring(model: LanguageModel, *, sentence_start: bool, sentence_end: bool) -> None:
    """Check before training that a model can be scored with these sentence marks.

    Raises
    ------
    UsageError
        A network is trained with another start of sentences, or a model without their end.
    """
    if isinstance(model, FeedForwardLM) and model.sentence_start != sentence_start:
        raise UsageError(
            f"settings: sentence_start={model.sentence_start}, but [scoring] has "
            f"sentence_start={sentence_start}. A network can only be scored as it was trained; "
            "use the same value in both places"
        )
    if sentence_end and not model.sentence_end:
        raise UsageError(
            "settings: sentence_end=False, but [scoring] has sentence_end=True; use the same value "
            "in both places"
        )
