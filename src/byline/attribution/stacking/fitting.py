"""All that a stack learns: members from known texts, and the rest from how they did in trials."""

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
    """What a stack has learnt.

    Attributes
    ----------
    members : dict of name to fitted member
    combination : Combination
    answers : HeldOutResults
    certainty : Certainty
    rejection : Rejection or None
        None where no authors were left out.
    """

    members: dict[str, BaseClassifier]
    combination: Combination
    answers: HeldOutResults
    certainty: Calibrator
    rejection: RejectionRule | None


def fit_stack(
    members: Sequence[tuple[str, BaseClassifier]],
    texts: Sequence[str],
    authors: Sequence[Any],
    parts: Sequence[HeldOutTexts],
    left_out: Sequence[HeldOutTexts],
    *,
    n_jobs: int | None,
    progress: Progress | None,
) -> FittedStack:
    """Try members on held-out texts and learn from that; then members learn from all texts.

    Parameters
    ----------
    members : sequence of (name, prototype)
    texts, authors : sequences, (n_known,)
    parts : sequence of HeldOutTexts
        Known texts of all authors, held out in turn, or texts that are no known ones.
    left_out : sequence of HeldOutTexts
        Authors that are left out in turn; none where it is not to be learnt when to name nobody.
    n_jobs, progress
        As `fit_base_classifiers` has them, which says what is raised and warned of.
    """
    trials = [part.trial for part in (*parts, *left_out)]
    learnt = fit_base_classifiers(members, texts, authors, trials, n_jobs=n_jobs, progress=progress)
    classes = np.unique(authors)
    scores = np.concatenate(learnt.scores[: len(parts)], axis=1)
    sizes = count_characters([text for part in parts for text in part.trial.questioned])
    labels = np.searchsorted(classes, [author for part in parts for author in part.authors])
    combination = Combination.learn(scores, sizes, labels)
    answers = HeldOutResults.cross_fitted(
        scores,
        sizes,
        labels,
        np.repeat(np.arange(len(parts)), [len(part.authors) for part in parts]),
        n_texts=sum(part.n_texts for part in parts),
        is_whole=np.array([whole for part in parts for whole in part.is_whole]),
        log_likelihoods=_log_likelihoods(scores, learnt.members),
    )
    rejection = None
    if left_out:
        strange = learnt.scores[len(parts) :]
        rejection = fit_rejection(left_out, strange, classes, combination, answers)
    return FittedStack(learnt.members, combination, answers, Calibrator.learn(answers), rejection)


def _log_likelihoods(scores: Floats, members: Mapping[str, BaseClassifier]) -> Floats | None:
    """Return the scores of the first member whose scores are log-likelihoods, if there is one."""
    for own, member in zip(scores, members.values(), strict=True):
        if isinstance(member, AuthorshipAttributor) and _sums_log_probs(member):
            return np.asarray(own)
    return None


def _sums_log_probs(member: AuthorshipAttributor) -> bool:
    return bool(member.score_rule == "log-likelihood")
