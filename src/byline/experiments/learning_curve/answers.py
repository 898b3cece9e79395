"""Train an attributor on one sample of the known texts, and answer the questioned passages."""

from __future__ import annotations

import hashlib
import json
import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Self, get_type_hints

import numpy as np

from byline import __version__
from byline.attribution import AuthorshipAttributor, ReferencePopulation, StackedAttributor
from byline.corpus import Corpus
from byline.errors import BylineWarning, TrainingError
from byline.experiments.attributing import answer_texts, first_candidates, fold_outcomes
from byline.experiments.fitting import fit_clone
from byline.experiments.learning_curve.samples import QuestionedPassage
from byline.experiments.prototypes import describe_estimator

_DECIMALS = 6  # of probabilities in results


@dataclass(frozen=True, slots=True)
class SampleAnswers:
    """The answers about the questioned passages of a fold, after training on one sample.

    Attributes
    ----------
    digest : str
        Identifies the sample, the passages and the attributor.
    fold, repetition, known_words : int
        The fold, the number of the sample in it, and known words per author.
    failure : str or None
        Why training failed; then there are no answers.
    is_calibrated : bool
        Whether probabilities are calibrated. Otherwise, they are posteriors of language models that
        treat tokens as independent, or there are none.
    is_correct : list of bool, (n_passages,)
        Whether the candidate with the highest score is the true author.
    log_losses, confidences : list of float, (n_passages,)
        The negative log-probability of the true author in nats, and the probability of the first
        candidate; empty if there are no probabilities. A declined passage has equal probabilities.
    cpu_seconds : float
    """

    digest: str
    fold: int
    repetition: int
    known_words: int
    failure: str | None
    is_calibrated: bool
    is_correct: list[bool]
    log_losses: list[float]
    confidences: list[float]
    cpu_seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Restore what `to_dict` returned.

        Raises
        ------
        KeyError, TypeError, ValueError
            It is something else.
        """
        if set(values) != {field.name for field in fields(cls)}:
            raise ValueError
        answers = cls(**values)
        scalars = {name: kind for name, kind in get_type_hints(cls).items() if name not in _LISTS}
        if not all(isinstance(getattr(answers, name), kind) for name, kind in scalars.items()):
            raise TypeError
        for name, kind in _LISTS.items():
            own = getattr(answers, name)
            if not isinstance(own, list) or not all(isinstance(each, kind) for each in own):
                raise TypeError
        n_stated = len(answers.log_losses)
        if n_stated != len(answers.confidences) or n_stated not in (0, len(answers.is_correct)):
            raise ValueError
        if answers.failure is not None and answers.is_correct:
            raise ValueError
        if not np.isfinite(answers.log_losses).all() or not all(
            0 <= each <= 1 for each in answers.confidences
        ):
            raise ValueError
        return answers


_LISTS: dict[str, Any] = {"is_correct": bool, "log_losses": int | float, "confidences": int | float}


@dataclass(frozen=True, slots=True)
class SampleTask:
    """What is needed to train on a sample and to answer the passages.

    Attributes
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        The prototype.
    known : Corpus
    passages : sequence of QuestionedPassage
    reference : ReferencePopulation or None
    fold, repetition, known_words : int
    """

    attributor: AuthorshipAttributor | StackedAttributor
    known: Corpus
    passages: Sequence[QuestionedPassage]
    reference: ReferencePopulation | None
    fold: int
    repetition: int
    known_words: int

    @property
    def digest(self) -> str:
        """Identify all that the answers depend on."""
        others = self.reference
        content = [
            __version__,
            describe_estimator(self.attributor),
            [(each.author, each.work, each.text) for each in self.known],
            [(each.author, each.work, each.n_words, each.text) for each in self.passages],
            others and list(zip(others.authors, others.texts, strict=True)),
            others and others.works and list(others.works),
            [self.fold, self.repetition, self.known_words],
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def answer_sample(task: SampleTask) -> SampleAnswers:
    """Train a clone of the attributor on the sample, and answer the passages.

    Parameters
    ----------
    task : SampleTask
    """
    start = time.process_time()
    authors = [each.author for each in task.passages]
    failure, is_calibrated = None, False
    correct: list[bool] = []
    losses: list[float] = []
    confidences: list[float] = []
    with warnings.catch_warnings():
        # What a user could do about known texts does not concern samples that are small on purpose.
        warnings.simplefilter("ignore", BylineWarning)
        try:
            fitted = fit_clone(task.attributor, task.known, reference=task.reference)
            answers = answer_texts(fitted, [each.text for each in task.passages])
        except TrainingError as error:  # nothing else depends on the amount of known text
            failure = str(error)
        else:
            predicted = first_candidates(fitted.classes_, answers.scores)
            correct = [own == true for own, true in zip(predicted, authors, strict=True)]
            outcomes = fold_outcomes(fitted.classes_, authors, answers)
            is_calibrated = outcomes.calibrated is not None
            stated = outcomes.calibrated if is_calibrated else outcomes.raw
            if stated is not None:
                losses = stated.log_losses.round(_DECIMALS).tolist()
                confidences = stated.confidences.round(_DECIMALS).tolist()
    return SampleAnswers(
        digest=task.digest,
        fold=task.fold,
        repetition=task.repetition,
        known_words=task.known_words,
        failure=failure,
        is_calibrated=is_calibrated,
        is_correct=correct,
        log_losses=losses,
        confidences=confidences,
        cpu_seconds=round(time.process_time() - start, 3),
    )
