"""Attribute questioned texts and collect everything that belongs to each answer."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from byline.attribution import Attribution, Evidence, StackedAttributor, explain_answer
from byline.attribution.caveats import Caveat, caveats_for, reading_caveats
from byline.attribution.evidence.explanation import is_too_long_to_explain
from byline.attribution.keyness import AuthorKeywords, NgramCounts, keywords_in_text
from byline.attribution.model_files.saving import Attributor
from byline.attribution.open_set import Criterion
from byline.attribution.training_record.record import RecordDifferences, TrainingRecord
from byline.corpus import Corpus, Keep, ReadingOptions
from byline.corpus.questioned import LeftOutPart
from byline.errors import BylineWarning, UsageError

KeywordPair = tuple[AuthorKeywords, AuthorKeywords]


@dataclass(frozen=True, slots=True)
class Answers:
    """A model's answers about questioned texts.

    Attributes
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        The model that answered.
    texts : tuple of str, (n_texts,)
        The questioned texts, normalised as the model's known texts.
    attributions : tuple of Attribution, (n_texts,)
        The ranking of the candidates for each text, or the reason why there is none.
    caveats : tuple of tuples of Caveat, (n_texts,)
        The caveats that apply to each answer.
    keywords : tuple of (pair of AuthorKeywords or None), (n_texts,) or empty
        For each text, the keywords in it that distinguish its first two candidates in the known
        texts. None if the text was declined; empty if the known texts were not given.

    See Also
    --------
    answer_texts : Create the answers.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> answers = answer_texts(model, ["the wind"], ["note.txt"], model="model.byline")
    >>> answers.attributions[0].path
    'note.txt'
    >>> len(answers.caveats)
    1
    """

    attributor: Attributor
    texts: tuple[str, ...]
    attributions: tuple[Attribution, ...]
    caveats: tuple[tuple[Caveat, ...], ...]
    keywords: tuple[KeywordPair | None, ...]

    def evidence(self) -> list[Evidence | None]:
        """Explain each answer: the evidence for its first candidate against its second.

        Returns
        -------
        list of Evidence or None, (n_texts,)
            None if the text was declined or is too long to be explained.
        """
        return [
            None if is_too_long_to_explain(text) else explain_answer(self.attributor, answer, text)
            for answer, text in zip(self.attributions, self.texts, strict=True)
        ]


def reading_options(attributor: Attributor, keep: Collection[Keep | str] = ()) -> ReadingOptions:
    """Return how texts are read for a model: as its known texts were.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted model.
    keep : collection of Keep or str
        What to keep that is not running text, which a model does not store.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> reading_options(model, ["notes"]).kinds
    frozenset({<Keep.NOTES: 'notes'>})
    """
    return ReadingOptions(
        keep=keep, normalization=attributor.normalization_, line_rules=attributor.line_rules_
    )


def answer_texts(
    attributor: Attributor,
    texts: Sequence[str],
    paths: Sequence[str],
    *,
    model: str | os.PathLike[str],
    false_attribution_rate: Criterion | None = None,
    known_counts: NgramCounts | None = None,
    left_out: Sequence[Sequence[LeftOutPart]] | None = None,
) -> Answers:
    """Attribute texts, and collect the caveats and keywords that belong to each answer.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted model.
    texts : sequence of str, (n_texts,)
        The questioned texts.
    paths : sequence of str, (n_texts,)
        Where the texts came from.
    model : str or path
        The name of the model in messages.
    false_attribution_rate : float or "even-odds", optional
        For open-set attribution: the accepted share of texts by unknown authors that are
        attributed to a candidate; or even odds. None for closed-set attribution.
    known_counts : NgramCounts, optional
        Counts of the n-grams of the known texts, from which keywords are chosen.
    left_out : sequence of sequences of LeftOutPart, optional
        What was left out of each text when it was read.

    Returns
    -------
    Answers

    Raises
    ------
    UsageError
        The model was not trained for open-set attribution, or the rate is too low for the number
        of texts that it was calibrated on.

    See Also
    --------
    byline.attribution.caveats.caveats_for : The caveats of one answer.
    byline.report.case.answers_summary : The answers as a JSON-serialisable dictionary.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> [answer] = answer_texts(model, [""], ["empty.txt"], model="model.byline").attributions
    >>> answer.declined
    'the text is empty'
    """
    given = [*texts]
    texts = list(map(attributor.normalization_.apply, given))
    attributions = _attribute(attributor, texts, paths, model, false_attribution_rate)
    parts = left_out or [()] * len(texts)
    caveats = [
        answer_caveats(attributor, answer, text, left_out=own)
        for answer, text, own in zip(attributions, given, parts, strict=True)
    ]
    keywords = [
        _keywords(known_counts, answer, text)
        for answer, text in zip(attributions, texts, strict=True)
        if known_counts is not None
    ]
    return Answers(attributor, tuple(texts), tuple(attributions), tuple(caveats), tuple(keywords))


def answer_caveats(
    attributor: Attributor, answer: Attribution, text: str, *, left_out: Sequence[LeftOutPart] = ()
) -> tuple[Caveat, ...]:
    """Find all caveats of an answer: about how the text was read, and about the text itself.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        The model that answered.
    answer : Attribution
    text : str
        The questioned text, before it is normalised.
    left_out : sequence of LeftOutPart
        What was left out of the text when it was read.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> [answer] = model.attribute(["the wind"])
    >>> [caveat.code for caveat in answer_caveats(model, answer, "the wind")]
    []
    """
    language = attributor.encoder_.language
    normal = attributor.normalization_.apply(text)
    return (
        *reading_caveats(text, language=language, left_out=left_out),
        *caveats_for(attributor, answer, normal),
    )


def check_known_texts(
    corpus: Corpus, attributor: Attributor, known: str | os.PathLike[str]
) -> None:
    """Check that known texts contain at least one text by each candidate of a model.

    Parameters
    ----------
    corpus : Corpus
        The known texts.
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted model.
    known : str or path
        The name of the known texts in messages.

    Raises
    ------
    UsageError
        There is no text by one of the candidates.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> corpus = Corpus([Document("Ada", "the sea", "ada/1.txt")], "texts")
    >>> check_known_texts(corpus, model, "texts")
    Traceback (most recent call last):
    byline.errors.UsageError: texts has no text by Ben; give the texts the model was trained on
    """
    missing = sorted(set(map(str, attributor.classes_)) - set(corpus.candidates))
    if missing:
        some = ", ".join(missing[:5]) + (" ..." if len(missing) > 5 else "")
        raise UsageError(f"{known} has no text by {some}; give the texts the model was trained on")


def compare_known_texts(
    corpus: Corpus, attributor: Attributor, model: str | os.PathLike[str]
) -> RecordDifferences | None:
    """Compare known texts with the record of the texts that a model was trained on.

    Parameters
    ----------
    corpus : Corpus
        The known texts.
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted model.
    model : str or path
        The name of the model in messages.

    Returns
    -------
    RecordDifferences or None
        None if the model has no record of its training texts.

    Warns
    -----
    BylineWarning
        The texts differ, or the model has no record to compare them with.

    Examples
    --------
    >>> import warnings
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> corpus = Corpus([Document("Ada", "the sea", "ada/1.txt")], "texts")
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # this model has no record of its training texts
    ...     print(compare_known_texts(corpus, model, "model.byline"))
    None
    """
    record: TrainingRecord | None = getattr(attributor, "training_record_", None)
    if record is None:
        message = (
            f"{model} has no record of its training texts, so Byline cannot check that the texts "
            f"in {corpus.name} are the same; use the texts the model was trained on"
        )
        warnings.warn(message, BylineWarning, stacklevel=2)
        return None
    texts = list(map(attributor.normalization_.apply, corpus.texts))
    differences = record.differences(TrainingRecord.of(texts, corpus.authors, corpus.works))
    if differences.missing or differences.added:
        message = (
            f"the texts in {corpus.name} are not those that {model} was trained on "
            f"({len(differences.missing):,} missing, {len(differences.added):,} added); counts and "
            f"quotations come from {corpus.name}, probabilities from the model"
        )
        warnings.warn(message, BylineWarning, stacklevel=2)
    return differences


def _attribute(
    attributor: Attributor,
    texts: Sequence[str],
    paths: Sequence[str],
    model: str | os.PathLike[str],
    rate: Criterion | None,
) -> list[Attribution]:
    if rate is None:
        return attributor.attribute(texts, paths=paths)
    if not isinstance(attributor, StackedAttributor) or attributor.rejection_rule_ is None:
        raise UsageError(
            f"{model} was not trained for open-set attribution; train a model with: "
            f"byline train KNOWN -o {model} --open-set"
        )
    return attributor.attribute(texts, paths=paths, false_attribution_rate=rate)


def _keywords(counts: NgramCounts, answer: Attribution, text: str) -> KeywordPair | None:
    if answer.declined is not None:
        return None
    first, second = (place.author for place in answer.ranking[:2])
    return keywords_in_text(counts, text, first, second, path=answer.path)
