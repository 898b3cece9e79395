"""Measure the answers to small cases, cell by cell: settings of cases, and length of the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

import numpy as np

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.calibration import (
    CalibrationOutcomes,
    cllr,
    errors_by_chance,
    reliability_of_confidences,
)
from byline.experiments.small_cases.answers import DEFAULT, CaseAnswers
from byline.experiments.small_cases.grid import FEWEST_TEXTS, parse_settings

_SMALLEST_DIFFERENCE = 0.01  # a point of accuracy
_SMALLEST_ECE = 0.05


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The accuracy of a method.

    Attributes
    ----------
    accuracy : float
        Share of the questioned texts that were correctly attributed.
    standard_error : float
        Clustered by case, because the answers to texts of one case depend on the same known texts.
        0 if there is only one case.
    n_failed : int
        Number of texts without an answer because training failed; they count as wrong.
    """

    accuracy: float
    standard_error: float
    n_failed: int


@dataclass(frozen=True, slots=True)
class CaseCell:
    """Measurements of questioned texts of one length in cases of the same settings.

    Attributes
    ----------
    corpus, settings : str
    n_candidates, n_known, known_words : int
    change, unequal : str
        As in `CaseSettings`.
    questioned_words : int
        0 for whole works.
    n, n_cases : int
        Numbers of questioned texts and of cases.
    methods : dict of method to Accuracy
    best_single : str
        The method with the highest accuracy, without the default.
    difference, difference_error : float
        The default's accuracy minus that of ``best_single``, and its standard error by case.
    held_out_difference, held_out_difference_error : float
        The same, but with the single method that is best in the other cases of the cell, for each
        case. ``best_single`` is chosen on the texts that it is measured on, which favours it.
    log_loss, log_loss_of_guessing : float
        Of the default's probabilities, and of equal probabilities, in nats.
    ece : float
        Expected calibration error of the default's probabilities in ten bins.
    ece_by_chance, ece_by_chance_95 : float
        The mean and the 95th percentile of that error for answers that are right with the stated
        probabilities, independently of each other.
    cllr : float
        Of the default's likelihood ratios, in bits.
    """

    corpus: str
    settings: str
    n_candidates: int
    n_known: int
    known_words: int
    change: str
    unequal: str
    questioned_words: int
    n: int
    n_cases: int
    methods: dict[str, Accuracy]
    best_single: str
    difference: float
    difference_error: float
    held_out_difference: float
    held_out_difference_error: float
    log_loss: float
    log_loss_of_guessing: float
    ece: float
    ece_by_chance: float
    ece_by_chance_95: float
    cllr: float

    @property
    def is_below(self) -> bool:
        """Whether the default is worse than the best single method, by a point and the error."""
        return _is_below(self.difference, self.difference_error)

    @property
    def is_below_held_out(self) -> bool:
        """The same for the single methods that are best in other cases."""
        return _is_below(self.held_out_difference, self.held_out_difference_error)

    @property
    def is_above_guessing(self) -> bool:
        """Whether the log loss is higher than that of guessing."""
        return self.log_loss > self.log_loss_of_guessing

    @property
    def is_miscalibrated(self) -> bool:
        """Whether the calibration error is above .05 and above the mean error by chance."""
        return self.ece > max(_SMALLEST_ECE, self.ece_by_chance)

    @property
    def is_beyond_chance(self) -> bool:
        """Whether the calibration error is above .05 and above the 95th percentile by chance."""
        return self.ece > max(_SMALLEST_ECE, self.ece_by_chance_95)


@dataclass(frozen=True, slots=True)
class CellCounts:
    """Summary of cells with at least 200 questioned texts.

    Attributes
    ----------
    n : int
        Number of these cells.
    n_small : int
        Number of cells with fewer texts, which are left out.
    n_below : int
        Cells in which the default is worse than the best single method by more than a point and
        more than the standard error of the difference.
    mean_difference : float or None
        Mean over cells of the default's accuracy minus that of the best single method.
    n_below_held_out, mean_held_out_difference : int, float or None
        The same for the single methods that are best in other cases of the cell.
    n_above_guessing : int
        Cells in which the log loss is above that of guessing.
    n_miscalibrated, n_beyond_chance : int
        Cells in which the calibration error is above .05, and above its mean or 95th percentile by
        chance.
    """

    n: int
    n_small: int
    n_below: int
    mean_difference: float | None
    n_below_held_out: int
    mean_held_out_difference: float | None
    n_above_guessing: int
    n_miscalibrated: int
    n_beyond_chance: int

    @classmethod
    def of(cls, cells: Sequence[CaseCell]) -> CellCounts:
        """Count the cells."""
        counted = [cell for cell in cells if cell.n >= FEWEST_TEXTS]
        differences = [cell.difference for cell in counted]
        held_out = [cell.held_out_difference for cell in counted]
        return cls(
            n=len(counted),
            n_small=len(cells) - len(counted),
            n_below=sum(cell.is_below for cell in counted),
            mean_difference=float(np.mean(differences)) if counted else None,
            n_below_held_out=sum(cell.is_below_held_out for cell in counted),
            mean_held_out_difference=float(np.mean(held_out)) if counted else None,
            n_above_guessing=sum(cell.is_above_guessing for cell in counted),
            n_miscalibrated=sum(cell.is_miscalibrated for cell in counted),
            n_beyond_chance=sum(cell.is_beyond_chance for cell in counted),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return asdict(self)


def measure_cells(answers: Sequence[CaseAnswers]) -> Iterator[CaseCell]:
    """Measure each cell: settings in the order in which they first occur, short texts first.

    Parameters
    ----------
    answers : sequence of CaseAnswers
        All with the same methods, except that base classifiers are missing where the training of
        the default failed.
    """
    order: dict[tuple[str, str], int] = {}
    for each in answers:
        order.setdefault((each.corpus, each.settings), len(order))
    ordered = sorted(answers, key=lambda each: order[each.corpus, each.settings])
    for _, group in groupby(ordered, key=lambda each: (each.corpus, each.settings)):
        cases = list(group)
        lengths = {length for each in cases for length in each.lengths}
        for n_words in sorted(lengths, key=place_of_length):
            yield _measure_cell(cases, n_words)


def place_of_length(n_words: int) -> float:
    """Return a number by which lengths are sorted, whole works last.

    Examples
    --------
    >>> sorted([0, 500, 50], key=place_of_length)
    [50, 500, 0]
    """
    return n_words or float("inf")


def _measure_cell(all_cases: Sequence[CaseAnswers], n_words: int) -> CaseCell:
    cases = [each for each in all_cases if n_words in each.lengths]
    places = [_places(each, n_words) for each in cases]
    sizes = np.array(list(map(len, places)))
    names = dict.fromkeys(name for each in all_cases for name in each.answers)
    # A method is missing where the training of the stack that contains it failed.
    correct = {
        name: np.concatenate(
            [_are_correct(each, name)[own] for each, own in zip(cases, places, strict=True)]
        )
        for name in names
    }
    methods = {
        name: Accuracy(
            accuracy=float(own.mean()),
            standard_error=_clustered_error(own.astype(float), sizes),
            n_failed=sum(
                len(of_case)
                for each, of_case in zip(cases, places, strict=True)
                if name in each.failures or name not in each.answers
            ),
        )
        for name, own in correct.items()
    }
    best = max(
        (name for name in methods if name != DEFAULT), key=lambda name: methods[name].accuracy
    )
    differences = correct[DEFAULT].astype(float) - correct[best]
    held_out = _held_out_differences(correct, sizes)
    outcomes = CalibrationOutcomes.join(
        [_outcomes(each, own) for each, own in zip(cases, places, strict=True)]
    )
    by_chance = errors_by_chance(outcomes.confidences)
    settings = parse_settings(cases[0].settings)
    return CaseCell(
        corpus=cases[0].corpus,
        settings=settings.name,
        n_candidates=settings.n_candidates,
        n_known=settings.n_known,
        known_words=settings.known_words,
        change=settings.change,
        unequal=settings.unequal,
        questioned_words=n_words,
        n=int(sizes.sum()),
        n_cases=len(cases),
        methods=methods,
        best_single=best,
        difference=float(differences.mean()),
        difference_error=_clustered_error(differences, sizes),
        held_out_difference=float(held_out.mean()),
        held_out_difference_error=_clustered_error(held_out, sizes),
        log_loss=float(outcomes.log_losses.mean()),
        log_loss_of_guessing=float(np.log([len(each.candidates) for each in cases]) @ sizes)
        / int(sizes.sum()),
        ece=reliability_of_confidences(outcomes.confidences, outcomes.is_correct).ece,
        ece_by_chance=float(by_chance.mean()),
        ece_by_chance_95=float(np.quantile(by_chance, 0.95)),
        cllr=cllr(outcomes.targets, outcomes.nontargets),
    )


def _places(answers: CaseAnswers, n_words: int) -> Integers:
    """Return the places of the questioned texts of one length."""
    return np.flatnonzero(np.array(answers.lengths) == n_words)


def _are_correct(answers: CaseAnswers, method: str) -> Booleans:
    if method not in answers.answers:
        return np.zeros(len(answers.authors), dtype=bool)
    correct: Booleans = np.array(answers.answers[method]) == np.array(answers.authors)
    return correct


def _held_out_differences(correct: Mapping[str, Booleans], sizes: Integers) -> Floats:
    """Compare the default, for each case, with the single method that is best in all other cases.

    Parameters
    ----------
    correct : mapping of method to (n_texts,) bool
        Case by case.
    sizes : (n_cases,) int
        Number of texts of each case. If there is only one, the method that is best in it is taken.

    Returns
    -------
    (n_texts,) float64
        1 where only the default is correct, and -1 where only the other method is.
    """
    single = np.array([own for name, own in correct.items() if name != DEFAULT])
    by_case = np.add.reduceat(single.astype(int), np.cumsum(sizes) - sizes, axis=1)
    in_others = by_case.sum(axis=1, keepdims=True) - by_case if len(sizes) > 1 else by_case
    chosen = np.repeat(in_others.argmax(axis=0), sizes)
    return np.asarray(correct[DEFAULT].astype(float) - single[chosen, np.arange(len(chosen))])


def _is_below(difference: float, error: float) -> bool:
    return -difference > max(_SMALLEST_DIFFERENCE, error)


def _outcomes(answers: CaseAnswers, places: Integers) -> CalibrationOutcomes:
    return CalibrationOutcomes.of(
        np.array(answers.log_probabilities)[places],
        np.array(answers.authors)[places],
        np.array(answers.log_likelihood_ratios)[places],
    )


def _clustered_error(values: Floats, sizes: Integers) -> float:
    """Return the standard error of a mean of values that depend on each other within a case.

    Parameters
    ----------
    values : (n_texts,) float64
        Case by case.
    sizes : (n_cases,) int
        Number of values of each case.
    """
    n_cases = len(sizes)
    if n_cases < 2:
        return 0.0
    starts = np.cumsum(sizes) - sizes
    sums = np.add.reduceat(values - values.mean(), starts)  # (n_cases,)
    return float(np.sqrt(n_cases / (n_cases - 1) * (sums @ sums)) / len(values))
