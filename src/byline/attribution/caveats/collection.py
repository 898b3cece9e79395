"""All that is to be kept in mind about one answer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from byline.attribution.caveats.accuracy_by_length import length_caveats
from byline.attribution.caveats.caveat import Caveat
from byline.attribution.caveats.questioned_text import (
    candidate_name_caveats,
    unknown_word_caveats,
    unlike_known_texts_caveats,
    word_frequency_caveats,
)
from byline.attribution.caveats.training_texts import (
    shared_passage_caveats,
    single_work_caveats,
    training_amount_caveats,
)
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.result import Attribution
from byline.attribution.stacking import StackedAttributor
from byline.attribution.stacking.calibrator import HeldOutResults
from byline.attribution.stacking.scores import count_characters
from byline.attribution.training_record.record import TrainingRecord
from byline.lm.base import UNK


def caveats_for(
    attributor: AuthorshipAttributor | StackedAttributor, answer: Attribution, text: str
) -> tuple[Caveat, ...]:
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
) -> Iterator[Caveat]:
    known: TrainingRecord | None = getattr(attributor, "training_record_", None)
    held_out: HeldOutResults | None = getattr(attributor, "held_out_results_", None)
    if answer.uncalibrated is not None:
        reason = answer.uncalibrated
        yield Caveat("uncalibrated", f"There is no probability: {reason}.", {"reason": reason})
    if known is not None:
        yield from shared_passage_caveats(text, known)
    yield from candidate_name_caveats(text, attributor.classes_)
    size = int(count_characters([text])[0])
    if held_out is not None:
        right = held_out.log_odds.argmax(axis=1) == held_out.labels
        yield from length_caveats(size, held_out.sizes, right, held_out.is_whole)
    models = _language_models(attributor)
    if models is not None:
        yield from unknown_word_caveats(*_count_unknown(models, text))
    if known is not None:
        yield from word_frequency_caveats(text, known.habits)
    if held_out is not None:
        surprise = -max(place.log_likelihood for place in answer.ranking) / max(size, 1)
        yield from unlike_known_texts_caveats(
            surprise, size, np.asarray(held_out.nats_per_character), held_out.sizes
        )
    if known is not None:
        yield from training_amount_caveats(
            {author: sum(each.n_words for each in known.by(author)) for author in known.authors}
        )
        yield from single_work_caveats(known)
    elif models is not None:
        yield from training_amount_caveats(models.n_tokens_per_author_)


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
