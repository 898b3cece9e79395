"""Authors left out in turn, whose known texts are then texts by none of the candidates.

It will not do to ask members who know an author and leave out that author's scores: classifiers
have learnt that such texts are none of the others'. On CCAT50's training part that let three to
thirty times as many strangers pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats
from byline.attribution.open_set import HeldOutStatistics, OpenSetDecision, RejectionRule
from byline.attribution.stacking.calibrator import HeldOutResults
from byline.attribution.stacking.combination import Combination
from byline.attribution.stacking.held_out import FoldText, HeldOutTexts, make_held_out_texts
from byline.attribution.stacking.scores import count_characters
from byline.errors import TrainingError, UsageError

_FEWEST = 2  # candidates that are left


def leave_authors_out(
    texts: Sequence[str],
    authors: Sequence[Any],
    *,
    n_groups: int,
    lengths: Sequence[int],
    random_state: int,
    language: str = "en",
) -> list[HeldOutTexts]:
    """Leave each group of authors out in turn: all their texts are asked about, and runs of them.

    Parameters
    ----------
    texts : sequence of str, (n_known,)
    authors : sequence of str, or of int, (n_known,)
    n_groups : int
        As nearly alike as can be; of few authors there are as many as leave two candidates.
    lengths : sequence of int
        Sentences of the runs.
    random_state : int
    language : str
        ISO 639 code, for sentences.

    Raises
    ------
    TrainingError
        There are fewer than three authors.
    """
    names = sorted(set(authors))
    if len(names) <= _FEWEST:
        raise TrainingError(
            f"there are {len(names)} authors, and texts by none of the candidates are known by "
            "leaving authors out, so that two are left: add a third author, or do without open set"
        )
    n_groups = max(min(n_groups, len(names)), -(-len(names) // (len(names) - _FEWEST)))
    rng = np.random.default_rng([random_state, len(texts), len(names)])
    dealt = rng.permutation(len(names)) % n_groups
    groups = dealt[np.searchsorted(names, authors)]  # (n_known,)
    parts = []
    for group in range(n_groups):
        own = [
            FoldText(texts[i], authors[i], group) for i in np.flatnonzero(groups == group).tolist()
        ]
        parts.append(make_held_out_texts(own, groups == group, lengths, rng, language))
    return parts


def fit_rejection(
    parts: Sequence[HeldOutTexts],
    scores: Sequence[Floats],
    classes: NDArray[Any],
    combination: Combination,
    answers: HeldOutResults,
) -> RejectionRule:
    """Learn when to name nobody.

    Parameters
    ----------
    parts : sequence of HeldOutTexts
        From `leave_authors_out`.
    scores : sequence of (n_members, n_questioned, n_authors) float64
        Of each part's texts, by members that learnt without its authors.
    classes : (n_authors,) str
    combination : Combination
    answers : HeldOutResults
        About candidates' own texts.
    """
    log_odds = [
        _among_others(combination, own, part, classes)
        for part, own in zip(parts, scores, strict=True)
    ]
    sizes = count_characters([text for part in parts for text in part.trial.questioned])
    labels = np.searchsorted(classes, [author for part in parts for author in part.authors])
    held_out = HeldOutStatistics.of(np.concatenate(log_odds), sizes, labels)
    return RejectionRule(held_out, own_texts(answers))


def make_open_set_answers(
    rejection: RejectionRule | None,
    log_odds: Floats,
    texts: Sequence[str],
    classes: NDArray[Any],
    rate: float | None,
) -> list[OpenSetDecision | None]:
    """Tell of every text whether one of the candidates wrote it, where that is asked.

    Parameters
    ----------
    rejection : Rejection, or None
        What was learnt of it.
    log_odds : (n_documents, n_authors) float64
    texts : sequence of str, (n_documents,)
    classes : (n_authors,) str
    rate : float, or None
        Of false attributions; None where it is not asked.

    Raises
    ------
    UsageError
        It is asked, and was not learnt; or the rate cannot be told.
    """
    if rate is None:
        return [None] * len(texts)
    if rejection is None:
        raise UsageError(
            "the model has not learnt which texts are by none of the candidates: train it with "
            "--open-set (StackedAttributor(open_set=True)), or ask without open set"
        )
    return [*rejection.decide(log_odds, count_characters(texts), classes, rate)]


def own_texts(answers: HeldOutResults) -> HeldOutStatistics:
    """Note what came out of candidates' own texts."""
    return HeldOutStatistics.of(answers.log_odds, answers.sizes, answers.labels)


def _among_others(
    combination: Combination, scores: Floats, part: HeldOutTexts, classes: NDArray[Any]
) -> Floats:
    """Combine the scores of those who were not left out; minus infinity for the others."""
    is_candidate = ~np.isin(classes, part.authors)
    few = Combination(combination.weights, combination.biases[is_candidate])
    log_odds = np.full(scores.shape[1:], -np.inf)
    sizes = count_characters(part.trial.questioned)
    log_odds[:, is_candidate] = few.combine(scores[:, :, is_candidate], sizes)
    return log_odds
