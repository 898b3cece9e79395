"""The rules of normalisation by name, in the order in which they are applied, and the presets."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import regex

from byline.typography.accents import remove_accents
from byline.typography.annotations import remove_transcript_annotations
from byline.typography.letter_case import lower

_LINE_END = regex.compile(r"\r\n?")
_CONTROL = str.maketrans(
    dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), " ")
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    | dict.fromkeys((0x0A, 0x0B, 0x85, 0x2028), "\n")
    | dict.fromkeys((0x0C, 0x2029), "\n\n")
)
_INVISIBLE = str.maketrans(
    dict.fromkeys(
        (
            *(0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF),
            *(*range(0x202A, 0x202F), *range(0x2066, 0x206A)),
        ),
        "",
    )
)
_LIGATURES = str.maketrans(
    dict(zip("ﬀﬁﬂﬃﬄﬅﬆ", ["ff", "fi", "fl", "ffi", "ffl", "st", "st"], strict=True))
)
_FULL_WIDTH = str.maketrans(
    {
        c: c - 0xFEE0
        for c in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
    }
)
_QUOTES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\uff07", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02", '"')
)
_HYPHENS = str.maketrans(dict.fromkeys("\u2010\u2011\u2212", "-") | {"\u2015": "\u2014"})
_DASH = regex.compile(r"--+|(?<=\s)\u2013(?=\s)")
_SPACES = regex.compile(r"[^\S\n]+")
_SPACES_AT_LINE_ENDS = regex.compile(r" *+\n *+")
_LINES = regex.compile(r"\s*\n\s*")
_PUNCTUATION = regex.compile(r"[\p{P}\p{S}]+")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of normalisation.

    Attributes
    ----------
    name : str
    description : str
        What the rule changes, in one sentence.
    function : callable
        It takes and returns a text that has one paragraph per line.

    Examples
    --------
    >>> RULES["long-s"].function("Paradiſe")
    'Paradise'
    """

    name: str
    description: str
    function: Callable[[str], str]


def _unicode(text: str) -> str:
    return unicodedata.normalize("NFC", _LINE_END.sub("\n", text).translate(_CONTROL))


def _dashes(text: str) -> str:
    return str(_DASH.sub("\u2014", text.translate(_HYPHENS))).replace("\u2013", "-")


def _spaces(text: str) -> str:
    return str(_SPACES_AT_LINE_ENDS.sub("\n", _SPACES.sub(" ", text))).strip(" ")


def _unchanged(text: str) -> str:
    return text


_ALL = (
    Rule("unicode", "Lone surrogates, control characters, NFC.", _unicode),
    Rule("invisible", "Soft hyphens, zero-width characters.", lambda t: t.translate(_INVISIBLE)),
    Rule("line-end-hyphens", "Words divided at the end of a line are joined.", _unchanged),
    Rule("line-wrapping", "Lines of one paragraph are joined.", _unchanged),
    Rule("ligatures", "Typographic ligatures.", lambda t: t.translate(_LIGATURES)),
    Rule("full-width", "Full-width letters and digits.", lambda t: t.translate(_FULL_WIDTH)),
    Rule("long-s", "Long s.", lambda t: t.replace("\u017f", "s")),
    Rule("quotes", "Quotation marks and apostrophes.", lambda t: t.translate(_QUOTES)),
    Rule("dashes", "Dashes and hyphens.", _dashes),
    Rule("ellipses", "Ellipses.", lambda t: t.replace("\u2026", "...")),
    Rule("italics", "Asterisks and underscores for italics.", _unchanged),
    Rule("headings", "Chapter headings.", _unchanged),
    Rule("transcript-annotations", "Annotations of transcripts.", remove_transcript_annotations),
    Rule("spaces", "Spaces.", _spaces),
    Rule(
        "letter-ligatures",
        "The letters æ and œ.",
        lambda t: t.replace("æ", "ae").replace("œ", "oe"),
    ),
    Rule("letter-case", "Capital letters become small letters.", lower),
    Rule("punctuation-spacing", "Spaces at punctuation marks.", _unchanged),
    Rule(
        "punctuation", "Punctuation marks are removed.", lambda t: _spaces(_PUNCTUATION.sub(" ", t))
    ),
    Rule("paragraphs", "All paragraphs become one.", lambda t: str(_LINES.sub(" ", t)).strip()),
    Rule(
        "accents",
        "Accents, and the vowel points of Hebrew and Arabic, are removed.",
        remove_accents,
    ),
    Rule(
        "conventions",
        "Letter case, punctuation, paragraphs or accents are removed from all texts if the known "
        "texts of different authors do not share them; a questioned text without them is compared "
        "by the rest.",
        _unchanged,
    ),
)
_STRICT_ONLY = {"letter-ligatures", "letter-case", "punctuation-spacing", "paragraphs"}
_IN_NO_PRESET = {"punctuation", "accents"}

RULES: Mapping[str, Rule] = MappingProxyType({rule.name: rule for rule in _ALL})
PRESETS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "edition": frozenset(RULES) - _STRICT_ONLY - _IN_NO_PRESET,
        "none": frozenset(),
        "strict": frozenset(RULES) - _IN_NO_PRESET,
    }
)
