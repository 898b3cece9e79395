"""Describe the conventions of a text that an edition decides and that no rule can restore.

A text in small letters does not show which of them were capital letters, and a text without
paragraphs does not show where they began. Such a text cannot be normalised to the usual form
without guessing. Byline therefore finds out which form a text has, in order to compare only what
all texts show; see `byline.typography.comparison`.

The limits were set on CCAT50 (training part), CMCC, the known Federalist essays, lectures16 and 26
British novels. Each is a multiple of what ordinary texts in these corpora have; texts between the
limits of two forms have neither.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import regex

from byline.typography.accents import count_accents
from byline.typography.scripts import WORDS
from byline.typography.spelling import find_spelling

_SAMPLE = 500_000  # characters at the beginning that decide
_CAPITAL = regex.compile(r"[\p{Lu}\p{Lt}]")
_CASED = regex.compile(r"[\p{Lu}\p{Lt}\p{Ll}]++")
_CAPITALS = regex.compile(r"[\p{Lu}\p{Lt}]++")
_MARKS = regex.compile(r"[.,;:!?…؟،؛۔।॥።፣፤፥፧。、，！？；：·]++")
_LONG_WORD = regex.compile(r"\b(?:([\p{Lu}\p{Lt}])|\p{Ll})\p{Ll}{4,}+")
_SENTENCE_START = regex.compile(r"(?:^|[.?!…]\s)[\"'(\[]*+(\p{L})", regex.MULTILINE)
_SENTENCE_END = regex.compile(r"(?<![.?!…؟۔।॥።፧])[.?!…؟۔।॥።፧]++[\"')\]]*+(?!\S)|[。！？｡។៕]")
_ENDS_SENTENCE = regex.compile(r"[.?!…:؟۔।॥።፧。！？｡។៕][\"'”’»)\]」』]*$")
_TAIL = 8  # characters of a line that show whether it ends a sentence

# Of 5,600 texts, 4 in 5 chats and some blogs by people who write no capital letters had at most 0.5
# capital letters per 100 letters, and all other texts at least 0.6 (essays by Madison, 0.7).
_MIN_CASED = 100
_MIN_CASED_WITHOUT_SENTENCES = 400
_MOST_CAPITALS_IN_SMALL = 0.005
_MOST_STARTS_IN_SMALL = 0.1  # sentences that begin with a capital letter
_MIN_STARTS = 3
_LEAST_CAPITALS_IN_CAPITALS = 0.9
# Of words of five letters and more that begin with a capital letter, as all do in a title. German
# nouns are half of such words.
_LEAST_CAPITAL_WORDS_IN_TITLES = 0.85
_MIN_LONG_WORDS = 40
# Punctuation marks per word. Transcribed interviews without punctuation had at most 0.012, chats
# 0.02 in the middle, and news, essays, novels and lectures at least 0.05.
_MIN_WORDS = 100
_MOST_PUNCTUATION_IN_NONE = 0.01
_LEAST_PUNCTUATION = 0.03
# Words per line. Paragraphs had 25 to 60 words in news, and up to 560 in essays and e-mails.
_MIN_LINES = 8
_MIN_WORDS_UNBROKEN = 400
_LEAST_WORDS_PER_LINE_UNBROKEN = 1000
_MOST_WORDS_PER_BROKEN_LINE = 15
_MOST_ENDINGS_OF_BROKEN_LINES = 0.5
_LEAST_SHARE_OF_SINGLE_SENTENCES = 0.97
_LEAST_USUAL_LINES = 4
# Accents and other combining marks per letter: French 0.035, German 0.015, Italian 0.01, English
# almost none. A thousand letters of such a text have at least five, so that none is no accident.
_MIN_LETTERS = 1000
_LEAST_ACCENTS = 0.005


@dataclass(frozen=True, slots=True)
class Convention:
    """Something that an edition decides, and the forms that it may have.

    Attributes
    ----------
    name : str
    forms : mapping of str to str
        The forms by name, each as a clause about a text; the usual one first.
    find : callable
        Returns the form of a text, or None if the text does not show it.
    rule : str
        The rule of `byline.typography.RULES` that removes the difference between the forms. Empty
        if there is none.
    removal : str
        What the rule did to all texts, as a sentence.

    See Also
    --------
    find_forms : The forms of all conventions in a text.

    Examples
    --------
    >>> CONVENTIONS["letter-case"].forms["small"]
    'is in small letters only'
    """

    name: str
    forms: Mapping[str, str]
    find: Callable[[str], str | None]
    rule: str = ""
    removal: str = ""


def find_forms(text: str, conventions: Mapping[str, Convention] | None = None) -> dict[str, str]:
    """Return the forms of all conventions that a text shows.

    Parameters
    ----------
    text : str
        One paragraph per line. A long text is judged by its first half million characters.
    conventions : mapping of str to Convention, optional
        By default, `CONVENTIONS`.

    Returns
    -------
    dict of str to str
        The form by the name of the convention; without those that the text is too short to show.

    Examples
    --------
    >>> find_forms("the loom hums. nobody hears it. a ship sails. " * 20)["letter-case"]
    'small'
    """
    sample = text[:_SAMPLE]
    if conventions is None:
        conventions = CONVENTIONS
    found = {name: convention.find(sample) for name, convention in conventions.items()}
    return {name: form for name, form in found.items() if form is not None}


def _letter_case(text: str) -> str | None:
    n_cased = _length(_CASED, text)
    if n_cased < _MIN_CASED:
        return None
    n_capitals = _length(_CAPITALS, text)
    if n_capitals >= _LEAST_CAPITALS_IN_CAPITALS * n_cased:
        return "capitals"
    starts = _SENTENCE_START.findall(text)
    n_capital_starts = sum(map(_is_capital, starts))
    has_starts = len(starts) >= _MIN_STARTS
    if n_capitals == 0 and (has_starts or n_cased >= _MIN_CASED_WITHOUT_SENTENCES):
        return "small"
    few = n_capitals <= _MOST_CAPITALS_IN_SMALL * n_cased
    if few and has_starts and n_capital_starts <= _MOST_STARTS_IN_SMALL * len(starts):
        return "small"
    first_letters = _LONG_WORD.findall(text)
    n_capital_words = sum(map(bool, first_letters))
    if n_capital_words >= max(_MIN_LONG_WORDS, _LEAST_CAPITAL_WORDS_IN_TITLES * len(first_letters)):
        return "title"
    return "mixed" if n_capitals else None


def _punctuation(text: str) -> str | None:
    n_words = _n_words(text)
    if n_words < _MIN_WORDS:
        return None
    share = len(_MARKS.findall(text)) / n_words
    if share <= _MOST_PUNCTUATION_IN_NONE:
        return "none"
    return "usual" if share >= _LEAST_PUNCTUATION else None


def _paragraphs(text: str) -> str | None:
    lines = [line for line in text.split("\n") if line.strip()]
    n_words = _n_words(text)
    if n_words < _MIN_WORDS:
        return None
    words_per_line = n_words / len(lines)
    if len(lines) == 1 or words_per_line >= _LEAST_WORDS_PER_LINE_UNBROKEN:
        return "unbroken" if n_words >= _MIN_WORDS_UNBROKEN else None
    if len(lines) >= _MIN_LINES:
        n_ending = sum(_ENDS_SENTENCE.search(line.rstrip()[-_TAIL:]) is not None for line in lines)
        endings = n_ending / len(lines)
        are_short = words_per_line <= _MOST_WORDS_PER_BROKEN_LINE
        if are_short and endings <= _MOST_ENDINGS_OF_BROKEN_LINES:
            return "lines"
        n_single = sum(len(_SENTENCE_END.findall(line)) <= 1 for line in lines)
        single = n_single / len(lines)
        if single >= _LEAST_SHARE_OF_SINGLE_SENTENCES and endings > _MOST_ENDINGS_OF_BROKEN_LINES:
            return "sentences"
    return "usual" if len(lines) >= _LEAST_USUAL_LINES else None


def _accents(text: str) -> str | None:
    letters = sum(map(str.isalpha, text))
    if letters < _MIN_LETTERS:
        return None
    n_marks = count_accents(text)
    if n_marks == 0:
        return "none"
    return "usual" if n_marks >= _LEAST_ACCENTS * letters else None


def _length(pattern: regex.Pattern[str], text: str) -> int:
    return sum(map(len, pattern.findall(text)))


def _is_capital(letter: str) -> bool:
    return _CAPITAL.match(letter) is not None


def _n_words(text: str) -> int:
    return len(WORDS.of(text).findall(text))


_ALL = (
    Convention(
        "letter-case",
        {
            "mixed": "has capital and small letters",
            "small": "is in small letters only",
            "capitals": "is in capital letters only",
            "title": "begins every long word with a capital letter",
        },
        _letter_case,
        "letter-case",
        "All letters were changed to small letters.",
    ),
    Convention(
        "punctuation",
        {"usual": "has punctuation marks", "none": "has no punctuation marks"},
        _punctuation,
        "punctuation",
        "All punctuation marks were removed.",
    ),
    Convention(
        "paragraphs",
        {
            "usual": "has paragraphs",
            "unbroken": "is not divided into paragraphs",
            "sentences": "has every sentence in a line of its own",
            "lines": "has line breaks within sentences, as verse has",
        },
        _paragraphs,
        "paragraphs",
        "All paragraphs were joined.",
    ),
    Convention(
        "accents",
        {"usual": "has accents", "none": "has no accents"},
        _accents,
        "accents",
        "All accents were removed.",
    ),
    Convention(
        "spelling",
        {
            "modern": "has modern spelling",
            "old": "has old spelling",
            "f-for-s": "has f where old books have a long s",
        },
        find_spelling,
    ),
)
CONVENTIONS: Mapping[str, Convention] = MappingProxyType({each.name: each for each in _ALL})
REMOVABLE = frozenset(each.name for each in _ALL if each.rule)
