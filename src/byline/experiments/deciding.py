"""From a fitted attributor and questioned texts to recorded decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from byline.attribution import AuthorshipAttributor
from byline.attribution.result import reason_to_decline
from byline.attribution.scoring import SCORE_RULES, score_documents
from byline.experiments.pieces import Piece, Questions
from byline.experiments.records import Decision


def decide(attributor: AuthorshipAttributor, questions: Questions, fold: int) -> list[Decision]:
    """Attribute all questioned texts of a fold.

    By either score rule a text's score is the sum of its sentences' scores, so that every sentence
    is scored once, whatever the lengths of the texts it stands in.

    Parameters
    ----------
    attributor : AuthorshipAttributor
        Fitted.
    questions : Questions
    fold : int
        Number of the fold, from 0.
    """
    scored = score_documents(
        [[sentence] for sentence in questions.sentences],
        attributor.encoders_,
        attributor.models_,
        SCORE_RULES[attributor.get_params(deep=False)["score"]],
    )
    totals = Totals(*map(_running, (scored.scores, scored.n_tokens, scored.n_unknown)))
    return [
        decision
        for length, pieces in questions.pieces.items()
        for decision in _decide(attributor, pieces, length, fold, totals)
    ]


class Totals(NamedTuple):
    """Running totals over sentences: before each, and after the last."""

    scores: NDArray[np.float64]  # (n_sentences + 1, n_authors)
    n_tokens: NDArray[np.int64]  # (n_sentences + 1,)
    n_unknown: NDArray[np.int64]  # (n_sentences + 1,)


def _running(values: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([np.zeros_like(values[:1]), np.cumsum(values, axis=0)])


def _decide(
    attributor: AuthorshipAttributor,
    pieces: Sequence[Piece],
    length: int | None,
    fold: int,
    totals: Totals,
) -> Iterator[Decision]:
    starts = [piece.start for piece in pieces]
    stops = [piece.stop for piece in pieces]
    scores, n_tokens, n_unknown = (total[stops] - total[starts] for total in totals)
    order = np.argsort(-scores, axis=1, kind="stable")  # (n_pieces, n_authors)
    for piece, authors, *counts in zip(
        pieces, attributor.classes_[order].tolist(), n_tokens, n_unknown, strict=True
    ):
        yield Decision(
            path=piece.path,
            fold=fold,
            sentences=length,
            author=piece.author,
            named=authors[0],
            rank=authors.index(piece.author) + 1,
            declined=_declines(attributor, *map(int, counts)),
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
