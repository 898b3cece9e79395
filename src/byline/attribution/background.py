"""A background of all known texts together, which models adapt or are held against."""

from __future__ import annotations

from collections.abc import Mapping

from sklearn.utils.validation import has_fit_parameter

from byline.attribution.known import KnownText
from byline.attribution.scoring import LIKELIHOOD_RATIO
from byline.errors import UsageError
from byline.lm import NgramLM
from byline.lm.adaptation import AdaptedNgramLM
from byline.lm.base import LanguageModel

BACKGROUNDS = ("none", "pooled")


def check_background(
    background: str, prototype: LanguageModel | None, score: str, vocabulary: str
) -> None:
    """Refuse a background that nothing uses, and what uses one where there is none.

    Raises
    ------
    UsageError
        Says which parameters do not go together.
    """
    if background == "none":
        if isinstance(prototype, AdaptedNgramLM):
            raise UsageError("an AdaptedNgramLM adapts a background; set background='pooled'")
        if score == LIKELIHOOD_RATIO:
            raise UsageError(f"score={score!r} needs a background; set background='pooled'")
        return
    if vocabulary != "shared":
        raise UsageError(
            f"background={background!r}: it is of all authors, so all need one vocabulary; set "
            "vocabulary='shared'"
        )
    if prototype is not None and not adapts(prototype) and score != LIKELIHOOD_RATIO:
        raise UsageError(
            f"background={background!r}: a {type(prototype).__name__} does not adapt one; choose "
            f"an AdaptedNgramLM, or score={LIKELIHOOD_RATIO!r}"
        )


def prototype_for(model: LanguageModel | None, background: str) -> LanguageModel:
    """Return the prototype of the authors' models; the default one where there is none."""
    if model is not None:
        return model
    return NgramLM() if background == "none" else AdaptedNgramLM()


def adapts(model: LanguageModel) -> bool:
    """Whether a model can be fitted on top of a background."""
    return bool(has_fit_parameter(model, "background"))


def pool(known: Mapping[str, KnownText]) -> KnownText:
    """Return all authors' known texts as if one author had written them."""
    texts = list(known.values())
    return KnownText(
        sentences=[sentence for text in texts for sentence in text.sentences],
        n_tokens=sum(text.n_tokens for text in texts),
        vocabulary_size=texts[0].vocabulary_size,
    )
