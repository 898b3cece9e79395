"""Scripts without spaces between words, in which every sign stands for a word.

Where a program counts or compares words, a Chinese or Thai text would be a few endless ones. Its
signs, each with the marks on it, are counted in their place; words of other scripts beside them
stay words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import regex

from byline.formatting import quantity

# Inside a set of characters; the marks that lengthen Japanese vowels belong to no script.
UNSPACED_SCRIPTS = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\uff70\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
UNSPACED_CHARACTER = rf"[{UNSPACED_SCRIPTS}]\p{{M}}*"
SPACED_LETTER = (
    rf"[^\W{UNSPACED_SCRIPTS}]"  # of a word: of any other script, digits and marks included
)
_NO_SIGN = rf"[^\s{UNSPACED_SCRIPTS}]"

# Wide blocks that hold every sign and no quotation mark or dash of other scripts: `regex` takes
# five times as long to look for the scripts themselves.
_NEAR_A_SIGN = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u2e80-\ua4cf\ua9e0-\uaa7f\uf900-\uffdc"
    "\U000116d0-\U000116ff\U00016fe0-\U0003ffff]"
)
_SIGN = regex.compile(UNSPACED_CHARACTER)
_TIGHT = rf"[{UNSPACED_SCRIPTS}\u3000-\u303f\uff01-\uff60]\p{{M}}*"  # signs, and East Asian marks
_BEGINS_TIGHT, _ENDS_TIGHT = regex.compile(_TIGHT), regex.compile(rf"{_TIGHT}$")
_LETTER = regex.compile(r"\p{L}")
_SAMPLE = 2_000  # characters
_MIN_SHARE = 0.2  # of the letters: a few names in Chinese leave an English text one of words


@dataclass(frozen=True, slots=True)
class WordPattern:
    """An expression that finds words, and another one for texts that have signs.

    Parameters
    ----------
    plain, unspaced : str
        Regular expressions; the second may use `UNSPACED_CHARACTER` and `SPACED_LETTER`.
    """

    plain: str
    unspaced: str
    _plain: regex.Pattern[str] = field(init=False, repr=False, compare=False)
    _with_signs: regex.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_plain", regex.compile(self.plain))
        object.__setattr__(self, "_with_signs", regex.compile(self.unspaced))

    def of(self, text: str) -> regex.Pattern[str]:
        """Choose the expression for a text."""
        return self._with_signs if may_have_unspaced_characters(text) else self._plain


# What white space parts; a mark counts to the sign before it.
WHITESPACE_WORDS = WordPattern(r"\S+", rf"{UNSPACED_CHARACTER}[^\w\s]*|{_NO_SIGN}+")
WORDS = WordPattern(r"\w+", rf"{UNSPACED_CHARACTER}|{SPACED_LETTER}+")


def is_unspaced_character(word: str) -> bool:
    """Whether a word is a sign."""
    return _SIGN.fullmatch(word) is not None


def join_words(words: Iterable[str]) -> str:
    """Write words and marks one behind the other, with spaces, but for none beside signs."""
    written = ""
    for word in words:
        apart = written and not (_BEGINS_TIGHT.match(word) or _ENDS_TIGHT.search(written))
        written += f" {word}" if apart else word
    return written


def may_have_unspaced_characters(text: str) -> bool:
    """Whether a text may have signs; if not, it has none."""
    return not text.isascii() and _NEAR_A_SIGN.search(text) is not None


def is_unspaced(text: str) -> bool:
    """Whether a text, going by its beginning, is written without spaces between words."""
    sample = text[:_SAMPLE]
    if not may_have_unspaced_characters(sample):
        return False
    return len(_SIGN.findall(sample)) > _MIN_SHARE * len(_LETTER.findall(sample))


def default_unit(texts: Iterable[str]) -> str:
    """Return what texts are best cut into: "char" where most are spaceless, else "word"."""
    spaceless = [is_unspaced(text) for text in texts if text.strip()]
    return "char" if 2 * sum(spaceless) > len(spaceless) else "word"


def count_words(text: str) -> int:
    """Count what white space parts, and signs one by one."""
    if not may_have_unspaced_characters(text):
        return len(text.split())
    return len(WHITESPACE_WORDS.of(text).findall(text))


def format_word_count(n_words: int, text: str) -> str:
    """Write a number of words as what they are in a text: ``3 words``, or ``3 characters``."""
    return quantity(n_words, "character" if is_unspaced(text) else "word")
