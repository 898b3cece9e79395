"""Metrics, each a function of the recorded decisions."""

from __future__ import annotations

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
)
from byline.experiments.decisions import Decision


@dataclass(frozen=True, slots=True)
class FoldOutcomes:
    """How sure an attributor was of the answered texts of a fold, all of one length.

    Attributes
    ----------
    calibration_unavailable_reason : str or None
        Why it tells no probabilities, in plain words; None where it does.
    raw : Outcomes or None
        By its language models alone, as if tokens were independent; None where it has none, or
        where one of them rules a text out.
    calibrated : Outcomes or None
        By the probabilities that it tells; None where it tells none.
    """

    calibration_unavailable_reason: str | None
    raw: CalibrationOutcomes | None
    calibrated: CalibrationOutcomes | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Measures of probabilities and likelihood ratios of answered texts of one length.

    Attributes
    ----------
    calibration_unavailable_reason : str or None
        Why no probabilities are told, or none in some folds; in plain words.
    before : Judgement or None
        Of the language models' own posteriors, where there are any: softmax of log-likelihoods.
    after : Judgement or None
        Of the probabilities that are told. None where no text was answered with any.
    tippett : Tippett or None
        Of the likelihood ratios that are told.
    cross_entropy : CrossEntropyCurve or None
        The same.
    """

    calibration_unavailable_reason: str | None
    before: CalibrationMetrics | None
    after: CalibrationMetrics | None
    tippett: TippettCurve | None
    cross_entropy: CrossEntropyCurve | None

    @classmethod
    def of(cls, folds: Sequence[FoldOutcomes]) -> Self:
        """Judge the texts of all folds together."""
        raw = _joined(fold.raw for fold in folds)
        calibrated = _joined(fold.calibrated for fold in folds)
        reasons = (fold.calibration_unavailable_reason for fold in folds)
        return cls(
            calibration_unavailable_reason=next(filter(None, reasons), None),
            before=None if raw is None else raw.metrics(),
            after=None if calibrated is None else calibrated.metrics(),
            tippett=None if calibrated is None else calibrated.tippett(),
            cross_entropy=None if calibrated is None else calibrated.cross_entropy_curve(),
        )


def _joined(folds: Iterable[CalibrationOutcomes | None]) -> CalibrationOutcomes | None:
    answered = [fold for fold in folds if fold]  # it has a length: that of no text is 0
    return CalibrationOutcomes.join(answered) if answered else None


Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Share:
    """A share of texts with its 95 % Wilson interval.

    Attributes
    ----------
    accuracy : float
    accuracy_interval : (float, float)
        It takes the texts as independent of one another; pieces of one document are not, so that
        theirs is too narrow.
    """

    accuracy: float
    accuracy_interval: Interval

    @classmethod
    def of(cls, n_right: int, n: int) -> Share:
        """Share of ``n_right`` in ``n >= 1`` texts (Wilson 1927, without continuity correction)."""
        interval = binomtest(n_right, n).proportion_ci(0.95, method="wilson")
        return cls(n_right / n, (float(interval.low), float(interval.high)))


@dataclass(frozen=True, slots=True)
class AuthorMetrics:
    """How one author's texts fared.

    Attributes
    ----------
    author : str
    n : int
        Questioned texts of the author.
    precision : float
        Share of the texts given to the author that are the author's; 0 where none was given.
    recall : float
        Share of the author's texts that were given to the author.
    f1 : float
        Harmonic mean of the two.
    """

    author: str
    n: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Metrics:
    """How questioned texts of one length fared.

    Attributes
    ----------
    sentences : int or None
        Length of the texts in sentences; None of texts as they were held out.
    n_questioned, n_declined, n_dropped_sentences : int
        Texts scored, those the attributor would not name anybody for, and sentences left over.
    accuracy : float
        Share of all texts, declined ones included, whose best-scoring author is the right one.
    accuracy_interval : (float, float)
        95 % Wilson interval; it takes the texts as independent.
    accuracy_answered : float or None
        Accuracy over the texts that were not declined; None where all were.
    macro_f1 : float
        Mean F1 over the authors who have questioned texts.
    mean_reciprocal_rank : float
    baselines : dict
        Accuracy and interval of "most_frequent_author": always the author with the most known
        documents.
    confusion : dict
        "labels", and "matrix" with a row a true author and a column a named one.
    per_author : tuple of AuthorMetrics
        Authors who have questioned texts.
    calibration : Calibration or None
        How far probabilities can be trusted; None where nobody asked.
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
    baselines: dict[str, Share]
    confusion: dict[str, Any]
    per_author: tuple[AuthorMetrics, ...]
    calibration: Calibration | None = None

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return asdict(self)


def metrics_of(
    decisions: Sequence[Decision],
    candidates: Sequence[str],
    most_frequent: Sequence[str],
    *,
    n_dropped_sentences: int = 0,
    calibration: Calibration | None = None,
) -> Metrics:
    """Work out the metrics of texts of one length.

    Parameters
    ----------
    decisions : sequence of Decision
        One or more, all of one length.
    candidates : sequence of str
        All authors, in the order of the confusion matrix.
    most_frequent : sequence of str
        The author with the most known documents, fold by fold.
    n_dropped_sentences : int
    calibration : Calibration, optional
        Of the same texts; handed on.
    """
    authors = [decision.author for decision in decisions]
    named = [decision.named for decision in decisions]
    right = [decision.author == decision.named for decision in decisions]
    answered = [hit for hit, d in zip(right, decisions, strict=True) if not d.declined]
    by_chance = sum(d.author == most_frequent[d.fold] for d in decisions)
    share = Share.of(sum(right), len(right))
    questioned = sorted(set(authors))
    return Metrics(
        sentences=decisions[0].sentences,
        n_questioned=len(decisions),
        n_declined=len(decisions) - len(answered),
        n_dropped_sentences=n_dropped_sentences,
        accuracy=share.accuracy,
        accuracy_interval=share.accuracy_interval,
        accuracy_answered=sum(answered) / len(answered) if answered else None,
        macro_f1=float(
            f1_score(authors, named, labels=questioned, average="macro", zero_division=0.0)
        ),
        mean_reciprocal_rank=float(np.mean([1 / decision.rank for decision in decisions])),
        baselines={"most_frequent_author": Share.of(by_chance, len(decisions))},
        confusion={
            "labels": list(candidates),
            "matrix": confusion_matrix(authors, named, labels=list(candidates)).tolist(),
        },
        per_author=_per_author(authors, named, questioned),
        calibration=calibration,
    )


def _per_author(
    authors: Sequence[str], named: Sequence[str], questioned: Sequence[str]
) -> tuple[AuthorMetrics, ...]:
    columns = precision_recall_fscore_support(
        authors, named, labels=list(questioned), zero_division=0.0
    )
    return tuple(
        AuthorMetrics(author, int(n), float(precision), float(recall), float(f1))
        for author, precision, recall, f1, n in zip(questioned, *columns, strict=True)
    )
