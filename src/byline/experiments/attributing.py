"""Attribution of the questioned texts of a fold, and the record of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Floats
from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.attribution.calibration import CalibrationOutcomes
from byline.attribution.language_models.scoring import SCORE_RULES, score_documents
from byline.attribution.result import (
    NOT_CALIBRATED,
    TextScores,
    are_tied,
    reason_to_decline,
)
from byline.experiments.decisions import Decision
from byline.experiments.metrics import FoldOutcomes
from byline.experiments.passages import Passage, QuestionedTexts, passage_texts


@dataclass(frozen=True, slots=True)
class FoldResult:
    """Attributions of the questioned texts of a fold.

    Attributes
    ----------
    decisions : list of Decision
        One per text and length.
    outcomes : mapping of length to FoldOutcomes
        The key is the length in sentences, or None for texts as they were held out.
    """

    decisions: list[Decision]
    outcomes: Mapping[int | None, FoldOutcomes]


@dataclass(frozen=True, slots=True)
class _Answers:
    """Scores of texts of one length.

    Attributes
    ----------
    scores : (n_passages, n_authors) float64
        A text is attributed to the author with the highest score.
    declined : (n_passages,) bool
    log_likelihoods : (n_passages, n_authors) float64, or None
        Log-likelihoods under the language models.
    log_probs, llrs : (n_passages, n_authors) float64, or None
        Natural logarithms of calibrated probabilities and likelihood ratios.
    calibration_unavailable_reason : str or None
        Why there are no calibrated probabilities.
    """

    scores: Floats
    declined: Booleans
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
        A fitted attributor.
    questions : QuestionedTexts
    fold : int
        Number of the fold, from 0.
    """
    by_texts = isinstance(attributor, StackedAttributor) or attributor.cache
    answered = (_by_texts if by_texts else _by_sentences)(attributor, questions)
    decisions: list[Decision] = []
    outcomes: dict[int | None, FoldOutcomes] = {}
    for length, answers in answered:
        passages = questions.passages[length]
        decisions += _decisions(attributor.classes_, passages, answers, fold=fold, length=length)
        outcomes[length] = _fold_outcomes(attributor.classes_, passages, answers)
    return FoldResult(decisions, outcomes)


def _by_texts(
    attributor: AuthorshipAttributor | StackedAttributor, questions: QuestionedTexts
) -> Iterator[tuple[int | None, _Answers]]:
    """Score every text as a whole, because the score may depend on the text as a whole."""
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
    of_models = scored.counts if isinstance(scored.counts, TextScores) else None
    return _Answers(
        scored.log_odds,
        np.array(declined, dtype=bool),
        None if of_models is None else of_models.log_likelihoods,
        scored.log_probabilities(),
        np.log(10) * scored.log10_likelihood_ratios(),
        None,
    )


def _by_sentences(
    attributor: AuthorshipAttributor, questions: QuestionedTexts
) -> Iterator[tuple[int | None, _Answers]]:
    """Score every sentence once, and sum the scores for texts of all lengths.

    By either score rule, the score of a text is the sum of the scores of its sentences.
    """
    scored = score_documents(
        [[sentence] for sentence in questions.sentences],
        attributor.encoders_,
        attributor.models_,
        SCORE_RULES[attributor.score_rule],
    )
    totals = [
        _running_totals(each)
        for each in (
            scored.scores,
            scored.log_likelihoods,
            scored.n_tokens,
            scored.n_unknown,
            scored.has_words,
        )
    ]
    for length, passages in questions.passages.items():
        starts = [passage.start for passage in passages]
        stops = [passage.stop for passage in passages]
        scores, log_likelihoods, *counts = (total[stops] - total[starts] for total in totals)
        declined = [
            _declines(attributor, *each)
            for each in zip(*(count.tolist() for count in counts), strict=True)
        ]
        yield (
            length,
            _Answers(scores, np.array(declined, dtype=bool) | are_tied(scores), log_likelihoods),
        )


def _running_totals(values: NDArray[Any]) -> NDArray[Any]:
    """Return the sum before each value, and the sum of all values."""
    return np.concatenate([np.zeros_like(values[:1]), np.cumsum(values, axis=0)])


def _decisions(
    classes: NDArray[Any],
    passages: Sequence[Passage],
    answers: _Answers,
    *,
    fold: int,
    length: int | None,
) -> Iterator[Decision]:
    order = np.argsort(-answers.scores, axis=1, kind="stable")  # (n_passages, n_authors)
    rows = zip(
        passages,
        classes[order].tolist(),
        answers.declined.tolist(),
        _probabilities(answers, order[:, 0]),
        strict=True,
    )
    for passage, authors, declined, probability in rows:
        yield Decision(
            path=passage.path,
            fold=fold,
            sentences=length,
            author=passage.author,
            predicted=authors[0],
            rank=authors.index(passage.author) + 1,
            declined=declined,
            probability=None if declined else probability,
        )


def _probabilities(answers: _Answers, predicted: NDArray[np.intp]) -> list[float | None]:
    if answers.log_probs is None:
        return [None] * len(predicted)
    probabilities: list[float | None] = np.exp(
        answers.log_probs[np.arange(len(predicted)), predicted]
    ).tolist()
    return probabilities


def _fold_outcomes(
    classes: NDArray[Any], passages: Sequence[Passage], answers: _Answers
) -> FoldOutcomes:
    """Combine the probabilities of the texts that were attributed with their true authors."""
    answered = ~answers.declined
    labels = np.searchsorted(classes, [passage.author for passage in passages])[answered]
    raw, calibrated, llrs = (
        None if values is None else values[answered]
        for values in (answers.log_likelihoods, answers.log_probs, answers.llrs)
    )
    return FoldOutcomes(
        calibration_unavailable_reason=answers.calibration_unavailable_reason,
        raw=None
        if raw is None or not np.isfinite(raw).all()
        else CalibrationOutcomes.of(raw, labels),
        calibrated=None if calibrated is None else CalibrationOutcomes.of(calibrated, labels, llrs),
    )


def _declines(
    attributor: AuthorshipAttributor, n_tokens: int, n_unknown: int, n_with_words: int
) -> bool:
    reason = reason_to_decline(
        n_tokens,
        n_unknown,
        n_with_words > 0,
        unit=attributor.encoder_.unit,
        min_tokens=attributor.min_tokens,
        max_unknown=attributor.max_unknown,
    )
    return reason is not None
