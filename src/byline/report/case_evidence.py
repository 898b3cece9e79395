"""The evidence of a case report: in short, and how it is related to the likelihood ratio."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from byline.answering import Answer
from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.attribution.training_record.record import TrainingRecord
from byline.formatting import isolated, times_as_much
from byline.report.case_sentences import MIN_LOG10_LR
from byline.report.evidence import Part, evidence_part

N_STRONGEST = 5  # words on the first screen


def explanation_part(entry: Mapping[str, Any], answer: Answer, at_most: int) -> Part | None:
    """Prepare the evidence of an answer for a template.

    Parameters
    ----------
    entry : mapping
        The entry of the questioned text, see `byline.report.attribution_summary`.
    answer : Answer
    at_most : int
        Approximate largest number of tokens to show.

    Returns
    -------
    dict or None
        The keys of `evidence_part`, "strongest" (see `strongest_words`), "runner_up" (a sentence)
        and "scale" (a sentence, or None). None without evidence.
    """
    evidence, attributor = answer.evidence, answer.attributor
    if evidence is None:
        return None
    given = evidence, answer.text, attributor.encoder_
    part = evidence_part(*given, at_most=at_most, frequent=frequent_words(attributor))
    return part | {
        "strongest": strongest_words(part),
        "runner_up": runner_up_sentence(entry),
        "scale": scale_sentence(evidence.log_lr, entry) if evidence.by_classifier else None,
    }


def frequent_words(attributor: AuthorshipAttributor | StackedAttributor) -> tuple[str, ...]:
    """Return the most frequent words of the known texts, in lower case.

    They are the only ones that are known for all languages. Most are function words, which say
    little about the subject of a text.

    Returns
    -------
    tuple of str
        Empty without a record of the known texts, or if the model's tokens are no words as they are
        written.
    """
    record: TrainingRecord | None = getattr(attributor, "training_record_", None)
    encoder = attributor.encoder_
    if record is None or encoder.unit != "word" or encoder.stem:
        return ()
    return record.frequency_profile.words


def strongest_words(part: Part) -> list[Part]:
    """Choose the words with the strongest evidence, or the sequences where tokens are no words.

    Parameters
    ----------
    part : dict
        As `evidence_part` returns it.

    Returns
    -------
    list of dict
        At most `N_STRONGEST`, those for the first candidate before those for the second, each with
        "author", "text", "count", "log_lr" and "is_rare". If there is evidence for both candidates,
        both have at least one.
    """
    kind = "tokens" if part["for_first"]["tokens"] or part["for_second"]["tokens"] else "ngrams"
    sides = [
        [{"author": part[side], **entry} for entry in part[f"for_{side}"][kind]]
        for side in ("first", "second")
    ]
    best = [own[0] for own in sides if own]
    others = sorted(
        (entry for own in sides for entry in own[1:]), key=lambda entry: -abs(entry["log_lr"])
    )
    chosen = best + others[: N_STRONGEST - len(best)]
    return sorted(chosen, key=lambda entry: -entry["log_lr"])


def runner_up_sentence(entry: Mapping[str, Any]) -> str:
    """State why the evidence compares the first candidate with the second.

    Parameters
    ----------
    entry : mapping
        The entry of a questioned text, see `byline.report.attribution_summary`.

    Examples
    --------
    >>> runner_up_sentence({"ranking": [{"author": name} for name in ("Ada", "Ben", "Cleo")]})
    'Ada is compared with Ben, who comes second in the ranking.'
    """
    first, second = (isolated(place["author"]) for place in entry["ranking"][:2])
    if len(entry["ranking"]) == 2:
        return f"{first} is compared with {second}, the only other candidate."
    return f"{first} is compared with {second}, who comes second in the ranking."


def scale_sentence(log_lr: float, entry: Mapping[str, Any]) -> str | None:
    """State why the evidence of all words differs from the likelihood ratio.

    Parameters
    ----------
    log_lr : float
        The sum of the evidence, in nats.
    entry : mapping
        The entry of a questioned text, see `byline.report.attribution_summary`.

    Returns
    -------
    str or None
        None if there is no likelihood ratio, or if the two hardly differ.

    Examples
    --------
    >>> entry = {"declined": None, "ranking": [{"log10_lr": 2.3}]}
    >>> print(scale_sentence(11.47, entry))  # doctest: +NORMALIZE_WHITESPACE
    This sum would be a factor of 96,000, but the stated likelihood ratio is only about 200, because
    calibration lowers it to what the held-out texts and the simulated cases support.
    """
    if entry["declined"] or entry["ranking"][0]["log10_lr"] is None:
        return None
    total, stated = log_lr / math.log(10), entry["ranking"][0]["log10_lr"]
    if abs(total - stated) < MIN_LOG10_LR or stated < MIN_LOG10_LR:
        return None
    factor, ratio = (times_as_much(each).removesuffix(" times") for each in (total, stated))
    if total < stated and len(entry["ranking"]) > 2:
        first, second = (isolated(place["author"]) for place in entry["ranking"][:2])
        return (
            f"This sum is a factor of {factor} and compares {first} with {second} only. The stated "
            f"likelihood ratio of about {ratio} compares {first} with all other candidates."
        )
    if total < stated:
        return (
            f"This sum would be a factor of {factor}, but the stated likelihood ratio is about "
            f"{ratio}, because calibration raises it to what the held-out texts and the simulated "
            "cases support."
        )
    return (
        f"This sum would be a factor of {factor}, but the stated likelihood ratio is only about "
        f"{ratio}, because calibration lowers it to what the held-out texts and the simulated "
        "cases support."
    )
