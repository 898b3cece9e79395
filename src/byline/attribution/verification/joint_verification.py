"""Verify several authors jointly: one of them wrote a text, or somebody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import softmax

from byline.attribution.result import CANNOT_TELL
from byline.attribution.verification.author_verification import AuthorVerification, verify_author
from byline.attribution.verification.uncertainty import LikelihoodRatioInterval
from byline.corpus import Document
from byline.errors import UsageError
from byline.processes.threads import limits_threads
from byline.progress import Progress

#: The answer that none of the authors in question wrote the text.
SOMEBODY_ELSE = "somebody else"
# A probability must be so many times that of the next author: smaller ratios support neither on
# the verbal scale.
MIN_RATIO = 2.0


@dataclass(frozen=True, slots=True)
class AuthorComparison:
    """The likelihood ratio of one author against another, or against somebody else.

    Attributes
    ----------
    first, second : str
        Authors in question; the second may be "somebody else".
    log10_lr : float
        Decimal logarithm of the likelihood ratio of "the first wrote it" against "the second wrote
        it".
    interval : LikelihoodRatioInterval or None
        Its bootstrap interval over the authors of the calibration.

    Examples
    --------
    >>> AuthorComparison("Ada", "Ben", 1.2, None).first
    'Ada'
    """

    first: str
    second: str
    log10_lr: float
    interval: LikelihoodRatioInterval | None


@dataclass(frozen=True, slots=True)
class JointVerification:
    """The answer about one questioned text and several authors.

    Attributes
    ----------
    path : str or None
        Where the text came from.
    answer : str
        One of the authors, "somebody else" or "cannot tell".
    probabilities : mapping of str to float
        Of each author in question and of "somebody else". They sum to 1, and all are equally likely
        beforehand. Empty if declined.
    declined : str or None
        Why there is no answer.
    separate : tuple of AuthorVerification
        The answers about each author alone, with the likelihood ratios that the probabilities are
        based on.

    See Also
    --------
    verify_authors : Compute the answers.

    Examples
    --------
    >>> probabilities = {"Ada": 0.75, "Ben": 0.05, "somebody else": 0.2}
    >>> JointVerification("note.txt", "Ada", probabilities, None, ()).answer
    'Ada'
    """

    path: str | None
    answer: str
    probabilities: Mapping[str, float]
    declined: str | None
    separate: tuple[AuthorVerification, ...]

    def comparisons(self) -> list[AuthorComparison]:
        """Compare each author with somebody else, and then all pairs of authors.

        The ratio of two authors is the quotient of their ratios against somebody else. Both ratios
        come from the same samples of authors.
        """
        if self.declined is not None:
            return []
        of_nobody = [
            AuthorComparison(each.author, SOMEBODY_ELSE, _log10_lr(each), each.interval)
            for each in self.separate
        ]
        return [*of_nobody, *(_compare(*pair) for pair in combinations(self.separate, 2))]


@limits_threads
def verify_authors(
    known: Mapping[str, Sequence[Document]],
    population: Sequence[Document],
    texts: Sequence[str],
    paths: Sequence[str],
    *,
    language: str = "en",
    normalization: str = "edition",
    random_state: int = 0,
    progress: Progress | None = None,
) -> list[JointVerification]:
    """Verify for each text whether one of several authors wrote it, or somebody else.

    Each author is verified with all other texts as reference, including those by the other authors
    in question. By Bayes' theorem, the probability of an author is proportional to the author's
    likelihood ratio, and that of somebody else to 1. So two authors are never named for one text.

    Parameters
    ----------
    known : mapping of str to sequence of Document
        Texts by each author in question; two authors or more.
    population : sequence of Document
        Texts by other authors.
    texts, paths, language, normalization, random_state, progress
        As in `verify_author`.

    Raises
    ------
    UsageError
        There are fewer than two authors, or one is called like an answer that names no author.
    TrainingError
        There are too few texts for calibration; the message states what is needed.

    Warns
    -----
    BylineWarning
        A questioned text is also one of the known or reference texts.

    See Also
    --------
    verify_author : Verify one author.

    Examples
    --------
    >>> from byline.corpus import Document
    >>> from byline.errors import UsageError
    >>> known = {"Ada": [Document("Ada", "The sea.", "1.txt")]}
    >>> try:
    ...     verify_authors(known, [], ["It."], ["note.txt"])
    ... except UsageError as error:
    ...     print(str(error)[:44])
    several authors are verified jointly, and th
    """
    if len(known) < 2:
        raise UsageError(
            f"several authors are verified jointly, and there are {len(known)}; name at least two, "
            "or use verify_author"
        )
    for name in (SOMEBODY_ELSE, CANNOT_TELL):
        if name in known:
            raise UsageError(
                f"an author is called {name!r}, which is also an answer; "
                "give the author another name"
            )
    answers = [
        verify_author(
            own,
            [*population, *(each for name in known if name != author for each in known[name])],
            texts,
            paths,
            language=language,
            normalization=normalization,
            random_state=random_state,
            progress=progress,
        )
        for author, own in sorted(known.items())
    ]
    return [join(separate) for separate in zip(*answers, strict=True)]


def join(separate: tuple[AuthorVerification, ...]) -> JointVerification:
    """Compute the joint answer from the answers about each author alone.

    Examples
    --------
    >>> from byline.attribution.verification import Verification, VerificationPerformance
    >>> performance = VerificationPerformance(20, 20, 5, auc=0.97, c_at_1=0.92, n_withheld=2)
    >>> separate = [
    ...     AuthorVerification(
    ...         author, Verification(None, "yes", 0.9, ratio, None), 4, 3, 12, 100, performance
    ...     )
    ...     for author, ratio in (("Ada", 1.0), ("Ben", -0.7))
    ... ]
    >>> join(tuple(separate)).answer
    'Ada'
    """
    path = separate[0].verification.path
    reasons = [each.verification.declined for each in separate if each.verification.declined]
    if reasons:
        return JointVerification(path, CANNOT_TELL, {}, reasons[0], separate)
    names = [*(each.author for each in separate), SOMEBODY_ELSE]
    shares = softmax(np.log(10) * np.array([*map(_log10_lr, separate), 0.0]))
    best, second = np.argsort(-shares, kind="stable")[:2].tolist()
    is_clear = shares[best] >= MIN_RATIO * shares[second]
    return JointVerification(
        path,
        names[best] if is_clear else CANNOT_TELL,
        dict(zip(names, shares.tolist(), strict=True)),
        None,
        separate,
    )


def _compare(first: AuthorVerification, second: AuthorVerification) -> AuthorComparison:
    samples, others = first.resampled_log10_lrs, second.resampled_log10_lrs
    interval = None
    if samples is not None and others is not None and first.interval is not None:
        interval = LikelihoodRatioInterval.of(samples - others, first.interval.n_authors)
    log10_lr = _log10_lr(first) - _log10_lr(second)
    return AuthorComparison(first.author, second.author, log10_lr, interval)


def _log10_lr(answer: AuthorVerification) -> float:
    ratio = answer.verification.log10_lr
    assert ratio is not None  # noqa: S101
    return ratio
