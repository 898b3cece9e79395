"""Questioned texts that a model was trained on: known texts, and texts that one contains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from byline.attribution.known_copy import MIN_COPIED, KnownCopy
from byline.attribution.result import Attribution
from byline.attribution.training_record.record import TrainingRecord, text_sha256
from byline.corpus.fingerprints import WordHasher


def find_known_copy(text: str, record: TrainingRecord) -> KnownCopy | None:
    """Find out whether a questioned text is, or is mostly contained in, an author's known texts.

    Parameters
    ----------
    text : str
        Normalised as the known texts.
    record : TrainingRecord
        Of the known texts.

    Examples
    --------
    >>> known = " ".join(f"word{n}" for n in range(60))
    >>> record = TrainingRecord.of([known, "It rained."], ["Ada", "Ben"], ["letter", "note"])
    >>> find_known_copy(known, record).work
    'letter'
    >>> print(find_known_copy(known[:200], record).work)
    None
    >>> print(find_known_copy("It snowed in the night, and nobody went out to see it.", record))
    None
    """
    shares = record.fingerprint_table.copied_shares(WordHasher().hash_words(text))
    author = max(shares, key=lambda name: shares[name], default=None)
    if author is None or shares[author] < MIN_COPIED:
        return None
    digest = text_sha256(text)
    for document in record.documents:
        if document.sha256 == digest:
            return KnownCopy(document.author, 1.0, document.work)
    return KnownCopy(author, shares[author])


def withhold_known(
    answers: Sequence[Attribution], texts: Iterable[str], record: TrainingRecord
) -> list[Attribution]:
    """Withhold the answers about texts that are known texts, or mostly contained in them.

    Parameters
    ----------
    answers : sequence of Attribution, (n_texts,)
    texts : iterable of str, (n_texts,)
        Normalised as the known texts. If there are none, all answers are returned.
    record : TrainingRecord
        Of the known texts.
    """
    copies = [find_known_copy(text, record) for text in texts] or [None] * len(answers)
    return [
        answer if copy is None else _withheld(answer, copy)
        for answer, copy in zip(answers, copies, strict=True)
    ]


def _withheld(answer: Attribution, copy: KnownCopy) -> Attribution:
    return replace(
        answer,
        declined=copy.reason,
        known_copy=copy,
        ranking=(),
        open_set=None,
        contributions=(),
        similar_cases=None,
    )
