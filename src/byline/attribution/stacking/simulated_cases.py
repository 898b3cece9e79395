"""Simulated cases: the base classifiers' scores of texts whose authors are known.

A case has candidates, known texts of each, and questioned texts by them. What the scores are worth
in many such cases is what the prior of the weights states (see `rule_fitting`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.attribution.author_scores import author_scores
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.stacking.base_classifiers import BaseClassifier
from byline.attribution.stacking.combination import (
    HeldOutScores,
    count_characters,
    share_of_sums,
)
from byline.attribution.stacking.jobs import fit_base_classifiers
from byline.attribution.stacking.prior import KnownAmounts, PriorTerms
from byline.attribution.stacking.training_splits import TrainingSplits


@dataclass(frozen=True, slots=True)
class SimulatedCase:
    """The scores of a case.

    Attributes
    ----------
    corpus : str
        Where the texts come from.
    known : KnownAmounts
    scores : (n_base_classifiers, n_texts, n_authors) float64
        Of questioned texts, with sums over tokens limited as in a `Combination`.
    sizes, labels, lengths : (n_texts,) int
        Characters, the column of the author, and the length in words as it was set.
    held_out : HeldOutScores
        Of held-out known texts, if there are any; with empty prior terms.
    folds : (n_held_out,) int
    remaining : list of KnownAmounts
        By fold.
    """

    corpus: str
    known: KnownAmounts
    scores: Floats
    sizes: Integers
    labels: NDArray[np.intp]
    lengths: Integers
    held_out: HeldOutScores
    folds: Integers
    remaining: list[KnownAmounts]


@dataclass(frozen=True, slots=True)
class CaseQuestions:
    """The questioned texts of a simulated case.

    Attributes
    ----------
    texts : list of str, (n_texts,)
        Normalised like the known texts.
    authors : list of str, (n_texts,)
    lengths : list of int, (n_texts,)
        In words as they were set; 0 for whole works.
    """

    texts: list[str]
    authors: list[str]
    lengths: list[int]


def simulate_case(
    corpus: str,
    base_classifiers: Sequence[tuple[str, BaseClassifier]],
    known: TrainingSplits,
    questioned: CaseQuestions,
) -> SimulatedCase:
    """Train base classifiers on the known texts of a case, and score its other texts.

    Parameters
    ----------
    corpus : str
        Where the texts come from.
    base_classifiers : sequence of (name, prototype)
    known : TrainingSplits
        Held-out texts are scored too.
    questioned : CaseQuestions

    Raises
    ------
    TrainingError
        If a base classifier cannot be trained.
    """
    splits = [part.split for part in known.parts]
    fitted = fit_base_classifiers(
        base_classifiers, known.texts, known.authors, splits, n_jobs=1, progress=None
    )
    classes = np.unique(known.authors)
    are_sums = np.array(
        [isinstance(each, AuthorshipAttributor) for each in fitted.base_classifiers.values()]
    )
    texts = questioned.texts
    scores = [author_scores(each, texts) for each in fitted.base_classifiers.values()]
    held_texts = [text for part in known.parts for text in part.split.questioned]
    held_authors = [author for part in known.parts for author in part.authors]
    empty = np.zeros((len(base_classifiers), 0, len(classes)))
    held_out = HeldOutScores(
        _limited(np.concatenate([empty, *fitted.scores], axis=1), held_texts, are_sums),
        count_characters(held_texts),
        np.searchsorted(classes, held_authors) if held_authors else np.zeros(0, dtype=np.intp),
        np.array([share for part in known.parts for share in part.shares]),
        PriorTerms(*np.zeros((3, 0, 0))),
    )
    known_sizes = count_characters(known.texts)
    known_labels = np.searchsorted(classes, known.authors)
    left = [~split.held_out for split in splits]
    return SimulatedCase(
        corpus,
        KnownAmounts.of(known_sizes, known_labels, len(classes)),
        _limited(np.stack(scores), texts, are_sums),
        count_characters(texts),
        np.searchsorted(classes, questioned.authors),
        np.array(questioned.lengths, dtype=np.int64),
        held_out,
        np.repeat(np.arange(len(splits)), [len(part.authors) for part in known.parts]),
        [KnownAmounts.of(known_sizes[own], known_labels[own], len(classes)) for own in left],
    )


def _limited(scores: Floats, texts: Sequence[str], are_sums: NDArray[np.bool_]) -> Floats:
    """Limit the sums of language models, as a `Combination` does."""
    limited = scores.astype(np.float64)
    limited[are_sums] *= share_of_sums(count_characters(texts))[:, np.newaxis]
    return limited
