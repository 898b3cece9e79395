"""Find the position of each of an encoder's tokens in the text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from sklearn.base import clone

from byline.array_types import Booleans, Integers
from byline.text.encoder import TextEncoder
from byline.typography.letter_case import lower

# How many characters a search for a token may skip. The limit doubles after each failed search.
_MIN_WINDOW = 64
_MAX_WINDOW = 1 << 20


@dataclass(frozen=True, slots=True)
class TokenPositions:
    """The positions of tokens in a text.

    Attributes
    ----------
    starts, ends : (n_tokens,) int64
        The index of each token's first character and the index after its last one, in ascending
        order. A token that was not found is empty and lies after the previous token.
    is_end_token : (n_tokens,) bool
        Whether each token is an end-of-sentence token. Such a token is empty and lies after the
        last token of its sentence.

    See Also
    --------
    align_tokens : Find the positions of tokens.
    """

    starts: Integers
    ends: Integers
    is_end_token: Booleans

    def __len__(self) -> int:
        """Return the number of tokens, including end-of-sentence tokens."""
        return len(self.starts)

    def tokens_of_characters(self, characters: Integers) -> Integers:
        """Return the index of the token that each character belongs to.

        A character between two tokens belongs to the token before it. A character before the first
        token belongs to the first token. End-of-sentence tokens have no characters.
        """
        words = np.flatnonzero(~self.is_end_token)
        before = np.searchsorted(self.starts[words], characters, side="right") - 1
        return np.asarray(words[np.maximum(before, 0)])

    def tokens_of_gaps(self, starts: Integers, ends: Integers) -> Integers:
        """Return the index of the token that each empty or white-space span belongs to."""
        tokens = self.tokens_of_characters(starts - 1)
        end_tokens = np.flatnonzero(self.is_end_token)
        if not len(end_tokens):
            return tokens
        following = np.searchsorted(self.starts[end_tokens], starts)
        nearest = end_tokens[np.minimum(following, len(end_tokens) - 1)]
        is_end = (starts == ends) & (self.starts[nearest] == starts)
        return np.where(is_end, nearest, tokens)


def align_tokens(
    encoder: TextEncoder, text: str, sentences: Sequence[Sequence[str]], *, end_tokens: bool
) -> TokenPositions:
    """Find the position of each token in the text.

    Tokens and text are compared without case, accents and white space. A token that the encoder
    changed further may not be found; it is skipped.

    Parameters
    ----------
    encoder : TextEncoder
    text : str
        As ``encoder.normalize`` returns it.
    sentences : sequence of sequences of str
        The result of ``encoder.tokenize(text)``.
    end_tokens : bool
        Whether to add an end-of-sentence token after each sentence.

    Returns
    -------
    TokenPositions

    Examples
    --------
    >>> from byline.text import TextEncoder
    >>> from byline.text.alignment import align_tokens
    >>> text, encoder = "The LOOM is new.", TextEncoder()
    >>> found = align_tokens(encoder, text, encoder.tokenize(text), end_tokens=False)
    >>> [text[start:end] for start, end in zip(found.starts, found.ends)]
    ['The', 'LOOM', 'is', 'new', '.']
    """
    written = _unchanged_words(encoder, text, sentences)
    language = encoder.language if encoder.lowercase else None
    folded = {unit: _fold(unit, language) for unit in {*text, *chain.from_iterable(written)}}
    characters = [folded[character] for character in text]
    origins = np.repeat(np.arange(len(text)), _lengths(characters))
    tokens = [folded[token] for token in chain.from_iterable(written)]
    found = _find_in_order(tokens, "".join(characters))
    ends = _after_combining_marks(text)[np.concatenate([[0], origins + 1])[found[:, 1]]]
    starts = np.where(found[:, 0] < found[:, 1], np.append(origins, 0)[found[:, 0]], ends)
    is_end_token = np.zeros(len(starts), dtype=bool)
    if end_tokens and len(starts):
        after = np.cumsum(_lengths(sentences))
        starts = np.insert(starts, after, ends[after - 1])
        is_end_token = np.insert(is_end_token, after, True)
        ends = np.insert(ends, after, ends[after - 1])
    return TokenPositions(np.maximum.accumulate(starts), np.maximum.accumulate(ends), is_end_token)


def _unchanged_words(
    encoder: TextEncoder, text: str, sentences: Sequence[Sequence[str]]
) -> Sequence[Sequence[str]]:
    """Return the same tokens, but without stemming and with their numbers."""
    if not encoder.stem and encoder.numbers == "keep":
        return sentences
    written: list[list[str]] = clone(encoder).set_params(stem=False, numbers="keep").tokenize(text)
    return written


def _fold(unit: str, language: str | None) -> str:
    """Reduce a token or character to what is the same in a text and in its tokens."""
    plain = unit if language is None else lower(unit, language)
    plain = unicodedata.normalize("NFD", plain.casefold())
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c)[0] != "M")


def _after_combining_marks(text: str) -> Integers:
    """Return, for each position, the next one without a combining mark, or the end of the text.

    Returns
    -------
    (n_characters + 1,) int64
    """
    positions = np.arange(len(text) + 1)
    if text.isascii():
        return positions
    is_combining = np.array([unicodedata.category(character)[0] == "M" for character in text])
    for position in np.flatnonzero(is_combining)[::-1].tolist():
        positions[position] = positions[position + 1]
    return positions


def _find_in_order(tokens: Sequence[str], text: str) -> Integers:
    """Find each token at or shortly after the end of the previous one, (n_tokens, 2)."""
    bounds, cursor, window = [], 0, _MIN_WINDOW
    for token in tokens:
        start = text.find(token, cursor, cursor + len(token) + window)
        if start < 0:
            window = min(2 * window, _MAX_WINDOW)
            bounds.append((cursor, cursor))
        else:
            window, cursor = _MIN_WINDOW, start + len(token)
            bounds.append((start, cursor))
    return np.array(bounds, dtype=np.int64).reshape(-1, 2)


def _lengths(parts: Sequence[Sequence[str]]) -> Integers:
    return np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
