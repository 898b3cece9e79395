"""The known texts of a model, given again: counts for keywords, and differences from the record."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from typing import Self

from byline.attribution.keyness import NgramCounts
from byline.attribution.model_files.saving import Attributor
from byline.attribution.training_record.record import RecordDifferences, TrainingRecord
from byline.corpus import Corpus
from byline.errors import BylineWarning, UsageError

THE_MODEL = "the model"


@dataclass(frozen=True, slots=True)
class KnownCorpus:
    """Known texts that were prepared once for many answers by one model.

    Attributes
    ----------
    counts : NgramCounts
        Counts of their n-grams, from which keywords are chosen.
    differences : RecordDifferences or None
        How they differ from the texts that the model was trained on; None if the model has no
        record of these.
    record : TrainingRecord or None
        Of these texts, if the model has none of its own.

    See Also
    --------
    answer : Its parameter ``known`` takes them.

    Examples
    --------
    >>> from byline.attribution import NgramSVM, StackedAttributor
    >>> from byline.corpus import Corpus, Document
    >>> texts = {"Ada": "The sea and the wind. ", "Ben": "A ship with a sail. "}
    >>> documents = [
    ...     Document(author, text * n, f"{author}/{n}.txt")
    ...     for author, text in texts.items()
    ...     for n in (2, 3, 4)
    ... ]
    >>> corpus = Corpus(documents, "letters")
    >>> model = StackedAttributor([("words", NgramSVM("word", (1, 1), min_df=1))], folds=2)
    >>> model = model.fit(corpus.texts, corpus.authors)
    >>> KnownCorpus.of(corpus, model).differences.missing
    ()
    """

    counts: NgramCounts
    differences: RecordDifferences | None = None
    record: TrainingRecord | None = None

    @classmethod
    def of(
        cls, corpus: Corpus, attributor: Attributor, model: str | os.PathLike[str] = THE_MODEL
    ) -> Self:
        """Check and count known texts; errors and warnings as in the functions below.

        Parameters
        ----------
        corpus : Corpus
        attributor : AuthorshipAttributor or StackedAttributor
            A fitted model.
        model : str or path
            What messages call the model.
        """
        check_known_texts(corpus, attributor, corpus.name)
        differences = compare_known_texts(corpus, attributor, model)
        has_record = getattr(attributor, "training_record_", None) is not None
        record = None if has_record else _record_of(corpus, attributor)
        return cls(NgramCounts.of(corpus, attributor.encoder_), differences, record)


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
    differences = record.differences(_record_of(corpus, attributor))
    if differences.missing or differences.added:
        message = (
            f"the texts in {corpus.name} are not those that {model} was trained on "
            f"({len(differences.missing):,} missing, {len(differences.added):,} added); counts and "
            f"quotations come from {corpus.name}, probabilities from the model"
        )
        warnings.warn(message, BylineWarning, stacklevel=2)
    return differences


def _record_of(corpus: Corpus, attributor: Attributor) -> TrainingRecord:
    texts = list(map(attributor.normalization_.apply, corpus.texts))
    return TrainingRecord.of(texts, corpus.authors, corpus.works)
