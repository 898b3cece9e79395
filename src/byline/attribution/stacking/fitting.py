"""Fit all parts of a stack: base classifiers, their combination, calibration and rejection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from byline.array_types import Floats
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.open_set import RejectionRule
from byline.attribution.stacking.base_classifiers import BaseClassifier
from byline.attribution.stacking.calibrator import Calibrator, HeldOutResults
from byline.attribution.stacking.combination import Combination
from byline.attribution.stacking.held_out import HeldOutTexts
from byline.attribution.stacking.jobs import fit_base_classifiers
from byline.attribution.stacking.scores import count_characters
from byline.attribution.stacking.unknown_authors import fit_rejection
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
    """

    base_classifiers: dict[str, BaseClassifier]
    combination: Combination
    results: HeldOutResults
    calibrator: Calibrator
    rejection_rule: RejectionRule | None


def fit_stack(
    base_classifiers: Sequence[tuple[str, BaseClassifier]],
    texts: Sequence[str],
    authors: Sequence[Any],
    parts: Sequence[HeldOutTexts],
    left_out: Sequence[HeldOutTexts],
    *,
    n_jobs: int | None,
    progress: Progress | None,
) -> FittedStack:
    """Fit base classifiers to all texts, and everything else to their scores of held-out texts.

    Parameters
    ----------
    base_classifiers : sequence of (name, prototype)
    texts, authors : sequences, (n_known,)
    parts : sequence of HeldOutTexts
        Known texts of all authors, held out in turn; or validation texts.
    left_out : sequence of HeldOutTexts
        Texts of authors who are left out in turn; empty to fit no rejection rule.
    n_jobs, progress
        As in `fit_base_classifiers`, which documents errors and warnings too.
    """
    splits = [part.split for part in (*parts, *left_out)]
    fitted = fit_base_classifiers(
        base_classifiers, texts, authors, splits, n_jobs=n_jobs, progress=progress
    )
    classes = np.unique(authors)
    scores = np.concatenate(fitted.scores[: len(parts)], axis=1)
    sizes = count_characters([text for part in parts for text in part.split.questioned])
    labels = np.searchsorted(classes, [author for part in parts for author in part.authors])
    combination = Combination.fit(scores, sizes, labels)
    results = HeldOutResults.cross_fitted(
        scores,
        sizes,
        labels,
        np.repeat(np.arange(len(parts)), [len(part.authors) for part in parts]),
        n_texts=sum(part.n_texts for part in parts),
        is_whole=np.array([whole for part in parts for whole in part.is_whole]),
        log_likelihoods=_log_likelihoods(scores, fitted.base_classifiers),
    )
    rule = None
    if left_out:
        unknown = fitted.scores[len(parts) :]
        rule = fit_rejection(left_out, unknown, classes, combination, results)
    calibrator = Calibrator.fit(results)
    return FittedStack(fitted.base_classifiers, combination, results, calibrator, rule)


def _log_likelihoods(
    scores: Floats, base_classifiers: Mapping[str, BaseClassifier]
) -> Floats | None:
    """Return the scores of the first base classifier whose scores are log-likelihoods, if any."""
    for own, classifier in zip(scores, base_classifiers.values(), strict=True):
        if (
            isinstance(classifier, AuthorshipAttributor)
            and classifier.score_rule == "log-likelihood"
        ):
            return np.asarray(own)
    return None
