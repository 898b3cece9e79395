"""From a fitted attributor and questioned texts to recorded decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats
from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.attribution.calibration import CalibrationOutcomes
from byline.attribution.language_models.scoring import SCORE_RULES, score_documents
from byline.attribution.result import NOT_CALIBRATED, reason_to_decline
from byline.attribution.stacking.scores import count_characters
from byline.experiments.decisions import Decision
from byline.experiments.metrics import FoldOutcomes
from byline.experiments.passages import Passage, QuestionedTexts, passage_texts


@dataclass(frozen=True, slots=True)
class FoldResult:
    """What became of the questioned texts of a fold.

    Attributes
    ----------
    decisions : list of Decision
        One a text and length.
    certainties : mapping of length to Certainties
        By length in sentences; under None of texts as they were held out.
    """

    decisions: list[Decision]
    certainties: Mapping[int | None, FoldOutcomes]


@dataclass(frozen=True, slots=True)
class _Answers:
    """Texts of one length under an attributor.

    Attributes
    ----------
    scores : (n_pieces, n_authors) float64
        The highest answers.
    declined : (n_pieces,) bool
    log_likelihoods : (n_pieces, n_authors) float64, or None
        By language models.
    log_probs, llrs : (n_pieces, n_authors) float64, or None
        Natural logarithms of probabilities and of likelihood ratios, where they are told.
    calibration_unavailable_reason : str or None
        Why they are not.
    """

    scores: Floats
    declined: NDArray[np.bool_]
    log_likelihoods: Floats | None
    log_probs: Floats | None = None
    llrs: Floats | None = None
    calibration_unavailable_reason: str | None = NOT_CALIBRATED


def attribute_fold(
    attributor: AuthorshipAttributor | StackedAttributor, questions: QuestionedTexts, fold: int
) -> FoldResult:
    """Attribute all questioned texts of a fold.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        Fitted.
    questions : Questions
    fold : int
        Number of the fold, from 0.
    """
    by_texts = isinstance(attributor, StackedAttributor) or attributor.cache
    answered = (_by_texts if by_texts else _by_sentences)(attributor, questions)
    decisions: list[Decision] = []
    certainties: dict[int | None, FoldOutcomes] = {}
    for length, answers in answered:
        pieces = questions.pieces[length]
        decisions += _decisions(attributor.classes_, pieces, answers, fold=fold, length=length)
        certainties[length] = _certainties(attributor.classes_, pieces, answers)
    return FoldResult(decisions, certainties)


def _by_texts(
    attributor: AuthorshipAttributor | StackedAttributor, questions: QuestionedTexts
) -> Iterator[tuple[int | None, _Answers]]:
    """Score every text by itself, as what stands in it together counts together."""
    for length, texts in passage_texts(questions, attributor.encoder_).items():
        yield length, _answers(attributor, texts)


def _answers(attributor: AuthorshipAttributor | StackedAttributor, texts: list[str]) -> _Answers:
    if isinstance(attributor, StackedAttributor):
        return _answers_of_stack(attributor, texts)
    scored = attributor.score_texts(texts)
    declined = [reason is not None for reason in attributor.reasons_to_decline(scored)]
    return _Answers(scored.scores, np.array(declined, dtype=bool), scored.log_likelihoods)


def _answers_of_stack(attributor: StackedAttributor, texts: list[str]) -> _Answers:
    scored = attributor.score_texts(texts)
    declined = [reason is not None for reason in scored.reasons]
    of_models = scored.language_model_scores
    log_probs = attributor.calibrator_.log_probabilities(scored.log_odds, count_characters(texts))
    told = attributor.calibration_unavailable_reason_ is None
    return _Answers(
        scored.log_odds,
        np.array(declined, dtype=bool),
        None if of_models is None else of_models.log_likelihoods,
        log_probs if told else None,
        np.log(10) * attributor.calibrator_.log10_likelihood_ratios(log_probs) if told else None,
        attributor.calibration_unavailable_reason_,
    )


def _by_sentences(
    attributor: AuthorshipAttributor, questions: QuestionedTexts
) -> Iterator[tuple[int | None, _Answers]]:
    """Score every sentence once, whatever the lengths of the texts it stands in.

    By either score rule a text's score is the sum of its sentences' scores.
    """
    scored = score_documents(
        [[sentence] for sentence in questions.sentences],
        attributor.encoders_,
        attributor.models_,
        SCORE_RULES[attributor.score_rule],
    )
    totals = [
        _running(each)
        for each in (scored.scores, scored.log_likelihoods, scored.n_tokens, scored.n_unknown)
    ]
    for length, pieces in questions.pieces.items():
        starts = [piece.start for piece in pieces]
        stops = [piece.stop for piece in pieces]
        scores, log_likelihoods, *counts = (total[stops] - total[starts] for total in totals)
        declined = [
            _declines(attributor, *each)
            for each in zip(*(count.tolist() for count in counts), strict=True)
        ]
        yield length, _Answers(scores, np.array(declined, dtype=bool), log_likelihoods)


def _running(values: NDArray[Any]) -> NDArray[Any]:
    """Return running totals: before each value, and after the last."""
    return np.concatenate([np.zeros_like(values[:1]), np.cumsum(values, axis=0)])


def _decisions(
    classes: NDArray[Any],
    pieces: Sequence[Passage],
    answers: _Answers,
    *,
    fold: int,
    length: int | None,
) -> Iterator[Decision]:
    order = np.argsort(-answers.scores, axis=1, kind="stable")  # (n_pieces, n_authors)
    rows = zip(
        pieces,
        classes[order].tolist(),
        answers.declined.tolist(),
        _probabilities(answers, order[:, 0]),
        strict=True,
    )
    for piece, authors, declined, probability in rows:
        yield Decision(
            path=piece.path,
            fold=fold,
            sentences=length,
            author=piece.author,
            named=authors[0],
            rank=authors.index(piece.author) + 1,
            declined=declined,
            probability=None if declined else probability,
        )


def _probabilities(answers: _Answers, named: NDArray[np.intp]) -> list[float | None]:
    if answers.log_probs is None:
        return [None] * len(named)
    probabilities: list[float | None] = np.exp(
        answers.log_probs[np.arange(len(named)), named]
    ).tolist()
    return probabilities


def _certainties(
    classes: NDArray[Any], pieces: Sequence[Passage], answers: _Answers
) -> FoldOutcomes:
    """Compare the certainty of the answered texts with who wrote them."""
    answered = ~answers.declined
    labels = np.searchsorted(classes, [piece.author for piece in pieces])[answered]
    raw, told, llrs = (
        None if values is None else values[answered]
        for values in (answers.log_likelihoods, answers.log_probs, answers.llrs)
    )
    return FoldOutcomes(
        calibration_unavailable_reason=answers.calibration_unavailable_reason,
        raw=None
        if raw is None or not np.isfinite(raw).all()
        else CalibrationOutcomes.of(raw, labels),
        calibrated=None if told is None else CalibrationOutcomes.of(told, labels, llrs),
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
