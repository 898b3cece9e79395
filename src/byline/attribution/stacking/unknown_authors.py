"""Fit the rejection rule of an open set: authors who are left out in turn act as unknown authors.

It is not enough to train base classifiers on all authors and to ignore one author's scores: the
classifiers have learned that this author's texts belong to none of the others. On the training part
of CCAT50, this accepted three to thirty times as many texts by unknown authors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.attribution.open_set import (
    Criterion,
    HeldOutStatistics,
    OpenSetDecision,
    RejectionRule,
)
from byline.attribution.stacking.calibrator import HeldOutResults
from byline.attribution.stacking.combination import Combination, count_characters
from byline.attribution.stacking.folds import FoldText
from byline.attribution.stacking.held_out import (
    HeldOutTexts,
    limit_held_out_texts,
    make_held_out_texts,
)
from byline.errors import TrainingError, UsageError
from byline.named_settings import setting

_MIN_CANDIDATES = 2  # that remain
FEWEST_AUTHORS = _MIN_CANDIDATES + 1
_MOST_OTHERS = 2000  # texts and passages of a reference population; scoring them takes time


def leave_authors_out(
    texts: Sequence[str],
    authors: Sequence[Any],
    *,
    n_groups: int,
    lengths: Sequence[int],
    random_state: int,
) -> list[HeldOutTexts]:
    """Leave out each group of authors in turn, and score all their texts and passages from them.

    Parameters
    ----------
    texts : sequence of str, (n_known,)
    authors : sequence of str, or of int, (n_known,)
    n_groups : int
        The groups have nearly equal sizes. If there are few authors, there are more groups, so
        that two candidates always remain.
    lengths : sequence of int
        Number of words of the passages.
    random_state : int

    Raises
    ------
    TrainingError
        If there are fewer than three authors.
    """
    names = sorted(set(authors))
    if len(names) <= _MIN_CANDIDATES:
        raise TrainingError(
            f"there are {len(names)} authors, but open-set attribution is trained by leaving out "
            "authors, and two candidates must remain: add a third author, give texts by "
            f"other people with {setting('reference')}, or train without {setting('open_set')}"
        )
    n_groups = max(min(n_groups, len(names)), -(-len(names) // (len(names) - _MIN_CANDIDATES)))
    rng = np.random.default_rng([random_state, len(texts), len(names)])
    group_of_name = rng.permutation(len(names)) % n_groups
    groups = group_of_name[np.searchsorted(names, authors)]  # (n_known,)
    parts = []
    for group in range(n_groups):
        places = np.flatnonzero(groups == group).tolist()
        own = [FoldText(texts[place], authors[place], group, str(place)) for place in places]
        parts.append(make_held_out_texts(own, groups == group, lengths, rng))
    return parts


def texts_by_others(
    population: Sequence[FoldText],
    n_known: int,
    *,
    lengths: Sequence[int],
    at_most: int,
    random_state: int,
) -> HeldOutTexts:
    """Make texts to score from a reference population: whole texts and passages from them.

    Parameters
    ----------
    population : sequence of FoldText
        Texts by people who are no candidates.
    n_known : int
        Number of known texts, none of which is held out.
    lengths : sequence of int
        Number of words of the passages.
    at_most : int
        Largest number of texts and passages; fewer if it is more than 2,000.
    random_state : int
    """
    rng = np.random.default_rng([random_state, n_known, len(population)])
    texts = make_held_out_texts(population, np.zeros(n_known, dtype=bool), lengths, rng)
    [limited] = limit_held_out_texts([texts], min(at_most, _MOST_OTHERS), random_state=random_state)
    return limited


def fit_rejection(
    parts: Sequence[HeldOutTexts],
    scores: Sequence[Floats],
    classes: NDArray[Any],
    combination: Combination,
    results: HeldOutResults,
) -> RejectionRule:
    """Fit the rule that decides whether a text is attributed to any candidate.

    Parameters
    ----------
    parts : sequence of HeldOutTexts
        From `leave_authors_out` and `texts_by_others`.
    scores : sequence of (n_base_classifiers, n_questioned, n_authors) float64
        Scores of each part's texts by base classifiers that were trained without its authors.
    classes : (n_authors,) str
    combination : Combination
    results : HeldOutResults
        For texts that were written by candidates.
    """
    log_odds = [
        _log_odds_of_remaining(combination, own, part, classes)
        for part, own in zip(parts, scores, strict=True)
    ]
    sizes = count_characters([text for part in parts for text in part.split.questioned])
    labels = _number_authors(classes, [author for part in parts for author in part.authors])
    unknown = HeldOutStatistics.of(np.concatenate(log_odds), sizes, labels)
    return RejectionRule(unknown, candidate_statistics(results))


def make_open_set_answers(
    rule: RejectionRule | None,
    log_odds: Floats,
    sizes: Integers,
    classes: NDArray[Any],
    criterion: Criterion | None,
) -> list[OpenSetDecision | None]:
    """Decide for every text whether it is attributed to a candidate, if that is asked.

    Parameters
    ----------
    rule : RejectionRule, or None
        None if the stack was fitted without one.
    log_odds : (n_documents, n_authors) float64
    sizes : (n_documents,) int64
        The characters of each text that are not white space.
    classes : (n_authors,) str
    criterion : float, "even-odds", or None
        The false-attribution rate, or even odds; None if open-set attribution is not asked.

    Raises
    ------
    UsageError
        If it is asked but was not fitted, or the rate is too low for the held-out texts.
    """
    if criterion is None:
        return [None] * len(sizes)
    if rule is None:
        raise UsageError(
            "the model was trained without open-set attribution: train it with "
            f"{setting('open_set', True)}, or attribute texts without open set"
        )
    return [*rule.decide(log_odds, sizes, classes, criterion)]


def _number_authors(classes: NDArray[Any], authors: Sequence[Any]) -> Integers:
    """Return the numbers of authors: candidates by their columns, then other people."""
    numbers = {str(name): number for number, name in enumerate(classes)}
    for author in sorted(set(map(str, authors)) - set(numbers)):
        numbers[author] = len(numbers)
    return np.array([numbers[str(author)] for author in authors], dtype=np.int64)


def candidate_statistics(results: HeldOutResults) -> HeldOutStatistics:
    """Return the open-set statistics of held-out texts that were written by candidates."""
    return HeldOutStatistics.of(results.log_odds, results.sizes, results.labels)


def _log_odds_of_remaining(
    combination: Combination, scores: Floats, part: HeldOutTexts, classes: NDArray[Any]
) -> Floats:
    """Combine the scores of the authors who were not left out; minus infinity for the others."""
    is_candidate = ~np.isin(classes, part.authors)
    remaining = combination.for_authors(is_candidate)
    log_odds = np.full(scores.shape[1:], -np.inf)
    sizes = count_characters(part.split.questioned)
    log_odds[:, is_candidate] = remaining.combine(scores[:, :, is_candidate], sizes)
    return log_odds
