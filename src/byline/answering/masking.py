"""Mask the words of texts that depend on their topic, so that frequent words and forms remain."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Sequence

import regex

from byline.text.tokens import word_pattern
from byline.typography.letter_case import lower

# Asterisks would be read as marks of typography. No Roman numeral and no short word consists of z.
_LETTER, _DIGIT = "z", "0"
_ABSENT = 0.5  # occurrences of a word that an author does not use


def words_by_frequency(texts: Sequence[str], authors: Sequence[str], language: str) -> list[str]:
    """Return the words of known texts, those first that most authors use.

    Words of equally many authors are in the order of the geometric mean of their frequencies over
    the authors. A name that one author uses often, and the others never, is among the last.

    Parameters
    ----------
    texts, authors : sequence of str, (n_texts,)
    language : str
        ISO 639 code.

    Returns
    -------
    list of str
        In lower case.

    Examples
    --------
    >>> texts = ["the ship and the sea", "the ship the ship the ship", "the sea and the rain"]
    >>> words_by_frequency(texts, ["Ann", "Ann", "Bob"], "en")[:3]
    ['the', 'and', 'sea']
    """
    counts = {author: Counter[str]() for author in sorted(set(authors))}
    for text, author in zip(texts, authors, strict=True):
        found = word_pattern("unicode", language).of(text).findall(text)
        counts[author].update(lower(word, language) for word in found if _is_word(word))
    words = set[str]().union(*counts.values())

    def rank(word: str) -> tuple[int, float, str]:
        own = [each[word] for each in counts.values()]
        score = math.fsum(math.log(count or _ABSENT) for count in own)
        return -sum(map(bool, own)), -score, word

    return sorted(words, key=rank)


def mask_words(text: str, kept: Container[str], language: str) -> str:
    """Replace each letter of all words that are not kept, and each of their digits.

    Parameters
    ----------
    text : str
    kept : container of str
        Words in lower case.
    language : str
        ISO 639 code.

    Returns
    -------
    str
        Punctuation, spaces, capital letters and the lengths of words are unchanged.

    Notes
    -----
    This is the text distortion DV-MA of Stamatatos (2017), with ``z`` instead of an asterisk and
    ``0`` for each digit. It does not depend on the language of the text.

    References
    ----------
    E. Stamatatos (2017). Authorship attribution using text distortion. Proceedings of EACL,
    1138-1149.

    Examples
    --------
    >>> mask_words("The Emma of 1815 isn't in the harbour.", {"the", "of", "in"}, "en")
    "The Zzzz of 0000 zzz'z in the zzzzzzz."
    """

    def replace(found: regex.Match[str]) -> str:
        word: str = found[0]
        if not _is_word(word) or lower(word, language) in kept:
            return word
        return "".join(map(_mask, word))

    masked: str = word_pattern("unicode", language).of(text).sub(replace, text)
    return masked


def _is_word(token: str) -> bool:
    return any(map(str.isalnum, token))


def _mask(character: str) -> str:
    if character.isalpha():
        return _LETTER.upper() if character.isupper() or character.istitle() else _LETTER
    if character.isalnum():
        return _DIGIT
    return "" if regex.fullmatch(r"\p{M}", character) else character
