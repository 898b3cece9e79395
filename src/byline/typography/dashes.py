"""Dashes and ellipses in one form each, without the spaces that only some editors set."""

from __future__ import annotations

import re

from byline.typography.characters import SPACES, replace_characters
from byline.typography.scripts import is_unspaced_character

_DASH = "\u2014"
_SIGNS = {
    **dict.fromkeys("\u2010\u2011\u2212\ufe63", "-"),
    "\u2012": "\u2013",
    **dict.fromkeys("\u2015\u2e3a\u2e3b\ufe58", _DASH),
}
# Assertions follow the first character, because `re` finds a literal character fastest.
_LONG_HYPHEN = re.compile("--+")
_SPACED_HYPHEN = re.compile(r"-(?<!\S.)(?!\S)", re.DOTALL)
_SPACED_EN_DASH = re.compile("\u2013" r"(?<!\S.)(?!\S)", re.DOTALL)
_LONG_DASH = re.compile(f"{_DASH}{_DASH}+")
_RANGE = re.compile(rf"{_DASH}(?<=\d.)(?=\d)", re.DOTALL)

_DOTS = re.compile(rf"\.(?:[{SPACES}]*+\.){{2,}}+")
_CLOSING = frozenset(f",.;:!?)]}}\n{_DASH}-")


def simplify_dashes(text: str) -> str:
    r"""Write every dash as an em dash without spaces around it.

    Dashes are em dashes and horizontal bars, two or more hyphens, and en dashes and hyphens with
    a space on both sides. Between digits, a dash becomes a hyphen, as an en dash does anywhere
    without spaces. Other hyphens, and the minus sign, are hyphens.

    Examples
    --------
    >>> simplify_dashes("Yes -- well - perhaps \u2013 not, in 1914\u20131918, a well\u2010known")
    'Yes—well—perhaps—not, in 1914-1918, a well-known'
    """
    if not text.isascii():
        text = replace_characters(text, _SIGNS)
        for pair in ("\u2013\u2013", "\u2013-", "-\u2013"):
            text = text.replace(pair, "--")
        text = _SPACED_EN_DASH.sub(_DASH, text)
    text = _SPACED_HYPHEN.sub(_DASH, _LONG_HYPHEN.sub(_DASH, text))
    if text.isascii():
        return text
    first, *others = text.replace("\u2013", "-").split(_DASH)
    if others:
        inner = [part.strip(SPACES) for part in others[:-1]]
        text = _DASH.join([first.rstrip(SPACES), *inner, others[-1].lstrip(SPACES)])
        return _RANGE.sub("-", _LONG_DASH.sub(_DASH, text))
    return first


def simplify_ellipses(text: str) -> str:
    r"""Write every ellipsis as three full stops, without a space before them.

    Ellipses are the single character, and three or more full stops with or without spaces. A
    space follows before a word. Before a quotation mark or another sign, it stays as it is.

    Examples
    --------
    >>> simplify_ellipses("Well . . . I thought\u2026. Perhaps ...not.")
    'Well... I thought... Perhaps... not.'
    """
    if not text.isascii():
        text = text.replace("\u2026", "...").replace("\u22ef", "...")
    first, *others = _DOTS.sub("...", text).split("...")
    if not others:
        return first
    inner = [_after_ellipsis(part).rstrip(SPACES) for part in others[:-1]]
    return "...".join([first.rstrip(SPACES), *inner, _after_ellipsis(others[-1])])


def _after_ellipsis(part: str) -> str:
    following = part.lstrip(SPACES)
    sign = following[:1]
    if sign in _CLOSING:
        return following
    is_word = sign.isalnum() and not is_unspaced_character(sign)
    return f" {following}" if is_word or following != part else following
