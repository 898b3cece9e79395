"""Find an author's own name at the start or end of a text: a byline, a signature."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

from byline.corpus.document import Document
from byline.corpus.scripts import is_unspaced

_HEAD, _TAIL = 300, 120  # characters in which the name is looked for
_MIN_SURNAME = 3  # letters
_NAME_WORD = regex.compile(r"\p{Lu}\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Ll}+|\p{Lo}[\p{Lo}\p{M}]*")


def find_own_name(document: Document) -> str | None:
    """Return the author's name as written at the start or end of the text.

    The whole name and the surname are looked for, regardless of accents, but with a capital letter
    if the script has capitals. A name with digits is a label (``course-07``), which is looked for
    as a whole.

    Returns
    -------
    str or None
        None if neither name occurs there.

    Examples
    --------
    >>> find_own_name(Document("Anne Brontë", "Agnes Grey, by A. Bronte. All true.", "1.txt"))
    'Bronte'
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
    # In a script without spaces, other letters may adjoin the name.
    return regex.compile(name if is_unspaced(author) else rf"(?<!\w){name}(?!\w)")


def _capitalised(word: str) -> str:
    """Return a pattern for a word in capitals or with one capital, so that Young is not "young"."""
    return f"(?:{regex.escape(word.upper())}|{regex.escape(word.capitalize())})"


def _plain(text: str) -> str:
    """Return a text without accents, so that Brontë and Bronte are the same."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", plain)
