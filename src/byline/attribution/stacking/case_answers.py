"""Answer the questioned texts of simulated cases, and count how often the answers are correct."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import log_softmax

from byline.array_types import Floats
from byline.attribution.similar_cases import SimilarCases, SimulatedOutcomes
from byline.attribution.stacking.combination import Adjustment, Combination
from byline.attribution.stacking.prior import PriorTerms, WeightPrior
from byline.attribution.stacking.simulated_cases import SimulatedCase


def combine_case(case: SimulatedCase, rule: WeightPrior, *, adjust: bool = True) -> Floats:
    """Return the log-odds of the authors of the questioned texts, (n_texts, n_authors).

    Parameters
    ----------
    case : SimulatedCase
    rule : WeightPrior
    adjust : bool
        Whether the rule is adjusted to the held-out texts of the case.
    """
    n_classifiers, _, n_authors = case.scores.shape
    adjustment = Adjustment.none(n_classifiers, n_authors)
    if adjust and case.held_out.labels.size:
        counts = np.bincount(case.folds, minlength=len(case.remaining))
        parts = np.split(case.held_out.sizes, np.cumsum(counts)[:-1])
        terms = [rule.terms(*pair) for pair in zip(parts, case.remaining, strict=True)]
        held_out = replace(case.held_out, prior=PriorTerms.join(terms))
        adjustment = Adjustment.fit(held_out, rule.variances)
    # The sums of language models are limited already.
    combination = Combination.of(rule, case.known, adjustment, np.zeros(n_classifiers, dtype=bool))
    return combination.combine(case.scores, case.sizes)


def state_probabilities(case: SimulatedCase, rule: WeightPrior, *, adjust: bool = True) -> Floats:
    """Return the probabilities of the authors of the questioned texts, (n_texts, n_authors).

    The parameters are those of `combine_case`. The uniform share of the rule is used as it is.
    """
    log_probs = log_softmax(combine_case(case, rule, adjust=adjust), axis=1)
    return np.asarray((1 - rule.uniform) * np.exp(log_probs) + rule.uniform / case.scores.shape[2])


def count_outcomes(
    cases: Sequence[SimulatedCase], probabilities: Sequence[Floats]
) -> list[SimilarCases]:
    """Count the correct answers by the size of the case.

    Parameters
    ----------
    cases : sequence of SimulatedCase
    probabilities : sequence of (n_texts, n_authors) float64
        As `state_probabilities` returned them for each case.
    """
    counts = [len(case.labels) for case in cases]
    return SimulatedOutcomes(
        cases=np.repeat(np.arange(len(cases)), counts),
        n_candidates=np.repeat([case.scores.shape[2] for case in cases], counts),
        known_characters=np.repeat([case.known.typical for case in cases], counts),
        text_characters=np.concatenate([case.sizes for case in cases]),
        is_correct=np.concatenate(
            [
                probs.argmax(axis=1) == case.labels
                for case, probs in zip(cases, probabilities, strict=True)
            ]
        ),
        probabilities=np.concatenate([probs.max(axis=1) for probs in probabilities]),
    ).count()
