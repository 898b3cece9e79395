"""Words as classifiers read them, and which of them are the most frequent."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

import numpy as np
import regex
from numpy.typing import NDArray

from byline.corpus.scripts import SPACED_LETTER, UNSPACED_CHARACTER, WORDS, WordPattern
from byline.text.normalize import lowercase_function

_MARKS = r"[^\w\s]+|\n"
_TOKEN = WordPattern(rf"\w+|{_MARKS}", rf"{UNSPACED_CHARACTER}|{SPACED_LETTER}+|{_MARKS}")
_WORD = WordPattern(
    r"\w+(?:['’]\w+)*", rf"{UNSPACED_CHARACTER}|{SPACED_LETTER}+(?:['’]{SPACED_LETTER}+)*"
)


def split_tokens(text: str) -> list[str]:
    """Cut a text into words as they are written, runs of punctuation marks, and line ends.

    Here and below, each sign of a script without spaces is a word; see `byline.corpus.scripts`.
    """
    tokens: list[str] = _TOKEN.of(text).findall(text)
    return tokens


def split_words_without_punctuation(text: str, language: str = "en") -> list[str]:
    """Cut a text into words in lower case, without marks and line ends; ``don't`` is one word."""
    return list(map(lowercase_function(language), _WORD.of(text).findall(text)))


def token_bounds(text: str) -> NDArray[np.int64]:
    """Where each of `split_tokens` begins and ends in the text, (n_tokens, 2)."""
    return _bounds(_TOKEN, text)


def bounds_of_words_without_punctuation(text: str) -> NDArray[np.int64]:
    """Where each of `split_words_without_punctuation` begins and ends in the text, (n_words, 2)."""
    return _bounds(_WORD, text)


def is_word(token: str) -> bool:
    """Whether a token is a word or number, and no mark."""
    return any(map(str.isalnum, token))


def most_frequent(words: Iterable[str], n_words: int) -> list[str]:
    """Rank words by frequency, equally frequent ones by the alphabet; return the first."""
    counts = Counter(words)
    return sorted(counts, key=lambda word: (-counts[word], word))[:n_words]


def _bounds(pattern: WordPattern, text: str) -> NDArray[np.int64]:
    found = [match.span() for match in pattern.of(text).finditer(text)]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


_LINE_END = regex.compile(r"\n")
# Behind its mark, a sentence may have quotation marks and brackets. Some scripts' marks need no
# space, and Thai and Lao have no mark: a space ends a clause, which is the nearest to a sentence.
_BEHIND_SENTENCE = regex.compile(
    r"(?<=[.?!…؟۔।॥።፧։།༎][\"'”’»)\]]{0,3})\s|(?<=[。！？．｡။។៕][”’)」』]{0,2})(?![”’)」』])"
    r"|(?<=[\p{Thai}\p{Lao}])(?<![ๆໆ])\s(?=[\p{Thai}\p{Lao}])(?![ๆໆฯຯ])"
)

# Classes of lengths in words, by their least: the longer, the wider. Others did about as well.
_SENTENCES = (0, 4, 7, 11, 16, 22, 29, 37, 47)
_PARAGRAPHS = (0, 8, 15, 22, 29, 37, 46, 57, 72, 95)


def sentence_lengths(text: str) -> list[str]:
    """Return the class of length of each sentence, such as ``16-21``, in words."""
    return _classes(text, sentence_bounds(text), _SENTENCES)


def paragraph_lengths(text: str) -> list[str]:
    """Return the class of length of each paragraph, such as ``46-56``, in words."""
    return _classes(text, paragraph_bounds(text), _PARAGRAPHS)


def sentence_bounds(text: str) -> NDArray[np.int64]:
    """Where each of `sentence_lengths` begins and ends in the text, (n_sentences, 2).

    A sentence ends at its mark or with its paragraph.
    """
    sentences = (_pieces(text, *bounds, _BEHIND_SENTENCE) for bounds in _paragraphs(text))
    return _as_array(chain.from_iterable(sentences))


def paragraph_bounds(text: str) -> NDArray[np.int64]:
    """Where each of `paragraph_lengths` begins and ends in the text, (n_paragraphs, 2)."""
    return _as_array(_paragraphs(text))


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    return _pieces(text, 0, len(text), _LINE_END)


def _pieces(
    text: str, start: int, end: int, parting: regex.Pattern[str]
) -> Iterator[tuple[int, int]]:
    """Yield the bounds of what stands between matches, without the white space around it."""
    matches = (match.span() for match in parting.finditer(text, start, end))
    for cut, beyond in chain(matches, [(end, end)]):
        piece = text[start:cut]
        if stripped := piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            yield first, first + len(stripped)
        start = beyond


def _classes(text: str, bounds: NDArray[np.int64], least: tuple[int, ...]) -> list[str]:
    names = [f"{first}-{beyond - 1}" for first, beyond in pairwise(least)]
    names.append(f"{least[-1]}+")
    words = WORDS.of(text)
    lengths = [len(words.findall(text, start, end)) for start, end in bounds.tolist()]
    return [names[bisect(least, length) - 1] for length in lengths]


def _as_array(bounds: Iterable[tuple[int, int]]) -> NDArray[np.int64]:
    return np.array(list(bounds), dtype=np.int64).reshape(-1, 2)
