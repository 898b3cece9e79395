"""From a fitted attributor and questioned texts to recorded decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.attribution.result import reason_to_decline
from byline.attribution.scoring import SCORE_RULES, score_documents
from byline.experiments.pieces import Piece, Questions, written
from byline.experiments.records import Decision


def decide(
    attributor: AuthorshipAttributor | StackedAttributor, questions: Questions, fold: int
) -> list[Decision]:
    """Attribute all questioned texts of a fold.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        Fitted.
    questions : Questions
    fold : int
        Number of the fold, from 0.
    """
    if isinstance(attributor, StackedAttributor) or attributor.cache:
        return _decide_by_texts(attributor, questions, fold)
    return _decide_by_sentences(attributor, questions, fold)


def _decide_by_texts(
    attributor: AuthorshipAttributor | StackedAttributor, questions: Questions, fold: int
) -> list[Decision]:
    """Score every text by itself, as what stands in it together counts together."""
    decisions: list[Decision] = []
    texts = written(questions, attributor.encoder_)
    for length, pieces in questions.pieces.items():
        scores, reasons = _scores(attributor, texts[length])
        declined = [reason is not None for reason in reasons]
        decisions += _decisions(
            attributor.classes_, pieces, scores, declined, fold=fold, length=length
        )
    return decisions


def _scores(
    attributor: AuthorshipAttributor | StackedAttributor, texts: list[str]
) -> tuple[NDArray[np.float64], list[str | None]]:
    if isinstance(attributor, StackedAttributor):
        stacked = attributor.scored(texts)
        return stacked.log_odds, stacked.reasons
    scored = attributor.scored(texts)
    return scored.scores, attributor.reasons(scored)


def _decide_by_sentences(
    attributor: AuthorshipAttributor, questions: Questions, fold: int
) -> list[Decision]:
    """Score every sentence once, whatever the lengths of the texts it stands in.

    By either score rule a text's score is the sum of its sentences' scores.
    """
    scored = score_documents(
        [[sentence] for sentence in questions.sentences],
        attributor.encoders_,
        attributor.models_,
        SCORE_RULES[attributor.get_params(deep=False)["score"]],
    )
    totals = [_running(each) for each in (scored.scores, scored.n_tokens, scored.n_unknown)]
    decisions: list[Decision] = []
    for length, pieces in questions.pieces.items():
        starts = [piece.start for piece in pieces]
        stops = [piece.stop for piece in pieces]
        scores, n_tokens, n_unknown = (total[stops] - total[starts] for total in totals)
        declined = [
            _declines(attributor, *counts)
            for counts in zip(n_tokens.tolist(), n_unknown.tolist(), strict=True)
        ]
        decisions += _decisions(
            attributor.classes_, pieces, scores, declined, fold=fold, length=length
        )
    return decisions


def _running(values: NDArray[Any]) -> NDArray[Any]:
    """Return running totals: before each value, and after the last."""
    return np.concatenate([np.zeros_like(values[:1]), np.cumsum(values, axis=0)])


def _decisions(
    classes: NDArray[Any],
    pieces: Sequence[Piece],
    scores: NDArray[np.float64],
    declined: Sequence[bool],
    *,
    fold: int,
    length: int | None,
) -> Iterator[Decision]:
    order = np.argsort(-scores, axis=1, kind="stable")  # (n_pieces, n_authors)
    for piece, authors, declines in zip(pieces, classes[order].tolist(), declined, strict=True):
        yield Decision(
            path=piece.path,
            fold=fold,
            sentences=length,
            author=piece.author,
            named=authors[0],
            rank=authors.index(piece.author) + 1,
            declined=declines,
        )


def _declines(attributor: AuthorshipAttributor, n_tokens: int, n_unknown: int) -> bool:
    reason = reason_to_decline(
        n_tokens,
        n_unknown,
        unit=attributor.encoder_.unit,
        min_tokens=attributor.min_tokens,
        max_unknown=attributor.max_unknown,
    )
    return reason is not None
