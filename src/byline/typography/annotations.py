"""Remove what a transcriber or an editor added between the words."""

from __future__ import annotations

import re

import regex

from byline.typography.characters import simplify_spaces

_ANNOTATIONS = (
    "inaudible|unintelligible|indistinct|indiscernible|crosstalk|foreign|unknown|silence|pause|"
    "blank[_ ]audio|music(?: playing)?|sounds?|noise|cough(?:ing|s)?|laugh(?:ter|ing|s)?|"
    "applause|sigh(?:s|ing)?|sniff(?:s|ing)?|click(?:s|ing)?|clears throat|cheering"
)
_IN_SQUARE_BRACKETS = regex.compile(
    rf"\[\s*+(?:(?i:{_ANNOTATIONS})|\p{{Lu}}[\p{{Lu}}_ ]{{2,38}}\p{{Lu}})\s*+\]"
)
_IN_ROUND_BRACKETS = re.compile(
    r"\((?:inaudible|unintelligible|crosstalk|laughter|applause)\)", re.IGNORECASE
)
# What an electronic edition writes into the text: page numbers, marks of notes, illustrations. A
# mark directly after a word or a punctuation mark leaves no space.
_EDITORIAL = regex.compile(
    r"\[(?:\d{1,4}|Pg\.? ?\d{1,4}|Page \d{1,4}|Illustration(?::[^\[\]\n]{0,300})?)\]|\{\d{1,4}\}"
)
# Quotation marks of all kinds, and marks of italics, may precede the capital letter.
_SPEAKER_CHANGE = regex.compile(
    r"^[^\S\n]*+(?:(?:>>++|\u226b)[^\S\n]*+)++"
    r"|(?<!\S)(?:>>++|\u226b)(?=\s*+[*_]?+[\p{Lu}\p{Ps}\p{Pi}\p{Pf}\"'`])",
    regex.MULTILINE,
)
_MAX_NESTED = 4  # annotations within annotations


def remove_transcript_annotations(text: str) -> str:
    """Replace annotations that a transcriber added to the spoken words by a space.

    Runs of spaces become one space, if there is an annotation. Annotations are:

    * known words in square brackets, in any case: ``[inaudible]``, ``[Music]``;
    * four to forty capital letters, spaces and underscores in square brackets: ``[BLANK_AUDIO]``;
    * the most common words in round brackets: ``(Laughter)``;
    * numbers of pages and notes, and illustrations: ``[12]``, ``[Pg 12]``, ``{12}``;
    * ``>>`` where the speaker changes, that is, at the start of a line or before a capital letter,
      a quotation mark or a bracket.

    Other brackets belong to the prose and stay: ``[sic]``, ``a[i]``, ``[the king]``.

    Examples
    --------
    >>> from byline.typography.annotations import remove_transcript_annotations
    >>> remove_transcript_annotations("So [MUSIC] the king [sic] came.")
    'So the king [sic] came.'
    """
    for _ in range(_MAX_NESTED):
        replaced = text
        if ">>" in text or "\u226b" in text:
            replaced = _SPEAKER_CHANGE.sub(" ", text)
        replaced = _IN_ROUND_BRACKETS.sub(" ", replaced)
        if "[" in replaced or "{" in replaced:
            replaced = _IN_SQUARE_BRACKETS.sub(" ", _EDITORIAL.sub(_space, replaced))
        if replaced == text:
            break
        text = simplify_spaces(replaced)
    return text


def _space(match: regex.Match[str]) -> str:
    """Return a space, unless the mark directly follows a word or a punctuation mark."""
    start = match.start()
    return "" if start and not match.string[start - 1].isspace() else " "
