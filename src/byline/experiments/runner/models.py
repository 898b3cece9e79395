"""From a configuration's words to a language model that has learnt nothing yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byline.errors import UsageError
from byline.lm import FeedForwardLM, LanguageModel, NgramLM

KINDS: Mapping[str, type[LanguageModel]] = {"ngram": NgramLM, "feedforward": FeedForwardLM}


def language_model(kind: str, preset: str | None, settings: Mapping[str, Any]) -> LanguageModel:
    """Make a model of its kind, with a preset's settings and then those given.

    Parameters
    ----------
    kind : {"ngram", "feedforward"}
    preset : {"srilm", "ge-sun-2016"} or None
    settings : mapping of parameter to value

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
    known = model.get_params()
    strange = sorted(set(settings) - set(known))
    if strange:
        raise UsageError(
            f"settings: {', '.join(strange)}: there is no such parameter of a model of kind "
            f"{kind!r}; known are {', '.join(sorted(known))}"
        )
    model.set_params(**settings)
    return model


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
