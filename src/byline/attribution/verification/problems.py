"""Verification problems, and how calibration problems are sampled from known texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np

from byline.attribution.classifiers.chunked import sample_evenly, split_into_chunks
from byline.attribution.inputs import check_strings
from byline.corpus import Document
from byline.errors import TrainingError, UsageError
from byline.typography.letter_case import lowercase_function
from byline.typography.line_ends import unify_line_ends
from byline.typography.scripts import WORDS, count_words

MIN_REFERENCES = 5


@dataclass(frozen=True, slots=True)
class VerificationProblem:
    """Known texts by one author, and a questioned text.

    Attributes
    ----------
    known : tuple of str
        At least one text; their order does not matter.
    questioned : str
        The text whose author is to be verified.

    Examples
    --------
    >>> VerificationProblem(known=("The sea.", "The wind."), questioned="A ship.").texts
    ('The sea.', 'The wind.', 'A ship.')
    """

    known: tuple[str, ...]
    questioned: str

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts, the questioned one last."""
        return (*self.known, self.questioned)


def check_problems(
    X: Iterable[VerificationProblem], normalize: Callable[[str], str]
) -> list[VerificationProblem]:
    """Return ``X`` as a list of problems whose texts are strings, normalised.

    Raises
    ------
    UsageError
        An entry is not a `VerificationProblem`, has no known text, or a text is not a string.
    """
    problems = list(X) if isinstance(X, Iterable) else [X]
    for number, problem in enumerate(problems):
        if not isinstance(problem, VerificationProblem):
            raise UsageError(
                f"problem {number} is a {type(problem).__name__}; write "
                "Problem(known=(text, ...), questioned=text)"
            )
        check_strings(problem.known, f"known text of problem {number}, text")
        check_strings([problem.questioned], f"questioned text of problem {number}, text")
        if not any(map(has_words, problem.known)):
            raise UsageError(f"problem {number} has no known text with a word in it; add one")
    return [
        VerificationProblem(
            tuple(normalize(unify_line_ends(text)) for text in each.known),
            normalize(unify_line_ends(each.questioned)),
        )
        for each in problems
    ]


def normalize_space(text: str) -> str:
    """Return a text with normalised white space, to recognise equal texts."""
    return " ".join(text.split())


def words_of(text: str, language: str = "en") -> list[str]:
    """Return the words of a text in lower case, in their order."""
    return list(map(lowercase_function(language), WORDS.of(text).findall(text)))


def has_words(text: str) -> bool:
    """Return whether a text has a letter or a digit."""
    return any(map(str.isalnum, text))


class AuthorGroups:
    """Groups of texts that are known to have the same author.

    The known texts of a problem have the same author, and so has the questioned text if the answer
    is yes. Problems that share a text or an author's name are joined.

    Parameters
    ----------
    problems : sequence of VerificationProblem
        Problems with known answers.
    same : sequence of bool, (n_problems,)
        Whether the author is the same.
    authors : sequence of (str, str), (n_problems,), optional
        Names of the authors of the known texts and of the questioned text.
    """

    def __init__(
        self,
        problems: Sequence[VerificationProblem],
        same: Sequence[bool],
        authors: Sequence[tuple[str, str]] | None = None,
    ) -> None:
        self._parents: dict[str, str] = {}
        for problem, is_same in zip(problems, same, strict=True):
            first, *others = map(normalize_space, problem.texts if is_same else problem.known)
            for other in others:
                self._join(first, other)
        for problem, names in zip(problems, authors or (), strict=authors is not None):
            for text, name in zip((problem.known[0], problem.questioned), names, strict=True):
                self._join(normalize_space(text), f"\n{name}")  # no text begins with a line break

    def of(self, text: str) -> str:
        """Return a text that represents all texts known to be by the author of ``text``."""
        return self._first(normalize_space(text))

    def _first(self, node: str) -> str:
        while (parent := self._parents.get(node, node)) != node:
            node = parent
        return node

    def _join(self, node: str, other: str) -> None:
        first, second = sorted((self._first(node), self._first(other)))
        self._parents[second] = first


def pair_again(
    problems: Sequence[VerificationProblem],
    groups: AuthorGroups,
    *,
    at_most: int,
    random_state: int,
) -> tuple[list[VerificationProblem], list[bool]]:
    """Sample more problems from the texts of problems with known answers.

    Equal texts count once. The numbers of known texts are those of the given problems. Texts that
    are not known to be by one author are taken to be by different authors.

    Parameters
    ----------
    problems : sequence of VerificationProblem
        The given problems, which are not repeated.
    groups : AuthorGroups
        What is known about the authors of their texts.
    at_most : int
        Largest number of problems of each kind.
    random_state : int
        Seed of the random sample.

    Returns
    -------
    problems : list of VerificationProblem
    same : list of bool
        Whether the author is the same.
    """
    rng = np.random.default_rng(random_state)
    texts = {normalize_space(text): text for problem in problems for text in problem.texts}
    of_group: dict[str, list[str]] = defaultdict(list)
    for name in sorted(texts):
        of_group[groups.of(name)].append(name)
    every = sorted(of_group)
    several = [group for group in every if len(of_group[group]) > 1]
    numbers = [len(problem.known) for problem in problems]
    seen = {
        (frozenset(map(normalize_space, p.known)), normalize_space(p.questioned)) for p in problems
    }
    found: list[VerificationProblem] = []
    answers: list[bool] = []
    for is_same, asked in ((True, several), (False, every if len(every) > 1 else [])):
        for _ in range(at_most if asked else 0):
            group = asked[int(rng.integers(len(asked)))]
            others = [other for other in every if other != group]
            known_by = group if is_same else others[int(rng.integers(len(others)))]
            questioned = of_group[group][int(rng.integers(len(of_group[group])))]
            candidates = [name for name in of_group[known_by] if name != questioned]
            n_known = numbers[int(rng.integers(len(numbers)))]
            known = frozenset(rng.permutation(candidates)[:n_known].tolist())
            if (known, questioned) not in seen:
                seen.add((known, questioned))
                found.append(
                    VerificationProblem(
                        tuple(texts[name] for name in sorted(known)), texts[questioned]
                    )
                )
                answers.append(is_same)
    return found, answers


class ProblemPlaces(NamedTuple):
    """The indices of a problem's texts among all texts, and of the excluded ones."""

    known: list[int]
    questioned: int
    excluded: list[int]

    @classmethod
    def of(
        cls,
        problem: VerificationProblem,
        left_out: set[str],
        places: Mapping[str, int],
        groups: Mapping[str, str],
    ) -> Self:
        """Find the indices of a problem's texts.

        Parameters
        ----------
        problem : Problem
        left_out : set of str
            Texts that are not used as reference texts.
        places : mapping of text to int
            The index of each text, also of those of other problems.
        groups : mapping of text to str
            The author group of each reference text.

        Raises
        ------
        TrainingError
            There are too few reference texts by other authors.
        """
        own = list(map(normalize_space, problem.texts))
        authors = {groups.get(text) for text in own[:-1]}
        others = {text for text, author in groups.items() if author not in authors}
        population = others.difference(left_out, own)
        if len(population) < MIN_REFERENCES:
            raise TrainingError(
                f"verification needs at least {MIN_REFERENCES} reference texts by authors other "
                f"than that of the known texts, and there are {len(population)}; add texts"
            )
        excluded = [place for text, place in places.items() if text not in population]
        *known, questioned = (places[text] for text in own)
        return cls(known, questioned, excluded)


@dataclass(frozen=True, slots=True)
class SampledProblems:
    """Calibration problems with their answers.

    Attributes
    ----------
    problems : list of VerificationProblem
        The problems.
    same : list of bool
        Whether the author is the same.
    authors : list of (str, str)
        Authors of the known texts and of the questioned text.
    excluded : list of list of str
        All texts of the questioned text's work, which are not used as reference texts.
    """

    problems: list[VerificationProblem] = field(default_factory=list)
    same: list[bool] = field(default_factory=list)
    authors: list[tuple[str, str]] = field(default_factory=list)
    excluded: list[list[str]] = field(default_factory=list)


def sample_problems(
    documents: Sequence[Document],
    *,
    n_known: int,
    questioned_words: int | None,
    at_most: int,
    random_state: int,
) -> SampledProblems:
    """Sample problems: each text with known texts by its own author and by another author.

    Known and questioned texts never belong to the same work. Texts by authors with a single work
    are only combined with other authors' known texts.

    Parameters
    ----------
    documents : sequence of Document
        Texts of known authorship.
    n_known : int
        Largest number of known texts per problem, sampled at random if an author has more.
    questioned_words : int or None
        Use a passage of about so many words of a longer text. None: use whole texts.
    at_most : int
        Largest number of problems of each kind, divided among authors as evenly as possible.
    random_state : int
        Seed of the random sample.
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
    sampled = SampledProblems()
    for place in rng.permutation(chosen)[:at_most].tolist():
        questioned = documents[place]
        passage = _passage(questioned.text, questioned_words, rng)
        others = [name for name in names if name != questioned.author]
        for known_by in (questioned.author, *([str(rng.choice(others))] if others else [])):
            known = [
                documents[other].text
                for other in by_author[known_by]
                if documents[other].work != questioned.work
            ]
            if known:
                few = rng.permutation(len(known))[:n_known].tolist()
                sampled.problems.append(
                    VerificationProblem(tuple(known[n] for n in sorted(few)), passage)
                )
                sampled.same.append(known_by == questioned.author)
                sampled.authors.append((known_by, questioned.author))
                sampled.excluded.append(of_work[questioned.work])
    return sampled


def _passage(text: str, n_words: int | None, rng: np.random.Generator) -> str:
    if n_words is None or count_words(text) <= n_words:
        return text
    parts = split_into_chunks(text, n_words)
    return parts[int(rng.integers(len(parts)))]


def reorder(values: Iterable[Any], order: Sequence[int], what: str) -> list[Any]:
    """Return values, one per problem, in the order of the problems."""
    found = list(values)
    if len(found) != len(order):
        raise UsageError(
            f"there are {len(order)} problems and {len(found)} {what}; give one per problem"
        )
    return [found[n] for n in order]
