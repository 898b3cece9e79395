"""Count and remove accents, and the vowel points of Hebrew and Arabic."""

from __future__ import annotations

import unicodedata


def count_accents(text: str) -> int:
    """Count the accents and points of a text.

    Examples
    --------
    >>> count_accents("été")
    2
    """
    return 0 if text.isascii() else sum(map(_is_accent, unicodedata.normalize("NFD", text)))


def remove_accents(text: str) -> str:
    """Remove the accents and points of a text.

    Examples
    --------
    >>> remove_accents("l'été à Zürich")
    "l'ete a Zurich"
    """
    if text.isascii():
        return text
    letters = (each for each in unicodedata.normalize("NFD", text) if not _is_accent(each))
    return unicodedata.normalize("NFC", "".join(letters))


def _is_accent(character: str) -> bool:
    """Return whether a character is a mark without which a word can still be written.

    The combining classes of other marks, such as viramas and the vowels of Thai, are between.
    """
    combining_class = unicodedata.combining(character)
    return 10 <= combining_class < 36 or combining_class >= 200
