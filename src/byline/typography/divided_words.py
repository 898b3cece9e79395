"""Join words that are divided at the end of a line: ``con-`` and ``siderable``."""

from __future__ import annotations

import unicodedata
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto

import regex

from byline.typography.line_ends import unify_line_ends

# These marks occur at line ends only; a hyphen (U+002D, U+2010) may also belong to the word.
_MARKS = "¬⸗\u00ad"
_HYPHENS = "-\u2010"
_MAY_BE_DIVIDED = regex.compile(rf"(?<=[\p{{L}}\p{{M}}])[{_HYPHENS}{_MARKS}][^\S\n]*+\n")
_WORD = regex.compile(r"[\p{L}\p{M}]++(?:[-\u2010][\p{L}\p{M}]++)*+")
_LAST_WORD = regex.compile(r"(?<![\p{L}\p{M}\u2010-])[\p{L}\p{M}\u2010-]++$")
_LONGEST = 60  # characters of the first part of a word
_MAX_BLANK_LINES = 3  # at the end of a page


@dataclass(frozen=True, slots=True)
class JoinedWords:
    """A text whose divided words are joined, and how many were."""

    text: str
    number: int


class _Decision(Enum):
    JOIN = auto()
    KEEP_HYPHEN = auto()
    UNKNOWN = auto()


# From the parts of a word and the mark between them.
_Decide = Callable[[str, str, str], _Decision]


class WordJoiner:
    r"""Joins words that are divided at line ends, in texts that belong together.

    ``con-siderable`` is joined if ``considerable`` occurs elsewhere in the texts. The hyphen of
    ``well-known`` stays if ``well-known`` occurs elsewhere. If neither occurs, the other words at
    line ends decide: the hyphen stays unless most of them are joined.

    Parameters
    ----------
    texts : iterable of str
        With the line breaks of their files.
    divides_words : bool
        Whether most words at line ends are known to be divided. By default, the texts show it.

    Attributes
    ----------
    divides_words : bool
        As given, or as the texts show.

    Examples
    --------
    >>> text = "A con-\nsiderable and well-\nknown loss, considerable and well-known."
    >>> print(WordJoiner([text]).join(text).text)
    A considerable
    and well-known
    loss, considerable and well-known.
    """

    def __init__(self, texts: Iterable[str], *, divides_words: bool = False) -> None:
        self.divides_words = divides_words
        self._words: Counter[str] = Counter()
        self._parts: Counter[str] = Counter()
        texts = list(texts)
        if not any(map(_may_be_divided, texts)):
            return
        found: list[tuple[str, str, str]] = []

        def collect(first: str, mark: str, second: str) -> _Decision:
            found.append((first, mark, second))
            return _Decision.UNKNOWN

        words: Counter[str] = Counter()
        for text in texts:
            words.update(_WORD.findall(text))
            _walk(text, collect)
        for word, n in words.items():
            self._words[_key(word)] += n
        for first, _, second in found:
            self._parts.update((_key(first), _key(second)))
        decisions = [self._from_words(first, second) for first, _, second in found]
        n_joined, n_kept = map(decisions.count, (_Decision.JOIN, _Decision.KEEP_HYPHEN))
        self.divides_words = divides_words or n_joined > n_kept

    def join(self, text: str) -> JoinedWords:
        """Join the words of a text; its other line breaks stay."""
        if not _may_be_divided(text):
            return JoinedWords(text, 0)
        return _walk(text, self._decide)

    def _decide(self, first: str, mark: str, second: str) -> _Decision:
        if mark in _MARKS:
            return _Decision.JOIN
        decision = self._from_words(first, second)
        if decision is not _Decision.UNKNOWN or not self.divides_words:
            return decision
        is_compound = second[0].isupper() or (self._is_word(first) and self._is_word(second))
        return _Decision.KEEP_HYPHEN if is_compound else _Decision.JOIN

    def _from_words(self, first: str, second: str) -> _Decision:
        n_joined = self._words[_key(first + second)]
        n_compounds = self._words[_key(f"{first}-{second}")]
        if n_joined > n_compounds:
            return _Decision.JOIN
        return _Decision.KEEP_HYPHEN if n_compounds else _Decision.UNKNOWN

    def _is_word(self, part: str) -> bool:
        """Return whether a part of a word also occurs as a word."""
        return self._words[_key(part)] > self._parts[_key(part)]


def _key(word: str) -> str:
    return unicodedata.normalize("NFC", word.casefold()).replace("\u2010", "-")


def _may_be_divided(text: str) -> bool:
    return _MAY_BE_DIVIDED.search(unify_line_ends(text)) is not None


def _walk(text: str, decide: _Decide) -> JoinedWords:
    """Move the second part of each word whose hyphen is understood to the line of the first."""
    rest = deque(unify_line_ends(text).split("\n"))
    done: list[str] = []
    number = 0
    while rest:
        line = rest.popleft()
        divided = _divided(line, rest)
        decision = decide(*divided[:3]) if divided else _Decision.UNKNOWN
        if divided and decision is not _Decision.UNKNOWN:
            index = divided[3]
            token, *others = rest[index].split(None, 1)
            line = line.rstrip()
            line = (line[:-1] if decision is _Decision.JOIN else line) + token
            number += decision is _Decision.JOIN
            if others:
                rest[index] = others[0]
            else:
                del rest[index]
        done.append(line)
    return JoinedWords("\n".join(done), number)


def _divided(line: str, rest: deque[str]) -> tuple[str, str, str, int] | None:
    """Return the parts of the word that is divided at the end of a line.

    Returns
    -------
    (first part, mark, second part, index of its line) or None
    """
    line = line.rstrip()[-_LONGEST:]
    if not line or line[-1] not in _HYPHENS + _MARKS:
        return None
    first = _LAST_WORD.search(line[:-1])
    index = next((i for i in range(min(_MAX_BLANK_LINES + 1, len(rest))) if rest[i].strip()), None)
    if first is None or not first[0][-1].isalpha() or index is None:
        return None
    second = _WORD.match(rest[index].lstrip())
    if second is None or (index and not second[0][0].islower()):
        return None
    return first[0], line[-1], second[0], index
