"""Split texts into words as stylo does: in lower case, maximal runs of letters."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import regex

from byline.typography.letter_case import lower
from byline.typography.scripts import (
    UNSPACED_CHARACTER,
    UNSPACED_SCRIPTS,
    may_have_unspaced_characters,
)

_OUTSIDE_BASIC_PLANE = re.compile("[\U00010000-\U0010ffff]")
_ANY_PLANE = regex.compile(r"[\p{L}\p{M}]+")
_UNSPACED = regex.compile(
    rf"(?=\p{{L}}){UNSPACED_CHARACTER}|(?:(?![{UNSPACED_SCRIPTS}])[\p{{L}}\p{{M}}])+"
)


def letter_words(text: str, language: str = "en") -> list[str]:
    """Split a text into words that consist of letters only.

    A word is a maximal run of letters and of the marks that belong to them, in lower case. All
    other characters, including apostrophes, hyphens and digits, only separate words. In scripts
    without spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), each letter with
    its marks is one word.

    Parameters
    ----------
    text : str
    language : str
        ISO 639 code, which lower-casing depends on.

    Returns
    -------
    list of str

    See Also
    --------
    split_words : Split a sentence into words and punctuation marks.

    Notes
    -----
    This is the default rule of the R package stylo (``txt.to.words``), except in scripts without
    spaces. Letters are the characters of the Unicode categories L and M, in all scripts. The list
    of ranges in stylo 0.7.7 covers fewer scripts; for Latin, Greek and Cyrillic letters it is the
    same, except that it has the signs ``×`` and ``÷`` and lacks ``ª``, ``º`` and combining
    accents.

    References
    ----------
    Eder, Rybicki & Kestemont (2016), Stylometry with R. R Journal 8(1):107-121.

    Examples
    --------
    >>> from byline.text import letter_words
    >>> letter_words("I don't know Émile's 2 well-known looms.")
    ['i', 'don', 't', 'know', 'émile', 's', 'well', 'known', 'looms']
    >>> letter_words("讀3本書")
    ['讀', '本', '書']
    """
    words: list[str] = letter_word_pattern(text).findall(lower(text, language))
    return words


def letter_word_pattern(text: str) -> re.Pattern[str] | regex.Pattern[str]:
    """Return the pattern by which `letter_words` finds the words of a text.

    Most texts have no character outside the basic plane. For these, `re` with a list of ranges is
    twice as fast as `regex` with the names of categories.

    Examples
    --------
    >>> [match.span() for match in letter_word_pattern("It's").finditer("It's")]
    [(0, 2), (3, 4)]
    """
    if may_have_unspaced_characters(text):
        return _UNSPACED
    return _ANY_PLANE if _OUTSIDE_BASIC_PLANE.search(text) else _basic_plane_pattern()


@cache
def _basic_plane_pattern() -> re.Pattern[str]:
    ranges: list[tuple[int, int]] = []
    for code in range(0x10000):
        if unicodedata.category(chr(code))[0] in "LM":
            start = ranges.pop()[0] if ranges and ranges[-1][1] == code - 1 else code
            ranges.append((start, code))
    return re.compile("[" + "".join(f"{chr(start)}-{chr(end)}" for start, end in ranges) + "]+")
