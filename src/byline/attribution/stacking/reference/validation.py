"""Fit the rule of the weights to simulated cases, and measure how well it answers them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from byline.array_types import Booleans, Floats
from byline.attribution.stacking.calibrator import Calibrator, HeldOutResults
from byline.attribution.stacking.case_answers import combine_case
from byline.attribution.stacking.combination import comparable
from byline.attribution.stacking.prior import WeightPrior
from byline.attribution.stacking.reference.mirroring import WHOLE
from byline.attribution.stacking.reference.simulation import Simulation
from byline.attribution.stacking.rule_fitting import SimulatedTexts, fit_rule
from byline.attribution.stacking.simulated_cases import SimulatedCase
from byline.formatting import percent, quantity

# The squared scale of the differences between the coefficients of the shipped rule and of the rule
# for one population; chosen on development corpora (see the decision record on the reference).
_VARIANCE = 0.05
_VARIANCE_OF_FLAT = 4.0  # if the base classifiers have no shipped rule
# Questioned texts of different lengths from one work are not independent. The share of a text that
# each of them counts is that of held-out passages.
_SHARE_OF_TEXT = 1 / 3
_MOST_FOLDS = 10


@dataclass(frozen=True, slots=True)
class ReferenceValidation:
    """How well cases like the user's were answered, simulated with texts by other people.

    Each case was answered by a rule that was fitted without it, and without all other cases of the
    same candidates if there are any others.

    Attributes
    ----------
    name : str
        Of the reference population.
    n_authors, n_texts : int
        Of the population, without what was left out.
    sha256 : str
        Identifies these texts (see `SelectedTexts`).
    n_cases : int
    n_candidates : int
        Of each case. Fewer than in the user's case, if the population is too small.
    n_wanted : int
        Candidates of the user's case.
    factor : float
        The words of the known texts, as a share of those of the user's known texts. Below 1 if the
        population has too little text.
    results : HeldOutResults
        For the questioned texts of all cases. Labels are columns of each case's own candidates.
    calibrator : Calibrator
        Converts their log-odds to probabilities.

    See Also
    --------
    byline.attribution.StackedAttributor.fit : Simulates the cases.

    Examples
    --------
    >>> from byline.attribution import NgramRidge, ReferencePopulation, StackedAttributor
    >>> texts = [f"The tide rose {n} feet. The tide fell in {n} hours." for n in range(3)]
    >>> texts += [f"A loom hums for {n} days. A loom is {n} years old." for n in range(3)]
    >>> others = ReferencePopulation(texts, ["Cy"] * 3 + ["Di"] * 3, name="letters")
    >>> stack = StackedAttributor([("ridge", NgramRidge())], passage_lengths=(3,))
    >>> known = ["The cat sat on the mat.", "A dog ran in a park."]
    >>> validation = stack.fit(known, ["Ann", "Bob"], reference=others).reference_validation_
    >>> validation.name, validation.n_cases, validation.n_candidates
    ('letters', 30, 2)
    """

    name: str
    n_authors: int
    n_texts: int
    sha256: str
    n_cases: int
    n_candidates: int
    n_wanted: int
    factor: float
    results: HeldOutResults
    calibrator: Calibrator

    @property
    def is_correct(self) -> Booleans:
        """Whether each questioned text was correctly attributed, (n_texts,)."""
        return np.asarray(self.results.log_odds.argmax(axis=1) == self.results.labels)

    def describe(self) -> str:
        """State how many of the cases' texts were correctly attributed, in one sentence."""
        n, n_correct = len(self.results.labels), int(self.is_correct.sum())
        return (
            f"{quantity(self.n_cases, 'simulated case')} like this one from the reference corpus "
            f"{self.name} ({quantity(self.n_authors, 'author')}, "
            f"{quantity(self.n_texts, 'text')}): {n_correct:,} of {n:,} questioned texts of all "
            f"lengths were correctly attributed ({percent(n_correct / n)})."
        )


@dataclass(frozen=True, slots=True)
class ReferenceRules:
    """Fits the rules of selections of base classifiers to simulated cases.

    Attributes
    ----------
    cases : sequence of SimulatedCase
    validation : ReferenceValidation
        Of the rule of all base classifiers.
    """

    cases: Sequence[SimulatedCase]
    validation: ReferenceValidation

    @classmethod
    def of(
        cls, simulation: Simulation, cases: Sequence[SimulatedCase], shipped: WeightPrior | None
    ) -> Self:
        """Answer each case by a rule that was fitted without it.

        Parameters
        ----------
        simulation : Simulation
        cases : sequence of SimulatedCase
            Of the simulation.
        shipped : WeightPrior or None
            The prior of all base classifiers, towards which the rules are drawn.
        """
        everything = range(len(cases[0].scores))
        start = shipped or _equal_influence(cases, everything)
        log_odds: list[Floats] = [np.zeros(0)] * len(cases)
        for held_out in _folds(simulation):
            others = [case for case, is_out in zip(cases, held_out, strict=True) if not is_out]
            rule = _fit(others, everything, start) if others else start
            for place in np.flatnonzero(held_out).tolist():
                log_odds[place] = combine_case(cases[place], rule)
        lengths = np.concatenate([case.lengths for case in cases])
        results = HeldOutResults(
            n_texts=int(np.unique(lengths, return_counts=True)[1].max()),
            sizes=np.concatenate([case.sizes for case in cases]),
            labels=np.concatenate([case.labels for case in cases]).astype(np.int64),
            shares=np.ones(len(lengths)),
            is_whole=lengths == WHOLE,
            log_odds=np.concatenate(log_odds).astype(np.float32),
            nats_per_character=None,
        )
        selected = simulation.selected
        validation = ReferenceValidation(
            name=selected.name,
            n_authors=len(selected.authors),
            n_texts=len(selected.texts),
            sha256=selected.sha256,
            n_cases=len(cases),
            n_candidates=cases[0].scores.shape[2],
            n_wanted=simulation.n_candidates,
            factor=simulation.shape.factor,
            results=results,
            calibrator=replace(Calibrator.fit(results, start), n_held_out=0),
        )
        return cls(cases, validation)

    def fit(self, chosen: Sequence[int], shipped: WeightPrior | None) -> WeightPrior:
        """Fit the rule of some base classifiers to all cases.

        Parameters
        ----------
        chosen : sequence of int
            The base classifiers, by their places in the scores.
        shipped : WeightPrior or None
            Their prior.
        """
        start = shipped or _equal_influence(self.cases, chosen)
        return replace(
            _fit(self.cases, chosen, start),
            uniform=self.validation.calibrator.uniform,
            n_uniform=start.n_uniform + self.validation.results.n_texts,
        )


def _equal_influence(cases: Sequence[SimulatedCase], chosen: Sequence[int]) -> WeightPrior:
    scores = [comparable(case.scores[list(chosen)]) for case in cases]
    return WeightPrior.flat(np.concatenate(scores, axis=1))


def _folds(simulation: Simulation) -> Iterator[Booleans]:
    """Yield masks of cases; cases of the same candidates are in one fold, if there are others."""
    names = [" ".join(sorted(set(case.authors))) for case in simulation.cases]
    groups = np.unique(names, return_inverse=True)[1]
    if groups.max() == 0:
        groups = np.arange(len(names))
    folds = groups % _MOST_FOLDS
    for fold in np.unique(folds):
        yield folds == fold


def _fit(cases: Sequence[SimulatedCase], chosen: Sequence[int], start: WeightPrior) -> WeightPrior:
    texts = SimulatedTexts(cases)
    variance = _VARIANCE if start.n_cases else _VARIANCE_OF_FLAT
    n_texts = _SHARE_OF_TEXT * len(texts.labels)
    return fit_rule(texts, chosen, start, ridge_to_settings=1 / (2 * variance * n_texts))
