"""Split texts into the units of n-grams: tokens, words, and classes of sentence length.

A paragraph is a line, as in all texts that `byline.corpus` has read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

import numpy as np
import regex

from byline.array_types import Integers
from byline.text.tokens import has_elision
from byline.text_memory import TextMemory
from byline.typography.letter_case import lowercase_function
from byline.typography.scripts import SPACED_LETTER, UNSPACED_CHARACTER, WORDS, WordPattern

_PUNCTUATION = r"[^\w\s]+|\n"
_TOKEN = WordPattern(
    rf"\w+|{_PUNCTUATION}",
    rf"{UNSPACED_CHARACTER}|{SPACED_LETTER}+|{_PUNCTUATION}",
    rf"\w+|{_PUNCTUATION}",
)
_WORD = WordPattern(
    r"\w+(?:['’]\w+)*", rf"{UNSPACED_CHARACTER}|{SPACED_LETTER}+(?:['’]{SPACED_LETTER}+)*"
)
_ELIDED_WORD = WordPattern(
    r"\w+(?:['’](?=\w))?", rf"{UNSPACED_CHARACTER}|{SPACED_LETTER}+(?:['’](?={SPACED_LETTER}))?"
)
_WHITE_SPACE = re.compile(r"\s\s+")
_LINE_END = regex.compile(r"\n")
# What separates sentences within a line. Abbreviations hardly change the classes of length, so the
# segmenter's rule is approximated by punctuation: closing quotation marks and brackets may follow
# the sentence-final mark. In some scripts the mark needs no space after it. Thai and Lao have no
# such mark, so that a space, which ends a clause, is taken instead.
_SPACED_SENTENCES = r"(?<=[.?!…؟۔।॥።፧։།༎][\"'”’»)\]]{0,3})\s"
_UNSPACED_ENDS = "。！？．｡။។៕"
_SENTENCE_SEPARATORS = {
    "segmenter": regex.compile(
        rf"{_SPACED_SENTENCES}|(?<=[{_UNSPACED_ENDS}][”’)」』]{{0,2}})(?![”’)」』])"
        r"|(?<=[\p{Thai}\p{Lao}])(?<![ๆໆ])\s(?=[\p{Thai}\p{Lao}])(?![ๆໆฯຯ])"
    ),
    # The same for texts without what the other parts look for, in a fifth of the time.
    "spaced": regex.compile(_SPACED_SENTENCES),
    "punctuation": regex.compile(r"(?<=[.?!])\s"),
}
_NOT_SPACED = regex.compile(rf"[{_UNSPACED_ENDS}\p{{Thai}}\p{{Lao}}]")
# Lower bounds of the classes of length, in words; long lengths have wide classes. Other bounds
# gave about the same accuracy.
_SENTENCE_CLASSES = (0, 4, 7, 11, 16, 22, 29, 37, 47)
_PARAGRAPH_CLASSES = (0, 8, 15, 22, 29, 37, 46, 57, 72, 95)


def split_tokens(text: str) -> list[str]:
    """Split a text into words, runs of punctuation marks, and line ends, all as they are written.

    In a script without spaces between words, each character is a word; see
    `byline.typography.scripts`.
    """
    tokens: list[str] = _TOKEN.of(text).findall(text)
    return tokens


def spans_of_tokens(text: str) -> Integers:
    """Return the start and end of each token of `split_tokens`, (n_tokens, 2)."""
    return _spans_of_matches(_TOKEN, text)


def split_words_without_punctuation(text: str, language: str = "en") -> list[str]:
    """Split a text into lower-case words without punctuation; ``don't`` is one word."""
    return list(map(lowercase_function(language), _WORD.of(text).findall(text)))


def spans_of_words_without_punctuation(text: str) -> Integers:
    """Return the start and end of each of `split_words_without_punctuation`, (n_words, 2)."""
    return _spans_of_matches(_WORD, text)


def join_white_space(text: str) -> str:
    """Replace white space of several characters by one space, as scikit-learn does."""
    return _WHITE_SPACE.sub(" ", text)


def spans_of_characters(text: str) -> Integers:
    """Return the start and end of each character of `join_white_space`, (n_characters, 2)."""
    is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    is_first = ~(is_space & np.append(False, is_space[:-1]))
    starts = np.flatnonzero(is_first)
    return np.column_stack([starts, starts + 1])


def words_with_elision(language: str) -> WordPattern:
    """Return the pattern of words without punctuation: ``don't``, but ``l'`` and ``homme``."""
    return _ELIDED_WORD if has_elision(language) else _WORD


def is_word(token: str) -> bool:
    """Return whether a token is a word or a number, and not punctuation."""
    return any(map(str.isalnum, token))


def most_frequent(words: Iterable[str], n_words: int) -> list[str]:
    """Return the most frequent words, equally frequent ones in alphabetical order."""
    counts = Counter(words)
    return sorted(counts, key=lambda word: (-counts[word], word))[:n_words]


def sentence_lengths(text: str, rule: str = "segmenter") -> list[str]:
    """Return the length class of each sentence in words, such as ``16-21``."""
    return _length_classes(text, sentence_spans(text, rule), _SENTENCE_CLASSES)


def paragraph_lengths(text: str) -> list[str]:
    """Return the length class of each paragraph in words, such as ``46-56``."""
    return _length_classes(text, paragraph_spans(text), _PARAGRAPH_CLASSES)


def sentence_spans(text: str, rule: str = "segmenter") -> Integers:
    """Return the start and end of each sentence, (n_sentences, 2).

    A sentence ends where the rule says so, or with its paragraph.

    Parameters
    ----------
    text : str
    rule : {"segmenter", "punctuation"}
        As in `byline.text.split_sentences`; the segmenter's rule is approximated.
    """
    if rule == "segmenter" and not _NOT_SPACED.search(text):
        rule = "spaced"
    separator = _SENTENCE_SEPARATORS[rule]
    sentences = (_spans_between(text, *span, separator) for span in _paragraphs(text))
    return _as_array(chain.from_iterable(sentences))


def paragraph_spans(text: str) -> Integers:
    """Return the start and end of each paragraph, (n_paragraphs, 2)."""
    return _as_array(_paragraphs(text))


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    return _spans_between(text, 0, len(text), _LINE_END)


def _spans_between(
    text: str, start: int, end: int, separator: regex.Pattern[str]
) -> Iterator[tuple[int, int]]:
    """Yield the spans of what is between separators, without surrounding white space."""
    matches = (match.span() for match in separator.finditer(text, start, end))
    for cut, after in chain(matches, [(end, end)]):
        part = text[start:cut]
        if stripped := part.strip():
            first = start + len(part) - len(part.lstrip())
            yield first, first + len(stripped)
        start = after


def _length_classes(text: str, spans: Integers, lower_bounds: tuple[int, ...]) -> list[str]:
    names = [f"{first}-{after - 1}" for first, after in pairwise(lower_bounds)]
    names.append(f"{lower_bounds[-1]}+")
    # Neither sentences nor paragraphs end within a word.
    firsts, ends = np.searchsorted(_word_starts(text), spans.T)
    classes = np.searchsorted(lower_bounds, ends - firsts, side="right") - 1
    return [names[number] for number in classes.tolist()]


def _find_word_starts(text: str) -> Integers:
    starts = (match.start() for match in WORDS.of(text).finditer(text))
    return np.fromiter(starts, dtype=np.int64)


_word_starts = TextMemory(_find_word_starts)


def _spans_of_matches(pattern: WordPattern, text: str) -> Integers:
    return _as_array(match.span() for match in pattern.of(text).finditer(text))


def _as_array(spans: Iterable[tuple[int, int]]) -> Integers:
    return np.array(list(spans), dtype=np.int64).reshape(-1, 2)
