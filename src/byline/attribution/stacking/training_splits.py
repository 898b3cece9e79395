"""Divide the known texts of a stack into those that are fitted and those that are held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from byline.attribution.stacking.folds import NEVER, FoldText, assign_folds
from byline.attribution.stacking.held_out import (
    HeldOutTexts,
    hold_out_folds,
    limit_held_out_texts,
)
from byline.attribution.stacking.unknown_authors import (
    FEWEST_AUTHORS,
    leave_authors_out,
    texts_by_others,
)

_MAX_SCORES = 2_000_000  # per base classifier, to fit the weights on: 200 MB for four of them
_MIN_HELD_OUT = 400  # texts and passages, however many authors there are


@dataclass(frozen=True, slots=True)
class TrainingSplits:
    """The known texts in a canonical order, and the texts that are scored while they are fitted.

    Attributes
    ----------
    texts, authors : list, (n_known,)
    parts : list of HeldOutTexts
        Texts by candidates, to which the weights are fitted; empty if no author has two works.
    left_out : list of HeldOutTexts
        Texts by authors who are left out in turn; empty unless ``open_set``.
    n_works : int
        Number of different works in the parts.
    others : HeldOutTexts or None
        Texts by people of a reference population, who are no candidates; None unless ``open_set``.
    """

    texts: list[str]
    authors: list[Any]
    parts: list[HeldOutTexts]
    left_out: list[HeldOutTexts]
    n_works: int = 0
    others: HeldOutTexts | None = None


def split_known_texts(
    texts: Sequence[str],
    authors: Sequence[Any],
    works: Sequence[str],
    validation: HeldOutTexts | None,
    *,
    n_folds: int,
    lengths: Sequence[int],
    random_state: int,
    open_set: bool,
    population: Sequence[FoldText] = (),
    at_most: int | None = None,
) -> TrainingSplits:
    """Hold out folds of the known texts, unless there are validation texts, and authors.

    Parameters
    ----------
    texts, authors, works : sequences, (n_known,)
    validation : HeldOutTexts, or None
        Texts by candidates that take the place of the folds.
    n_folds : int
        Number of folds, and of groups of authors.
    lengths : sequence of int
        Number of words of the passages.
    random_state : int
    open_set : bool
        Whether to leave out authors.
    population : sequence of FoldText
        Texts by other people, who are unknown authors too.
    at_most : int, optional
        Largest number of texts and passages to score.

    Raises
    ------
    TrainingError
        If there are fewer than three authors, and authors must be left out because there is no
        population.
    """
    if validation is None:
        fold_texts = assign_folds(texts, authors, works, n_folds=n_folds, random_state=random_state)
        n_works = len({each.work for each in fold_texts if each.fold != NEVER})
        texts = [each.text for each in fold_texts]
        authors = [each.author for each in fold_texts]
        parts = hold_out_folds(
            fold_texts, lengths=lengths, random_state=random_state, at_most=at_most
        )
    else:
        pairs = sorted(zip(authors, texts, strict=True))
        authors, texts = [author for author, _ in pairs], [text for _, text in pairs]
        parts, n_works = [validation], validation.n_texts
    most = max(_MIN_HELD_OUT, _MAX_SCORES // len(set(authors)))
    most = min(most, at_most or most)
    parts = limit_held_out_texts(parts, most, random_state=random_state)
    left_out, others = [], None
    if open_set and (not population or len(set(authors)) >= FEWEST_AUTHORS):
        left_out = leave_authors_out(
            texts, authors, n_groups=n_folds, lengths=lengths, random_state=random_state
        )
        left_out = limit_held_out_texts(left_out, most, random_state=random_state)
    if open_set and population:
        others = texts_by_others(
            population, len(texts), lengths=lengths, at_most=most, random_state=random_state
        )
    return TrainingSplits([*texts], [*authors], parts, left_out, n_works, others)
