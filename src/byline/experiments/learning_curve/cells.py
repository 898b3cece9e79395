"""Measure the answers to passages of one length, after training on one amount of known text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.calibration import errors_by_chance, reliability_of_confidences
from byline.experiments.learning_curve.answers import SampleAnswers
from byline.experiments.learning_curve.plan import CurvePlan
from byline.experiments.learning_curve.resampling import (
    Resampler,
    accuracy_interval,
    interval,
)
from byline.experiments.metrics import Interval

Key = tuple[int, int]  # known words, words of the questioned passage


@dataclass(frozen=True, slots=True)
class LearningCurvePoint:
    """Accuracy and calibration for one amount of known text and one length of passages.

    Attributes
    ----------
    known_words : int
        Known words per author.
    text_words : int
        Length of the questioned passages.
    n_answers, n_passages, n_works : int
        Number of answers, of different passages, and of held-out works that they are from. Each
        passage is answered once per sample of the known texts of its fold.
    accuracy : float
    accuracy_interval : (float, float)
        95 %, by resampling held-out works and samples of known texts.
    log_loss : float or None
        Mean negative log-probability of the true author, in nats. None without probabilities.
    log_loss_interval : (float, float) or None
    ece, ece_by_chance, ece_by_chance_95 : float or None
        Expected calibration error, and its mean and 95th percentile if the answers are correct with
        the stated probabilities, independently of each other.

    See Also
    --------
    evaluate_learning_curve : Computes the points.

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
    >>> point = found.points[-1]
    >>> point.known_words, point.text_words, point.n_works, point.accuracy
    (50, 5, 8, 1.0)
    """

    known_words: int
    text_words: int
    n_answers: int
    n_passages: int
    n_works: int
    accuracy: float
    accuracy_interval: Interval
    log_loss: float | None
    log_loss_interval: Interval | None
    ece: float | None
    ece_by_chance: float | None
    ece_by_chance_95: float | None


def measure_points(
    plan: CurvePlan, answers: Sequence[SampleAnswers]
) -> tuple[list[LearningCurvePoint], dict[Key, Floats]]:
    """Measure all cells, short passages and small amounts of known text first.

    Parameters
    ----------
    plan : CurvePlan
    answers : sequence of SampleAnswers
        One per sample. Amounts for which the training on a sample failed are left out.

    Returns
    -------
    points : list of LearningCurvePoint
    resampled : mapping of (known words, text words) to (n_resamples,) float64
        Accuracies.
    """
    failed = {each.known_words for each in answers if each.failure is not None}
    columns = _columns(plan)
    chains = sorted({(each.fold, each.repetition) for each in answers})
    resampler = Resampler(columns.n_works, len(chains))
    points: list[LearningCurvePoint] = []
    resampled: dict[Key, Floats] = {}
    for words in plan.sizes.words:
        own = {(each.fold, each.repetition): each for each in answers if each.known_words == words}
        for length in plan.lengths:
            if words in failed:
                continue
            cell = _Cell.of(columns, [own[chain] for chain in chains], length)
            resampled[words, length] = resampler.means(cell.sums(cell.correct), cell.counts)
            points.append(cell.measure(words, length, resampler, resampled[words, length]))
    return points, resampled


@dataclass(frozen=True, slots=True)
class _Columns:
    """The length and the work of the passages of each fold."""

    lengths: tuple[Integers, ...]
    works: tuple[Integers, ...]
    n_works: int


def _columns(plan: CurvePlan) -> _Columns:
    numbers: dict[tuple[str, str], int] = {}
    works = [
        np.array(
            [numbers.setdefault((each.author, each.work), len(numbers)) for each in of_fold],
            dtype=np.int64,
        )
        for of_fold in plan.passages
    ]
    lengths = [np.array([each.n_words for each in of_fold]) for of_fold in plan.passages]
    return _Columns(tuple(lengths), tuple(works), len(numbers))


@dataclass(frozen=True, slots=True)
class _Cell:
    """The answers of all samples to passages of one length.

    Attributes
    ----------
    works : list of (n_passages,) int
        The work of each passage, sample by sample.
    correct : list of (n_passages,) float64
    losses, confidences : list of (n_passages,) float64, or None
    n_works : int
        Of the corpus.
    n_passages : int
        Number of different passages.
    """

    works: list[Integers]
    correct: list[Floats]
    losses: list[Floats] | None
    confidences: list[Floats] | None
    n_works: int
    n_passages: int

    @classmethod
    def of(cls, columns: _Columns, answers: Sequence[SampleAnswers], length: int) -> _Cell:
        chosen: list[Booleans] = [columns.lengths[each.fold] == length for each in answers]
        pairs = list(zip(answers, chosen, strict=True))
        # The mean of calibrated and uncalibrated probabilities would mean nothing.
        answered = [each for each in answers if each.is_correct]  # not so without passages
        is_stated = all(each.log_losses for each in answered)
        is_stated &= len({each.is_calibrated for each in answered}) == 1
        return cls(
            works=[columns.works[each.fold][own] for each, own in pairs],
            correct=[np.array(each.is_correct, dtype=np.float64)[own] for each, own in pairs],
            losses=[np.array(each.log_losses)[own] for each, own in pairs] if is_stated else None,
            confidences=[np.array(each.confidences)[own] for each, own in pairs]
            if is_stated
            else None,
            n_works=columns.n_works,
            n_passages=sum(int((lengths == length).sum()) for lengths in columns.lengths),
        )

    @property
    def counts(self) -> Integers:
        """Number of passages by sample and work, (n_samples, n_works)."""
        return np.array([np.bincount(own, minlength=self.n_works) for own in self.works])

    def sums(self, values: Sequence[Floats]) -> Floats:
        """Sum values by sample and work, (n_samples, n_works)."""
        pairs = zip(self.works, values, strict=True)
        return np.array([np.bincount(own, each, minlength=self.n_works) for own, each in pairs])

    def measure(
        self, words: int, length: int, resampler: Resampler, accuracies: Floats
    ) -> LearningCurvePoint:
        correct = np.concatenate(self.correct)
        accuracy = float(correct.mean())
        n_works = len(set(np.concatenate(self.works).tolist()))
        return LearningCurvePoint(
            known_words=words,
            text_words=length,
            n_answers=len(correct),
            n_passages=self.n_passages,
            n_works=n_works,
            accuracy=accuracy,
            accuracy_interval=accuracy_interval(accuracy, accuracies, n_works),
            **self._calibration(resampler, correct),
        )

    def _calibration(self, resampler: Resampler, correct: Floats) -> dict[str, Any]:
        if self.losses is None or self.confidences is None:
            names = ("log_loss", "log_loss_interval", "ece", "ece_by_chance", "ece_by_chance_95")
            return dict.fromkeys(names)
        stated = np.concatenate(self.confidences)
        by_chance = errors_by_chance(stated)
        losses = resampler.means(self.sums(self.losses), self.counts)
        return {
            "log_loss": float(np.concatenate(self.losses).mean()),
            "log_loss_interval": interval(losses),
            "ece": reliability_of_confidences(stated, correct).ece,
            "ece_by_chance": float(by_chance.mean()),
            "ece_by_chance_95": float(np.quantile(by_chance, 0.95)),
        }
