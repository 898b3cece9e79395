"""Fit a stack: base classifiers, and weights and calibration to their scores of held-out texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.author_scores import author_scores
from byline.attribution.classifiers.base import HeldOutSplit
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.open_set import RejectionRule
from byline.attribution.stacking.base_classifiers import BaseClassifier, default_base_classifiers
from byline.attribution.stacking.calibrator import Calibrator, HeldOutResults
from byline.attribution.stacking.combination import (
    Adjustment,
    Combination,
    HeldOutScores,
    comparable,
    count_characters,
    share_of_sums,
)
from byline.attribution.stacking.fallbacks import (
    AnswerRule,
    CalibrationProgress,
    count_fits,
    fit_fallbacks,
)
from byline.attribution.stacking.held_out import HeldOutTexts
from byline.attribution.stacking.jobs import (
    fit_base_classifiers,
    plan_jobs,
    progress_of_stages,
)
from byline.attribution.stacking.prior import (
    KnownAmounts,
    PriorTerms,
    WeightPrior,
    find_prior,
    find_similar_cases,
)
from byline.attribution.stacking.reference.simulation import Simulation, simulate_cases
from byline.attribution.stacking.reference.validation import ReferenceRules, ReferenceValidation
from byline.attribution.stacking.training_splits import TrainingSplits
from byline.attribution.stacking.unknown_authors import fit_rejection
from byline.errors import TrainingError
from byline.formatting import join_names
from byline.processes.threads import limits_threads
from byline.progress import Progress


@dataclass(frozen=True, slots=True)
class FittedStack:
    """The parts of a fitted stack.

    Attributes
    ----------
    base_classifiers : dict of name to fitted base classifier
    combination : Combination
    results : HeldOutResults
    calibrator : Calibrator
    rejection_rule : RejectionRule or None
        None if no authors were left out.
    fallbacks : tuple of AnswerRule
        For texts that some base classifiers cannot be applied to.
    validation : ReferenceValidation or None
        None without a reference population.
    """

    base_classifiers: dict[str, BaseClassifier]
    combination: Combination
    results: HeldOutResults
    calibrator: Calibrator
    rejection_rule: RejectionRule | None
    fallbacks: tuple[AnswerRule, ...]
    validation: ReferenceValidation | None


def fit_stack(
    base_classifiers: Sequence[tuple[str, BaseClassifier]],
    known: TrainingSplits,
    simulation: Simulation | None = None,
    *,
    n_jobs: int | None,
    progress: Progress | None,
) -> FittedStack:
    """Fit base classifiers to all texts, and everything else to their scores of held-out texts.

    Parameters
    ----------
    base_classifiers : sequence of (name, prototype)
    known : TrainingSplits
        Without authors that are left out, and without texts by other people, no rejection rule is
        fitted.
    simulation : Simulation, optional
        Cases whose rule replaces the shipped prior of the weights.
    n_jobs, progress
        As in `fit_base_classifiers`, which documents errors and warnings too.
    """
    parts, left_out = known.parts, known.left_out
    splits = [part.split for part in (*parts, *left_out)]
    given = base_classifiers, known.texts, known.authors, splits
    n_cases = 0 if simulation is None else len(simulation.cases)
    of_cases, of_base_classifiers, of_calibration = progress_of_stages(
        progress, plan_jobs(*given), n_jobs, n_cases=n_cases
    )
    rules = None
    if simulation is not None:
        cases = simulate_cases(simulation, base_classifiers, n_jobs=n_jobs, progress=of_cases)
        rules = ReferenceRules.of(simulation, cases, _shipped_prior(dict(base_classifiers)))
    fitted = fit_base_classifiers(*given, n_jobs=n_jobs, progress=of_base_classifiers)
    classifiers, classes = fitted.base_classifiers, np.unique(known.authors)
    evidence = HeldOutEvidence.of(classifiers, known, classes, fitted.scores[: len(parts)], rules)
    of_fits = CalibrationProgress(of_calibration, count_fits(classifiers, evidence.folds))
    combination, results, calibrator = evidence.fit(tuple(classifiers), of_fits.add)
    rule = None
    unknown = [*left_out, *([known.others] if known.others else [])]
    if unknown:
        of_unknown = [*fitted.scores[len(parts) :], *_scores_of_others(classifiers, known.others)]
        rule = fit_rejection(unknown, of_unknown, classes, combination, results)

    def fit_rule(names: tuple[str, ...]) -> AnswerRule:
        own, of_rule, calibrated = evidence.fit(names, of_fits.add)
        return AnswerRule.of(names, own, calibrated, of_rule)

    fallbacks = fit_fallbacks(classifiers, fit_rule)
    validation = None if rules is None else rules.validation
    return FittedStack(classifiers, combination, results, calibrator, rule, fallbacks, validation)


@dataclass(frozen=True, slots=True)
class HeldOutEvidence:
    """The scores of held-out texts under all base classifiers.

    Attributes
    ----------
    names : tuple of str
    are_default : (n_base_classifiers,) bool
        Whether each base classifier is of the class that the default one with its name has.
    are_sums : (n_base_classifiers,) bool
    scores : (n_base_classifiers, n, n_authors) float64
    sizes, labels : (n,) int64
    shares : (n,) float64
    is_whole : (n,) bool
    folds : (n,) int64
    log_likelihoods : (n, n_authors) float64, or None
    known : KnownAmounts
        Of all known texts.
    remaining : list of KnownAmounts
        By fold: of the texts that were not held out.
    n_texts, n_works : int
    reference : ReferenceRules or None
    """

    names: tuple[str, ...]
    are_default: Booleans
    are_sums: Booleans
    scores: Floats
    sizes: Integers
    labels: NDArray[np.intp]
    shares: Floats
    is_whole: Booleans
    folds: Integers
    log_likelihoods: Floats | None
    known: KnownAmounts
    remaining: list[KnownAmounts]
    n_texts: int
    n_works: int
    reference: ReferenceRules | None = None

    @classmethod
    def of(
        cls,
        classifiers: Mapping[str, BaseClassifier],
        known: TrainingSplits,
        classes: NDArray[np.str_],
        scores: Sequence[Floats],
        reference: ReferenceRules | None = None,
    ) -> HeldOutEvidence:
        """Join the scores of all parts.

        Parameters
        ----------
        classifiers : mapping of name to fitted base classifier
        known : TrainingSplits
        classes : (n_authors,) str
        scores : sequence of (n_base_classifiers, n_questioned, n_authors) float64
            Of the texts of each of the parts of ``known``.
        reference : ReferenceRules, optional
            Their rules replace the shipped prior.
        """
        parts: Sequence[HeldOutTexts] = known.parts
        texts = [text for part in parts for text in part.split.questioned]
        authors = [author for part in parts for author in part.authors]
        sizes = count_characters(texts)
        shape = len(classifiers), 0, len(classes)
        joined = np.concatenate([np.zeros(shape), *scores], axis=1)
        log_likelihoods = _log_likelihoods(joined, classifiers)
        are_sums = np.array(
            [isinstance(each, AuthorshipAttributor) for each in classifiers.values()]
        )
        joined[are_sums] *= share_of_sums(sizes)[:, np.newaxis]
        known_sizes = count_characters(known.texts)
        known_labels = np.searchsorted(classes, known.authors)

        def amounts(is_left: Booleans) -> KnownAmounts:
            return KnownAmounts.of(known_sizes[is_left], known_labels[is_left], len(classes))

        return cls(
            names=tuple(classifiers),
            are_default=_are_default(classifiers),
            are_sums=are_sums,
            scores=joined,
            sizes=sizes,
            labels=np.searchsorted(classes, authors) if authors else np.zeros(0, dtype=np.intp),
            shares=np.array([share for part in parts for share in part.shares]),
            is_whole=np.array([whole for part in parts for whole in part.is_whole], dtype=bool),
            folds=np.repeat(np.arange(len(parts)), [len(part.authors) for part in parts]),
            log_likelihoods=log_likelihoods,
            known=amounts(np.ones(len(known.texts), dtype=bool)),
            remaining=[amounts(_is_left(part.split, len(known.texts))) for part in parts],
            n_texts=sum(part.n_texts for part in parts),
            n_works=known.n_works,
            reference=reference,
        )

    @limits_threads
    def fit(
        self, names: tuple[str, ...], after_fit: Callable[[], object]
    ) -> tuple[Combination, HeldOutResults, Calibrator]:
        """Fit weights and the calibration for some of the base classifiers."""
        chosen = np.array([name in names for name in self.names])
        prior = self._prior(chosen)
        has_similar = prior.n_cases and self.reference is None
        similar = find_similar_cases(names, self.known) if has_similar else ()
        counts = np.bincount(self.folds, minlength=len(self.remaining)).tolist()
        ends = np.cumsum([0, *counts]).tolist()
        no_text = prior.terms(np.zeros(0, dtype=np.int64), self.known)
        terms = [
            prior.terms(self.sizes[ends[fold] : ends[fold + 1]], known)
            for fold, known in enumerate(self.remaining)
        ]
        held_out = HeldOutScores(
            self.scores[chosen],
            self.sizes,
            self.labels,
            self.shares,
            PriorTerms.join([no_text, *terms]),
        )
        variances = prior.variances.for_works(self.n_works)
        adjustment = Adjustment.fit(held_out, variances)
        after_fit()
        combination = Combination.of(prior, self.known, adjustment, self.are_sums[chosen])
        results = HeldOutResults.cross_fitted(
            *(held_out, variances, self.folds),
            n_texts=self.n_texts,
            is_whole=self.is_whole,
            log_likelihoods=self.log_likelihoods if chosen.all() else None,
            after_fit=after_fit,
        )
        calibrator = Calibrator.fit(results, prior, similar)
        if self.reference is not None:
            calibrator = replace(calibrator, reference=self.reference.validation.name)
        return combination, results, calibrator

    def _prior(self, chosen: Booleans) -> WeightPrior:
        """Return the prior for some of the base classifiers."""
        names = [name for name, is_in in zip(self.names, chosen, strict=True) if is_in]
        shipped = find_prior(names) if self.are_default[chosen].all() else None
        if self.reference is not None:
            return self.reference.fit(np.flatnonzero(chosen).tolist(), shipped)
        return shipped or self._flat_prior(chosen)

    def _flat_prior(self, chosen: Booleans) -> WeightPrior:
        if not self.n_texts:
            names = join_names(
                [name for name, is_in in zip(self.names, chosen, strict=True) if is_in]
            )
            raise TrainingError(
                f"no author has a second work that could be held out to weight {names}; add "
                "second works, or use the default base classifiers (the method stacked), whose "
                "weights are known from simulated cases"
            )
        return WeightPrior.flat(comparable(self.scores[chosen]))


def _scores_of_others(
    classifiers: Mapping[str, BaseClassifier], others: HeldOutTexts | None
) -> list[Floats]:
    if others is None:
        return []
    texts = others.split.questioned
    return [np.stack([author_scores(each, texts) for each in classifiers.values()])]


def _shipped_prior(classifiers: Mapping[str, BaseClassifier]) -> WeightPrior | None:
    """Return the shipped prior of base classifiers, if all of them are default ones."""
    return find_prior(list(classifiers)) if _are_default(classifiers).all() else None


def _are_default(classifiers: Mapping[str, BaseClassifier]) -> Booleans:
    """Tell a default base classifier from another one that was given its name."""
    default = dict(default_base_classifiers())
    return np.array([type(each) is type(default.get(name)) for name, each in classifiers.items()])


def _is_left(split: HeldOutSplit, n_known: int) -> Booleans:
    return ~split.held_out if split.held_out.size else np.ones(n_known, dtype=bool)


def _log_likelihoods(
    scores: Floats, base_classifiers: Mapping[str, BaseClassifier]
) -> Floats | None:
    """Return the scores of the first base classifier whose scores are log-likelihoods, if any."""
    for own, classifier in zip(scores, base_classifiers.values(), strict=True):
        if (
            isinstance(classifier, AuthorshipAttributor)
            and classifier.score_rule == "log-likelihood"
        ):
            return np.array(own, dtype=np.float64)  # a copy: the scores are scaled afterwards
    return None
