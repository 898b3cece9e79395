"""Problems of verification."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from byline.attribution.classifiers.chunked import sample_evenly, split_into_chunks
from byline.attribution.inputs import check_texts
from byline.corpus import Document
from byline.corpus.scripts import WORDS, count_words
from byline.errors import UsageError
from byline.text.normalize import lowercase_function


@dataclass(frozen=True, slots=True)
class VerificationProblem:
    """Texts by one author, and a text that the same author may have written.

    Attributes
    ----------
    known : tuple of str
        At least one; their order means nothing.
    questioned : str
    """

    known: tuple[str, ...]
    questioned: str

    @property
    def texts(self) -> tuple[str, ...]:
        """All its texts, the questioned one last."""
        return (*self.known, self.questioned)


def check_problems(X: Iterable[VerificationProblem]) -> list[VerificationProblem]:
    """Return ``X`` as a list of problems whose texts are strings.

    Raises
    ------
    UsageError
        An entry is no `VerificationProblem`, or has no known text, or a text of it is no string.
    """
    problems = list(X) if isinstance(X, Iterable) else [X]
    for number, problem in enumerate(problems):
        if not isinstance(problem, VerificationProblem):
            raise UsageError(
                f"problem {number} is a {type(problem).__name__}; write "
                "Problem(known=(text, ...), questioned=text)"
            )
        check_texts(problem.known, f"known text of problem {number}, text")
        check_texts([problem.questioned], f"questioned text of problem {number}, text")
        if not any(map(has_words, problem.known)):
            raise UsageError(f"problem {number} has no known text with a word in it; add one")
    return problems


def same_text(text: str) -> str:
    """Return what two texts have in common where they differ in white space alone."""
    return " ".join(text.split())


def words_of(text: str, language: str = "en") -> list[str]:
    """Return the words of a text in lower case, each as often as it stands there."""
    return list(map(lowercase_function(language), WORDS.of(text).findall(text)))


def has_words(text: str) -> bool:
    """Whether there is a letter or a digit."""
    return any(map(str.isalnum, text))


class AuthorGroups:
    """Which texts of some problems are known to have one author.

    The known texts of a problem have, and the questioned one with them where the answer is yes;
    and so have those of all problems that share one of them, or an author's name.

    Parameters
    ----------
    problems : sequence of Problem
    same : sequence of bool, (n_problems,)
        Whether the author is the same.
    authors : sequence of (str, str), (n_problems,), optional
        Names of the authors of the known texts and of the questioned one.
    """

    def __init__(
        self,
        problems: Sequence[VerificationProblem],
        same: Sequence[bool],
        authors: Sequence[tuple[str, str]] | None = None,
    ) -> None:
        self._parents: dict[str, str] = {}
        for problem, is_same in zip(problems, same, strict=True):
            first, *others = map(same_text, problem.texts if is_same else problem.known)
            for other in others:
                self._join(first, other)
        for problem, names in zip(problems, authors or (), strict=authors is not None):
            for text, name in zip((problem.known[0], problem.questioned), names, strict=True):
                self._join(same_text(text), f"\n{name}")  # which no text can be

    def of(self, text: str) -> str:
        """Return a text that stands for all that are known to be by the author of ``text``."""
        return self._first(same_text(text))

    def _first(self, node: str) -> str:
        while (parent := self._parents.get(node, node)) != node:
            node = parent
        return node

    def _join(self, node: str, other: str) -> None:
        first, second = sorted((self._first(node), self._first(other)))
        self._parents[second] = first


@dataclass(frozen=True, slots=True)
class SampledProblems:
    """Problems, and what is known of them; one each.

    Attributes
    ----------
    problems : list of Problem
    same : list of bool
        Whether the author is the same.
    authors : list of (str, str)
        Of known texts and of the questioned one.
    without : list of list of str
        All texts of the work that the questioned text is or is a part of.
    """

    problems: list[VerificationProblem] = field(default_factory=list)
    same: list[bool] = field(default_factory=list)
    authors: list[tuple[str, str]] = field(default_factory=list)
    without: list[list[str]] = field(default_factory=list)


def sample_problems(
    documents: Sequence[Document],
    *,
    n_known: int,
    questioned_words: int | None,
    at_most: int,
    random_state: int,
) -> SampledProblems:
    """Ask about texts by known authors, once with their own known texts and once with another's.

    Known and questioned text are never of one work. Authors with a single work are only set
    against others.

    Parameters
    ----------
    documents : sequence of Document
    n_known : int
        Known texts of a problem at most, drawn at random where an author has more.
    questioned_words : int or None
        Of a longer questioned text a part of about so many words is asked about.
    at_most : int
        Problems of a kind; authors have as equal a share in them as can be.
    random_state : int
    """
    rng = np.random.default_rng(random_state)
    documents = sorted(documents, key=lambda each: (each.author, each.work, each.text))
    by_author: dict[str, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        by_author[document.author].append(place)
    of_work: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        of_work[document.work].append(document.text)
    names = sorted(by_author)
    owners = np.array([names.index(document.author) for document in documents])
    chosen = sample_evenly(owners, np.arange(len(owners)), max(at_most, 1), rng)
    drawn = SampledProblems()
    for place in rng.permutation(chosen)[:at_most].tolist():
        asked = documents[place]
        part = _part(asked.text, questioned_words, rng)
        others = [name for name in names if name != asked.author]
        for known_by in (asked.author, *([str(rng.choice(others))] if others else [])):
            known = [
                documents[other].text
                for other in by_author[known_by]
                if documents[other].work != asked.work
            ]
            if known:
                few = rng.permutation(len(known))[:n_known].tolist()
                drawn.problems.append(
                    VerificationProblem(tuple(known[n] for n in sorted(few)), part)
                )
                drawn.same.append(known_by == asked.author)
                drawn.authors.append((known_by, asked.author))
                drawn.without.append(of_work[asked.work])
    return drawn


def _part(text: str, n_words: int | None, rng: np.random.Generator) -> str:
    if n_words is None or count_words(text) <= n_words:
        return text
    parts = split_into_chunks(text, n_words)
    return parts[int(rng.integers(len(parts)))]
