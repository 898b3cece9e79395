"""Evaluation of attributors on held-out texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from byline.attribution import AuthorshipAttributor, ReferencePopulation, StackedAttributor
from byline.corpus import Corpus
from byline.display import Displayable
from byline.errors import CorpusError
from byline.experiments import splits
from byline.experiments.attributing import FoldResult, attribute_fold, fold_progress
from byline.experiments.baselines import (
    BaselineComparison,
    compare_with_baselines,
    predict_by_baselines,
)
from byline.experiments.decisions import Decision
from byline.experiments.fitting import fit_clone, without_known_texts
from byline.experiments.metrics import AnswerCaveats, Calibration, Metrics, metrics_of
from byline.experiments.passages import QuestionedTexts, questioned_texts
from byline.experiments.prototypes import encoder_of, settings_of
from byline.experiments.simple_methods import SimpleSettings, find_simple_methods
from byline.experiments.split_caveats import find_leakage, find_undivided_authors
from byline.experiments.splits import Fold, Folds, Protocol
from byline.progress import Progress
from byline.text import TextEncoder


@dataclass(frozen=True, slots=True)
class Evaluation(Displayable):
    """Result of an evaluation.

    Attributes
    ----------
    corpus : str
        Name of the corpus of known texts.
    n_authors, n_documents : int
        Number of candidates, and of documents in the corpus, held-out ones included.
    split : dict
        How texts were held out: "protocol", and the settings of the protocol.
    settings : dict
        The attributor's parameters by name; estimators are given by their class.
    whole : Metrics
        Metrics of questioned texts as they were held out.
    by_length : tuple of Metrics
        Metrics of passages of consecutive sentences, one per length.
    caveats : tuple of str
        Reasons why the metrics may be too good.
    decisions : tuple of Decision
        One per questioned text and length.
    answer_caveats : AnswerCaveats or None
        How many answers about texts as they were held out have caveats.
    baselines : BaselineComparison or None
        Simple methods on the same texts; None if none was asked for.

    See Also
    --------
    evaluate : Evaluate an attributor.
    byline.report.evaluation_summary : Summarise the evaluation for reports.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import Fold, evaluate_fitted
    >>> from byline.lm import NgramLM
    >>> known = [
    ...     Document("Ann", "The cat sat on the mat. The cat slept.", "ann/1.txt"),
    ...     Document("Bob", "A dog ran in a park. A dog barked.", "bob/1.txt"),
    ... ]
    >>> questioned = [Document("Ann", "The cat sat.", "ann/2.txt")]
    >>> fold = Fold(Corpus(known, "toy"), Corpus(questioned, "toy"))
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> attributor = attributor.fit(fold.known.texts, fold.known.authors)
    >>> evaluation = evaluate_fitted(attributor, fold)
    >>> evaluation.n_authors, evaluation.n_documents, len(evaluation.decisions)
    (2, 3, 1)
    >>> evaluation.to_dict()["split"]
    {'protocol': 'hold-out', 'n_held_out': 1}
    """

    corpus: str
    n_authors: int
    n_documents: int
    split: Mapping[str, Any]
    settings: Mapping[str, Any]
    whole: Metrics
    by_length: tuple[Metrics, ...]
    caveats: tuple[str, ...]
    decisions: tuple[Decision, ...]
    answer_caveats: AnswerCaveats | None = None
    baselines: BaselineComparison | None = None

    def figures(self) -> dict[str, Any]:
        """Return all but the decisions as JSON values; keys of whole texts are at the top level."""
        return {
            "corpus": self.corpus,
            "n_authors": self.n_authors,
            "n_documents": self.n_documents,
            **self.whole.to_dict(),
            "by_length": [metrics.to_dict() for metrics in self.by_length],
            "split": dict(self.split),
            "settings": dict(self.settings),
            "caveats": list(self.caveats),
            "answer_caveats": self.answer_caveats and asdict(self.answer_caveats),
            "comparison": None if self.baselines is None else self.baselines.to_dict(),
        }


def evaluate(
    corpus: Corpus,
    attributor: AuthorshipAttributor | StackedAttributor,
    *,
    split: Protocol = "document",
    folds: Folds | None = None,
    test: Corpus | None = None,
    sentences: Sequence[int] = (),
    reference: ReferencePopulation | None = None,
    baselines: Sequence[str] = (),
    random_state: int = 0,
    progress: Progress | None = None,
) -> Evaluation:
    """Train on one part of a corpus, attribute the other part, and compute metrics.

    Parameters
    ----------
    corpus : Corpus
    attributor : AuthorshipAttributor or StackedAttributor
        The prototype, which is cloned for every fold.
    split : {"document", "work", "sentence"}
    folds : int or "leave-one-out", optional
        See :func:`byline.experiments.splits.split`.
    test : Corpus, optional
        Separate questioned texts. All of ``corpus`` is then training text.
    sentences : sequence of int
        Lengths of further questioned texts: passages of that many consecutive sentences.
    reference : ReferencePopulation, optional
        Texts by other people, with which cases are simulated for each fold; for a stack only.
    baselines : sequence of str
        Simple methods to compare with on texts as they are held out: names in `SIMPLE_METHODS`, or
        "all".
    random_state : int
        Seed of the split; the attributor has its own.
    progress : Progress, optional
        Called for every trained model.

    Returns
    -------
    Evaluation

    Raises
    ------
    UsageError, TrainingError
        See :func:`byline.experiments.splits.split` and the attributor's ``fit``; or no questioned
        text has one of the lengths, or there is no such simple method.
    CorpusError
        ``test`` has authors that are not in ``corpus``.

    See Also
    --------
    evaluate_fitted : Evaluate an attributor that is already fitted.
    split : How texts are held out.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.lm import NgramLM
    >>> texts = {"Ann": "The cat sat on the mat. The cat slept.", "Bob": "A dog ran. A dog barked."}
    >>> documents = [
    ...     Document(author, f"{text} Then it was {n}.", f"{author}/{n}.txt")
    ...     for author, text in texts.items()
    ...     for n in range(3)
    ... ]
    >>> corpus = Corpus(documents, "toy")
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> evaluation = evaluate(corpus, attributor, folds=3)
    >>> evaluation.whole.n_questioned, evaluation.whole.accuracy
    (6, 1.0)
    >>> evaluation.decisions[0].predicted == evaluation.decisions[0].author
    True
    """
    methods = find_simple_methods(baselines) if baselines else []
    encoder = encoder_of(attributor)
    corpus = corpus.map_texts(encoder.normalize)
    test = None if test is None else test.map_texts(encoder.normalize)
    folds_, how = divide_texts(corpus, test, split, folds, random_state, encoder)
    split = split if test is None else "document"
    caveats = find_leakage(folds_, split, one_corpus=test is None)
    if test is None:
        caveats += tuple(find_undivided_authors(folds_, split))
    questions = questioned_texts(folds_, sentences, split, encoder)
    settings = SimpleSettings(encoder, attributor.random_state, attributor.n_jobs or 1)
    results: list[FoldResult] = []
    others = without_known_texts(reference, attributor, corpus, test)
    if others is not None:
        caveats += (f"the answers rest on simulated cases from {others.description}",)
    of_baselines = []
    for number, (fold, fold_questions) in enumerate(zip(folds_, questions, strict=True)):
        of_fold = fold_progress(progress, number, len(folds_))
        fitted = fit_clone(attributor, fold.known, of_fold, reference=others)
        results.append(attribute_fold(fitted, fold_questions, number))
        given = fold.known, fold_questions.documents, settings
        own = results[-1].base_classifiers
        of_baselines.append(predict_by_baselines(methods, fitted, own, *given))
    evaluation = _summarise(corpus, attributor, folds_, questions, results, how, caveats)
    if not methods:
        return evaluation
    whole = [decision for decision in evaluation.decisions if decision.sentences is None]
    comparison = compare_with_baselines(
        attributor,
        methods,
        [decision.author for decision in whole],
        [decision.predicted for decision in whole],
        [_most_frequent_author(corpus)] * len(whole),
        of_baselines,
        [result.base_classifiers for result in results],
    )
    return replace(evaluation, baselines=comparison)


def evaluate_fitted(
    attributor: AuthorshipAttributor | StackedAttributor,
    fold: Fold,
    *,
    sentences: Sequence[int] = (),
) -> Evaluation:
    """Evaluate an attributor that was fitted to ``fold.known`` on ``fold.questioned``.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted attributor.
    fold : Fold
    sentences : sequence of int
        As in :func:`evaluate`.

    Returns
    -------
    Evaluation

    See Also
    --------
    evaluate : Split a corpus, train and evaluate.
    hold_out : Make a fold.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import Fold
    >>> from byline.lm import NgramLM
    >>> known = [
    ...     Document("Ann", "The cat sat on the mat. The cat slept.", "ann/1.txt"),
    ...     Document("Bob", "A dog ran in a park. A dog barked.", "bob/1.txt"),
    ... ]
    >>> questioned = [Document("Ann", "The cat sat.", "ann/2.txt")]
    >>> fold = Fold(Corpus(known, "toy"), Corpus(questioned, "toy"))
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> attributor = attributor.fit(fold.known.texts, fold.known.authors)
    >>> evaluate_fitted(attributor, fold).whole.accuracy
    1.0
    """
    apply = attributor.normalization_.apply
    fold = Fold(fold.known.map_texts(apply), fold.questioned.map_texts(apply))
    corpus = Corpus([*fold.known, *fold.questioned], fold.known.name)
    caveats = find_leakage([fold], "document")
    questions = questioned_texts([fold], sentences, "document", attributor.encoder_)
    result = attribute_fold(attributor, questions[0], 0)
    how = {"protocol": "hold-out", "n_held_out": len(fold.questioned)}
    return _summarise(corpus, attributor, [fold], questions, [result], how, caveats)


def divide_texts(
    corpus: Corpus,
    test: Corpus | None,
    split: Protocol,
    folds: Folds | None,
    random_state: int,
    encoder: TextEncoder,
) -> tuple[list[Fold], dict[str, Any]]:
    """Divide a corpus into folds, or combine it with separate questioned texts; state how.

    Parameters
    ----------
    corpus : Corpus
    test : Corpus or None
        Separate questioned texts.
    split, folds, random_state, encoder
        See :func:`byline.experiments.splits.split`.

    Raises
    ------
    UsageError, TrainingError
        See :func:`byline.experiments.splits.split`.
    CorpusError
        ``test`` has authors that are not in ``corpus``.
    """
    if test is not None:
        return [_known_and_test(corpus, test)], {"protocol": "test", "test": test.name}
    parts = splits.split(corpus, split, folds, random_state=random_state, encoder=encoder)
    n_folds = len(parts) if folds is None else folds
    return parts, {"protocol": split, "folds": n_folds, "random_state": random_state}


def _known_and_test(corpus: Corpus, test: Corpus) -> Fold:
    unknown = sorted(set(test.candidates) - set(corpus.candidates))
    if unknown:
        raise CorpusError(
            f"{test.name}: there is no known text by {', '.join(unknown)} in {corpus.name}, whose "
            f"authors are {', '.join(corpus.candidates)}. "
            "Use the same spelling of names in both, or leave these authors out"
        )
    return Fold(corpus, test)


def _summarise(
    corpus: Corpus,
    attributor: AuthorshipAttributor | StackedAttributor,
    folds: Sequence[Fold],
    questions: Sequence[QuestionedTexts],
    results: Sequence[FoldResult],
    how: Mapping[str, Any],
    caveats: tuple[str, ...],
) -> Evaluation:
    most_frequent = _most_frequent_author(corpus)
    decisions = [decision for result in results for decision in result.decisions]
    decisions_of_whole = [decision for decision in decisions if decision.sentences is None]
    whole, *by_length = [
        metrics_of(
            [decision for decision in decisions if decision.sentences == length],
            corpus.candidates,
            most_frequent,
            n_dropped_sentences=sum(
                fold_questions.n_dropped[length] for fold_questions in questions
            ),
            calibration=Calibration.of([result.outcomes[length] for result in results]),
        )
        for length in questions[0].passages
    ]
    return Evaluation(
        corpus=corpus.name,
        n_authors=len(corpus.candidates),
        n_documents=len(corpus),
        split=how,
        settings=settings_of(attributor),
        whole=whole,
        by_length=tuple(by_length),
        caveats=caveats,
        decisions=tuple(decisions),
        answer_caveats=AnswerCaveats.of(
            [codes for result in results for codes in result.caveats],
            [decision.author == decision.predicted for decision in decisions_of_whole],
        ),
    )


def _most_frequent_author(corpus: Corpus) -> str:
    """Return the author with the most documents, whether they are held out or not."""
    return max(corpus.candidates, key=Counter(corpus.authors).__getitem__)
