"""Words, characters and stems.

Two ways to find words:

``unicode``
    A word is a run of letters, combining marks, digits and joiners; an apostrophe between two runs
    is part of the word (``don't``, ``o'clock``), except in languages with elision, where it ends a
    token (``l' homme``). A number may hold full stops and commas (``3.14``, ``1,000``). A hyphen is
    a token of its own (``well - known``): compounds would otherwise be rare words, and whether an
    author writes the hyphen stays visible. Every other sign is one token, an emoji with its
    modifiers too. In scripts without spaces (see `byline.corpus.scripts`) each letter with its
    marks is a token. Only white space is dropped.
``ge-sun-2016``
    The rule in the paper's program: runs of ASCII letters, digits and ``_'<>`` are words;
    ``. , ? ! ;`` are tokens; everything else, letters with accents included, only separates.
"""

from __future__ import annotations

import re
from functools import lru_cache

import regex
import Stemmer

from byline.corpus.scripts import UNSPACED_CHARACTER, WordPattern
from byline.text.normalize import lower, primary_subtag

#: The token that every number becomes with ``numbers="mark"``.
NUMBER_TOKEN = "<num>"  # noqa: S105

_SIGN = r"(?=\S)\X"
_RUN = r"[\p{L}\p{M}\p{N}\u200c\u200d]+"
_RUNS = (
    _RUN,
    rf"(?:{UNSPACED_CHARACTER}|(?:(?!{UNSPACED_CHARACTER})[\p{{L}}\p{{M}}\p{{N}}\u200c\u200d])+)",
)
_DECIMAL = r"\p{Nd}+(?:[.,]\p{Nd}+)+(?![\p{L}\p{M}\p{N}\u200c\u200d])"
_MARK = r"<(?:num|unk)>"
_JOINING = WordPattern(*(f"{_MARK}|{_DECIMAL}|{run}(?:'{run})*|{_SIGN}" for run in _RUNS))
_ELIDING = WordPattern(*(rf"{_MARK}|{_DECIMAL}|{run}(?:'(?=\p{{L}}))?|{_SIGN}" for run in _RUNS))
_GE_SUN = WordPattern(*[r"[0-9]+\.[0-9](?![A-Za-z0-9_])|[A-Za-z0-9_'<>]+|[.,!?;]"] * 2)
_ELISION_LANGUAGES = frozenset({"fr", "it", "ca", "oc", "frp", "wa"})
WORD_RULES = ("unicode", "ge-sun-2016")

_NUMBER = regex.compile(r"(?<!\w)\p{N}+(?:[.,]\p{N}+)*(?!\w)")
_PUNCTUATION = regex.compile(
    r"(?:[^\p{L}\p{M}\p{N}\s'\u200c\u200d]|(?<![\p{L}\p{M}\p{N}])'|'(?![\p{L}\p{M}\p{N}]))+"
)
# Blocks that hold every combining mark, and neither dashes and quotation marks nor Chinese: of
# these there are most, and `regex` takes several times as long.
_NEAR_A_MARK = re.compile(
    "[\u0300-\u1fff\u20d0-\u20ff\u2c00-\u309f\ua000-\uabff\ufb1e-\ufe2f\U00010000-\U0010ffff]"
)
_CHARACTER = regex.compile(r"\P{M}\p{M}*|\p{M}+")
_STEMMABLE = regex.compile(r"\p{L}[\p{L}\p{M}]{2,}")
_MAX_FORMS = 1 << 20


def word_pattern(rule: str, language: str = "en") -> WordPattern:
    """Choose what finds the words of a sentence, in order."""
    if rule == "ge-sun-2016":
        return _GE_SUN
    return _ELIDING if primary_subtag(language) in _ELISION_LANGUAGES else _JOINING


def split_words(sentence: str, *, rule: str = "unicode", language: str = "en") -> list[str]:
    """Cut a normalised sentence into words and signs, case kept; see the module's head.

    Parameters
    ----------
    sentence : str
    rule : {"unicode", "ge-sun-2016"}
    language : str
        Whether an apostrophe joins or parts.

    Returns
    -------
    list of str
    """
    words: list[str] = word_pattern(rule, language).of(sentence).findall(sentence)
    return words


def split_characters(sentence: str) -> list[str]:
    """Cut a sentence into characters; white space is one space a run, and none at the ends.

    The accents and vowel signs on a letter are part of it.

    Parameters
    ----------
    sentence : str

    Returns
    -------
    list of str
    """
    folded = " ".join(sentence.split())
    if folded.isascii() or not _NEAR_A_MARK.search(folded):
        return list(folded)
    characters: list[str] = _CHARACTER.findall(folded)
    return characters


def is_character(token: str) -> bool:
    """Whether a token is what `split_characters` gives."""
    return _CHARACTER.fullmatch(token) is not None


def drop_punctuation(sentence: str) -> str:
    """Put a space for signs that are neither letters nor digits, but for ``'`` inside a word."""
    plain: str = _PUNCTUATION.sub(" ", sentence)
    return plain


def replace_numbers(word: str) -> str:
    """Put ``<num>`` for a number that stands alone; ``x2``, ``20th`` and ``1990s`` are words."""
    marked: str = _NUMBER.sub(NUMBER_TOKEN, word)
    return marked


class PorterStemmer:
    """Porter's algorithm of 1980, on each run of three letters or more in a word.

    Shorter runs are left alone, as Porter's own program does (``is`` is not ``i``), and so the
    endings of ``that's`` and ``we're`` are kept.
    """

    def __init__(self) -> None:
        self._stem = Stemmer.Stemmer("porter", maxCacheSize=0).stemWord

    def __call__(self, word: str) -> str:
        """Stem a lower-case word."""
        stemmed: str = _STEMMABLE.sub(lambda run: self._stem(run[0]), word)
        return stemmed


class WordForms(dict[str, str]):
    """Word as written -> the token it counts as; each distinct word is worked out once.

    Parameters
    ----------
    lowercase, stem : bool
    numbers : {"keep", "mark"}
    language : str
    """

    def __init__(self, *, lowercase: bool, stem: bool, numbers: str, language: str) -> None:
        super().__init__()
        self._language = language if lowercase else None
        self._mark = numbers == "mark"
        self._stem = PorterStemmer() if stem else None

    def __missing__(self, word: str) -> str:
        """Work out the token, and keep it."""
        form = word if self._language is None else lower(word, self._language)
        if self._mark:
            form = replace_numbers(form)
        if self._stem is not None:
            form = self._stem(form)
        if len(self) >= _MAX_FORMS:
            self.clear()
        self[word] = form
        return form


@lru_cache(maxsize=16)
def word_forms(*, lowercase: bool, stem: bool, numbers: str, language: str) -> WordForms:
    """Share one table of word forms for these settings among all encoders of the process."""
    return WordForms(lowercase=lowercase, stem=stem, numbers=numbers, language=language)
