"""Answer with the base classifiers that do not depend on what a questioned text does not show.

A text without capital letters, for example, cannot be compared with known texts by their n-grams of
characters. The other base classifiers then have weights and a calibration of their own, fitted to
the same held-out texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Self

import numpy as np
from scipy.special import logsumexp

from byline.array_types import Floats, Integers
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.stacking.base_classifiers import BaseClassifier
from byline.attribution.stacking.calibrator import Calibrator, HeldOutResults, count_folds
from byline.attribution.stacking.combination import Combination
from byline.formatting import join_names
from byline.progress import Progress
from byline.typography.comparison import FormDeviation, KnownForms
from byline.typography.conventions import CONVENTIONS, REMOVABLE

# An edition that changes a convention may change other features of a text too. The texts that
# probabilities are calibrated on do not show which ones. For passages of novels whose known texts
# were in different letter case, the most certain misattribution was stated with 96 %.
MAX_PROBABILITY = 0.9


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """How the scores of some of the base classifiers become an answer.

    Attributes
    ----------
    base_classifiers : tuple of str
        The names of those that are used.
    combination : Combination
        Of these.
    calibrator : Calibrator
    n_held_out, n_correct : int
        Number of whole held-out known texts, and how many of them were correctly attributed; not
        counted for the rule of all base classifiers.
    """

    base_classifiers: tuple[str, ...]
    combination: Combination
    calibrator: Calibrator
    n_held_out: int = 0
    n_correct: int = 0

    @classmethod
    def of(
        cls,
        base_classifiers: Sequence[str],
        combination: Combination,
        calibrator: Calibrator,
        results: HeldOutResults,
    ) -> Self:
        """Count the held-out texts that were correctly attributed.

        Parameters
        ----------
        base_classifiers : sequence of str
        combination : Combination
        calibrator : Calibrator
        results : HeldOutResults
            Of this combination.
        """
        is_correct = results.log_odds.argmax(axis=1) == results.labels
        n_correct = int((is_correct & results.is_whole).sum())
        return cls(tuple(base_classifiers), combination, calibrator, results.n_whole, n_correct)


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """The answer rule for one text.

    Attributes
    ----------
    rule : AnswerRule
    deviations : tuple of FormDeviation
        The conventions in which the text differs from the known texts.
    unused : tuple of str
        The base classifiers that depend on them.
    declined : str or None
        Why the text cannot be answered, as a clause: no base classifier is left.
    is_limited : bool
        Whether probabilities are stated as at most `MAX_PROBABILITY`: the text differs from the
        known texts in a convention, or the known texts of different authors do.
    """

    rule: AnswerRule
    deviations: tuple[FormDeviation, ...] = ()
    unused: tuple[str, ...] = ()
    declined: str | None = None
    is_limited: bool = False


def choose_rule(
    text: str,
    known: KnownForms | None,
    base_classifiers: Mapping[str, BaseClassifier],
    rule: AnswerRule,
    fallbacks: Sequence[AnswerRule],
    *,
    are_different: bool,
) -> RuleChoice:
    """Choose the answer rule for a text by the conventions in which it differs from known texts.

    Parameters
    ----------
    text : str
        Normalised like the known texts.
    known : KnownForms, or None
        None to use all base classifiers for every text.
    base_classifiers : mapping of name to BaseClassifier
    rule : AnswerRule
        Of all base classifiers.
    fallbacks : sequence of AnswerRule
        As `fit_fallbacks` returned them.
    are_different : bool
        Whether the known texts of different authors differ in a convention.
    """
    deviations = () if known is None else known.deviations(text)
    limited = bool(deviations) or are_different
    names = frozenset(each.convention for each in deviations)
    used = independent_of(names, base_classifiers)
    unused = tuple(name for name in base_classifiers if name not in used)
    if not unused:
        return RuleChoice(rule, deviations, is_limited=limited)
    if not used:
        return RuleChoice(rule, deviations, unused, _reason_to_decline(deviations), limited)
    [fallback] = [each for each in fallbacks if each.base_classifiers == used]
    return RuleChoice(fallback, deviations, unused, is_limited=limited)


def _reason_to_decline(deviations: Sequence[FormDeviation]) -> str:
    forms = [CONVENTIONS[each.convention].forms[each.form] for each in deviations]
    removed = [each.convention for each in deviations if each.convention in REMOVABLE]
    rules = ",".join(CONVENTIONS[name].rule for name in removed)
    return (
        f"the text {join_names(forms)}, unlike the known texts, and every base classifier depends "
        f"on that; train the model with the normalisation rules edition,{rules}, which remove the "
        "difference"
    )


def limit_probabilities(log_probabilities: Floats) -> Floats:
    """Lower the highest probability of each text to `MAX_PROBABILITY`; the others share the rest.

    Parameters
    ----------
    log_probabilities : (n, n_authors) float64
    """
    limited = log_probabilities.copy()
    rows = np.flatnonzero(np.exp(limited.max(axis=1)) > MAX_PROBABILITY)
    firsts = limited[rows].argmax(axis=1)
    limited[rows, firsts] = -np.inf
    limited[rows] += np.log1p(-MAX_PROBABILITY) - logsumexp(limited[rows], axis=1, keepdims=True)
    limited[rows, firsts] = np.log(MAX_PROBABILITY)
    return limited


def depends_on(classifier: object) -> frozenset[str]:
    """Return the conventions that the features of a classifier depend on, and that can be removed.

    A classifier that does not state them depends on all of these.
    """
    if isinstance(classifier, AuthorshipAttributor):
        classifier = classifier.encoder_
    declared: frozenset[str] = getattr(classifier, "depends_on", REMOVABLE)
    return declared


def independent_of(
    conventions: frozenset[str], base_classifiers: Mapping[str, BaseClassifier]
) -> tuple[str, ...]:
    """Return the names of the base classifiers that depend on none of the conventions."""
    return tuple(
        name
        for name, classifier in base_classifiers.items()
        if not depends_on(classifier) & conventions
    )


def fit_fallbacks(
    base_classifiers: Mapping[str, BaseClassifier], fit: Callable[[tuple[str, ...]], AnswerRule]
) -> tuple[AnswerRule, ...]:
    """Fit an answer rule for every selection of base classifiers that a text may leave.

    Parameters
    ----------
    base_classifiers : mapping of name to BaseClassifier
    fit : function of names of base classifiers
        Fits the rule of a selection.

    Returns
    -------
    tuple of AnswerRule
        Without the selections of all and of none of the base classifiers.
    """
    return tuple(fit(names) for names in _selections(base_classifiers))


def count_fits(base_classifiers: Mapping[str, BaseClassifier], folds: Integers) -> int:
    """Return how many times weights are fitted, for all base classifiers and for each selection."""
    return (1 + len(_selections(base_classifiers))) * (1 + count_folds(folds))


@dataclass(slots=True)
class CalibrationProgress:
    """Counts how many times weights have been fitted, and reports it in hundredths.

    Attributes
    ----------
    progress : Progress, optional
    n_fits : int
    n_done : int
    """

    progress: Progress | None
    n_fits: int
    n_done: int = 0

    def add(self) -> None:
        """Count one more."""
        self.n_done += 1
        if self.progress is not None:
            self.progress(100 * self.n_done // self.n_fits, 100, "calibration")


def _selections(base_classifiers: Mapping[str, BaseClassifier]) -> list[tuple[str, ...]]:
    """Return every selection of base classifiers that is independent of some conventions."""
    names = sorted(REMOVABLE)
    subsets = chain.from_iterable(combinations(names, n) for n in range(1, len(names) + 1))
    selections = {independent_of(frozenset(subset), base_classifiers) for subset in subsets}
    return sorted(selections - {(), tuple(base_classifiers)})
