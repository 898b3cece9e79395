"""Where an encoder's tokens stand in the text as it was written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from byline.array_types import Integers
from byline.text.encoder import TextEncoder
from byline.text.normalize import lower, normalize

_BRACKETS = re.compile(r"\[[^][]*\]|\([^()]*\)")
# Characters passed over in search of a token; twice as many after each that was not found.
_WINDOW = 64
_WIDEST = 1 << 20


@dataclass(frozen=True, slots=True)
class TokenPositions:
    """Where tokens stand in a text.

    Attributes
    ----------
    starts, ends : (n_tokens,) int64
        Places of the first character and the one behind the last, ascending. A token that was not
        found has none, and stands behind the one before it.
    is_end_token : (n_tokens,) bool
        End marks, which stand behind their sentence's last token, and have no character.
    """

    starts: Integers
    ends: Integers
    is_end_token: NDArray[np.bool_]

    def __len__(self) -> int:
        """Return the number of tokens, end marks included."""
        return len(self.starts)

    def owners(self, characters: Integers) -> Integers:
        """Return the token that each of the characters counts to, end marks apart.

        A character that is a part of none counts to the token before it, or else to the first.
        """
        words = np.flatnonzero(~self.is_end_token)
        before = np.searchsorted(self.starts[words], characters, side="right") - 1
        return np.asarray(words[np.maximum(before, 0)])

    def tokens_of_gaps(self, starts: Integers, ends: Integers) -> Integers:
        """Return the token that spans without a character, or of white space alone, count to."""
        marks = np.flatnonzero(self.is_end_token)
        owners = self.owners(starts - 1)
        if not len(marks):
            return owners
        nearest = marks[np.minimum(np.searchsorted(self.starts[marks], starts), len(marks) - 1)]
        is_there = (starts == ends) & (self.starts[nearest] == starts)
        return np.where(is_there, nearest, owners)


def align_tokens(
    encoder: TextEncoder, text: str, sentences: Sequence[Sequence[str]], *, end_tokens: bool
) -> TokenPositions:
    """Find each token in the text, from the one before it on.

    Tokens and text are compared without case, accents and white space, and by one sign for all
    quotation marks of a kind and all dashes. What cannot be found, as an encoder may change more
    than that, is passed over.

    Parameters
    ----------
    encoder : TextEncoder
    text : str
    sentences : sequence of sequences of str
        As ``encoder.tokenize(text)`` returns them.
    end_tokens : bool
        Whether a mark ends each sentence.
    """
    written = _as_written(encoder, text, sentences)
    if encoder.transcript_annotations == "remove":
        text = _BRACKETS.sub(_blank_mark, text)
    language = encoder.language if encoder.lowercase else None
    folded = {unit: _fold(unit, language) for unit in {*text, *chain.from_iterable(written)}}
    pieces = [folded[character] for character in text]
    origins = np.repeat(np.arange(len(text)), _lengths(pieces))
    tokens = [folded[token] for token in chain.from_iterable(written)]
    found = _find_in_order(tokens, "".join(pieces))
    ends = _behind_marks(text)[np.concatenate([[0], origins + 1])[found[:, 1]]]
    starts = np.where(found[:, 0] < found[:, 1], np.append(origins, 0)[found[:, 0]], ends)
    is_end_token = np.zeros(len(starts), dtype=bool)
    if end_tokens and len(starts):
        behind = np.cumsum(_lengths(sentences))
        starts = np.insert(starts, behind, ends[behind - 1])
        is_end_token = np.insert(is_end_token, behind, True)
        ends = np.insert(ends, behind, ends[behind - 1])
    return TokenPositions(np.maximum.accumulate(starts), np.maximum.accumulate(ends), is_end_token)


def _as_written(
    encoder: TextEncoder, text: str, sentences: Sequence[Sequence[str]]
) -> Sequence[Sequence[str]]:
    """Return the same tokens, neither stemmed nor with numbers marked."""
    if not encoder.stem and encoder.numbers == "keep":
        return sentences
    written: list[list[str]] = clone(encoder).set_params(stem=False, numbers="keep").tokenize(text)
    return written


def _fold(unit: str, language: str | None) -> str:
    """Leave of a token or character what is the same in a text and its tokens."""
    plain = normalize(unit, transcript_annotations="keep")
    if language is not None:
        plain = lower(plain, language)
    plain = unicodedata.normalize("NFD", plain.casefold().replace("\u2014", "-"))
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c)[0] != "M")


def _behind_marks(text: str) -> Integers:
    """From each place in a text, the first that is no accent or vowel sign; it may be the end.

    Returns
    -------
    (n_characters + 1,) int64
    """
    behind = np.arange(len(text) + 1)
    if text.isascii():
        return behind
    is_end_token = np.array([unicodedata.category(character)[0] == "M" for character in text])
    for place in np.flatnonzero(is_end_token)[::-1].tolist():
        behind[place] = behind[place + 1]
    return behind


def _blank_mark(bracketed: re.Match[str]) -> str:
    """Put spaces for brackets that are a transcriber's mark."""
    is_end_token = not normalize(bracketed[0], transcript_annotations="remove").strip()
    return " " * len(bracketed[0]) if is_end_token else bracketed[0]


def _find_in_order(tokens: Sequence[str], text: str) -> Integers:
    """Find each token at or soon behind the end of the one before, (n_tokens, 2)."""
    bounds, cursor, window = [], 0, _WINDOW
    for token in tokens:
        start = text.find(token, cursor, cursor + len(token) + window)
        if start < 0:
            window = min(2 * window, _WIDEST)
            bounds.append((cursor, cursor))
        else:
            window, cursor = _WINDOW, start + len(token)
            bounds.append((start, cursor))
    return np.array(bounds, dtype=np.int64).reshape(-1, 2)


def _lengths(parts: Sequence[Sequence[str]]) -> Integers:
    return np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
