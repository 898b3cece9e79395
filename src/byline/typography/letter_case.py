"""Convert letters to lower case by the rules of Unicode and of a language."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import partial

_TURKIC = frozenset({"tr", "az"})


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
