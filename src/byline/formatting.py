"""Names of authors and files as they may be shown: valid Unicode in one line."""

from __future__ import annotations

import os
import unicodedata
from pathlib import PurePath

import regex

# Characters that a terminal or a page must not be handed: controls, halves of surrogate pairs,
# line and paragraph separators, and marks that reverse the direction of what follows them.
_UNSHOWABLE = regex.compile(r"[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]")
# Letters of all scripts that are written from right to left; Arabic has signs beyond the others'.
_RIGHT_TO_LEFT = regex.compile(
    r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def printable(name: str | PurePath) -> str:
    r"""Return ``name`` composed (NFC), with what cannot be shown written as an escape.

    A byte of a file name that is not UTF-8 becomes ``\xe9``, a line break ``\x0a``.
    """
    text = str(name)
    if _UNSHOWABLE.search(text):
        text = _UNSHOWABLE.sub(_escape, _bytes_escaped(text))
    return unicodedata.normalize("NFC", text)


def isolated(name: str) -> str:
    """Keep a name that is written from right to left from turning round what stands beside it.

    Other names stay as they are.
    """
    return f"\u2068{name}\u2069" if _RIGHT_TO_LEFT.search(name) else name


def isolated_path(path: str) -> str:
    """Keep the parts of a path in their order, in whatever direction each is written."""
    return "/".join(map(isolated, path.split("/")))


def has_unprintable(name: str) -> bool:
    """Whether ``printable`` has to escape a character of ``name``."""
    return _UNSHOWABLE.search(name) is not None


def _bytes_escaped(name: str) -> str:
    try:
        return os.fsencode(name).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return name


def _escape(match: regex.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
