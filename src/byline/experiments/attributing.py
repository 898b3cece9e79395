"""Attribution of a fold's questioned texts as `byline attribute` does, and the record of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.answering import answer_caveats
from byline.array_types import Floats
from byline.attribution import Attribution, AuthorshipAttributor, StackedAttributor
from byline.attribution.calibration import CalibrationOutcomes
from byline.attribution.language_models.scoring import (
    LIKELIHOOD_RATIO,
    SCORE_RULES,
    score_documents,
)
from byline.attribution.result import TextScores
from byline.experiments.decisions import Decision
from byline.experiments.metrics import FoldOutcomes
from byline.experiments.passages import Passage, QuestionedTexts, passage_texts
from byline.progress import Progress, RepeatedProgress
from byline.text import SubwordEncoder

_UNCALIBRATED = "uncalibrated"  # the caveat of all answers by language models alone


@dataclass(frozen=True, slots=True)
class FoldResult:
    """Attributions of the questioned texts of a fold.

    Attributes
    ----------
    decisions : list of Decision
        One per text and length.
    outcomes : mapping of length to FoldOutcomes
        The key is the length in sentences, or None for texts as they were held out.
    caveats : list of tuples of str
        The codes of the caveats of each answer about a text as it was held out, except
        ``"uncalibrated"``.
    base_classifiers : mapping of name to list of str
        The first candidate of each base classifier of a stack for each text as it was held out.
    """

    decisions: list[Decision]
    outcomes: Mapping[int | None, FoldOutcomes]
    caveats: list[tuple[str, ...]]
    base_classifiers: Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers about texts of one length.

    Attributes
    ----------
    attributions : list of Attribution
        What `byline attribute` says.
    scores : (n_passages, n_authors) float64
        By which the candidates are ranked, also for texts that are declined.
    log_likelihoods : (n_passages, n_authors) float64, or None
        Log-likelihoods under the language models.
    by_base_classifier : mapping of name to (n_passages, n_authors) float64
    """

    attributions: list[Attribution]
    scores: Floats
    log_likelihoods: Floats | None
    by_base_classifier: Mapping[str, Floats]


def fold_progress(progress: Progress | None, fold: int, n_folds: int) -> Progress | None:
    """Report the training of one fold as a part of all folds; attribution is the last stage."""
    return None if progress is None else _FoldProgress(progress, fold, n_folds)


class _FoldProgress(RepeatedProgress):
    def __call__(self, done: int, total: int, what: str) -> None:
        """Report a step of the fold."""
        place = f"fold {self.part + 1} of {self.n_parts}: " if self.n_parts > 1 else ""
        super().__call__(done, total, place + (what if done < total else "attributing"))


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
    of_subwords = isinstance(attributor.encoder_, SubwordEncoder)  # not in sentences
    by_texts = isinstance(attributor, StackedAttributor) or attributor.cache or of_subwords
    answered = (_by_texts if by_texts else _by_sentences)(attributor, questions)
    decisions: list[Decision] = []
    outcomes: dict[int | None, FoldOutcomes] = {}
    caveats: list[tuple[str, ...]] = []
    base_classifiers: dict[str, list[str]] = {}
    for length, answers in answered:
        passages = questions.passages[length]
        decisions += _decisions(attributor.classes_, passages, answers, fold=fold, length=length)
        authors = [passage.author for passage in passages]
        outcomes[length] = fold_outcomes(attributor.classes_, authors, answers)
        if length is None:
            caveats = _caveats(attributor, questions.documents, answers.attributions)
            base_classifiers = {
                name: first_candidates(attributor.classes_, scores)
                for name, scores in answers.by_base_classifier.items()
            }
    return FoldResult(decisions, outcomes, caveats, base_classifiers)


def first_candidates(classes: NDArray[Any], scores: Floats) -> list[str]:
    """Return the author with the highest score for each text; of equal scores, the first.

    Parameters
    ----------
    classes : (n_authors,) str
    scores : (n_texts, n_authors) float64
    """
    return list(map(str, classes[scores.argmax(axis=1)].tolist())) if len(scores) else []


def answer_texts(
    attributor: AuthorshipAttributor | StackedAttributor, texts: Sequence[str]
) -> Answers:
    """Attribute texts, each of which is scored as a whole.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted attributor.
    texts : sequence of str
    """
    if isinstance(attributor, StackedAttributor):
        return _answers_of_stack(attributor, list(texts))
    return _answers_of_models(attributor, attributor.score_texts(texts))


def _by_texts(
    attributor: AuthorshipAttributor | StackedAttributor, questions: QuestionedTexts
) -> Iterator[tuple[int | None, Answers]]:
    """Score every text as a whole, because the score may depend on the text as a whole."""
    for length, texts in passage_texts(questions, attributor.encoder_.word_encoder()).items():
        yield length, answer_texts(attributor, texts)


def _answers_of_stack(stack: StackedAttributor, texts: list[str]) -> Answers:
    scored = stack.score_texts(texts)
    of_models = scored.counts.log_likelihoods if isinstance(scored.counts, TextScores) else None
    by_base_classifier = dict(zip(scored.names, scored.by_base_classifier, strict=True))
    return Answers(stack.attribute_scored(scored), scored.log_odds, of_models, by_base_classifier)


def _answers_of_models(models: AuthorshipAttributor, scored: TextScores) -> Answers:
    return Answers(models.attribute_scored(scored), scored.scores, scored.log_likelihoods, {})


def _by_sentences(
    attributor: AuthorshipAttributor, questions: QuestionedTexts
) -> Iterator[tuple[int | None, Answers]]:
    """Score every sentence once, and sum the scores for texts of all lengths.

    By either score rule, the score of a text is the sum of the scores of its sentences.
    """
    is_ratio = attributor.score_rule == LIKELIHOOD_RATIO
    scored = score_documents(
        [[sentence] for sentence in questions.sentences],
        attributor.encoders_,
        attributor.models_,
        SCORE_RULES[attributor.score_rule],
        attributor.scorer_,
        attributor.background_ if is_ratio else None,
    )
    totals = {each.name: _running_totals(getattr(scored, each.name)) for each in fields(scored)}
    for length, passages in questions.passages.items():
        starts = [passage.start for passage in passages]
        stops = [passage.stop for passage in passages]
        sums = {name: total[stops] - total[starts] for name, total in totals.items()}
        sums["has_words"] = sums["has_words"] > 0
        yield length, _answers_of_models(attributor, TextScores(**sums))


def _running_totals(values: NDArray[Any]) -> NDArray[Any]:
    """Return the sum before each value, and the sum of all values."""
    return np.concatenate([np.zeros_like(values[:1]), np.cumsum(values, axis=0)])


def _decisions(
    classes: NDArray[Any],
    passages: Sequence[Passage],
    answers: Answers,
    *,
    fold: int,
    length: int | None,
) -> Iterator[Decision]:
    order = np.argsort(-answers.scores, axis=1, kind="stable")  # (n_passages, n_authors)
    rows = zip(passages, classes[order].tolist(), answers.attributions, strict=True)
    for passage, authors, answer in rows:
        yield Decision(
            path=passage.path,
            fold=fold,
            sentences=length,
            author=passage.author,
            predicted=authors[0],
            rank=authors.index(passage.author) + 1,
            declined=answer.declined is not None,
            probability=answer.ranking[0].probability if answer.ranking else None,
        )


def fold_outcomes(classes: NDArray[Any], authors: Sequence[str], answers: Answers) -> FoldOutcomes:
    """Combine the probabilities of all texts with their true authors.

    A declined text has equal probabilities of all candidates: the answer says nothing about them.

    Parameters
    ----------
    classes : (n_authors,) str
        Sorted.
    authors : sequence of str, (n_texts,)
    answers : Answers
    """
    labels = np.searchsorted(classes, authors)
    attributions = answers.attributions
    declined = np.array([answer.declined is not None for answer in attributions], dtype=bool)
    raw = answers.log_likelihoods
    if raw is not None:
        raw = np.where(declined[:, np.newaxis], 0.0, raw)
    reasons = (answer.calibration_unavailable_reason for answer in attributions)
    reason = next(filter(None, reasons), None)
    calibrated = None
    if reason is None:
        calibrated = CalibrationOutcomes.of(*_stated(classes, attributions, labels))
    return FoldOutcomes(
        calibration_unavailable_reason=reason,
        raw=None
        if raw is None or not np.isfinite(raw).all()
        else CalibrationOutcomes.of(raw, labels),
        calibrated=calibrated,
    )


def _stated(
    classes: NDArray[Any], attributions: Sequence[Attribution], labels: NDArray[np.intp]
) -> tuple[Floats, NDArray[np.intp], Floats]:
    """Return the stated log-probabilities, the labels and the stated log-likelihood ratios."""
    log_probs = np.full((len(attributions), len(classes)), -np.log(len(classes)))
    llrs = np.zeros(log_probs.shape)
    columns = {str(author): column for column, author in enumerate(classes)}
    for row, answer in enumerate(attributions):
        for place in answer.ranking:
            if place.probability is not None and place.log10_lr is not None:
                log_probs[row, columns[place.author]] = np.log(place.probability)
                llrs[row, columns[place.author]] = place.log10_lr * np.log(10)
    return log_probs, labels, llrs


def _caveats(
    attributor: AuthorshipAttributor | StackedAttributor,
    texts: Sequence[str],
    answers: Sequence[Attribution],
) -> list[tuple[str, ...]]:
    found = [
        answer_caveats(attributor, answer, text)
        for answer, text in zip(answers, texts, strict=True)
    ]
    return [
        tuple(dict.fromkeys(each.code for each in own if each.code != _UNCALIBRATED))
        for own in found
    ]
