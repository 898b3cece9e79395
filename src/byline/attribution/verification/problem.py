"""Problems of verification."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from byline.attribution.inputs import check_texts
from byline.corpus.scripts import WORDS
from byline.errors import UsageError
from byline.text.normalize import lowering


@dataclass(frozen=True, slots=True)
class Problem:
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


def check_problems(X: Iterable[Problem]) -> list[Problem]:
    """Return ``X`` as a list of problems whose texts are strings.

    Raises
    ------
    UsageError
        An entry is no `Problem`, or has no known text, or a text of it is no string.
    """
    problems = list(X) if isinstance(X, Iterable) else [X]
    for number, problem in enumerate(problems):
        if not isinstance(problem, Problem):
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
    return list(map(lowering(language), WORDS.of(text).findall(text)))


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
        problems: Sequence[Problem],
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
