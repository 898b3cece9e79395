"""One spelling for what is one thing: Unicode forms, quotes, dashes, transcript marks, case.

What `normalize` changes, in this order, and nothing else:

* lone surrogates become U+FFFD; control characters become a space; line and paragraph separators
  become line feeds (U+2029 and the form feed two of them, which is a blank line);
* the invisible marks that break word identity go: soft hyphen, zero-width space, word joiner,
  byte-order mark, direction marks. The zero-width joiner and non-joiner stay: spelling needs them;
* Unicode NFC;
* single quotes and apostrophes become ``'``, double quotes and guillemets ``"``, the ellipsis three
  full stops, hyphens and the minus sign ``-``; a dash written ``--`` (or longer), U+2015, or as an
  en dash between spaces, becomes an em dash, any other en dash ``-``;
* transcript marks go, where asked for (see `remove_transcript_annotations`).
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

_KNOWN_MARKS = (
    "inaudible|unintelligible|indistinct|indiscernible|crosstalk|foreign|unknown|silence|pause|"
    "blank[_ ]audio|music(?: playing)?|sounds?|noise|cough(?:ing|s)?|laugh(?:ter|ing|s)?|"
    "applause|sigh(?:s|ing)?|sniff(?:s|ing)?|click(?:s|ing)?|clears throat|cheering"
)
_SPOKEN_MARKS = "inaudible|unintelligible|crosstalk|laughter|applause"
_TRANSCRIPT_MARK = regex.compile(
    rf"\[\s*(?:(?i:{_KNOWN_MARKS})|\p{{Lu}}[\p{{Lu}}_ ]{{2,38}}\p{{Lu}})\s*\]"
    rf"|\((?i:{_SPOKEN_MARKS})\)"
)
_SPEAKER_MARK = regex.compile(
    r"^[^\S\n]*(?:>>+|\u226b)|(?<!\S)(?:>>+|\u226b)(?=\s*[\p{Lu}\[\"'(])", regex.MULTILINE
)
_TURKIC = frozenset({"tr", "az"})


def normalize(text: str, *, transcript_annotations: str = "remove") -> str:
    """Bring ``text`` to one spelling; the module's head lists every change.

    Parameters
    ----------
    text : str
        Any string, lone surrogates included.
    transcript_annotations : {"remove", "keep"}

    Returns
    -------
    str
        Case and line breaks are as they were.
    """
    text = _LINE_END.sub("\n", text).translate(_CHARACTERS)
    text = _DASH.sub("\u2014", unicodedata.normalize("NFC", text)).replace("\u2013", "-")
    return remove_transcript_annotations(text) if transcript_annotations == "remove" else text


def remove_transcript_annotations(text: str) -> str:
    """Replace what a transcriber wrote about the speech, and the speaker did not say, by a space.

    These are square brackets around a known mark in any case (``[inaudible]``, ``[Music]``), square
    brackets around four to forty capitals, spaces and underscores (``[BLANK_AUDIO]``), round
    brackets around the commonest marks (``(Laughter)``), and ``>>`` where a speaker changes: at the
    start of a line, or standing free before a capital, quote or bracket. Other brackets are prose
    (``[sic]``, ``a[i]``, ``[the king]``) and stay.
    """
    if ">>" in text or "\u226b" in text:
        text = _SPEAKER_MARK.sub(" ", text)
    if "[" in text or "(" in text:
        text = _TRANSCRIPT_MARK.sub(" ", text)
    return text


def lower(text: str, language: str = "en") -> str:
    """Lower-case ``text`` by Unicode's rules, with the dotted and dotless i of Turkish and Azeri.

    The German sharp s stays as it is: ``Straße`` and ``Strasse`` are two spellings, and a choice.
    """
    if primary_subtag(language) in _TURKIC:
        text = text.replace("\u0130", "i").replace("I", "\u0131")
    return unicodedata.normalize("NFC", text.lower())


def lowercase_function(language: str) -> Callable[[str], str]:
    """Choose what lower-cases the words of a language, and changes nothing but case."""
    return partial(lower, language=language) if primary_subtag(language) in _TURKIC else str.lower


def primary_subtag(language: str) -> str:
    """``pt`` of ``pt-BR``."""
    return language.partition("-")[0].lower()
