"""Questioned texts and a model: the answers, and all that is said beside them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from byline.attribution import Attribution, Evidence, StackedAttributor, explain_answer
from byline.attribution.caveats import Caveat, caveats_for
from byline.attribution.keyness import NgramCounts, keywords_in_text
from byline.attribution.model_files.saving import Attributor
from byline.attribution.training_record.record import RecordDifferences, TrainingRecord
from byline.corpus import Corpus
from byline.errors import BylineWarning, UsageError
from byline.report.keywords import keywords_summary
from byline.report.summary import Summary, attribution_summary

# Characters; a long novel. Of more, reasons take minutes where the answer takes seconds, and nobody
# reads what each of so many words says.
MAX_EXPLAINED_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class Answers:
    """What a model says of questioned texts.

    Attributes
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
    texts : tuple of str, (n_texts,)
    found : tuple of Attribution, (n_texts,)
    cautions : tuple of tuples of Caution, (n_texts,)
    telling : tuple of (list of dict or None), (n_texts,) or empty
        What of each text parts its first two candidates in the known texts; None of a declined
        text, and empty where the known texts are not at hand.
    """

    attributor: Attributor
    texts: tuple[str, ...]
    found: tuple[Attribution, ...]
    cautions: tuple[tuple[Caveat, ...], ...]
    telling: tuple[list[dict[str, Any]] | None, ...]

    def reasons(self) -> list[Evidence | None]:
        """Explain each answer's first place against its second.

        None of a declined answer, and of a text longer than `MAX_EXPLAINED_CHARACTERS` characters.
        """
        return [
            None
            if len(text) > MAX_EXPLAINED_CHARACTERS
            else explain_answer(self.attributor, answer, text)
            for answer, text in zip(self.found, self.texts, strict=True)
        ]

    def summary(
        self, evidence: Sequence[Evidence | None] = (), *, top: int | None = None
    ) -> Summary:
        """Summarise the answers, see `attribution_summary`; ``top`` candidates of each, or all."""
        shown = [replace(answer, ranking=answer.ranking[:top]) for answer in self.found]
        return attribution_summary(shown, evidence, self.cautions, self.telling)


def answer_texts(
    attributor: Attributor,
    texts: Sequence[str],
    paths: Sequence[str],
    *,
    model: str | os.PathLike[str],
    false_attribution_rate: float | None = None,
    known: NgramCounts | None = None,
) -> Answers:
    """Attribute texts, and say what a careful examiner would say beside the answers.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        Fitted.
    texts, paths : sequence of str, (n_texts,)
    model : str or path
        What messages call the attributor.
    false_attribution_rate : float, optional
        The share of texts by none of the candidates that may be given to somebody; None where one
        of the candidates is taken for the author.
    known : NgramCounts, optional
        What stands in the known texts, where these are at hand again.

    Raises
    ------
    UsageError
        The model has not learnt when to name nobody, or the rate is too low for it to tell.
    """
    found = _attribute(attributor, texts, paths, model, false_attribution_rate)
    cautions = [
        (*caveats_for(attributor, answer, text), *_about_length(answer, text))
        for answer, text in zip(found, texts, strict=True)
    ]
    telling = () if known is None else tuple(_telling(known, found, texts))
    return Answers(attributor, tuple(texts), tuple(found), tuple(cautions), telling)


def check_known(corpus: Corpus, attributor: Attributor, known: str | os.PathLike[str]) -> None:
    """Refuse known texts (named ``known``) that cannot be those that a model learnt from.

    Raises
    ------
    UsageError
        They have no text of a candidate.
    """
    strangers = sorted(set(map(str, attributor.classes_)) - set(corpus.candidates))
    if strangers:
        some = ", ".join(strangers[:5]) + (" ..." if len(strangers) > 5 else "")
        raise UsageError(
            f"{known} has no text of {some}; name the texts that the model learnt from"
        )


def compare_known(
    corpus: Corpus, attributor: Attributor, model: str | os.PathLike[str]
) -> RecordDifferences | None:
    """Compare known texts with those the model learnt from; None where it has no record of them.

    Warns
    -----
    BylineWarning
        They are not the same, or that cannot be told.
    """
    record: TrainingRecord | None = getattr(attributor, "training_record_", None)
    if record is None:
        message = (
            f"{model} has no record of the texts it learnt from, so {corpus.name} may be others"
        )
        warnings.warn(message, BylineWarning, stacklevel=2)
        return None
    given = TrainingRecord.of(corpus.texts, corpus.authors, corpus.works)
    differences = record.differences(given)
    if differences.missing or differences.added:
        message = (
            f"{corpus.name} has other texts than {model} learnt from: {len(differences.missing):,} "
            f"of the model's are missing, and {len(differences.added):,} are not the model's; "
            "counts and quotations are of these others"
        )
        warnings.warn(message, BylineWarning, stacklevel=2)
    return differences


def _about_length(answer: Attribution, text: str) -> Iterator[Caveat]:
    if answer.declined is None and len(text) > MAX_EXPLAINED_CHARACTERS:
        sentence = (
            f"The text has {len(text):,} characters, more than the {MAX_EXPLAINED_CHARACTERS:,} of which the "
            "words that decided and the course are shown: ask about its parts, or use "
            "`byline explain`."
        )
        yield Caveat("not-explained", sentence, {"n_characters": len(text)})


def _attribute(
    attributor: Attributor,
    texts: Sequence[str],
    paths: Sequence[str],
    model: str | os.PathLike[str],
    rate: float | None,
) -> list[Attribution]:
    if rate is None:
        return attributor.attribute(texts, paths=paths)
    if not isinstance(attributor, StackedAttributor) or attributor.rejection_ is None:
        raise UsageError(
            f"{model} has not learnt which texts are by none of its authors; train it with: "
            f"byline train KNOWN -o {model} --open-set"
        )
    return attributor.attribute(texts, paths=paths, false_attribution_rate=rate)


def _telling(
    counts: NgramCounts, found: Sequence[Attribution], texts: Sequence[str]
) -> list[list[dict[str, Any]] | None]:
    told: list[list[dict[str, Any]] | None] = []
    for answer, text in zip(found, texts, strict=True):
        if answer.declined is not None:
            told.append(None)
        else:
            first, second = (place.author for place in answer.ranking[:2])
            pair = keywords_in_text(counts, text, first, second, path=answer.path)
            told.append(keywords_summary(pair))
    return told
