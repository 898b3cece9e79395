"""Answer who wrote texts, and collect everything that belongs to each answer."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from sklearn.utils.validation import check_is_fitted

from byline.answering.known_corpus import THE_MODEL, KnownCorpus
from byline.answering.provenance import Provenance
from byline.answering.result import Answer, KeywordPair
from byline.attribution import Attribution, AuthorshipAttributor, StackedAttributor
from byline.attribution.caveats import Caveat, caveats_for, reading_caveats
from byline.attribution.inputs import check_texts
from byline.attribution.keyness import NgramCounts, keywords_in_text
from byline.attribution.model_files.saving import Attributor
from byline.attribution.open_set import EVEN_ODDS, Criterion
from byline.attribution.rolling.chapters import move_chapters
from byline.attribution.stacking.linked_features import features_of
from byline.attribution.training_record.known_copies import withhold_known
from byline.attribution.training_record.record import text_sha256
from byline.corpus import Chapter, Corpus, Keep, ReadingOptions, find_chapters
from byline.corpus.questioned import LeftOutPart
from byline.errors import UsageError
from byline.formatting import printable
from byline.named_settings import setting


def reading_options(attributor: Attributor, keep: Collection[Keep | str] = ()) -> ReadingOptions:
    """Return how texts are read for a model: as its known texts were.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted model.
    keep : collection of Keep or str
        What to keep that is not running text, which a model does not store.

    Raises
    ------
    NotFittedError
        The model was not fitted.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> reading_options(model, ["notes"]).kinds
    frozenset({<Keep.NOTES: 'notes'>})
    """
    check_is_fitted(attributor)
    return ReadingOptions(
        keep=keep, normalization=attributor.normalization_, line_rules=attributor.line_rules_
    )


def answer(
    attributor: Attributor,
    texts: Sequence[str],
    known: Corpus | KnownCorpus | None = None,
    open_set: Criterion | bool | None = None,
    evidence: bool = True,
    *,
    paths: Sequence[str] | None = None,
    model: str | os.PathLike[str] | None = None,
    left_out: Sequence[Sequence[LeftOutPart]] | None = None,
    chapters: Sequence[Sequence[Chapter]] | None = None,
    keep_names: bool = False,
) -> list[Answer]:
    """Answer who wrote texts: with probabilities, caveats and evidence, as the commands do.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted model.
    texts : sequence of str, (n_texts,)
        The questioned texts.
    known : Corpus or KnownCorpus, optional
        The texts that the model was trained on, for keywords and quotations. Prepare them once
        with `KnownCorpus.of` if you ask many times.
    open_set : bool, float or "even-odds", optional
        For open-set attribution: True or "even-odds"; or the accepted share of texts by unknown
        authors that are attributed to a candidate. By default, one of the candidates is taken for
        the author.
    evidence : bool
        Whether the answers have evidence. It is computed when it is first used, because this takes
        longer than the rest of the answer.
    paths : sequence of str, (n_texts,), optional
        Where the texts come from.
    model : str or path, optional
        What messages call the model; by default the file that it was loaded from.
    left_out : sequence of sequences of LeftOutPart, optional
        What was left out of each text when it was read.
    chapters : sequence of sequences of Chapter, optional
        The chapters of each text, for the rolling attribution. By default, they are found by their
        printed headings.
    keep_names : bool
        Whether words and n-grams with names can be keywords.

    Returns
    -------
    list of Answer, (n_texts,)

    Raises
    ------
    NotFittedError
        The model was not fitted.
    UsageError
        The model was not trained for open-set attribution, or the rate is too low for the number
        of texts that it was calibrated on; or the known texts lack a candidate.

    Warns
    -----
    BylineWarning
        The known texts are not those that the model was trained on.

    See Also
    --------
    byline.attribution.caveats.caveats_for : The caveats of one answer.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> known = ["The cat sat on the mat. The cat slept.", "A dog ran in a park. A dog barked."]
    >>> model = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> model = model.fit(known, ["Ann", "Bob"])
    >>> found, declined = answer(model, ["The cat sat.", ""], paths=["note.txt", "empty.txt"])
    >>> print(found)
    note.txt
      uncalibrated: no known texts were held out for calibration
        author  log-likelihood per token  distance from the best  perplexity
     1  Ann                       -1.780                   0.000         5.9
     2  Bob                       -2.137                   0.357         8.5
      evidence for Ann (nats): “the” +1.0, “cat” +0.8
    >>> declined.declined
    'the text is empty'
    """
    if not isinstance(attributor, AuthorshipAttributor | StackedAttributor):
        raise UsageError(
            f"the model is a {type(attributor).__name__}; give a fitted AuthorshipAttributor or "
            "StackedAttributor"
        )
    check_is_fitted(attributor)
    given = check_texts(texts)
    if left_out is not None and len(left_out) != len(given):
        raise UsageError(
            f"there are {len(given)} texts but left_out has {len(left_out)} entries; give one per "
            "text"
        )
    paths = None if paths is None else list(map(printable, paths))
    name = _name(attributor) if model is None else model
    rate = EVEN_ODDS if open_set is True else (None if open_set is False else open_set)
    normal = list(map(attributor.normalization_.apply, given))
    attributions = _attribute(attributor, normal, paths, name, rate)
    if isinstance(known, Corpus):
        known = KnownCorpus.of(known, attributor, name)
    if known is not None and known.record is not None:
        attributions = withhold_known(attributions, normal, known.record)
    provenance = Provenance.of(attributor, rate)
    parts = left_out or [()] * len(given)
    found = list(map(find_chapters, given)) if chapters is None else chapters
    normalize = attributor.normalization_.apply
    answers = [
        Answer(
            attribution=each,
            text=text,
            text_sha256=text_sha256(raw),
            caveats=_caveats(attributor, each, raw, text, own),
            provenance=provenance,
            attributor=attributor,
            chapters=move_chapters(headed, raw, text, normalize),
            is_explained=evidence,
            keywords=None if known is None else _keywords(known.counts, each, text, keep_names),
            known_name=None if known is None else known.counts.corpus.name,
            differences=None if known is None else known.differences,
        )
        for each, raw, text, own, headed in zip(
            attributions, given, normal, parts, found, strict=True
        )
    ]
    if features_of(getattr(attributor, "base_classifiers_", None)) is not None:
        _explain(answers)
    return answers


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

    Returns
    -------
    tuple of Caveat
        Empty if none applies.

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
    normal = attributor.normalization_.apply(text)
    return _caveats(attributor, answer, text, normal, left_out)


def _caveats(
    attributor: Attributor,
    answer: Attribution,
    text: str,
    normal: str,
    left_out: Sequence[LeftOutPart],
) -> tuple[Caveat, ...]:
    """Find the same, given also the normalised text."""
    language = attributor.encoder_.language
    return (
        *reading_caveats(text, language=language, left_out=left_out),
        *caveats_for(attributor, answer, normal),
    )


def _attribute(
    attributor: Attributor,
    texts: Sequence[str],
    paths: Sequence[str] | None,
    model: str | os.PathLike[str],
    rate: Criterion | None,
) -> list[Attribution]:
    if rate is None:
        return attributor.attribute(texts, paths=paths)
    if not isinstance(attributor, StackedAttributor) or attributor.rejection_rule_ is None:
        raise UsageError(
            f"{model} was not trained for open-set attribution; train a model with "
            f"{setting('open_set', True)}"
        )
    return attributor.attribute(texts, paths=paths, false_attribution_rate=rate)


def _explain(answers: Sequence[Answer]) -> None:
    """Compute the evidence now, because the model may get the features of other texts later."""
    for each in answers:
        _ = each.evidence


def _name(attributor: Attributor) -> str:
    source = attributor.source_file_
    return THE_MODEL if source is None else source.name


def _keywords(
    counts: NgramCounts, answer: Attribution, text: str, keep_names: bool
) -> KeywordPair | None:
    if answer.declined is not None:
        return None
    first, second = (place.author for place in answer.ranking[:2])
    return keywords_in_text(counts, text, first, second, path=answer.path, keep_names=keep_names)
