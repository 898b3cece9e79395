"""The verifier: decide whether a text and some known texts have the same author."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import cache
from typing import ClassVar, Self

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Booleans, Floats
from byline.attribution.classifiers.base import no_progress
from byline.attribution.classifiers.blocks import NgramBlock, unmasked_words
from byline.attribution.result import CANNOT_TELL
from byline.attribution.verification.calibration import (
    MIN_SUPPORT,
    FurtherProblems,
    VerificationCalibrator,
    check_kinds,
    held_out_answers,
)
from byline.attribution.verification.prior import default_prior
from byline.attribution.verification.problems import (
    AuthorGroups,
    ProblemPlaces,
    VerificationProblem,
    check_problems,
    has_words,
    normalize_space,
    pair_again,
    reorder,
    words_of,
)
from byline.attribution.verification.result import NO, YES, Verification
from byline.attribution.verification.similarity import N_BANDS, TextSpace
from byline.constraints import Constraints, check_parameters, whole
from byline.errors import UsageError
from byline.formatting import percent, short_percent
from byline.progress import Progress
from byline.typography import Normalization
from byline.typography.scripts import count_words, format_word_count

_MAX_UNKNOWN = 0.5  # of the words of a text
MAX_FURTHER = 100  # problems of each kind that are sampled from the texts of the given ones

# More kinds of n-grams were not more accurate than these two.
DEFAULT_BLOCKS = (NgramBlock("char", (3, 3)), NgramBlock("masked", (1, 3)))


class AuthorshipVerifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Verify authorship against a reference population.

    Known and questioned texts are compared by Cosine Delta of n-grams. Frequencies are standardised
    by these texts and the reference texts. There is one similarity for each kind of n-grams. A
    logistic regression, which is fitted to problems with known answers, converts the similarities
    to likelihood ratios. The reference texts of a problem are the texts of all other problems,
    except other texts by the author of its known texts. Texts are not normalised;
    `verify_author` does that before it uses this class.

    Parameters
    ----------
    blocks : sequence of NgramBlock, optional
        The kinds of n-grams. By default, sequences of three characters, and of one to three words
        with rare words masked. Their ``value`` and ``weight`` are ignored.
    n_words : int
        Longer texts are divided into chunks of about so many words.
    min_words : int
        A questioned text with fewer words is declined. In a script without spaces, every character
        counts as a word.
    language : str
        ISO 639 code, used for lower-casing; given ``blocks`` have their own language.
    normalization : str
        The rules by which typographic differences are removed from all texts; see
        `byline.typography.Normalization`.

    Attributes
    ----------
    classes_ : (2,) bool, False and True
    references_ : list of str
        All different texts that ``fit`` was given.
    groups_ : list of str
        The author of each reference text, as far as known: a text that represents the author's.
    kept_ : list of frozenset of str
        Words that each block does not mask.
    calibrator_ : VerificationCalibrator, of similarities
    problems_ : list of VerificationProblem, normalised
    further_ : FurtherProblems
        Problems that were sampled from the same texts, if ``authors`` was not given.
    held_out_ : HeldOutAnswers
        The training problems' similarities, and the cross-validated answers about them.
    performance_ : VerificationPerformance
        The cross-validated performance on the training problems.

    See Also
    --------
    verify_author : Verify texts with problems that are sampled from a corpus.

    Examples
    --------
    >>> AuthorshipVerifier(min_words=100)
    AuthorshipVerifier(min_words=100)
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "blocks": [list, tuple, None],
        "n_words": [whole(1)],
        "min_words": [whole(1)],
        "language": [str],
        "normalization": [str],
    }

    def __init__(
        self,
        blocks: Sequence[NgramBlock] | None = None,
        *,
        n_words: int = 1000,
        min_words: int = 50,
        language: str = "en",
        normalization: str = "edition",
    ) -> None:
        self.blocks = blocks
        self.n_words = n_words
        self.min_words = min_words
        self.language = language
        self.normalization = normalization

    def __sklearn_tags__(self) -> Tags:
        """Declare that the input is not a table."""
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        return tags

    def fit(
        self,
        X: Iterable[VerificationProblem],
        y: Iterable[bool],
        *,
        authors: Iterable[tuple[str, str]] | None = None,
        excluded: Iterable[Sequence[str]] | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Train the verifier on problems with known answers.

        Parameters
        ----------
        X : sequence of Problem, (n_problems,)
        y : sequence of bool, (n_problems,)
            Whether the questioned text is by the author of the known ones.
        authors : sequence of (str, str), (n_problems,), optional
            Names of the authors of the known texts and of the questioned text. They prevent texts
            by the author of the known texts from being used as reference texts.
        excluded : sequence of sequences of str, (n_problems,), optional
            Texts that are not used as reference texts for a problem, such as a text that contains
            its questioned text.
        progress : Progress, optional

        Raises
        ------
        UsageError
            A problem, an answer or a parameter is invalid, or there are not as many answers as
            problems.
        TrainingError
            There are fewer than 10 problems of a kind, or fewer than 5 reference texts for one.
        """
        check_parameters(self)
        normalize = self._normalize()
        problems, same, order = self._check(X, y, normalize)
        names = None if authors is None else reorder(authors, order, "pairs of authors")
        left_out = [()] * len(order) if excluded is None else reorder(excluded, order, "lists")
        left_out = [list(map(normalize, texts)) for texts in left_out]
        groups = AuthorGroups(problems, same.tolist(), names)
        texts = {normalize_space(text): text for problem in problems for text in problem.texts}
        self.references_ = [texts[name] for name in sorted(texts)]
        self.groups_ = list(map(groups.of, self.references_))
        self.kept_ = [unmasked_words(self.references_, block) for block in self._blocks]
        further, answers = (
            ([], [])
            if authors is not None
            else pair_again(problems, groups, at_most=MAX_FURTHER, random_state=0)
        )
        compared = [*problems, *further]
        features = self._features(
            compared, [*left_out, *([()] * len(further))], progress or no_progress
        )
        known_by = [groups.of(problem.known[0]) for problem in compared]
        questioned_by = [groups.of(problem.questioned) for problem in compared]
        n = len(problems)
        more = FurtherProblems(
            features[n:], np.array(answers, dtype=bool), known_by[n:], questioned_by[n:]
        )
        self.problems_, self.further_ = problems, more
        prior = default_prior() if self.blocks is None else None
        self.calibrator_ = VerificationCalibrator.fit(features[:n], same, prior=prior, more=more)
        self.held_out_ = held_out_answers(
            features[:n], same, known_by[:n], questioned_by[:n], prior=prior, more=more
        )
        self.performance_ = self.held_out_.performance()
        self.classes_ = np.array([False, True])
        return self

    def decision_function(self, X: Iterable[VerificationProblem]) -> Floats:
        """Compute calibrated, unbounded natural log-likelihood ratios of "the same author".

        Parameters
        ----------
        X : sequence of Problem, (n_problems,)

        Returns
        -------
        (n_problems,) float64
        """
        features = self.features(X)  # checks that the verifier is fitted
        return self.calibrator_.log_odds(features)

    def features(self, X: Iterable[VerificationProblem]) -> Floats:
        """Compute the similarities that the log-likelihood ratios are computed from.

        Parameters
        ----------
        X : sequence of Problem, (n_problems,)

        Returns
        -------
        (n_problems, n_features) float64
        """
        check_is_fitted(self, "classes_")
        problems = check_problems(X, self._normalize())
        return self._features(problems, [()] * len(problems), no_progress)

    def predict_proba(self, X: Iterable[VerificationProblem]) -> Floats:
        """Compute bounded probabilities of different authors and of the same author.

        Both are taken to be equally likely beforehand.

        Returns
        -------
        (n_problems, 2) float64, columns as ``classes_``; rows sum to 1
        """
        same = expit(self.calibrator_.bounds.apply(self.decision_function(X)))
        return np.stack([1 - same, same], axis=1)

    def predict(self, X: Iterable[VerificationProblem]) -> Booleans:
        """Decide whether the author is the same, without withholding answers.

        Returns
        -------
        (n_problems,) bool
        """
        return np.asarray(self.decision_function(X) > 0)

    def verify(
        self,
        X: Iterable[VerificationProblem],
        paths: Sequence[str] | None = None,
        *,
        features: Floats | None = None,
    ) -> list[Verification]:
        """Answer every problem with yes, no or "cannot tell".

        Parameters
        ----------
        X : sequence of Problem, (n_problems,)
        paths : sequence of str, (n_problems,), optional
            Where the questioned texts came from.
        features : (n_problems, n_features) float64, optional
            As the method `features` returns them.

        Returns
        -------
        list of Verification, (n_problems,)
        """
        problems = check_problems(X, self._normalize())
        places = [None] * len(problems) if paths is None else list(paths)
        if len(places) != len(problems):
            raise UsageError(
                f"there are {len(problems)} problems and {len(places)} paths; give one per problem"
            )
        if features is None:
            features = self.features(problems)
        llrs = self.calibrator_.log_odds(features)
        reference_words = {word for text in self.references_ for word in self._words(text)}
        return [
            self._verification(problem, reference_words, float(llr), path)
            for problem, llr, path in zip(problems, llrs, places, strict=True)
        ]

    @property
    def _blocks(self) -> Sequence[NgramBlock]:
        if self.blocks is not None:
            return self.blocks
        return [replace(block, language=self.language) for block in DEFAULT_BLOCKS]

    def _words(self, text: str) -> list[str]:
        return words_of(text, self.language)

    def _normalize(self) -> Callable[[str], str]:
        """Return a function that normalises each distinct text once."""
        return cache(Normalization.parse(self.normalization).apply)

    def _check(
        self,
        X: Iterable[VerificationProblem],
        y: Iterable[bool],
        normalize: Callable[[str], str],
    ) -> tuple[list[VerificationProblem], Booleans, list[int]]:
        """Check problems and answers; return them in a canonical order, and that order."""
        for block in self._blocks:
            block.check()
        problems, same = check_problems(X, normalize), list(y)
        if len(problems) != len(same):
            raise UsageError(
                f"there are {len(problems)} problems and {len(same)} answers; give one per problem"
            )
        if not all(each in (0, 1) for each in same):  # scikit-learn's tools make integers of them
            raise UsageError("an answer to a problem must be True (the same author) or False")
        # So the order of the problems does not influence the result.
        order = sorted(range(len(same)), key=lambda n: (problems[n].texts, bool(same[n])))
        answers = np.array([same[n] for n in order], dtype=bool)
        check_kinds(answers)
        return [problems[n] for n in order], answers, order

    def _features(
        self,
        problems: Sequence[VerificationProblem],
        excluded: Sequence[Sequence[str]],
        report: Progress,
    ) -> Floats:
        """Compute similarities, (n_problems, n_blocks * n_bands)."""
        columns, n_blocks = [], len(self._blocks)
        report(0, n_blocks, "counting n-grams")
        for number, (space, places) in enumerate(self._compare(problems, excluded), 1):
            columns.append([space.similarities(*each) for each in places])
            report(number, n_blocks, "counting n-grams" if number < n_blocks else "calibrating")
        features = np.array(columns).reshape(n_blocks, len(problems), N_BANDS)
        return features.swapaxes(0, 1).reshape(len(problems), n_blocks * N_BANDS)

    def compare(
        self, X: Iterable[VerificationProblem]
    ) -> Iterator[tuple[TextSpace, list[ProblemPlaces]]]:
        """Yield the n-grams of all texts for each block, and the places of the problems' texts.

        Parameters
        ----------
        X : sequence of Problem, (n_problems,)
        """
        check_is_fitted(self, "classes_")
        problems = check_problems(X, self._normalize())
        return self._compare(problems, [()] * len(problems))

    def _compare(
        self, problems: Sequence[VerificationProblem], excluded: Sequence[Sequence[str]]
    ) -> Iterator[tuple[TextSpace, list[ProblemPlaces]]]:
        texts = {normalize_space(text): text for problem in problems for text in problem.texts}
        texts |= {normalize_space(text): text for text in self.references_}
        places = {name: place for place, name in enumerate(sorted(texts))}
        groups = dict(zip(map(normalize_space, self.references_), self.groups_, strict=True))
        asked = [
            ProblemPlaces.of(problem, set(map(normalize_space, left_out)), places, groups)
            for problem, left_out in zip(problems, excluded, strict=True)
        ]
        in_order = [texts[name] for name in places]
        for block, kept in zip(self._blocks, self.kept_, strict=True):
            yield TextSpace.of(in_order, block, self.n_words, kept), asked

    def _verification(
        self, problem: VerificationProblem, reference_words: Set[str], llr: float, path: str | None
    ) -> Verification:
        reason = self._reason_to_decline(problem, reference_words)
        if reason is not None:
            return Verification(path, CANNOT_TELL, None, None, reason)
        bounded = float(self.calibrator_.bounds.apply(llr))
        given = float(self.calibrator_.answers(np.array([llr]))[0])
        withheld = given == 0.5 or abs(bounded) < MIN_SUPPORT
        answer = CANNOT_TELL if withheld else YES if given > 0.5 else NO
        log10_lr = bounded / float(np.log(10))
        return Verification(path, answer, float(expit(bounded)), log10_lr, None)

    def _reason_to_decline(
        self, problem: VerificationProblem, reference_words: Set[str]
    ) -> str | None:
        if not has_words(text := problem.questioned):
            return "the text contains no word"
        n_words = count_words(text)
        if n_words < self.min_words:
            have = format_word_count(n_words, text)
            return f"the text has {have}; at least {self.min_words} are needed"
        known_words = {word for known in problem.known for word in self._words(known)}
        words = self._words(text)
        unknown = sum(word not in reference_words and word not in known_words for word in words)
        if unknown > _MAX_UNKNOWN * len(words):
            return (
                f"{percent(unknown / len(words))} of the text's words occur in no known or "
                f"reference text; at most {short_percent(_MAX_UNKNOWN)} may"
            )
        return None
