"""All that is to be kept in mind about one answer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from byline.attribution.attributor import AuthorshipAttributor
from byline.attribution.cautions.caution import Caution
from byline.attribution.cautions.known import (
    caution_of_amounts,
    caution_of_passages,
    caution_of_single_works,
)
from byline.attribution.cautions.lengths import cautions_of_length
from byline.attribution.cautions.novelty import (
    caution_of_habits,
    caution_of_surprise,
    caution_of_unknown_words,
)
from byline.attribution.cautions.own_name import cautions_of_names
from byline.attribution.known_texts import KnownTexts
from byline.attribution.result import Attribution
from byline.attribution.stacking import StackedAttributor
from byline.attribution.stacking.answers import HeldOutAnswers
from byline.attribution.stacking.scores import sizes_of
from byline.lm.base import UNK


def cautions_about(
    attributor: AuthorshipAttributor | StackedAttributor, answer: Attribution, text: str
) -> tuple[Caution, ...]:
    """Say what makes an answer less sure than it looks; nothing about a declined one.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        The one that gave the answer. Of language models alone nothing was held out, so that less
        can be said.
    answer : Attribution
    text : str

    Returns
    -------
    tuple of Caution
        None of them where there is nothing to say.
    """
    if answer.declined is not None:
        return ()
    return tuple(_cautions(attributor, answer, text))


def _cautions(
    attributor: AuthorshipAttributor | StackedAttributor, answer: Attribution, text: str
) -> Iterator[Caution]:
    known: KnownTexts | None = getattr(attributor, "known_texts_", None)
    held_out: HeldOutAnswers | None = getattr(attributor, "held_out_answers_", None)
    if answer.uncalibrated is not None:
        reason = answer.uncalibrated
        yield Caution("uncalibrated", f"There is no probability: {reason}.", {"reason": reason})
    if known is not None:
        yield from caution_of_passages(text, known)
    yield from cautions_of_names(text, attributor.classes_)
    size = int(sizes_of([text])[0])
    if held_out is not None:
        right = held_out.log_odds.argmax(axis=1) == held_out.labels
        yield from cautions_of_length(size, held_out.sizes, right, held_out.is_whole)
    models = _language_models(attributor)
    if models is not None:
        yield from caution_of_unknown_words(*_count_unknown(models, text))
    if known is not None:
        yield from caution_of_habits(text, known.habits)
    if held_out is not None:
        surprise = -max(place.log_likelihood for place in answer.ranking) / max(size, 1)
        yield from caution_of_surprise(
            surprise, size, np.asarray(held_out.nats_per_character), held_out.sizes
        )
    if known is not None:
        yield from caution_of_amounts(
            {author: sum(each.n_words for each in known.by(author)) for author in known.authors}
        )
        yield from caution_of_single_works(known)
    elif models is not None:
        yield from caution_of_amounts(models.n_tokens_per_author_)


def _language_models(
    attributor: AuthorshipAttributor | StackedAttributor,
) -> AuthorshipAttributor | None:
    return attributor.language_models_ if isinstance(attributor, StackedAttributor) else attributor


def _count_unknown(models: AuthorshipAttributor, text: str) -> tuple[int, int]:
    """Count a text's tokens that no author's vocabulary has, and all of them."""
    sentences = models.encoder_.tokenize(text)
    encoders = {id(encoder): encoder for encoder in models.encoders_.values()}
    views = [encoder.encode(sentences) for encoder in encoders.values()]
    unknown = [
        np.logical_and.reduce([ids == UNK for ids in of_sentence])
        for of_sentence in zip(*views, strict=True)
    ]
    return sum(int(each.sum()) for each in unknown), sum(map(len, sentences))
