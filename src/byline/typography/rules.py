"""The rules of normalisation by name, in the order in which they are applied, and the presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from byline.typography.accents import remove_accents
from byline.typography.annotations import remove_transcript_annotations
from byline.typography.characters import (
    compose,
    remove_invisible,
    replace_entities,
    replace_full_width,
    replace_letter_ligatures,
    replace_ligatures,
    replace_long_s,
    replace_lookalikes,
    simplify_spaces,
)
from byline.typography.dashes import simplify_dashes, simplify_ellipses
from byline.typography.headings import remove_headings
from byline.typography.letter_case import lower
from byline.typography.markup import remove_italics
from byline.typography.punctuation import (
    remove_paragraph_ends,
    remove_punctuation,
    simplify_punctuation_spacing,
)
from byline.typography.quotes import simplify_quotes


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of normalisation.

    Attributes
    ----------
    name : str
    description : str
        What the rule changes, in one sentence.
    function : callable
        It takes and returns a text that has one paragraph per line. Applied to its own result, it
        changes nothing.

    Examples
    --------
    >>> RULES["long-s"].function("Paradiſe")
    'Paradise'
    """

    name: str
    description: str
    function: Callable[[str], str]


def _unchanged(text: str) -> str:
    return text


# The order matters: a rule leaves nothing for an earlier rule to do.
_ALL = (
    Rule(
        "entities",
        "Entities of HTML that a text contains become the characters that they stand for.",
        replace_entities,
    ),
    Rule(
        "invisible",
        "Soft hyphens, zero-width characters, direction marks and byte-order marks are removed, "
        "except joiners that belong to the spelling of a word or to an emoji.",
        remove_invisible,
    ),
    Rule(
        "line-end-hyphens",
        "Words that are divided at the end of a line are joined when a text is read.",
        _unchanged,
    ),
    Rule(
        "line-wrapping",
        "The lines of a paragraph are joined when a text is read.",
        _unchanged,
    ),
    Rule(
        "ligatures",
        "Typographic ligatures such as ﬁ, other letters in one character, and letters of "
        "mathematics or in circles become letters.",
        replace_ligatures,
    ),
    Rule(
        "full-width",
        "Full-width letters and digits become usual ones; full-width punctuation, too, except in "
        "texts with Chinese, Japanese or Korean characters.",
        replace_full_width,
    ),
    Rule("long-s", "The long s (ſ) becomes s.", replace_long_s),
    Rule(
        "unicode",
        "Letters are composed with their accents (NFC). Control characters become spaces or line "
        "ends, and invalid code points (lone surrogates) become U+FFFD.",
        compose,
    ),
    Rule(
        "lookalikes",
        "Cyrillic and Greek letters within Latin words that look the same become Latin ones, and "
        "Latin letters within Cyrillic words Cyrillic ones.",
        replace_lookalikes,
    ),
    Rule(
        "spaces",
        "Every space becomes U+0020, and runs of spaces become one; spaces at line ends and "
        "repeated blank lines are removed.",
        simplify_spaces,
    ),
    Rule(
        "italics",
        "Pairs of asterisks or underscores around words are removed.",
        remove_italics,
    ),
    Rule(
        "transcript-annotations",
        "Annotations such as [MUSIC] or (laughter), numbers of pages and notes such as [12], and "
        ">> where the speaker changes, are removed.",
        remove_transcript_annotations,
    ),
    Rule(
        "headings",
        "Headings of chapters and lines of ornaments are removed.",
        remove_headings,
    ),
    Rule("paragraphs", "All paragraphs become one.", remove_paragraph_ends),
    Rule("letter-ligatures", "The letters æ and œ become ae and oe.", replace_letter_ligatures),
    Rule("letter-case", "Capital letters become small letters.", lower),
    Rule(
        "accents",
        "Accents, and the vowel points of Hebrew and Arabic, are removed.",
        remove_accents,
    ),
    Rule(
        "punctuation-spacing",
        "Spaces before punctuation marks are removed, and a missing space after them is added.",
        simplify_punctuation_spacing,
    ),
    Rule(
        "dashes",
        "Em dashes, double hyphens, and en dashes and hyphens between spaces become em dashes "
        "without spaces; other dashes, and dashes between digits, become hyphens.",
        simplify_dashes,
    ),
    Rule(
        "ellipses",
        "Ellipses become three full stops without a space before them.",
        simplify_ellipses,
    ),
    Rule(
        "quotes",
        "Quotation marks of every kind and level become \", and apostrophes become '.",
        simplify_quotes,
    ),
    Rule(
        "punctuation",
        "Punctuation marks become spaces, and apostrophes within words are removed.",
        remove_punctuation,
    ),
    Rule(
        "conventions",
        "If the known texts of different authors differ in letter case, punctuation, paragraphs or "
        "accents, the difference is removed from all texts. If only a questioned text differs, the "
        "base classifiers that depend on the difference are not used.",
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
