"""Answers to verification problems by Byline and by a simple baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np
from scipy.special import expit
from sklearn.feature_extraction.text import TfidfVectorizer

from byline.array_types import Booleans, Floats
from byline.attribution.verification import (
    AuthorshipVerifier,
    VerificationCalibrator,
    VerificationProblem,
)


@dataclass(frozen=True, slots=True)
class VerificationAnswers:
    """Answers to problems.

    Attributes
    ----------
    probabilities : tuple of float, (n_problems,)
        Unbounded probabilities that the author is the same, by which problems are ranked.
    stated : tuple of float, (n_problems,)
        The probabilities that a user sees, bounded by what the calibration problems support; 0.5 if
        none is stated.
    withheld : tuple of bool, (n_problems,)
        Whether there is no answer.

    Examples
    --------
    >>> VerificationAnswers((0.99, 0.4), (0.9, 0.4), (False, True)).given
    (0.99, 0.5)
    """

    probabilities: tuple[float, ...]
    stated: tuple[float, ...]
    withheld: tuple[bool, ...]

    @property
    def given(self) -> tuple[float, ...]:
        """The probabilities, and 0.5 for withheld answers, as in the evaluations of PAN."""
        pairs = zip(self.probabilities, self.withheld, strict=True)
        return tuple(0.5 if withheld else value for value, withheld in pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Return what `to_dict` wrote.

        Raises
        ------
        KeyError, TypeError, ValueError
            It is something else.
        """
        columns = [tuple(values[name]) for name in ("probabilities", "stated", "withheld")]
        if len(set(map(len, columns))) != 1:
            raise ValueError("columns of different lengths")
        return cls(*columns)

    @classmethod
    def join(cls, size: int, parts: Sequence[tuple[Sequence[int], VerificationAnswers]]) -> Self:
        """Put the answers to parts of the problems at their places.

        Parameters
        ----------
        size : int
            Number of all problems.
        parts : sequence of (places, VerificationAnswers)
        """
        columns = []
        for name in ("probabilities", "stated", "withheld"):
            values: list[Any] = [None] * size
            for places, answers in parts:
                for place, value in zip(places, getattr(answers, name), strict=True):
                    values[place] = value
            columns.append(tuple(values))
        return cls(*columns)

    @classmethod
    def of_log_odds(cls, log_odds: Floats, rule: VerificationCalibrator) -> Self:
        """Convert unbounded log-odds by a calibration.

        Parameters
        ----------
        log_odds : (n_problems,) float64
        rule : VerificationCalibrator
        """
        return cls(
            tuple(expit(log_odds).tolist()),
            tuple(expit(rule.bounds.apply(log_odds)).tolist()),
            tuple((rule.answers(log_odds) == 0.5).tolist()),
        )


# Training problems, their answers, questioned problems, and the language -> answers
Verify = Callable[
    [list[VerificationProblem], Booleans, list[VerificationProblem], str], VerificationAnswers
]


@dataclass(frozen=True, slots=True)
class VerificationMethod:
    """A method with a name.

    Attributes
    ----------
    name, title : str
    verify : function
        Trains on problems with known answers, and answers others.
    """

    name: str
    title: str
    verify: Verify


def verify_by_byline(
    known: list[VerificationProblem],
    same: Booleans,
    asked: list[VerificationProblem],
    language: str,
) -> VerificationAnswers:
    """Answer by Byline's verifier.

    Answers within the margin of indecision are withheld, as those of the other methods.
    `AuthorshipVerifier.verify` also withholds answers with a likelihood ratio that supports neither
    side on the verbal scale, which c@1 does not reward.
    """
    verifier = AuthorshipVerifier(language=language).fit(known, same.tolist())
    log_odds = verifier.decision_function(asked)
    found = VerificationAnswers.of_log_odds(log_odds, verifier.calibrator_)
    declined = [each.declined is not None for each in verifier.verify(asked)]
    return replace(
        found,
        stated=tuple(np.where(declined, 0.5, found.stated).tolist()),
        withheld=tuple(np.logical_or(declined, found.withheld).tolist()),
    )


def verify_by_cosine(
    known: list[VerificationProblem],
    same: Booleans,
    asked: list[VerificationProblem],
    language: str,
) -> VerificationAnswers:
    """Answer by the cosine of tf-idf weighted character 4-grams, calibrated in the same way."""
    vectors = TfidfVectorizer(analyzer="char", ngram_range=(4, 4), sublinear_tf=True, min_df=2)
    vectors.fit(sorted({text for problem in known for text in problem.texts}))

    def cosines(problems: list[VerificationProblem]) -> Floats:
        first = vectors.transform("\n".join(problem.known) for problem in problems)
        second = vectors.transform(problem.questioned for problem in problems)
        return np.asarray(first.multiply(second).sum(axis=1)).reshape(-1, 1)

    return answers_by_scores(cosines(known), same, cosines(asked))


def answers_by_scores(scores: Floats, same: Booleans, asked: Floats) -> VerificationAnswers:
    """Calibrate scores of training problems, and convert those of other problems to answers.

    Parameters
    ----------
    scores : (n_training, n_features) float64
    same : (n_training,) bool
    asked : (n_problems, n_features) float64
    """
    rule = VerificationCalibrator.fit(scores, same)
    return VerificationAnswers.of_log_odds(rule.log_odds(asked), rule)


VERIFICATION_METHODS: Mapping[str, VerificationMethod] = {
    method.name: method
    for method in (
        VerificationMethod("default", "Byline", verify_by_byline),
        VerificationMethod("cosine", "cosine of character 4-grams", verify_by_cosine),
    )
}
