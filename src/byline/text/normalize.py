"""Normalise Unicode forms, quotation marks, dashes, transcript annotations and case.

`normalize` makes these changes, in this order, and no others:

* Lone surrogates become U+FFFD. Control characters become a space. Line separators become a line
  feed. Paragraph separators (U+2029) and form feeds become two line feeds, that is, a blank line.
* Invisible characters that would split or change a word are removed: soft hyphen, zero-width
  space, word joiner, byte-order mark and direction marks. The zero-width joiner and non-joiner
  stay, because some scripts need them for spelling.
* The text is converted to Unicode NFC.
* Single quotes and apostrophes become ``'``, double quotes and guillemets become ``"``, and an
  ellipsis becomes three full stops. Hyphens and the minus sign become ``-``. Two or more hyphens,
  U+2015, and an en dash between spaces become an em dash. Any other en dash becomes ``-``.
* Transcript annotations are removed if requested (see `remove_transcript_annotations`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import partial

import regex

_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u02bc\uff07"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02"
_HYPHENS = "\u2010\u2011\u2212"
_INVISIBLE = (0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF)
_DIRECTIONS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))

_CHARACTERS = str.maketrans(
    dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), " ")
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    | dict.fromkeys((0x0A, 0x0B, 0x85, 0x2028), "\n")
    | dict.fromkeys((0x0C, 0x2029), "\n\n")
    | dict.fromkeys((*_INVISIBLE, *_DIRECTIONS), "")
    | dict.fromkeys(map(ord, _SINGLE_QUOTES), "'")
    | dict.fromkeys(map(ord, _DOUBLE_QUOTES), '"')
    | dict.fromkeys(map(ord, _HYPHENS), "-")
    | {0x2026: "...", 0x2015: "\u2014"}
)
_LINE_END = regex.compile(r"\r\n?")
_DASH = regex.compile(r"--+|(?<=\s)\u2013(?=\s)")

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
_TURKIC = frozenset({"tr", "az"})


def normalize(text: str, *, transcript_annotations: str = "remove") -> str:
    """Normalise a text. The docstring of this module lists every change.

    Parameters
    ----------
    text : str
        Any string, including one with lone surrogates.
    transcript_annotations : {"remove", "keep"}
        Whether to remove annotations such as ``[MUSIC]``.

    Returns
    -------
    str
        The normalised text. Its case and its line breaks are unchanged.

    See Also
    --------
    TextEncoder : Normalise and tokenize texts.

    Examples
    --------
    >>> from byline.text import normalize
    >>> print(normalize("“It’s late…” – she said."))
    "It's late..." — she said.
    """
    text = _LINE_END.sub("\n", text).translate(_CHARACTERS)
    text = _DASH.sub("\u2014", unicodedata.normalize("NFC", text)).replace("\u2013", "-")
    return remove_transcript_annotations(text) if transcript_annotations == "remove" else text


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
    >>> from byline.text.normalize import remove_transcript_annotations
    >>> remove_transcript_annotations("So [MUSIC] the king [sic] came.")
    'So   the king [sic] came.'
    """
    if ">>" in text or "\u226b" in text:
        text = _SPEAKER_CHANGE.sub(" ", text)
    if "[" in text or "(" in text:
        text = _BRACKETED_ANNOTATION.sub(" ", text)
    return text


def lower(text: str, language: str = "en") -> str:
    """Convert a text to lower case by Unicode's rules.

    In Turkish and Azeri, ``I`` becomes a dotless i. The German sharp s is unchanged, because the
    choice between ``Straße`` and ``Strasse`` is the author's.
    """
    if primary_subtag(language) in _TURKIC:
        text = text.replace("\u0130", "i").replace("I", "\u0131")
    return unicodedata.normalize("NFC", text.lower())


def lowercase_function(language: str) -> Callable[[str], str]:
    """Return a function that converts the words of a language to lower case."""
    return partial(lower, language=language) if primary_subtag(language) in _TURKIC else str.lower


def primary_subtag(language: str) -> str:
    """Return the first part of a language code: ``pt`` for ``pt-BR``."""
    return language.partition("-")[0].lower()
