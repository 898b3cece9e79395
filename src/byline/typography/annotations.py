"""Remove what a transcriber added to the spoken words."""

from __future__ import annotations

import regex

_ANNOTATIONS = (
    "inaudible|unintelligible|indistinct|indiscernible|crosstalk|foreign|unknown|silence|pause|"
    "blank[_ ]audio|music(?: playing)?|sounds?|noise|cough(?:ing|s)?|laugh(?:ter|ing|s)?|"
    "applause|sigh(?:s|ing)?|sniff(?:s|ing)?|click(?:s|ing)?|clears throat|cheering"
)
_ROUND_BRACKET_ANNOTATIONS = "inaudible|unintelligible|crosstalk|laughter|applause"
_BRACKETED_ANNOTATION = regex.compile(
    rf"\[\s*(?:(?i:{_ANNOTATIONS})|\p{{Lu}}[\p{{Lu}}_ ]{{2,38}}\p{{Lu}})\s*\]"
    rf"|\((?i:{_ROUND_BRACKET_ANNOTATIONS})\)"
)
_SPEAKER_CHANGE = regex.compile(
    r"^[^\S\n]*(?:>>+|\u226b)|(?<!\S)(?:>>+|\u226b)(?=\s*[\p{Lu}\[\"'(])", regex.MULTILINE
)


def remove_transcript_annotations(text: str) -> str:
    """Replace annotations that a transcriber added to the spoken words by a space.

    Annotations are:

    * known words in square brackets, in any case: ``[inaudible]``, ``[Music]``;
    * four to forty capital letters, spaces and underscores in square brackets: ``[BLANK_AUDIO]``;
    * the most common words in round brackets: ``(Laughter)``;
    * ``>>`` where the speaker changes, that is, at the start of a line or before a capital letter,
      a quotation mark or a bracket.

    Other brackets belong to the prose and stay: ``[sic]``, ``a[i]``, ``[the king]``.

    Examples
    --------
    >>> from byline.typography.annotations import remove_transcript_annotations
    >>> remove_transcript_annotations("So [MUSIC] the king [sic] came.")
    'So   the king [sic] came.'
    """
    if ">>" in text or "\u226b" in text:
        text = _SPEAKER_CHANGE.sub(" ", text)
    if "[" in text or "(" in text:
        text = _BRACKETED_ANNOTATION.sub(" ", text)
    return text
