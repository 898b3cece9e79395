"""The verifier, which says whether a text is by the author of some others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Booleans, Floats
from byline.attribution.classifiers.base import no_progress
from byline.attribution.classifiers.blocks import NgramBlock, unmasked_words
from byline.attribution.inputs import check_number
from byline.attribution.result import CANNOT_TELL
from byline.attribution.verification.calibration import (
    VerificationCalibrator,
    check_kinds,
    held_out_performance,
)
from byline.attribution.verification.problems import (
    AuthorGroups,
    VerificationProblem,
    check_problems,
    has_words,
    same_text,
    words_of,
)
from byline.attribution.verification.similarity import TextSpace
from byline.corpus.scripts import count_words, format_word_count
from byline.errors import TrainingError, UsageError
from byline.progress import Progress

#: The answer that the author of the known texts wrote the questioned one.
YES = "yes"
#: The answer that another author did.
NO = "no"
_LEAST_SUPPORT = math.log(2)  # below, a ratio supports neither side in the words that go with it
_MAX_UNKNOWN = 0.5  # of the words of a text
MIN_REFERENCES = 5

# Two kinds of n-grams say nearly all: more of them, weighed by learning, did no better.
USUAL_BLOCKS = (NgramBlock("char", (4, 4)), NgramBlock("masked", (1, 3)))


@dataclass(frozen=True, slots=True)
class Verification:
    """What is said about one questioned text.

    Attributes
    ----------
    path : str or None
        Where the text came from, where that was told.
    answer : {"yes", "no", "cannot tell"}
        Whether the author of the known texts wrote it.
    probability : float or None
        That it is so, where both answers are as likely beforehand. None where declined.
    log10_lr : float or None
        How many times likelier the text is as it is if that author wrote it than if someone of the
        reference population did, as a decimal logarithm; bounded. None where declined.
    declined : str or None
        Why nothing is said, in plain words.
    """

    path: str | None
    answer: str
    probability: float | None
    log10_lr: float | None
    declined: str | None


class AuthorshipVerifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Says whether a text is by the author of some known texts, against a reference population.

    Known and questioned texts are compared by Cosine Delta of n-grams whose frequencies are
    standardised by these and the reference texts, one similarity for each kind of n-grams; a
    logistic regression makes likelihood ratios of them, learnt from problems with known answers.
    To each of these the reference texts are those of the others, as they are to a new problem,
    but for what else its known author wrote.

    Parameters
    ----------
    blocks : sequence of NgramBlock, optional
        The kinds of n-grams; where None runs of four characters, and up to three words with rare
        ones masked. Their ``value`` and ``weight`` mean nothing here.
    n_words : int
        Longer texts are compared in pieces of about so many words.
    min_words : int
        A questioned text of fewer words is declined. In a script without spaces, every sign counts
        for a word.
    language : str
        ISO 639 code, for lower-casing; in ``blocks``, each has its own.

    Attributes
    ----------
    classes_ : (2,) bool
        False, True.
    references_ : list of str
        All texts that ``fit`` was given, once each.
    groups_ : list of str
        The author of each, as far as the answers tell: a text that stands for the author's.
    kept_ : list of frozenset of str
        Words that each block leaves unmasked.
    rule_ : VerificationCalibrator
    performance_ : Performance
        How it did on the problems it was learnt from, when they were held out.
    """

    def __init__(
        self,
        blocks: Sequence[NgramBlock] | None = None,
        *,
        n_words: int = 1000,
        min_words: int = 50,
        language: str = "en",
    ) -> None:
        self.blocks = blocks
        self.n_words = n_words
        self.min_words = min_words
        self.language = language

    def fit(
        self,
        X: Iterable[VerificationProblem],
        y: Iterable[bool],
        *,
        authors: Iterable[tuple[str, str]] | None = None,
        without: Iterable[Sequence[str]] | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Learn from problems with known answers.

        Parameters
        ----------
        X : sequence of Problem, (n_problems,)
        y : sequence of bool, (n_problems,)
            Whether the questioned text is by the author of the known ones.
        authors : sequence of (str, str), (n_problems,), optional
            Names of the authors of the known texts and of the questioned one, so that no reference
            text is by the author of the known ones; what the answers do not tell of that.
        without : sequence of sequences of str, (n_problems,), optional
            Texts that are no reference texts to a problem, such as one that its questioned text is
            a part of.
        progress : Progress, optional

        Raises
        ------
        UsageError
            Something is no problem, or no answer; there are not as many of them; a parameter is out
            of its range.
        TrainingError
            Fewer than 10 problems of a kind, or fewer than 5 reference texts to one of them.
        """
        problems, same, order = self._check(X, y)
        names = None if authors is None else _ordered(authors, order, "pairs of authors")
        left_out = [()] * len(order) if without is None else _ordered(without, order, "without")
        groups = AuthorGroups(problems, same.tolist(), names)
        texts = {same_text(text): text for problem in problems for text in problem.texts}
        self.references_ = [texts[name] for name in sorted(texts)]
        self.groups_ = list(map(groups.of, self.references_))
        self.kept_ = [unmasked_words(self.references_, block) for block in self._blocks]
        features = self._features(problems, left_out, progress or no_progress)
        known = [groups.of(problem.known[0]) for problem in problems]
        self.rule_ = VerificationCalibrator.learn(features, same)
        self.performance_ = held_out_performance(features, same, known)
        self.classes_ = np.array([False, True])
        return self

    def decision_function(self, X: Iterable[VerificationProblem]) -> Floats:
        """Natural log-likelihood ratios of "the same author", calibrated but not bounded.

        Parameters
        ----------
        X : sequence of Problem, (n_problems,)

        Returns
        -------
        (n_problems,) float64
        """
        check_is_fitted(self, "classes_")
        problems = check_problems(X)
        return self.rule_.log_odds(self._features(problems, [()] * len(problems), no_progress))

    def predict_proba(self, X: Iterable[VerificationProblem]) -> Floats:
        """Bounded probabilities of another author and of the same one, as likely beforehand.

        Returns
        -------
        (n_problems, 2) float64, columns as ``classes_``; rows sum to 1
        """
        same = expit(self.rule_.bounds.apply(self.decision_function(X)))
        return np.stack([1 - same, same], axis=1)

    def predict(self, X: Iterable[VerificationProblem]) -> Booleans:
        """Whether the author is the same, however uncertain.

        Returns
        -------
        (n_problems,) bool
        """
        same: Booleans = self.decision_function(X) > 0
        return same

    def verify(
        self, X: Iterable[VerificationProblem], paths: Sequence[str] | None = None
    ) -> list[Verification]:
        """Answer yes, no or "cannot tell" to every problem.

        Parameters
        ----------
        X : sequence of Problem, (n_problems,)
        paths : sequence of str, (n_problems,), optional
            Where the questioned texts came from; handed on to the answers.

        Returns
        -------
        list of Verification, (n_problems,)
        """
        problems = check_problems(X)
        places = [None] * len(problems) if paths is None else list(paths)
        if len(places) != len(problems):
            raise UsageError(f"{len(problems)} problems need as many paths, not {len(places)}")
        llrs = self.decision_function(problems)
        reference_words = {word for text in self.references_ for word in self._words(text)}
        return [
            self._verification(problem, reference_words, float(llr), path)
            for problem, llr, path in zip(problems, llrs, places, strict=True)
        ]

    @property
    def _blocks(self) -> Sequence[NgramBlock]:
        if self.blocks is not None:
            return self.blocks
        return [replace(block, language=self.language) for block in USUAL_BLOCKS]

    def _words(self, text: str) -> list[str]:
        return words_of(text, self.language)

    def _check(
        self, X: Iterable[VerificationProblem], y: Iterable[bool]
    ) -> tuple[list[VerificationProblem], Booleans, list[int]]:
        """Check what is to be learnt from; return it in an order of its own, and that."""
        check_number("n_words", self.n_words, 1)
        check_number("min_words", self.min_words, 1)
        for block in self._blocks:
            block.check()
        problems, same = check_problems(X), list(y)
        if len(problems) != len(same):
            raise UsageError(f"{len(problems)} problems need as many answers, not {len(same)}")
        if not all(isinstance(each, bool | np.bool_) for each in same):
            raise UsageError("an answer to a problem is True (the same author) or False")
        # The order they come in changes nothing.
        order = sorted(range(len(same)), key=lambda n: (problems[n].texts, bool(same[n])))
        answers = np.array([same[n] for n in order], dtype=bool)
        check_kinds(answers)
        return [problems[n] for n in order], answers, order

    def _features(
        self,
        problems: Sequence[VerificationProblem],
        without: Sequence[Sequence[str]],
        told: Progress,
    ) -> Floats:
        """Similarity of known and questioned texts in each space, (n_problems, n_blocks)."""
        texts = {same_text(text): text for problem in problems for text in problem.texts}
        texts |= {same_text(text): text for text in self.references_}
        places = {name: place for place, name in enumerate(sorted(texts))}
        groups = dict(zip(map(same_text, self.references_), self.groups_, strict=True))
        asked = [
            _Places.of(problem, set(map(same_text, left_out)), places, groups)
            for problem, left_out in zip(problems, without, strict=True)
        ]
        columns = []
        for number, block in enumerate(blocks := self._blocks):
            told(number, len(blocks), f"n-grams of {len(texts)} texts")
            space = TextSpace.of(
                [texts[name] for name in places], block, self.n_words, self.kept_[number]
            )
            columns.append([space.similarity(*each) for each in asked])
        told(len(blocks), len(blocks), "calibrating")
        return np.array(columns).reshape(len(blocks), len(problems)).T

    def _verification(
        self, problem: VerificationProblem, reference_words: Set[str], llr: float, path: str | None
    ) -> Verification:
        reason = self._reason_to_decline(problem, reference_words)
        if reason is not None:
            return Verification(path, CANNOT_TELL, None, None, reason)
        bounded = float(self.rule_.bounds.apply(llr))
        given = float(self.rule_.given(np.array([llr]))[0])
        withheld = given == 0.5 or abs(bounded) < _LEAST_SUPPORT
        answer = CANNOT_TELL if withheld else YES if given > 0.5 else NO
        log10_lr = bounded / float(np.log(10))
        return Verification(path, answer, float(expit(bounded)), log10_lr, None)

    def _reason_to_decline(
        self, problem: VerificationProblem, reference_words: Set[str]
    ) -> str | None:
        text = problem.questioned
        n_words = count_words(text)
        if not has_words(text) or n_words < self.min_words:
            have = format_word_count(n_words, text)
            return f"the text has {have}, and at least {self.min_words} are needed"
        known_words = {word for known in problem.known for word in self._words(known)}
        words = self._words(text)
        unknown = sum(word not in reference_words and word not in known_words for word in words)
        if unknown > _MAX_UNKNOWN * len(words):
            return (
                f"{unknown / len(words):.0%} of the text's words stand in no known and no "
                f"reference text, and at most {_MAX_UNKNOWN:.0%} may"
            )
        return None


class _Places(NamedTuple):
    """Where the texts of a problem stand among others, and which of these say nothing about it."""

    known: list[int]
    questioned: int
    without: list[int]

    @classmethod
    def of(
        cls,
        problem: VerificationProblem,
        left_out: set[str],
        places: Mapping[str, int],
        groups: Mapping[str, str],
    ) -> _Places:
        """Place a problem's texts.

        Parameters
        ----------
        problem : Problem
        left_out : set of str
            Texts that are no reference texts.
        places : mapping of text to int
            All texts, those of other problems among them.
        groups : mapping of text to str
            The author's group of each reference text.

        Raises
        ------
        TrainingError
            There are too few reference texts by others.
        """
        own = list(map(same_text, problem.texts))
        authors = {groups.get(text) for text in own[:-1]}
        others = {text for text, author in groups.items() if author not in authors}
        population = others.difference(left_out, own)
        if len(population) < MIN_REFERENCES:
            raise TrainingError(
                f"verification needs at least {MIN_REFERENCES} reference texts by other authors "
                f"than the known texts', and there are {len(population)}; add texts"
            )
        without = [place for text, place in places.items() if text not in population]
        *known, questioned = (places[text] for text in own)
        return cls(known, questioned, without)


def _ordered(values: Iterable[Any], order: Sequence[int], what: str) -> list[Any]:
    """Return values, one a problem, in an order of problems."""
    found = list(values)
    if len(found) != len(order):
        raise UsageError(f"{len(order)} problems need as many {what}, not {len(found)}")
    return [found[n] for n in order]
