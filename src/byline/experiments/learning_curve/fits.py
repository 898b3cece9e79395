"""Fitted curves with their intervals, and the numbers of words that an accuracy needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from byline.array_types import Floats
from byline.experiments.learning_curve.cells import Key, LearningCurvePoint
from byline.experiments.learning_curve.fitting import MIN_POINTS, ErrorCurve, fit_curve

#: What a curve is a function of.
Axis = Literal["known_words", "text_words"]
Where = Literal["measured", "fewer", "extrapolated", "not-reached"]
TARGET = 0.95  # the accuracy for which the number of words is stated
FARTHEST = 10  # a curve is extrapolated to at most so many times the largest number of words
_N_PLACES = 41  # at which the interval of a curve is computed


@dataclass(frozen=True, slots=True)
class WordsNeeded:
    """The number of words at which a fitted curve reaches an accuracy.

    Attributes
    ----------
    accuracy : float
    where : {"measured", "fewer", "extrapolated", "not-reached"}
        Whether that number is within the measured range, below it, or above it; "not-reached" if it
        is also above ten times the largest measured number.
    words : float or None
        None if it is not reached.
    interval : (float or None, float or None)
        95 %; None where the curve does not reach the accuracy within ten times the measured range.

    See Also
    --------
    FittedCurve : The curve.
    """

    accuracy: float
    where: Where
    words: float | None
    interval: tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class FittedCurve:
    """A curve that was fitted to the accuracies of one row or column of a learning curve.

    Attributes
    ----------
    axis : {"known_words", "text_words"}
        What the curve is a function of.
    fixed : int
        The other number of words.
    curve : ErrorCurve
    words : tuple of float, (n_places,)
        From the smallest to the largest measured number, at equal ratios.
    fitted, low, high : tuple of float, (n_places,)
        The accuracy of the curve at each of them, and its 95 % interval.
    needed : WordsNeeded
        For an accuracy of 95 %.

    See Also
    --------
    evaluate_learning_curve : Fits the curves.

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
    >>> [curve] = found.curves
    >>> curve.axis, curve.fixed, round(curve.words[0]), round(curve.words[-1])
    ('known_words', 5, 10, 50)
    """

    axis: Axis
    fixed: int
    curve: ErrorCurve
    words: tuple[float, ...]
    fitted: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    needed: WordsNeeded


def fit_curves(
    points: Sequence[LearningCurvePoint], resampled: Mapping[Key, Floats], n_authors: int
) -> list[FittedCurve]:
    """Fit a curve by known words for each length, then one by length for each amount.

    Curves with fewer than three points are left out.

    Parameters
    ----------
    points : sequence of LearningCurvePoint
    resampled : mapping of (known words, text words) to (n_resamples,) float64
        Accuracies.
    n_authors : int
    """
    guessing = 1 - 1 / n_authors
    curves = []
    axes: tuple[tuple[Axis, Axis], ...] = (
        ("known_words", "text_words"),
        ("text_words", "known_words"),
    )
    for axis, other in axes:
        for fixed in sorted({getattr(point, other) for point in points}):
            own = [point for point in points if getattr(point, other) == fixed]
            if len(own) >= MIN_POINTS:
                curves.append(_fit(own, resampled, guessing, axis, fixed))
    return curves


def _fit(
    points: Sequence[LearningCurvePoint],
    resampled: Mapping[Key, Floats],
    guessing: float,
    axis: Axis,
    fixed: int,
) -> FittedCurve:
    words = [getattr(point, axis) for point in points]
    curve = fit_curve(words, [point.accuracy for point in points], guessing)
    columns = [resampled[point.known_words, point.text_words] for point in points]
    others = [
        fit_curve(words, row, guessing, start=curve)
        for row in np.stack(columns, axis=1).tolist()
        if not np.isnan(row).any()
    ]
    places = np.geomspace(words[0], words[-1], _N_PLACES)
    low, high = np.quantile([each.accuracy(places) for each in others], [0.025, 0.975], axis=0)
    return FittedCurve(
        axis=axis,
        fixed=fixed,
        curve=curve,
        words=tuple(places.tolist()),
        fitted=tuple(curve.accuracy(places).tolist()),
        low=tuple(low.tolist()),
        high=tuple(high.tolist()),
        needed=words_needed(curve, others, words[0], words[-1]),
    )


def words_needed(
    curve: ErrorCurve, resampled: Sequence[ErrorCurve], least: int, most: int
) -> WordsNeeded:
    """Return how many words an accuracy of 95 % needs.

    Parameters
    ----------
    curve : ErrorCurve
    resampled : sequence of ErrorCurve
        Fitted to each resample.
    least, most : int
        The measured range.

    Examples
    --------
    >>> curve = ErrorCurve(guessing=0.5, floor=0.0, midpoint=1000.0, exponent=1.0)
    >>> found = words_needed(curve, [curve], 100, 20_000)
    >>> found.where, round(found.words)
    ('measured', 9000)
    >>> words_needed(curve, [curve], 100, 800).where
    'not-reached'
    """
    farthest = FARTHEST * most
    needed = curve.words_needed(TARGET)
    each = [other.words_needed(TARGET) for other in resampled]
    low, high = np.quantile(each, [0.025, 0.975], method="nearest").tolist()
    where: Where
    if needed > farthest:
        where = "not-reached"
    elif needed > most:
        where = "extrapolated"
    else:
        where = "fewer" if needed < least else "measured"
    value, first, last = (None if end > farthest else end for end in (needed, low, high))
    return WordsNeeded(TARGET, where, value, (first, last))
