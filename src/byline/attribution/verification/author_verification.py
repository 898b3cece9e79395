"""One author's known texts, questioned texts, and a population that others are part of."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from byline.attribution.verification.calibration import MIN_OF_A_KIND, VerificationPerformance
from byline.attribution.verification.problems import (
    SampledProblems,
    VerificationProblem,
    same_text,
    sample_problems,
)
from byline.attribution.verification.verifier import AuthorshipVerifier, Verification
from byline.corpus import Document
from byline.corpus.scripts import count_words
from byline.errors import BylineWarning, TrainingError
from byline.formatting import quantity
from byline.progress import Progress

LENGTHS = (50, 100, 200, 400, 800, 1600, 3200)  # words, each twice as many
MOST_PROBLEMS = 200  # of a kind
MIN_AUTHORS = 3


@dataclass(frozen=True, slots=True)
class AuthorVerification:
    """What is said about one questioned text, and what it rests on.

    Attributes
    ----------
    author : str
    verification : Verification
    n_known : int
        The author's known texts.
    n_population_authors, n_population_texts : int
        Others, and their texts.
    questioned_words : int or None
        Questioned texts that it was calibrated on are parts of about so many words; None: whole.
    performance : Performance
        How well problems like this one were answered.
    """

    author: str
    verification: Verification
    n_known: int
    n_population_authors: int
    n_population_texts: int
    questioned_words: int | None
    performance: VerificationPerformance


def verify_author(
    known: Sequence[Document],
    population: Sequence[Document],
    texts: Sequence[str],
    paths: Sequence[str],
    *,
    language: str = "en",
    random_state: int = 0,
    progress: Progress | None = None,
) -> list[AuthorVerification]:
    """Say of each text whether an author wrote it.

    It is calibrated on problems that are drawn from the known texts and the population: as many
    known texts as here, questioned texts about as long as the text or the next shorter of
    `LENGTHS`.

    Parameters
    ----------
    known : sequence of Document
        By the author, at least one.
    population : sequence of Document
        By others.
    texts, paths : sequences of str, (n_texts,)
    language : str
        ISO 639 code, for lower-casing.
    random_state : int
        Of the problems that are drawn.
    progress : Progress, optional

    Raises
    ------
    TrainingError
        There is too little to calibrate on; the message says what is needed.
    """
    documents = [*known, *population]
    _warn_of_known(texts, paths, documents)
    problems = [VerificationProblem(tuple(each.text for each in known), text) for text in texts]
    typical = float(np.median([count_words(each.text) for each in documents]))
    lengths = [_calibration_length(count_words(text), typical) for text in texts]
    found: dict[int, AuthorVerification] = {}
    for length in sorted(set(lengths), key=lambda each: each or np.inf):
        places = [place for place, own in enumerate(lengths) if own == length]
        verifier = AuthorshipVerifier(language=language)
        _fit(verifier, documents, len(known), length, random_state, progress)
        answers = verifier.verify([problems[n] for n in places], [paths[n] for n in places])
        for place, answer in zip(places, answers, strict=True):
            found[place] = AuthorVerification(
                author=known[0].author,
                verification=answer,
                n_known=len(known),
                n_population_authors=len({each.author for each in population}),
                n_population_texts=len(population),
                questioned_words=length,
                performance=verifier.performance_,
            )
    return [found[place] for place in range(len(texts))]


def _warn_of_known(
    texts: Sequence[str], paths: Sequence[str], documents: Sequence[Document]
) -> None:
    given = {same_text(document.text): document.path for document in documents}
    for text, path in zip(texts, paths, strict=True):
        if same_text(text) in given:
            warnings.warn(
                f"{path} is itself one of the known or reference texts, {given[same_text(text)]}: "
                "what is said of it says nothing; leave it out of these",
                BylineWarning,
                stacklevel=3,
            )


def _calibration_length(n_words: int, typical: float) -> int | None:
    """Return the greatest of `LENGTHS` that a text has; None where it is as long as most."""
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
    drawn = sample_problems(
        documents,
        n_known=n_known,
        questioned_words=length,
        at_most=MOST_PROBLEMS,
        random_state=random_state,
    )
    _check_enough(drawn, documents)
    verifier.fit(
        drawn.problems,
        drawn.same,
        authors=drawn.authors,
        without=drawn.without,
        progress=progress,
    )


def _check_enough(drawn: SampledProblems, documents: Sequence[Document]) -> None:
    n_authors, n_same = len({each.author for each in documents}), sum(drawn.same)
    if n_authors < MIN_AUTHORS or min(n_same, len(drawn.same) - n_same) < MIN_OF_A_KIND:
        raise TrainingError(
            "whether an author wrote a text is judged beside other authors, and calibrated on "
            f"texts by authors who have another work; there are "
            f"{quantity(len(documents), 'text')} by "
            f"{quantity(n_authors, 'author')}, {n_same} of them such, and at least {MIN_OF_A_KIND} "
            f"such texts and {MIN_AUTHORS} authors are needed; add texts to KNOWN, or name a "
            "larger corpus with --reference"
        )
