"""Metrics of an evaluation: accuracy, F1, confusions and calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from scipy.stats import binomtest
from sklearn.metrics import confusion_matrix, f1_score, precision_recall_fscore_support

from byline.attribution.calibration import (
    CalibrationMetrics,
    CalibrationOutcomes,
    CrossEntropyCurve,
    TippettCurve,
    errors_by_chance,
)
from byline.experiments.decisions import Decision
from byline.experiments.shortlist_recall import ShortlistRecall

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FoldOutcomes:
    """Probabilities and true authors of the texts of a fold, all of one length.

    A declined text has equal probabilities of all candidates, and likelihood ratios of 1.

    Attributes
    ----------
    calibration_unavailable_reason : str or None
        Why the attributor is not calibrated; None if it is.
    raw : CalibrationOutcomes or None
        Posteriors of the language models, which treat tokens as independent. None if there are no
        language models, or if one of them gives a text probability zero.
    calibrated : CalibrationOutcomes or None
        Calibrated probabilities; None if there are none.
    """

    calibration_unavailable_reason: str | None
    raw: CalibrationOutcomes | None
    calibrated: CalibrationOutcomes | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Quality of the probabilities and likelihood ratios of all texts of one length.

    A declined text counts with equal probabilities of all candidates.

    Attributes
    ----------
    calibration_unavailable_reason : str or None
        Why there are no calibrated probabilities, at least in one fold.
    before : CalibrationMetrics or None
        Metrics of the language models' own posteriors, the softmax of log-likelihoods.
    after : CalibrationMetrics or None
        Metrics of the calibrated probabilities. None if no text has any.
    tippett : TippettCurve or None
        Distribution of the likelihood ratios.
    cross_entropy : CrossEntropyCurve or None
        Empirical cross-entropy of the likelihood ratios.
    ece_by_chance, ece_by_chance_95 : float or None
        The mean and the 95th percentile of the ECE if the answers are correct with the stated
        probabilities, independently of each other.
    """

    calibration_unavailable_reason: str | None
    before: CalibrationMetrics | None
    after: CalibrationMetrics | None
    tippett: TippettCurve | None
    cross_entropy: CrossEntropyCurve | None
    ece_by_chance: float | None = None
    ece_by_chance_95: float | None = None

    @classmethod
    def of(cls, folds: Sequence[FoldOutcomes]) -> Self:
        """Compute the metrics over the texts of all folds."""
        raw = _join(fold.raw for fold in folds)
        calibrated = _join(fold.calibrated for fold in folds)
        by_chance = None if calibrated is None else errors_by_chance(calibrated.confidences)
        reasons = (fold.calibration_unavailable_reason for fold in folds)
        return cls(
            calibration_unavailable_reason=next(filter(None, reasons), None),
            before=None if raw is None else raw.metrics(),
            after=None if calibrated is None else calibrated.metrics(),
            tippett=None if calibrated is None else calibrated.tippett(),
            cross_entropy=None if calibrated is None else calibrated.cross_entropy_curve(),
            ece_by_chance=None if by_chance is None else float(by_chance.mean()),
            ece_by_chance_95=None if by_chance is None else float(np.quantile(by_chance, 0.95)),
        )


@dataclass(frozen=True, slots=True)
class AnswerCaveats:
    """Caveats of answers, and the accuracy with and without any.

    Attributes
    ----------
    counts : dict of code to int
        Number of answers with each caveat, the most frequent first. That a model of language models
        alone is uncalibrated is not counted.
    n_with, n_correct_with : int
        Number of answers with at least one caveat, and of those that are correct.
    n_without, n_correct_without : int
    """

    counts: dict[str, int]
    n_with: int
    n_correct_with: int
    n_without: int
    n_correct_without: int

    @classmethod
    def of(cls, codes: Sequence[Sequence[str]], is_correct: Sequence[bool]) -> Self:
        """Count the caveats of answers.

        Parameters
        ----------
        codes : sequence of sequences of str, (n_texts,)
        is_correct : sequence of bool, (n_texts,)
        """
        counts = Counter(code for own in codes for code in own)
        with_any = [right for own, right in zip(codes, is_correct, strict=True) if own]
        without = [right for own, right in zip(codes, is_correct, strict=True) if not own]
        ordered = dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
        return cls(ordered, len(with_any), sum(with_any), len(without), sum(without))


def _join(folds: Iterable[CalibrationOutcomes | None]) -> CalibrationOutcomes | None:
    answered = [fold for fold in folds if fold]  # leaves out None, and outcomes of no text
    return CalibrationOutcomes.join(answered) if answered else None


@dataclass(frozen=True, slots=True)
class AccuracyEstimate:
    """An accuracy with its 95 % Wilson interval.

    Attributes
    ----------
    accuracy : float
        Share of texts that were correctly attributed.
    accuracy_interval : (float, float)
        The interval assumes that texts are independent. Passages of one document are not, so that
        their interval is too narrow.

    See Also
    --------
    Metrics : All metrics of an evaluation.

    Examples
    --------
    >>> estimate = AccuracyEstimate.from_counts(8, 10)
    >>> estimate.accuracy
    0.8
    >>> [round(bound, 3) for bound in estimate.accuracy_interval]
    [0.49, 0.943]
    """

    accuracy: float
    accuracy_interval: Interval

    @classmethod
    def from_counts(cls, n_correct: int, n: int) -> AccuracyEstimate:
        """Estimate the accuracy from ``n_correct`` of ``n >= 1`` texts.

        The interval is that of Wilson (1927), without continuity correction.
        """
        interval = binomtest(n_correct, n).proportion_ci(0.95, method="wilson")
        return cls(n_correct / n, (float(interval.low), float(interval.high)))


@dataclass(frozen=True, slots=True)
class AuthorMetrics:
    """Metrics of one author's texts.

    Attributes
    ----------
    author : str
    n : int
        Number of questioned texts by the author.
    precision : float
        Of the texts attributed to the author, the share that the author wrote; 0 if none was
        attributed.
    recall : float
        Of the author's texts, the share that was attributed to the author.
    f1 : float
        Harmonic mean of precision and recall.

    See Also
    --------
    metrics_of : Compute the metrics.

    Examples
    --------
    >>> from byline.experiments import Decision, metrics_of
    >>> decisions = [
    ...     Decision("1.txt", 0, None, author="Ann", predicted="Ann", rank=1, declined=False),
    ...     Decision("2.txt", 0, None, author="Bob", predicted="Ann", rank=2, declined=False),
    ... ]
    >>> bob = metrics_of(decisions, ["Ann", "Bob"], "Ann").per_author[1]
    >>> bob.author, bob.n, bob.recall
    ('Bob', 1, 0.0)
    """

    author: str
    n: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Metrics:
    """Metrics of questioned texts of one length.

    Attributes
    ----------
    sentences : int or None
        Length of the texts in sentences; None for texts as they were held out.
    n_questioned, n_declined, n_dropped_sentences : int
        Number of texts, of those for which the attributor declined, and of sentences left over.
    accuracy : float
        Share of all texts, declined ones included, whose highest-scoring author is the true one.
    accuracy_interval : (float, float)
        95 % Wilson interval, which assumes that texts are independent.
    accuracy_answered : float or None
        Accuracy over the texts for which the attributor did not decline; None if it always did.
    macro_f1 : float
        Mean F1 over the authors who have questioned texts.
    mean_reciprocal_rank : float
    shortlist : ShortlistRecall
    baselines : dict
        Accuracy of "most_frequent_author", which always predicts the author with the most
        documents.
    confusion : dict
        "labels", and "matrix" with a row per true author and a column per predicted author.
    per_author : tuple of AuthorMetrics
        Authors who have questioned texts.
    calibration : Calibration or None
        Quality of the probabilities; None if it was not computed.

    See Also
    --------
    metrics_of : Compute the metrics.

    Examples
    --------
    >>> from byline.experiments import Decision, metrics_of
    >>> decisions = [
    ...     Decision("1.txt", 0, None, author="Ann", predicted="Ann", rank=1, declined=False),
    ...     Decision("2.txt", 0, None, author="Bob", predicted="Ann", rank=2, declined=False),
    ... ]
    >>> metrics = metrics_of(decisions, ["Ann", "Bob"], "Ann")
    >>> metrics.n_questioned, metrics.accuracy, metrics.baselines["most_frequent_author"].accuracy
    (2, 0.5, 0.5)
    >>> metrics.to_dict()["confusion"]["matrix"]
    [[1, 0], [1, 0]]
    """

    sentences: int | None
    n_questioned: int
    n_declined: int
    n_dropped_sentences: int
    accuracy: float
    accuracy_interval: Interval
    accuracy_answered: float | None
    macro_f1: float
    mean_reciprocal_rank: float
    shortlist: ShortlistRecall
    baselines: dict[str, AccuracyEstimate]
    confusion: dict[str, Any]
    per_author: tuple[AuthorMetrics, ...]
    calibration: Calibration | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all metrics as JSON values."""
        return asdict(self)


def metrics_of(
    decisions: Sequence[Decision],
    candidates: Sequence[str],
    most_frequent: str,
    *,
    n_dropped_sentences: int = 0,
    calibration: Calibration | None = None,
) -> Metrics:
    """Compute the metrics of texts of one length.

    Parameters
    ----------
    decisions : sequence of Decision
        One or more, all of one length.
    candidates : sequence of str
        All authors, in the order of the confusion matrix.
    most_frequent : str
        The author with the most documents.
    n_dropped_sentences : int
        Number of sentences that are in none of the texts.
    calibration : Calibration, optional
        Of the same texts; included in the result.

    See Also
    --------
    evaluate : Attribute held-out texts and compute all metrics.

    Examples
    --------
    >>> decisions = [
    ...     Decision("1.txt", 0, None, author="Ann", predicted="Ann", rank=1, declined=False),
    ...     Decision("2.txt", 0, None, author="Bob", predicted="Ann", rank=2, declined=False),
    ... ]
    >>> metrics = metrics_of(decisions, ["Ann", "Bob"], "Ann")
    >>> metrics.accuracy, metrics.mean_reciprocal_rank
    (0.5, 0.75)
    >>> metrics.confusion["matrix"]
    [[1, 0], [1, 0]]
    """
    authors = [decision.author for decision in decisions]
    predicted = [decision.predicted for decision in decisions]
    ranks = [decision.rank for decision in decisions]
    correct = [decision.author == decision.predicted for decision in decisions]
    answered = [hit for hit, d in zip(correct, decisions, strict=True) if not d.declined]
    n_most_frequent = sum(d.author == most_frequent for d in decisions)
    estimate = AccuracyEstimate.from_counts(sum(correct), len(correct))
    baseline = AccuracyEstimate.from_counts(n_most_frequent, len(correct))
    questioned = sorted(set(authors))
    return Metrics(
        sentences=decisions[0].sentences,
        n_questioned=len(decisions),
        n_declined=len(decisions) - len(answered),
        n_dropped_sentences=n_dropped_sentences,
        accuracy=estimate.accuracy,
        accuracy_interval=estimate.accuracy_interval,
        accuracy_answered=sum(answered) / len(answered) if answered else None,
        macro_f1=macro_f1(decisions),
        mean_reciprocal_rank=float(np.mean([1 / rank for rank in ranks])),
        shortlist=ShortlistRecall.from_ranks(ranks, len(candidates)),
        baselines={"most_frequent_author": baseline},
        confusion={
            "labels": list(candidates),
            "matrix": confusion_matrix(authors, predicted, labels=list(candidates)).tolist(),
        },
        per_author=_per_author(authors, predicted, questioned),
        calibration=calibration,
    )


def macro_f1(decisions: Sequence[Decision]) -> float:
    """Return the mean F1 over the authors who have questioned texts."""
    authors = [decision.author for decision in decisions]
    predicted = [decision.predicted for decision in decisions]
    labels = sorted(set(authors))
    return float(f1_score(authors, predicted, labels=labels, average="macro", zero_division=0.0))


def _per_author(
    authors: Sequence[str], predicted: Sequence[str], questioned: Sequence[str]
) -> tuple[AuthorMetrics, ...]:
    columns = precision_recall_fscore_support(
        authors, predicted, labels=list(questioned), zero_division=0.0
    )
    return tuple(
        AuthorMetrics(author, int(n), float(precision), float(recall), float(f1))
        for author, precision, recall, f1, n in zip(questioned, *columns, strict=True)
    )
