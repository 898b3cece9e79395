"""Normalise Unicode forms, quotation marks, dashes and transcript annotations.

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

import regex

from byline.typography.annotations import remove_transcript_annotations
from byline.typography.line_ends import unify_line_ends

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
_DASH = regex.compile(r"--+|(?<=\s)\u2013(?=\s)")


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
    text = unify_line_ends(text).translate(_CHARACTERS)
    text = _DASH.sub("\u2014", unicodedata.normalize("NFC", text)).replace("\u2013", "-")
    return remove_transcript_annotations(text) if transcript_annotations == "remove" else text
