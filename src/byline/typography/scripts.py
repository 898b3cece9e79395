"""Words in scripts with and without spaces.

In Chinese, Japanese, Thai, Lao, Khmer and Burmese there are no spaces between words, so that a
text would consist of a few endless words. Wherever Byline counts or compares words, each character
of these unspaced scripts, with the combining marks on it, counts as one word. Words of other
scripts in the same text stay words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import regex

from byline.formatting import quantity

# For use within a set; the signs that lengthen Japanese vowels belong to no script.
UNSPACED_SCRIPTS = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\uff70\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
UNSPACED_CHARACTER = rf"[{UNSPACED_SCRIPTS}]\p{{M}}*"
SPACED_LETTER = rf"[^\W{UNSPACED_SCRIPTS}]"  # of any other script; also digits and marks
_NO_UNSPACED = rf"[^\s{UNSPACED_SCRIPTS}]"

# Wide blocks that contain every unspaced character, and no quotation mark or dash of other scripts.
# Searching for the scripts themselves takes `regex` five times as long.
_NEAR_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u2e80-\ua4cf\ua9e0-\uaa7f\uf900-\uffdc"
    "\U000116d0-\U000116ff\U00016fe0-\U0003ffff]"
)
_UNSPACED = regex.compile(UNSPACED_CHARACTER)
# Unspaced characters and East Asian punctuation, which have no space next to them.
_TIGHT = rf"[{UNSPACED_SCRIPTS}\u3000-\u303f\uff01-\uff60]\p{{M}}*"
_BEGINS_TIGHT, _ENDS_TIGHT = regex.compile(_TIGHT), regex.compile(rf"{_TIGHT}$")
_LETTER = regex.compile(r"\p{L}")
Pattern: TypeAlias = re.Pattern[str] | regex.Pattern[str]
_SAMPLE = 2_000  # characters
_MIN_SHARE = 0.2  # of the letters: an English text with a few names in Chinese stays spaced


@dataclass(frozen=True, slots=True)
class WordPattern:
    """A regular expression for words, and others for some kinds of texts.

    Parameters
    ----------
    plain, unspaced : str
        Regular expressions; the second, for texts with unspaced characters, may use
        `UNSPACED_CHARACTER` and `SPACED_LETTER`.
    in_ascii : str, optional
        An expression that finds the same as ``plain`` in ASCII texts. It is compiled by `re`, which
        takes half the time of `regex`.

    Examples
    --------
    >>> WORDS.of("Read 3 books.").findall("Read 3 books.")
    ['Read', '3', 'books']
    >>> WORDS.of("讀3本書").findall("讀3本書")
    ['讀', '3', '本', '書']
    """

    plain: str
    unspaced: str
    in_ascii: str | None = None
    _plain: Pattern = field(init=False, repr=False, compare=False)
    _unspaced: Pattern = field(init=False, repr=False, compare=False)
    _in_ascii: Pattern = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        plain = regex.compile(self.plain)
        in_ascii = plain if self.in_ascii is None else re.compile(self.in_ascii, re.ASCII)
        object.__setattr__(self, "_plain", plain)
        object.__setattr__(self, "_unspaced", regex.compile(self.unspaced))
        object.__setattr__(self, "_in_ascii", in_ascii)

    def of(self, text: str) -> Pattern:
        """Return the expression that suits a text."""
        if text.isascii():
            return self._in_ascii
        return self._unspaced if _NEAR_UNSPACED.search(text) else self._plain


# Separated by white space; punctuation belongs to the unspaced character before it.
WHITESPACE_WORDS = WordPattern(r"\S+", rf"{UNSPACED_CHARACTER}[^\w\s]*|{_NO_UNSPACED}+")
WORDS = WordPattern(r"\w+", rf"{UNSPACED_CHARACTER}|{SPACED_LETTER}+")


def is_unspaced_character(word: str) -> bool:
    """Return whether a word is one character of an unspaced script."""
    return _UNSPACED.fullmatch(word) is not None


def join_words(words: Iterable[str]) -> str:
    """Join words and punctuation marks with spaces, except next to unspaced characters."""
    written, before = list[str](), ""
    for word in words:
        if before and not (_BEGINS_TIGHT.match(word) or _ENDS_TIGHT.search(before)):
            written.append(" ")
        written.append(word)
        before = word
    return "".join(written)


def may_have_unspaced_characters(text: str) -> bool:
    """Return False only if a text certainly contains no unspaced character."""
    return not text.isascii() and _NEAR_UNSPACED.search(text) is not None


def is_unspaced(text: str) -> bool:
    """Return whether a text is written without spaces between words, by its beginning."""
    sample = text[:_SAMPLE]
    if not may_have_unspaced_characters(sample):
        return False
    return len(_UNSPACED.findall(sample)) > _MIN_SHARE * len(_LETTER.findall(sample))


def default_unit(texts: Iterable[str]) -> str:
    """Return the unit that suits most of the texts: "char" if they are unspaced, else "word"."""
    unspaced = [is_unspaced(text) for text in texts if text.strip()]
    return "char" if 2 * sum(unspaced) > len(unspaced) else "word"


def count_words(text: str) -> int:
    """Count the words that white space separates, and each unspaced character as one."""
    if not may_have_unspaced_characters(text):
        return len(text.split())
    return len(WHITESPACE_WORDS.of(text).findall(text))


def format_word_count(n_words: int, text: str) -> str:
    """Write a number of words: ``3 words``, or ``3 characters`` of an unspaced text."""
    return quantity(n_words, "character" if is_unspaced(text) else "word")
