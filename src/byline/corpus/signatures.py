"""An author's own name at the start or end of a text: a title page, a byline, a signature."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

from byline.corpus.document import Document
from byline.corpus.scripts import is_unspaced

_HEAD = 300
_TAIL = 120
_MIN_SURNAME = 3
_NAME_WORD = regex.compile(r"\p{Lu}\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Ll}+|\p{Lo}[\p{Lo}\p{M}]*")


def find_own_name(document: Document) -> str | None:
    """Return the author's name as it stands at the start or end of the text, if it does.

    Sought are the whole name and the surname, with a capital where the script has them, whatever
    the accents. A name with digits is a label (``course-07``), and is sought whole.
    """
    pattern = _pattern(document.author)
    if pattern is None:
        return None
    text = document.text
    ends = [text] if len(text) <= _HEAD + _TAIL else [text[:_HEAD], text[-_TAIL:]]
    for end in ends:
        if found := pattern.search(_plain(end)):
            return str(found[0])
    return None


@lru_cache(maxsize=1024)
def _pattern(author: str) -> regex.Pattern[str] | None:
    words = _NAME_WORD.findall(_plain(author))
    if not words:
        return None
    if regex.search(r"\p{N}", author):
        sought = [r"\W+".join(map(regex.escape, regex.findall(r"\w+", _plain(author))))]
    else:
        surname = words[0] if "," in author else words[-1]
        sought = [r"\W+".join(map(_capitalised, words))] if len(words) > 1 else []
        long_enough = len(surname) >= _MIN_SURNAME or regex.fullmatch(r"\p{Lo}{2,}", surname)
        sought += [_capitalised(surname)] if long_enough else []
    if not sought:
        return None
    name = f"(?:{'|'.join(sought)})"
    # In a script without spaces, a name may stand in the middle of letters.
    return regex.compile(name if is_unspaced(author) else rf"(?<!\w){name}(?!\w)")


def _capitalised(word: str) -> str:
    """Return a pattern of ``word`` in capitals or with a capital: no "young" for Young."""
    return f"(?:{regex.escape(word.upper())}|{regex.escape(word.capitalize())})"


def _plain(text: str) -> str:
    """Return ``text`` without accents, so that Bronte is found in Brontë."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", plain)
