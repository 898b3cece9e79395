"""Rules that go further than an edition: spaces at punctuation marks, punctuation, paragraphs."""

from __future__ import annotations

import regex

from byline.typography.characters import simplify_spaces
from byline.typography.scripts import SPACED_LETTER

_WITHOUT_SPACE_AFTER = regex.compile(rf"[,;!?](?=(?!\d){SPACED_LETTER})")
# Not before a face such as ":)" or ";-)".
_SPACE_BEFORE = regex.compile(
    r" (?=[)\]}]|[,.!?]++[)\]}]"
    r"|[,.;:!?]++(?:[\s\"'`\u00b4\u2026\p{Pi}\p{Pf}\p{Ps}\u2010-\u2015]|--|\Z))"
)
_SPACE_AFTER_BRACKET = regex.compile(r"(?<=[(\[{]) ")
# Emoji and currency signs are no punctuation.
_IN_WORD = regex.compile(r"(?<=\w)['\u2019](?=\w)(?!\p{M})")
_PUNCTUATION = regex.compile(r"[\p{P}+<=>^`|~]+")


def simplify_punctuation_spacing(text: str) -> str:
    """Write a space after, and no space before, a punctuation mark between words.

    Examples
    --------
    >>> simplify_punctuation_spacing("Well ,what now ? ( Nothing . )")
    'Well, what now? (Nothing.)'
    """
    text = _WITHOUT_SPACE_AFTER.sub(r"\g<0> ", simplify_spaces(text))
    return str(_SPACE_AFTER_BRACKET.sub("", _SPACE_BEFORE.sub("", text)))


def remove_punctuation(text: str) -> str:
    """Replace punctuation marks by spaces, and remove apostrophes within words.

    Examples
    --------
    >>> remove_punctuation("Well, I don't know: a well-known man?")
    'Well I dont know a well known man'
    """
    return simplify_spaces(_PUNCTUATION.sub(" ", _IN_WORD.sub("", text)))


def remove_paragraph_ends(text: str) -> str:
    r"""Join all paragraphs in one.

    Examples
    --------
    >>> remove_paragraph_ends("One.\n\nTwo.")
    'One. Two.'
    """
    lines = (line.strip() for line in text.split("\n"))
    return " ".join(line for line in lines if line)
