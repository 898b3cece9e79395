"""Collect all caveats that apply to one answer."""

from __future__ import annotations

from collections.abc import Iterator

from byline.attribution.caveats.accuracy_by_length import guessing_caveats, length_caveats
from byline.attribution.caveats.caveat import Caveat
from byline.attribution.caveats.conventions import (
    deviating_convention_caveats,
    known_convention_caveats,
)
from byline.attribution.caveats.questioned_text import (
    candidate_name_caveats,
    missing_feature_caveats,
    repetition_caveats,
    unknown_word_caveats,
    unlike_known_texts_caveats,
    word_frequency_caveats,
)
from byline.attribution.caveats.reference import reference_caveats
from byline.attribution.caveats.training_texts import (
    shared_passage_caveats,
    single_work_caveats,
    training_amount_caveats,
)
from byline.attribution.evidence import explanation
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.result import Attribution
from byline.attribution.stacking import StackedAttributor
from byline.attribution.stacking.calibrator import HeldOutResults
from byline.attribution.stacking.combination import count_characters
from byline.attribution.stacking.linked_features import features_of
from byline.attribution.training_record.record import TrainingRecord


def caveats_for(
    attributor: AuthorshipAttributor | StackedAttributor, answer: Attribution, text: str
) -> tuple[Caveat, ...]:
    """Find all caveats that apply to an answer.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        The model that answered. Language models alone have no held-out texts to compare the
        questioned text with, so fewer caveats can be found.
    answer : Attribution
        The model's answer.
    text : str
        The questioned text.

    Returns
    -------
    tuple of Caveat
        Empty if the answer was declined, or if no caveat applies.

    See Also
    --------
    byline.answering.answer_texts : Answers, each with its caveats.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> text = "the wind"
    >>> [answer] = model.attribute([text])
    >>> [caveat.code for caveat in caveats_for(model, answer, text)]
    []
    """
    if answer.declined is not None:
        return ()
    return tuple(_find_caveats(attributor, answer, text))


def _find_caveats(
    attributor: AuthorshipAttributor | StackedAttributor, answer: Attribution, text: str
) -> Iterator[Caveat]:
    known: TrainingRecord | None = getattr(attributor, "training_record_", None)
    held_out: HeldOutResults | None = getattr(attributor, "held_out_results_", None)
    if known is not None:  # the first, because it is the most serious
        yield from shared_passage_caveats(text, known)
    if answer.calibration_unavailable_reason is not None:
        reason = answer.calibration_unavailable_reason
        yield Caveat("uncalibrated", f"No probability is stated: {reason}.", {"reason": reason})
    yield from _convention_caveats(attributor, text)
    features = features_of(getattr(attributor, "base_classifiers_", None))
    yield from missing_feature_caveats(text, features)
    yield from candidate_name_caveats(text, attributor.classes_)
    yield from repetition_caveats(text)
    size = int(count_characters([text])[0])
    if held_out is not None:
        right = held_out.log_odds.argmax(axis=1) == held_out.labels
        yield from length_caveats(size, held_out.sizes, right, held_out.is_whole)
        yield from guessing_caveats(right[held_out.is_whole], len(answer.ranking))
    models = _language_models(attributor)
    if answer.unknown_tokens is not None:
        yield from unknown_word_caveats(*answer.unknown_tokens)
    if known is not None:
        yield from word_frequency_caveats(text, known.frequency_profile)
    if held_out is not None and held_out.nats_per_character is not None:
        under_models = [place.log_likelihood for place in answer.ranking]
        best = max(value for value in under_models if value is not None)
        yield from unlike_known_texts_caveats(
            -best / max(size, 1), size, held_out.nats_per_character, held_out.sizes
        )
    if known is not None:
        yield from training_amount_caveats(
            {author: sum(each.n_words for each in known.by(author)) for author in known.authors}
        )
        yield from single_work_caveats(known)
    elif models is not None:
        yield from training_amount_caveats(models.n_tokens_per_author_)
    yield from reference_caveats(getattr(attributor, "reference_validation_", None))
    if explanation.is_too_long_to_explain(text):
        yield Caveat(
            "not-explained",
            f"The text has {len(text):,} characters. Evidence and rolling attribution are shown "
            f"only for texts of up to {explanation.MAX_EXPLAINED_CHARACTERS:,} characters. Ask "
            "about parts of the text, or use `byline explain`.",
            {"n_characters": len(text)},
        )


def _convention_caveats(
    attributor: AuthorshipAttributor | StackedAttributor, text: str
) -> Iterator[Caveat]:
    if isinstance(attributor, StackedAttributor):
        yield from known_convention_caveats(attributor.form_differences_)
        yield from deviating_convention_caveats(attributor.choose_rule(text))


def _language_models(
    attributor: AuthorshipAttributor | StackedAttributor,
) -> AuthorshipAttributor | None:
    return attributor.language_models_ if isinstance(attributor, StackedAttributor) else attributor
