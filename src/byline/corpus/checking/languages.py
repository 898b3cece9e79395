"""Texts, and passages of texts, in another language than the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import regex

from byline.corpus.document import Document
from byline.errors import UsageError
from byline.progress import Progress

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

# Of some 13,600 windows of 200 characters, from real texts in four languages, none was taken for
# another language; confidence is a matter of what is not known here: dialects, verse, lists.
_CONFIDENT = 0.9
_WINDOW = 250  # characters
_FEWEST_LETTERS = 100
_SAMPLE = 1_000
# The most frequent words of a corpus are half of all its words. Where a window has nearly as many,
# nothing else fits: another language has fewer, even where many passages made them frequent.
_FAMILIAR_WORDS = 150
_TYPES_PER_FAMILIAR = 20  # in a small corpus the words of a passage are among the most frequent
_USUAL_SHARE = 0.7
_LETTER = regex.compile(r"\p{L}")
_WORD = regex.compile(r"\p{L}+")
_BREAK = regex.compile(r"\s")
# Languages that short texts do not tell apart.
_SIBLINGS = (
    frozenset({"no", "nb", "nn", "da"}),
    frozenset({"bs", "hr", "sr", "sh", "me"}),
    frozenset({"id", "ms", "jv"}),
    frozenset({"cs", "sk"}),
    frozenset({"gl", "pt"}),
    frozenset({"hi", "mr", "ne", "sa"}),
    frozenset({"zu", "xh", "ss", "nr"}),
    frozenset({"nl", "af"}),
    frozenset({"az", "tr"}),
    frozenset({"fa", "ur", "ps"}),
)


@dataclass(frozen=True, slots=True)
class ForeignPassage:
    """A passage in another language than the corpus.

    Attributes
    ----------
    start, end : int
        Where it stands, in characters of the text.
    language : str
        Its language, ISO 639-1.
    """

    start: int
    end: int
    language: str

    @property
    def length(self) -> int:
        """In characters."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Languages:
    """The languages of a corpus.

    Attributes
    ----------
    main : str or None
        That of the corpus, ISO 639-1; None where all texts are too short to tell.
    texts : tuple of (str or None)
        That of each text; None where it is too short to tell, or unclear.
    passages : tuple of tuples of ForeignPassage
        Of each text in the main language, the passages that are in another one.
    """

    main: str | None
    texts: tuple[str | None, ...]
    passages: tuple[tuple[ForeignPassage, ...], ...]


def find_languages(
    documents: Sequence[Document], language: str | None = None, progress: Progress | None = None
) -> Languages:
    """Identify the language of texts, and passages of 500 characters or more in another one.

    Parameters
    ----------
    documents : sequence of Document
    language : str, optional
        What the corpus is meant to be in, ISO 639-1; else what most of its texts are in.
    progress : Progress, optional
        Told of each text.

    Raises
    ------
    UsageError
        ``language`` is none that is known.
    """
    _check(language)
    texts = tuple(_language_of_text(document.text) for document in documents)
    told = Counter(found for found in texts if found is not None)
    main = language or (min(told, key=lambda each: (-told[each], each)) if told else None)
    if main is None:
        return Languages(None, texts, ((),) * len(texts))
    familiar = _familiar_words(
        document.text for document, found in zip(documents, texts, strict=True) if found == main
    )
    passages = []
    for number, (document, found) in enumerate(zip(documents, texts, strict=True), start=1):
        own = found is None or are_alike(found, main)
        passages.append(tuple(_foreign(document.text, main, familiar)) if own else ())
        if progress is not None:
            progress(number, len(documents), document.path)
    return Languages(main, texts, tuple(passages))


def are_alike(one: str, other: str) -> bool:
    """Whether two languages are one, or so alike that a short text does not tell them apart."""
    return one == other or any({one, other} <= siblings for siblings in _SIBLINGS)


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _check(language: str | None) -> None:
    known = sorted(_identifier().labels) if language is not None else []
    if language is not None and language not in known:
        raise UsageError(
            f"the language {language!r} is none that can be told; known are {', '.join(known)}"
        )


def _identify(text: str) -> str | None:
    """Return the language, or None where there are too few letters, or it is unclear."""
    if len(_LETTER.findall(text)) < _FEWEST_LETTERS:
        return None
    language, confidence = _identifier().classify(text)
    return str(language) if confidence >= _CONFIDENT else None


def _language_of_text(text: str) -> str | None:
    """Return the language of a short text, or what two of three places of a long one are in."""
    if len(text) <= _SAMPLE:
        return _identify(text)
    ((language, votes),) = Counter(map(_identify, _samples(text))).most_common(1)
    return language if votes > 1 else None


def _samples(text: str) -> Iterator[str]:
    for quarter in (1, 2, 3):
        middle = len(text) * quarter // 4
        yield text[max(0, middle - _SAMPLE // 6) : middle + _SAMPLE // 6]


@dataclass(frozen=True, slots=True)
class _Familiar:
    """The most frequent words of a corpus, and how many of a window's are surely enough."""

    words: Set[str]
    enough: float

    def explains(self, window: str) -> bool:
        words = _WORD.findall(window.casefold())
        return sum(word in self.words for word in words) >= self.enough * max(len(words), 1)


def _familiar_words(texts: Iterator[str]) -> _Familiar:
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(_WORD.findall(text[: 20 * _SAMPLE].casefold()))
    most = counts.most_common(min(_FAMILIAR_WORDS, len(counts) // _TYPES_PER_FAMILIAR))
    usual = sum(number for _, number in most) / max(counts.total(), 1)
    return _Familiar({word for word, _ in most}, _USUAL_SHARE * usual if most else 1.0)


def _foreign(text: str, main: str, familiar: _Familiar) -> Iterator[ForeignPassage]:
    """Find passages in another language; what follows one without a gap is joined to it."""
    found: ForeignPassage | None = None
    for start, end in _windows(text):
        window = text[start:end]
        language = None if familiar.explains(window) else _identify(window)
        if language is None or are_alike(language, main):
            continue
        if found is not None and (found.end, found.language) == (start, language):
            found = ForeignPassage(found.start, end, language)
            continue
        if found is not None:
            yield found
        found = ForeignPassage(start, end, language)
    if found is not None:
        yield found


def _windows(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        space = _BREAK.search(text, start + _WINDOW, start + 2 * _WINDOW)
        end = space.end() if space else min(len(text), start + _WINDOW)
        yield start, end
        start = end
