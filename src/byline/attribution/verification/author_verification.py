"""Verify whether an author wrote texts, with a verifier calibrated for their lengths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from byline.array_types import Floats
from byline.attribution.stacking.fallbacks import MAX_PROBABILITY
from byline.attribution.stacking.normalized_texts import normalize_known_texts
from byline.attribution.verification.calibration import MIN_PER_KIND, VerificationPerformance
from byline.attribution.verification.copies import MIN_CONTAINED, find_copies
from byline.attribution.verification.problems import (
    SampledProblems,
    VerificationProblem,
    sample_problems,
)
from byline.attribution.verification.result import Verification
from byline.attribution.verification.uncertainty import (
    N_RESAMPLES,
    LikelihoodRatioInterval,
    resampled_log10_lrs,
)
from byline.attribution.verification.verifier import AuthorshipVerifier
from byline.corpus import Document
from byline.errors import TrainingError
from byline.formatting import quantity
from byline.named_settings import setting
from byline.processes.threads import limits_threads
from byline.progress import Progress
from byline.typography import Normalization
from byline.typography.comparison import FormDeviation, FormDifference
from byline.typography.conventions import CONVENTIONS, REMOVABLE
from byline.typography.scripts import count_words

LENGTHS = (MIN_CONTAINED, 100, 200, 400, 800, 1600, 3200)  # words
MAX_PROBLEMS = 200  # of each kind
MIN_AUTHORS = 3
MAX_LOG10_LR = math.log10(MAX_PROBABILITY / (1 - MAX_PROBABILITY))  # of texts of another edition


@dataclass(frozen=True, slots=True)
class AuthorVerification:
    """The answer about one questioned text, and the calibration that it is based on.

    Attributes
    ----------
    author : str
        The author in question.
    verification : Verification
        The answer.
    n_known : int
        Number of the author's known texts.
    n_population_authors, n_population_texts : int
        Number of other authors in the reference population, and of their texts.
    questioned_words : int or None
        Length in words of the questioned passages used for calibration; None: whole texts.
    performance : VerificationPerformance
        The cross-validated performance on calibration problems of that length.
    differences : tuple of FormDifference
        The conventions of editions in which the authors' texts differ.
    deviations : tuple of FormDeviation
        The conventions in which the questioned text differs from them. If there are any of either,
        the probability is stated as at most `MAX_PROBABILITY`, and what a rule can remove was
        removed from all texts.
    verifier : AuthorshipVerifier or None
        The verifier that gave the answer.
    problem : VerificationProblem or None
        The texts that it compared, normalised.
    copies : tuple of str
        Paths of the known and reference texts that contain the questioned text or most of it, or
        that it contains, word for word.
    copied_share : float
        The largest share of the questioned text's words in passages of one of these. The text is
        declined from `MIN_COPIED` on.
    resampled_log10_lrs : (n_resamples,) float64, or None
        The decimal logarithms of the likelihood ratio in a bootstrap over authors. None if there is
        no likelihood ratio.

    See Also
    --------
    verify_author : Compute the answers.

    Examples
    --------
    >>> from byline.attribution.verification import Verification, VerificationPerformance
    >>> answer = Verification("note.txt", "yes", 0.95, 1.2, None)
    >>> performance = VerificationPerformance(20, 20, 5, auc=0.97, c_at_1=0.92, n_withheld=2)
    >>> AuthorVerification("Ada", answer, 4, 3, 12, 100, performance).verification.answer
    'yes'
    """

    author: str
    verification: Verification
    n_known: int
    n_population_authors: int
    n_population_texts: int
    questioned_words: int | None
    performance: VerificationPerformance
    differences: tuple[FormDifference, ...] = ()
    deviations: tuple[FormDeviation, ...] = ()
    verifier: AuthorshipVerifier | None = field(default=None, repr=False, compare=False)
    problem: VerificationProblem | None = field(default=None, repr=False, compare=False)
    resampled_log10_lrs: Floats | None = field(default=None, repr=False, compare=False)
    copies: tuple[str, ...] = ()
    copied_share: float = 0.0

    @property
    def is_limited(self) -> bool:
        """Whether the ratio is limited because the texts are of different editions."""
        return bool(self.differences or self.deviations)

    @property
    def interval(self) -> LikelihoodRatioInterval | None:
        """How far the likelihood ratio depends on the authors of the calibration."""
        if self.resampled_log10_lrs is None or self.verifier is None:
            return None
        n_authors = self.verifier.held_out_.n_authors
        return LikelihoodRatioInterval.of(self.resampled_log10_lrs, n_authors)


@limits_threads
def verify_author(
    known: Sequence[Document],
    population: Sequence[Document],
    texts: Sequence[str],
    paths: Sequence[str],
    *,
    language: str = "en",
    normalization: str = "edition",
    random_state: int = 0,
    progress: Progress | None = None,
) -> list[AuthorVerification]:
    """Verify for each text whether an author wrote it.

    The verifier is calibrated on problems that are sampled from the known texts and the reference
    population. They have as many known texts as this problem, and questioned texts of about the
    same length (the next smaller value of `LENGTHS`).

    Parameters
    ----------
    known : sequence of Document
        Texts by the author, at least one.
    population : sequence of Document
        Texts by other authors.
    texts : sequence of str, (n_texts,)
        The questioned texts.
    paths : sequence of str, (n_texts,)
        Where the questioned texts came from.
    language : str
        ISO 639 code, used for lower-casing.
    normalization : str
        The rules by which typographic differences are removed from all texts; see
        `byline.typography.Normalization`.
    random_state : int
        Seed of the random sample of problems.
    progress : Progress, optional
        Called with the progress.

    Raises
    ------
    TrainingError
        There are too few texts for calibration; the message states what is needed.

    Warns
    -----
    BylineWarning
        A questioned text is also one of the known or reference texts, or part of one.

    See Also
    --------
    AuthorshipVerifier : Train a verifier on problems of your own.

    Examples
    --------
    >>> from byline.corpus import Document
    >>> known = [Document("Ada", "The sea and the wind.", "ada/1.txt")]
    >>> others = [Document("Ben", "A ship and a sail.", "ben/1.txt")]
    >>> from byline.errors import TrainingError
    >>> try:
    ...     answers = verify_author(known, others, ["The wind."], ["note.txt"])
    ... except TrainingError as error:
    ...     print(str(error)[:50])
    verification needs texts by at least 3 authors, an
    """
    documents = [*known, *population]
    normalized = normalize_known_texts(
        [each.text for each in documents],
        [each.author for each in documents],
        Normalization.parse(normalization),
    )
    documents = _with_texts(documents, normalized.texts)
    texts = list(map(normalized.normalization.apply, texts))
    copies = find_copies(texts, documents)
    forms = normalized.forms
    deviations = [() if forms is None else forms.deviations(text) for text in texts]
    typical = float(np.median([count_words(each.text) for each in documents]))
    groups: dict[tuple[float, tuple[str, ...]], list[int]] = {}
    for place, (text, own) in enumerate(zip(texts, deviations, strict=True)):
        length = _calibration_length(count_words(text), typical)
        groups.setdefault((length or np.inf, _rules(own)), []).append(place)
    found: dict[int, AuthorVerification] = {}
    for (size, rules), places in sorted(groups.items()):
        length = None if size == np.inf else int(size)
        rest = normalized.normalization.with_rules(rules)
        alike = _with_texts(documents, [rest.apply(each.text) for each in documents])
        verifier = AuthorshipVerifier(language=language, normalization=str(rest))
        _fit(verifier, alike, len(known), length, random_state, progress)
        own_texts = tuple(each.text for each in alike[: len(known)])
        problems = [VerificationProblem(own_texts, rest.apply(texts[place])) for place in places]
        features = verifier.features(problems)
        answers = verifier.verify(problems, [paths[place] for place in places], features=features)
        resampled = resampled_log10_lrs(
            verifier.held_out_, features, n_resamples=N_RESAMPLES, random_state=random_state
        )
        for n, place in enumerate(places):
            most = MAX_LOG10_LR if normalized.differences or deviations[place] else np.inf
            log10_lrs = np.clip(resampled[:, n], -most, most)
            answer = copies[place].withhold(_limit(answers[n], most))
            found[place] = AuthorVerification(
                author=known[0].author,
                verification=answer,
                n_known=len(known),
                n_population_authors=len({each.author for each in population}),
                n_population_texts=len(population),
                questioned_words=length,
                performance=verifier.performance_,
                differences=normalized.differences,
                deviations=deviations[place],
                verifier=verifier,
                problem=problems[n],
                resampled_log10_lrs=None if answer.log10_lr is None else log10_lrs,
                copies=copies[place].paths,
                copied_share=copies[place].share,
            )
    return [found[place] for place in range(len(texts))]


def _with_texts(documents: Sequence[Document], texts: Sequence[str]) -> list[Document]:
    return [replace(each, text=text) for each, text in zip(documents, texts, strict=True)]


def _rules(deviations: Sequence[FormDeviation]) -> tuple[str, ...]:
    """Return the rules that remove the differences, as far as there are such rules."""
    names = sorted({each.convention for each in deviations} & REMOVABLE)
    return tuple(CONVENTIONS[name].rule for name in names)


def _limit(answer: Verification, most: float) -> Verification:
    """Limit the absolute value of the log10 likelihood ratio, and the probability with it."""
    if answer.log10_lr is None or abs(answer.log10_lr) <= most:
        return answer
    log10_lr = math.copysign(most, answer.log10_lr)
    return replace(answer, probability=1 / (1 + 10**-log10_lr), log10_lr=log10_lr)


def _calibration_length(n_words: int, typical: float) -> int | None:
    """Return the largest of `LENGTHS` that a text has; None if it is as long as most texts."""
    if n_words >= typical:
        return None
    return max((length for length in LENGTHS if length <= n_words), default=LENGTHS[0])


def _fit(
    verifier: AuthorshipVerifier,
    documents: Sequence[Document],
    n_known: int,
    length: int | None,
    random_state: int,
    progress: Progress | None,
) -> None:
    sampled = sample_problems(
        documents,
        n_known=n_known,
        questioned_words=length,
        at_most=MAX_PROBLEMS,
        random_state=random_state,
    )
    _check_enough(sampled, documents)
    verifier.fit(
        sampled.problems,
        sampled.same,
        authors=sampled.authors,
        excluded=sampled.excluded,
        progress=progress,
    )


def _check_enough(sampled: SampledProblems, documents: Sequence[Document]) -> None:
    n_authors, n_same = len({each.author for each in documents}), sum(sampled.same)
    if n_authors < MIN_AUTHORS or min(n_same, len(sampled.same) - n_same) < MIN_PER_KIND:
        raise TrainingError(
            f"verification needs texts by at least {MIN_AUTHORS} authors, and at least "
            f"{MIN_PER_KIND} texts by authors of two or more works; there are "
            f"{quantity(len(documents), 'text')} by {quantity(n_authors, 'author')}, {n_same} of "
            "them by authors of two or more works; add known texts, or give a larger corpus "
            f"with {setting('reference')}"
        )
