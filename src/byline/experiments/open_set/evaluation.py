"""Evaluation of open-set attribution: authors are left out, and their texts are questioned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sklearn.base import clone

from byline.attribution import ReferencePopulation, StackedAttributor
from byline.attribution.open_set import EVEN_ODDS, Criterion, check_criterion
from byline.corpus import Corpus
from byline.display import Displayable
from byline.errors import UsageError
from byline.experiments.attributing import fold_progress
from byline.experiments.fitting import train_stack, without_known_texts
from byline.experiments.open_set.answers import OpenSetAnswers, answer_open_set
from byline.experiments.open_set.folds import (
    MIN_CANDIDATES,
    OpenSetFold,
    fold_of_test,
    split_open_set,
)
from byline.experiments.open_set.metrics import OpenSetMetrics
from byline.experiments.prototypes import encoder_of, settings_of
from byline.experiments.split_caveats import find_leakage
from byline.experiments.splits import Folds, Protocol
from byline.progress import Progress

#: The criteria by which open-set attribution is always measured.
STANDARD_CRITERIA: tuple[Criterion, ...] = (EVEN_ODDS, 0.05, 0.1, 0.2)


@dataclass(frozen=True, slots=True)
class EvaluatedFold:
    """What was left out in a fold, and how well the texts of the fold were answered.

    Attributes
    ----------
    unknown_authors : tuple of str
    n_candidates, n_training : int
        Number of candidates and of their known texts.
    n_known, n_unknown : int
        Number of questioned texts by candidates and by unknown authors.
    accuracy : float or None
        Closed-set accuracy; None without texts by candidates.
    auc : float or None
        Texts by candidates against texts by unknown authors.
    """

    unknown_authors: tuple[str, ...]
    n_candidates: int
    n_training: int
    n_known: int
    n_unknown: int
    accuracy: float | None
    auc: float | None


@dataclass(frozen=True, slots=True)
class OpenSetEvaluation(Displayable):
    """Result of an open-set evaluation.

    Attributes
    ----------
    corpus : str
    n_authors, n_documents : int
        Of the corpus; questioned texts of a separate corpus are not counted.
    split : dict
        How texts and authors were held out.
    settings : dict
        The stack's parameters by name; estimators are given by their class.
    false_attribution_rate : float or "even-odds"
        What was asked for; one of the criteria of ``metrics``.
    metrics : OpenSetMetrics
        Over the texts of all folds.
    folds : tuple of EvaluatedFold
    caveats : tuple of str
        Reasons why the metrics may be too good.
    answers : tuple of OpenSetAnswers
        One per fold.

    See Also
    --------
    evaluate_open_set : Evaluate a stack.

    Examples
    --------
    >>> from byline.attribution.stacking import delta_attributor
    >>> from byline.corpus import Document
    >>> words = {"Ann": "a cat sat", "Bob": "the dog ran", "Cyd": "my owl flew", "Dan": "an ox ate"}
    >>> texts = [
    ...     Document(name, " ".join([own, f"and it was {n} then"] * 20), f"{name}/{n}.txt")
    ...     for n in range(4) for name, own in words.items()
    ... ]
    >>> known = Corpus([each for each in texts[:12] if each.author != "Dan"], "toy")
    >>> found = evaluate_open_set(known, delta_attributor(), test=Corpus(texts[12:], "asked"))
    >>> found.folds[0].unknown_authors, found.to_dict()["n_known"]
    (('Dan',), 3)
    """

    corpus: str
    n_authors: int
    n_documents: int
    split: Mapping[str, Any]
    settings: Mapping[str, Any]
    false_attribution_rate: Criterion
    metrics: OpenSetMetrics
    folds: tuple[EvaluatedFold, ...]
    caveats: tuple[str, ...]
    answers: tuple[OpenSetAnswers, ...]

    def figures(self) -> dict[str, Any]:
        """Return all but the answers as JSON values; the metrics have top-level keys."""
        return {
            "corpus": self.corpus,
            "n_authors": self.n_authors,
            "n_documents": self.n_documents,
            "false_attribution_rate": self.false_attribution_rate,
            **self.metrics.to_dict(),
            "folds": [asdict(fold) for fold in self.folds],
            "split": dict(self.split),
            "settings": dict(self.settings),
            "caveats": list(self.caveats),
        }


def evaluate_open_set(
    corpus: Corpus,
    stack: StackedAttributor,
    *,
    split: Protocol = "document",
    folds: Folds | None = None,
    test: Corpus | None = None,
    false_attribution_rate: Criterion = EVEN_ODDS,
    reference: ReferencePopulation | None = None,
    random_state: int = 0,
    progress: Progress | None = None,
) -> OpenSetEvaluation:
    """Leave out authors in turn, and measure how texts by them and by the others are attributed.

    Parameters
    ----------
    corpus : Corpus
    stack : StackedAttributor
        The prototype, which is cloned for every fold and trained with ``open_set``.
    split : {"document", "work"}
    folds : int or "leave-one-out", optional
        See `split_open_set`.
    test : Corpus, optional
        Separate questioned texts, by authors of ``corpus`` and by others, in place of folds.
    false_attribution_rate : float or "even-odds"
        Measure this rate in addition to `STANDARD_CRITERIA`.
    reference : ReferencePopulation, optional
        Texts by other people, with which cases are simulated for each fold.
    random_state : int
        Seed of the folds; the stack has its own.
    progress : Progress, optional
        Called for every trained model.

    Raises
    ------
    UsageError
        A parameter is impossible, or the false-attribution rate is too low for the known texts.
    TrainingError, CorpusError
        See `split_open_set` and `fold_of_test`; or a stack cannot be trained.

    See Also
    --------
    byline.experiments.evaluate : Evaluate closed-set attribution.

    Examples
    --------
    >>> from byline.attribution.stacking import delta_attributor
    >>> from byline.corpus import Document
    >>> words = {"Ann": "a cat sat", "Bob": "the dog ran", "Cyd": "my owl flew", "Dan": "an ox ate"}
    >>> documents = [
    ...     Document(author, " ".join([own, f"and it was {n} then"] * 20), f"{author}/{n}.txt")
    ...     for author, own in words.items()
    ...     for n in range(4)
    ... ]
    >>> found = evaluate_open_set(Corpus(documents, "toy"), delta_attributor())
    >>> len(found.folds), found.metrics.n_known, found.metrics.n_unknown
    (4, 12, 16)
    >>> found.metrics.accuracy.accuracy
    1.0
    >>> [each.rate for each in found.metrics.by_rate]
    ['even-odds', 0.05, 0.1, 0.2]
    """
    check_criterion(false_attribution_rate)
    prototype = clone(stack).set_params(open_set=True)
    apply = encoder_of(prototype).normalize
    corpus = corpus.map_texts(apply)
    test = None if test is None else test.map_texts(apply)
    # The texts of a reference population serve as texts by unknown authors, too.
    fewest = MIN_CANDIDATES if reference is None else MIN_CANDIDATES - 1
    if test is None:
        parts = split_open_set(
            corpus, split, folds, random_state=random_state, min_candidates=fewest
        )
        how: dict[str, Any] = {
            "protocol": split,
            "folds": len(parts) if folds is None else folds,
            "random_state": random_state,
        }
    else:
        parts = [fold_of_test(corpus, test, fewest)]
        how = {"protocol": "test", "test": test.name}
    caveats = find_leakage(parts, "document", one_corpus=test is None)
    others = without_known_texts(reference, prototype, corpus, test)
    if others is not None:
        caveats += (f"the answers rest on simulated cases from {others.description}",)
    asked = {*STANDARD_CRITERIA, false_attribution_rate}
    criteria: list[Criterion] = [EVEN_ODDS, *sorted(each for each in asked if each != EVEN_ODDS)]
    answers = []
    for number, fold in enumerate(parts):
        report = fold_progress(progress, number, len(parts))
        fitted = train_stack(clone(prototype), fold.known, reference=others, progress=report)
        answers.append(answer_open_set(fitted, fold.questioned, criteria))
    _check_rate(false_attribution_rate, answers)
    return OpenSetEvaluation(
        corpus=corpus.name,
        n_authors=len(corpus.candidates),
        n_documents=len(corpus),
        split=how,
        settings=settings_of(prototype),
        false_attribution_rate=false_attribution_rate,
        metrics=OpenSetMetrics.of(answers),
        folds=tuple(_evaluated(*pair) for pair in zip(parts, answers, strict=True)),
        caveats=caveats,
        answers=tuple(answers),
    )


def _check_rate(rate: Criterion, folds: Sequence[OpenSetAnswers]) -> None:
    """Check that the rate that was asked for could be set in every fold."""
    reasons = [why for fold in folds for other, why in fold.unavailable if other == rate]
    if reasons:
        raise UsageError(reasons[0])


def _evaluated(fold: OpenSetFold, answers: OpenSetAnswers) -> EvaluatedFold:
    n_known = sum(answers.is_known)
    has_both = 0 < n_known < len(answers.authors)
    accuracy = auc = None
    if has_both:
        own = OpenSetMetrics.of([answers])
        accuracy, auc = own.accuracy.accuracy, own.auc
    return EvaluatedFold(
        unknown_authors=fold.unknown_authors,
        n_candidates=len(fold.known.candidates),
        n_training=len(fold.known),
        n_known=n_known,
        n_unknown=len(answers.authors) - n_known,
        accuracy=accuracy,
        auc=auc,
    )
