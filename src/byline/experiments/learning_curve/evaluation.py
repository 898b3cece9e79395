"""Evaluate an attributor with more and more known text, on passages of several lengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sklearn.base import clone

from byline.attribution import AuthorshipAttributor, ReferencePopulation, StackedAttributor
from byline.attribution.inputs import check_number
from byline.corpus import Corpus
from byline.display import Displayable
from byline.errors import TrainingError, UsageError
from byline.experiments.evaluation import divide_texts
from byline.experiments.fitting import without_known_texts
from byline.experiments.learning_curve.answers import SampleAnswers, answer_sample
from byline.experiments.learning_curve.cells import LearningCurvePoint, measure_points
from byline.experiments.learning_curve.fits import FittedCurve, fit_curves
from byline.experiments.learning_curve.plan import CurvePlan, in_standard_order, plan_curve
from byline.experiments.prototypes import encoder_of, settings_of
from byline.experiments.results_file import ResultLines
from byline.experiments.split_caveats import find_leakage, find_undivided_authors
from byline.experiments.splits import Folds, Protocol
from byline.formatting import quantity
from byline.processes.parallel import run_parallel
from byline.processes.threads import limits_threads
from byline.progress import Progress

PASSAGES = 5  # of each length, per author and fold


@dataclass(frozen=True, slots=True)
class LearningCurve(Displayable):
    """Accuracy and calibration by the amount of known text and the length of questioned passages.

    Attributes
    ----------
    corpus : str
    n_documents : int
    split : dict
        How texts were held out.
    settings : dict
        The attributor's parameters by name; estimators are given by their class.
    authors : tuple of str
        The candidates.
    left_out : dict of str to int
        Authors without enough known text, and their known words.
    known_words, text_words : tuple of int
        The amounts of known text per author, and the lengths of questioned passages.
    n_samples : int
        Number of random samples of each amount of known text.
    n_passages : int
        Largest number of passages of each length per author and fold.
    is_calibrated : bool or None
        Whether the probabilities are calibrated; None if there are none.
    points : tuple of LearningCurvePoint
    curves : tuple of FittedCurve
        By known words for each length, then by length for each amount of known text.
    failures : dict of int to str
        Amounts of known text with which training failed, and why.
    caveats : tuple of str
        Reasons why the accuracies may be too high.
    cpu_seconds : float
        Of training and answering, also in earlier runs with the same results file.

    See Also
    --------
    evaluate_learning_curve : Computes it.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import evaluate_learning_curve
    >>> from byline.lm import NgramLM
    >>> texts = {"Ann": "The cat sat on the mat. ", "Bob": "A dog ran in a park. "}
    >>> documents = [
    ...     Document(author, text * 5 + f"Then it was {n}.", f"{author}/{n}.txt")
    ...     for author, text in texts.items()
    ...     for n in range(4)
    ... ]
    >>> corpus = Corpus(documents, "toy")
    >>> models = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> found = evaluate_learning_curve(
    ...     corpus, models, known_words=[10, 20, 50], text_words=[5], folds=2
    ... )
    >>> found.authors, found.known_words, found.text_words
    (('Ann', 'Bob'), (10, 20, 50), (5,))
    >>> found.to_dict()["kind"]
    'learning-curve'
    """

    corpus: str
    n_documents: int
    split: Mapping[str, Any]
    settings: Mapping[str, Any]
    authors: tuple[str, ...]
    left_out: Mapping[str, int]
    known_words: tuple[int, ...]
    text_words: tuple[int, ...]
    n_samples: int
    n_passages: int
    is_calibrated: bool | None
    points: tuple[LearningCurvePoint, ...]
    curves: tuple[FittedCurve, ...]
    failures: Mapping[int, str]
    caveats: tuple[str, ...]
    cpu_seconds: float

    def figures(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return asdict(self)


@limits_threads
def evaluate_learning_curve(
    corpus: Corpus,
    attributor: AuthorshipAttributor | StackedAttributor,
    *,
    split: Protocol = "document",
    folds: Folds | None = None,
    test: Corpus | None = None,
    known_words: Sequence[int] = (),
    text_words: Sequence[int] = (),
    passages: int = PASSAGES,
    repetitions: int = 1,
    reference: ReferencePopulation | None = None,
    random_state: int = 0,
    jobs: int = 1,
    results: Path | None = None,
    progress: Progress | None = None,
) -> LearningCurve:
    """Measure the accuracy with more and more known text, on passages of several lengths.

    In each fold, the attributor is trained on random samples of the known texts, with the same
    number of words per author, and attributes passages of the held-out texts.

    Parameters
    ----------
    corpus : Corpus
    attributor : AuthorshipAttributor or StackedAttributor
        The prototype, which is cloned for every sample.
    split : {"document", "work"}
    folds : int or "leave-one-out", optional
        See :func:`byline.experiments.split`.
    test : Corpus, optional
        Separate questioned texts. All of ``corpus`` is then known text.
    known_words : sequence of int
        Amounts of known text per author. By default, about 1, 2 and 5 times powers of ten from 200
        to the amount of the author with the least.
    text_words : sequence of int
        Lengths of questioned passages. By default, the same numbers from 50 to at most 5,000.
    passages : int
        Largest number of passages of each length per author and fold.
    repetitions : int
        Number of random samples of each amount per fold.
    reference : ReferencePopulation, optional
        Texts by other people, with which cases are simulated; for a stack only.
    random_state : int
        Seed of the split, the samples and the passages; the attributor has its own.
    jobs : int
        Number of processes, each of which trains on a sample at a time.
    results : Path, optional
        A file to which the answers after each training are added. What is in it is not done again.
    progress : Progress, optional
        Called after each training.

    Returns
    -------
    LearningCurve

    Raises
    ------
    UsageError
        A parameter is impossible, or the results file has something else.
    TrainingError
        Texts cannot be held out, fewer than two authors have enough known text, no held-out text is
        long enough, or training fails with all amounts.
    CorpusError
        ``test`` has authors that are not in ``corpus``.
    OutputError
        The results file cannot be read or written.

    See Also
    --------
    evaluate : Measure the accuracy with all known texts.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.lm import NgramLM
    >>> texts = {"Ann": "The cat sat on the mat. ", "Bob": "A dog ran in a park. "}
    >>> documents = [
    ...     Document(author, text * 5 + f"Then it was {n}.", f"{author}/{n}.txt")
    ...     for author, text in texts.items()
    ...     for n in range(4)
    ... ]
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> found = evaluate_learning_curve(
    ...     Corpus(documents, "toy"), attributor, known_words=[10, 50], text_words=[5, 10], folds=2
    ... )
    >>> [(point.known_words, point.text_words) for point in found.points]
    [(10, 5), (10, 10), (50, 5), (50, 10)]
    >>> found.points[-1].accuracy
    1.0
    """
    if split == "sentence":
        raise UsageError(
            "a learning curve needs whole held-out texts, of which passages are questioned; use "
            "split='document' or split='work'"
        )
    check_number("passages", passages, 1)
    check_number("repetitions", repetitions, 1)
    file = None
    if results is not None:
        file = ResultLines(results, "evaluate", SampleAnswers.from_dict)
    earlier = {} if file is None else file.read()
    encoder = encoder_of(attributor)
    corpus = in_standard_order(corpus.map_texts(encoder.normalize))
    test = None if test is None else in_standard_order(test.map_texts(encoder.normalize))
    parts, how = divide_texts(corpus, test, split, folds, random_state, encoder)
    split = split if test is None else "document"
    caveats = find_leakage(parts, split, one_corpus=test is None)
    if test is None:
        caveats += tuple(find_undivided_authors(parts, split))
    plan = plan_curve(
        parts,
        known_words=known_words,
        text_words=text_words,
        passages=passages,
        repetitions=repetitions,
        seed=random_state,
    )
    others = without_known_texts(reference, attributor, corpus, test)
    if others is not None:
        caveats += (f"the answers rest on simulated cases from {others.description}",)
    prototype = clone(attributor).set_params(n_jobs=1)
    answers = _answer(plan, prototype, others, earlier, file, jobs, progress)
    failures = {each.known_words: each.failure for each in answers if each.failure is not None}
    if len(failures) == len(plan.sizes.words):
        raise TrainingError(next(iter(failures.values())))
    points, resampled = measure_points(plan, answers)
    kinds = {each.is_calibrated for each in answers if each.log_losses}
    return LearningCurve(
        corpus=corpus.name,
        n_documents=len(corpus),
        split=how,
        settings=settings_of(attributor),
        authors=plan.sizes.authors,
        left_out=dict(plan.sizes.left_out),
        known_words=plan.sizes.words,
        text_words=plan.lengths,
        n_samples=len(parts) * repetitions,
        n_passages=passages,
        is_calibrated=next(iter(kinds)) if len(kinds) == 1 else None,
        points=tuple(points),
        curves=tuple(fit_curves(points, resampled, len(plan.sizes.authors))),
        failures=dict(sorted(failures.items())),
        caveats=caveats,
        cpu_seconds=sum(each.cpu_seconds for each in answers),
    )


def _answer(
    plan: CurvePlan,
    attributor: AuthorshipAttributor | StackedAttributor,
    reference: ReferencePopulation | None,
    earlier: Mapping[str, SampleAnswers],
    file: ResultLines[SampleAnswers] | None,
    jobs: int,
    progress: Progress | None,
) -> list[SampleAnswers]:
    """Return the answers of all samples, in an order that does not depend on the processes."""
    samples = list(plan.samples())
    found: list[SampleAnswers] = []
    missing = []
    for sample in samples:  # taking a sample again is quick, but all of them need much memory
        digest = plan.task(attributor, reference, *sample).digest if earlier else ""
        if digest in earlier:
            _check_length(earlier[digest], plan, file)
            found.append(earlier[digest])
        else:
            missing.append(sample)
    calls = ((plan.task(attributor, reference, *sample),) for sample in missing)
    for answers in run_parallel(answer_sample, calls, jobs):
        if file is not None:
            file.append(answers)
        found.append(answers)
        if progress is not None:
            progress(len(found), len(samples), f"{answers.known_words:,} known words per author")
    return sorted(found, key=lambda each: (each.fold, each.repetition, each.known_words))


def _check_length(
    answers: SampleAnswers, plan: CurvePlan, file: ResultLines[SampleAnswers] | None
) -> None:
    """Check that a stored result has an answer about each passage of its fold."""
    n_passages = len(plan.passages[answers.fold])
    if file is not None and answers.failure is None and len(answers.is_correct) != n_passages:
        raise UsageError(
            f"{file.path}: a result has {quantity(len(answers.is_correct), 'answer')} about "
            f"{quantity(n_passages, 'passage')}; the file is damaged, choose another results file"
        )
