"""Split sentences into words or characters, replace numbers, and stem words."""

from __future__ import annotations

import re
from functools import lru_cache

import regex
import Stemmer

from byline.errors import UsageError
from byline.typography.letter_case import lower, primary_subtag
from byline.typography.scripts import UNSPACED_CHARACTER, WordPattern

#: The token that replaces every number with ``numbers="replace"``.
NUMBER_TOKEN = "<num>"  # noqa: S105

# `\X` counts the flags before each flag of a run: its time grows with the square of the run.
_FLAG = r"\p{Regional_Indicator}{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+"
_GRAPHEME = rf"{_FLAG}|(?=\S)\X"
_RUN = r"[\p{L}\p{M}\p{N}\u200c\u200d]+"
_UNSPACED_RUN = (
    rf"(?:{UNSPACED_CHARACTER}|(?:(?!{UNSPACED_CHARACTER})[\p{{L}}\p{{M}}\p{{N}}\u200c\u200d])+)"
)
_DECIMAL = r"\p{Nd}+(?:[.,]\p{Nd}+)+(?![\p{L}\p{M}\p{N}\u200c\u200d])"
_SPECIAL = r"<(?:num|unk)>"
_ASCII_RUN = r"[A-Za-z0-9]+"
_ASCII_DECIMAL = r"[0-9]+(?:[.,][0-9]+)+(?![A-Za-z0-9])"
_JOINING = WordPattern(
    f"{_SPECIAL}|{_DECIMAL}|{_RUN}(?:'{_RUN})*|{_GRAPHEME}",
    f"{_SPECIAL}|{_DECIMAL}|{_UNSPACED_RUN}(?:'{_UNSPACED_RUN})*|{_GRAPHEME}",
    rf"{_SPECIAL}|{_ASCII_DECIMAL}|{_ASCII_RUN}(?:'{_ASCII_RUN})*|\S",
)
_ELIDING = WordPattern(
    rf"{_SPECIAL}|{_DECIMAL}|{_RUN}(?:'(?=\p{{L}}))?|{_GRAPHEME}",
    rf"{_SPECIAL}|{_DECIMAL}|{_UNSPACED_RUN}(?:'(?=\p{{L}}))?|{_GRAPHEME}",
    rf"{_SPECIAL}|{_ASCII_DECIMAL}|{_ASCII_RUN}(?:'(?=[A-Za-z]))?|\S",
)
_GE_SUN = WordPattern(*[r"[0-9]+\.[0-9](?![A-Za-z0-9_])|[A-Za-z0-9_'<>]+|[.,!?;]"] * 2)
_LANGUAGE = regex.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_ELISION_LANGUAGES = frozenset({"fr", "it", "ca", "oc", "frp", "wa"})
GE_SUN_2016 = "ge-sun-2016"
WORD_RULES = ("unicode", GE_SUN_2016)

_NUMBER = regex.compile(r"(?<!\w)\p{N}+(?:[.,]\p{N}+)*(?!\w)")
_PUNCTUATION = regex.compile(
    r"(?:[^\p{L}\p{M}\p{N}\s'\u200c\u200d]|(?<![\p{L}\p{M}\p{N}])'|'(?![\p{L}\p{M}\p{N}]))+"
)
# These blocks contain every combining mark, but neither dashes, quotation marks nor Chinese. Most
# texts have no character in them, so this fast test avoids `regex`, which is several times slower.
_MAY_HAVE_COMBINING_MARKS = re.compile(
    "[\u0300-\u1fff\u20d0-\u20ff\u2c00-\u309f\ua000-\uabff\ufb1e-\ufe2f\U00010000-\U0010ffff]"
)
_CHARACTER = regex.compile(r"\P{M}\p{M}*|\p{M}+")
_STEMMABLE = regex.compile(r"\p{L}[\p{L}\p{M}]{2,}")
_MAX_FORMS = 1 << 20


def word_pattern(rule: str, language: str = "en") -> WordPattern:
    """Return the pattern that finds the words of a sentence under a rule."""
    if rule == GE_SUN_2016:
        return _GE_SUN
    return _ELIDING if has_elision(language) else _JOINING


def check_language_code(language: object) -> None:
    """Check that a language is an ISO 639 code (`UsageError`)."""
    if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
        raise UsageError(f"language must be an ISO 639 code such as 'en', not {language!r}.")


def has_elision(language: str) -> bool:
    """Return whether an apostrophe ends a word of a language, as in French ``l'homme``."""
    return primary_subtag(language) in _ELISION_LANGUAGES


def split_words(sentence: str, *, rule: str = "unicode", language: str = "en") -> list[str]:
    """Split a normalised sentence into words and punctuation marks, without changing their case.

    Parameters
    ----------
    sentence : str
        A sentence as `normalize` returns it.
    rule : {"unicode", "ge-sun-2016"}
        How words are found; see the notes.
    language : str
        ISO 639 code. It decides whether an apostrophe joins or separates words.

    Returns
    -------
    list of str

    See Also
    --------
    split_characters : Split a sentence into characters.

    Notes
    -----
    There are two rules for finding words.

    ``unicode``
        A word is a run of letters, combining marks, digits and joiners. An apostrophe between two
        runs is part of the word (``don't``, ``o'clock``), except in languages with elision, where
        it ends a token (``l' homme``). A number may contain full stops and commas (``3.14``,
        ``1,000``). A hyphen is a separate token (``well - known``), because compounds would
        otherwise be rare words, and because authors differ in their use of the hyphen. Every other
        character is one token; an emoji and its modifiers are one token. In scripts without spaces
        between words, such as Chinese and Thai, each letter with its combining marks is a token.
        Only white space is dropped.
    ``ge-sun-2016``
        The rule of the program of Ge & Sun (2016). Words are runs of ASCII letters, digits and
        ``_'<>``. The punctuation marks ``. , ? ! ;`` are tokens. All other characters, including
        letters with accents, only separate words.

    Examples
    --------
    >>> from byline.text import split_words
    >>> split_words("It's a well-known loom.")
    ["It's", 'a', 'well', '-', 'known', 'loom', '.']
    >>> split_words("L'homme", language="fr")
    ["L'", 'homme']
    """
    words: list[str] = word_pattern(rule, language).of(sentence).findall(sentence)
    return words


def split_characters(sentence: str) -> list[str]:
    """Split a sentence into characters.

    A run of white space becomes one space; white space at either end is removed. Accents and vowel
    signs belong to the letter that carries them.

    Parameters
    ----------
    sentence : str

    Returns
    -------
    list of str

    See Also
    --------
    split_words : Split a sentence into words.

    Examples
    --------
    >>> from byline.text import split_characters
    >>> split_characters(" A  loom")
    ['A', ' ', 'l', 'o', 'o', 'm']
    """
    folded = " ".join(sentence.split())
    if folded.isascii() or not _MAY_HAVE_COMBINING_MARKS.search(folded):
        return list(folded)
    characters: list[str] = _CHARACTER.findall(folded)
    return characters


def is_character(token: str) -> bool:
    """Return whether a token is a single character, as `split_characters` returns it."""
    return _CHARACTER.fullmatch(token) is not None


def drop_punctuation(sentence: str) -> str:
    """Replace punctuation and symbols by spaces, except for an apostrophe inside a word."""
    plain: str = _PUNCTUATION.sub(" ", sentence)
    return plain


def replace_numbers(word: str) -> str:
    """Replace a number by ``<num>``; ``x2``, ``20th`` and ``1990s`` are words and stay."""
    replaced: str = _NUMBER.sub(NUMBER_TOKEN, word)
    return replaced


class PorterStemmer:
    """Stem words by Porter's algorithm of 1980.

    The algorithm is applied to each run of three or more letters. As in Porter's own program,
    shorter runs stay unchanged: ``is`` does not become ``i``, and the endings of ``that's`` and
    ``we're`` are kept.

    See Also
    --------
    TextEncoder : Tokenize and stem texts.

    References
    ----------
    M. F. Porter (1980). An algorithm for suffix stripping. Program 14(3), 130-137.

    Examples
    --------
    >>> from byline.text import PorterStemmer
    >>> stem = PorterStemmer()
    >>> stem("relational"), stem("ponies"), stem("is")
    ('relat', 'poni', 'is')
    """

    def __init__(self) -> None:
        self._stem = Stemmer.Stemmer("porter", maxCacheSize=0).stemWord

    def __call__(self, word: str) -> str:
        """Stem a lower-case word."""
        stemmed: str = _STEMMABLE.sub(lambda run: self._stem(run[0]), word)
        return stemmed


class WordForms(dict[str, str]):
    """A cache from each word to its token: in lower case, with its number replaced, stemmed.

    Parameters
    ----------
    lowercase, stem : bool
    numbers : {"keep", "replace"}
    language : str
        ISO 639 code, which lower-casing depends on.

    Examples
    --------
    >>> from byline.text.tokens import WordForms
    >>> forms = WordForms(lowercase=True, stem=True, numbers="replace", language="en")
    >>> forms["Engines"], forms["1805"]
    ('engin', '<num>')
    """

    def __init__(self, *, lowercase: bool, stem: bool, numbers: str, language: str) -> None:
        super().__init__()
        self._language = language if lowercase else None
        self._replaces_numbers = numbers == "replace"
        self._stem = PorterStemmer() if stem else None

    def __missing__(self, word: str) -> str:
        """Compute the token and cache it."""
        form = word if self._language is None else lower(word, self._language)
        if self._replaces_numbers:
            form = replace_numbers(form)
        if self._stem is not None:
            form = self._stem(form)
        if len(self) >= _MAX_FORMS:
            self.clear()
        self[word] = form
        return form


@lru_cache(maxsize=16)
def word_forms(*, lowercase: bool, stem: bool, numbers: str, language: str) -> WordForms:
    """Return the cache of word forms that all encoders with these settings share."""
    return WordForms(lowercase=lowercase, stem=stem, numbers=numbers, language=language)
