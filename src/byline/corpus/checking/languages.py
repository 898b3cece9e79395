"""Find texts and passages in a language other than that of the corpus."""

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

# None of about 13,600 windows of 200 characters, from real texts in four languages, was assigned to
# another language. The threshold protects text that was not measured: dialects, verse, lists.
_MIN_CONFIDENCE = 0.9
_WINDOW = 250  # characters
_MIN_LETTERS = 100
_SAMPLE = 1_000  # characters
_MAX_TEXTS = 200  # whose language decides about a corpus
# The most frequent words of a corpus make up half of its words. A window with nearly as many of
# them is in the language of the corpus. A passage in another language has fewer of them, even if
# many such passages have made some foreign words frequent.
_FAMILIAR_WORDS = 150
_TYPES_PER_FAMILIAR = 20  # in a small corpus, a passage's words are among the most frequent
_USUAL_SHARE = 0.7
_LETTER = regex.compile(r"\p{L}")
_WORD = regex.compile(r"\p{L}+")
_WHITE_SPACE = regex.compile(r"\s")
# Groups of languages that cannot be distinguished in short texts.
_SIMILAR_LANGUAGES = (
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
    """A passage in a language other than that of the corpus.

    Attributes
    ----------
    start, end : int
        The passage's position, in characters of the text.
    language : str
        The ISO 639-1 code of its language.
    """

    start: int
    end: int
    language: str

    @property
    def length(self) -> int:
        """The length in characters."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Languages:
    """The languages of a corpus.

    Attributes
    ----------
    main : str or None
        The ISO 639-1 code of the corpus language. None if all texts are too short to identify.
    texts : tuple of (str or None)
        The language of each text. None if it is too short or unclear.
    passages : tuple of tuples of ForeignPassage
        For each text in the main language, its passages in other languages.
    """

    main: str | None
    texts: tuple[str | None, ...]
    passages: tuple[tuple[ForeignPassage, ...], ...]


def find_languages(
    documents: Sequence[Document], language: str | None = None, progress: Progress | None = None
) -> Languages:
    """Identify the language of each text, and find passages in other languages.

    Such a passage has about 500 characters or more.

    Parameters
    ----------
    documents : sequence of Document
    language : str, optional
        The ISO 639-1 code of the language that the corpus should be in. By default, the language
        of most texts.
    progress : Progress, optional
        Called after each text.

    Raises
    ------
    UsageError
        ``language`` is not a known language code.
    """
    _check_language(language)
    texts = tuple(_language_of_text(document.text) for document in documents)
    counts = Counter(found for found in texts if found is not None)
    main = language or (min(counts, key=lambda each: (-counts[each], each)) if counts else None)
    if main is None:
        return Languages(None, texts, ((),) * len(texts))
    familiar = _familiar_words(
        document.text for document, found in zip(documents, texts, strict=True) if found == main
    )
    passages = []
    for number, (document, found) in enumerate(zip(documents, texts, strict=True), start=1):
        in_main = found is None or are_similar(found, main)
        passages.append(tuple(_foreign(document.text, main, familiar)) if in_main else ())
        if progress is not None:
            progress(number, len(documents), document.path)
    return Languages(main, texts, tuple(passages))


def find_other_language(texts: Sequence[str], language: str) -> tuple[str, int, int] | None:
    """Find out whether most texts are in another language than the one that they are read in.

    Parameters
    ----------
    texts : sequence of str
        Up to 200 of them are examined.
    language : str
        A language code, such as "en" or "pt-BR".

    Returns
    -------
    (code, n_texts, n_identified) or None
        The language of most of the texts that could be identified, and the numbers of these texts.
        None if that is the given language, a similar one, or unknown.
    """
    expected = language.partition("-")[0].lower()
    if expected not in _identifier().labels:
        return None
    chosen = sorted(texts)[:: max(1, -(-len(texts) // _MAX_TEXTS))]
    found = [each for each in map(_language_of_text, chosen) if each is not None]
    counts = Counter(found)
    if not counts:
        return None
    main = min(counts, key=lambda each: (-counts[each], each))
    if 2 * counts[main] <= len(found) or are_similar(main, expected):
        return None
    return main, counts[main], len(found)


def are_similar(one: str, other: str) -> bool:
    """Return whether two languages are the same, or too similar to distinguish in a short text."""
    return one == other or any({one, other} <= group for group in _SIMILAR_LANGUAGES)


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _check_language(language: str | None) -> None:
    known = sorted(_identifier().labels) if language is not None else []
    if language is not None and language not in known:
        raise UsageError(
            f"The language code {language!r} is unknown. Use one of {', '.join(known)}."
        )


def _identify(text: str) -> str | None:
    """Return the language, or None if the text has too few letters or is unclear."""
    if len(_LETTER.findall(text)) < _MIN_LETTERS:
        return None
    language, confidence = _identifier().classify(text)
    return str(language) if confidence >= _MIN_CONFIDENCE else None


def _language_of_text(text: str) -> str | None:
    """Return the language of a short text, or that of two of three samples of a long text."""
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
    """The most frequent words of a corpus, and the share of them that identifies its language."""

    words: Set[str]
    min_share: float

    def explains(self, window: str) -> bool:
        words = _WORD.findall(window.casefold())
        return sum(word in self.words for word in words) >= self.min_share * max(len(words), 1)


def _familiar_words(texts: Iterator[str]) -> _Familiar:
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(_WORD.findall(text[: 20 * _SAMPLE].casefold()))
    most = counts.most_common(min(_FAMILIAR_WORDS, len(counts) // _TYPES_PER_FAMILIAR))
    usual = sum(number for _, number in most) / max(counts.total(), 1)
    return _Familiar({word for word, _ in most}, _USUAL_SHARE * usual if most else 1.0)


def _foreign(text: str, main: str, familiar: _Familiar) -> Iterator[ForeignPassage]:
    """Yield passages in other languages, joining adjacent windows in the same language."""
    found: ForeignPassage | None = None
    for start, end in _windows(text):
        window = text[start:end]
        language = None if familiar.explains(window) else _identify(window)
        if language is None or are_similar(language, main):
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
        space = _WHITE_SPACE.search(text, start + _WINDOW, start + 2 * _WINDOW)
        end = space.end() if space else min(len(text), start + _WINDOW)
        yield start, end
        start = end
