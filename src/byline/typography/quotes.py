"""Write quotation marks of every kind and level as ``"``, and apostrophes as ``'``."""

from __future__ import annotations

import re

import regex

from byline.typography.characters import SPACES, may_have_east_asian, replace_characters
from byline.typography.reading_quotes import read_marks
from byline.typography.scripts import UNSPACED_SCRIPTS

# Quotation marks, apostrophes, primes and accents; the Hebrew geresh and the Hawaiian okina are
# letters of the script.
_SINGLE = "\u2018\u2019\u201a\u201b\u02bc\uff07\u2032\u2035\u00b4\u1fbd\u1fbf\u275b\u275c"
_DOUBLE = (
    "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\uff02\u2033\u2036\u275d\u275e"
    "\u301d\u301e\u301f\u300c\u300d\u300e\u300f\uff62\uff63"
)
_SIGNS = dict.fromkeys(_SINGLE, "'") | dict.fromkeys(_DOUBLE, '"')
_LOW_COMMAS = re.compile(r",,(?<![^\s(\[\u2014-].{2})(?=[^\W_])", re.DOTALL)
# In French, the spaces are inside of the marks. In German, the same marks point the other way.
_OPENING = re.compile(
    rf"(?:[\u00ab\u2039\u201c\u201e](?<![^\s(\[\u2014'\u2019-].)|[\u00bb\u203a](?<![^\n].))[{SPACES}]++",
    re.DOTALL,
)
_CLOSING = re.compile(
    rf"[\u00bb\u203a\u201d](?<=[{SPACES}].)(?=[\s,.;:!?)\]}}\u2026\u2014-]|\Z)", re.DOTALL
)
_SPACED_SIGNS = "\u00ab\u00bb\u2039\u203a\u201c\u201d\u201e"
# A mark that is alone between spaces belongs to marks next to it, if these are at a word.
_ALONE = re.compile(r"[\"'](?<!\S.)[\"']*+(?!\S)")
_ALONE_AFTER = re.compile(rf"[\"'](?<=[^\s\"'].)[\"']*+(?:[{SPACES}][\"']++(?!\S))++")
_ALONE_BEFORE = re.compile(
    rf"[\"'](?<!\S.)(?<![\"'][{SPACES}].)[\"']*+[{SPACES}](?:[\"']++[{SPACES}])*+(?=[\"']++\S)"
)
_NEXT_TO_EAST_ASIAN = regex.compile(
    rf"'(?:(?<=[{UNSPACED_SCRIPTS}\p{{Hangul}}]')|(?=[{UNSPACED_SCRIPTS}\p{{Hangul}}]))"
)


def simplify_quotes(text: str) -> str:
    r"""Write every quotation mark as ``"``, whatever its kind and level, and apostrophes as ``'``.

    The rule covers single and double, curly and straight marks, guillemets with and without
    spaces inside, German, TeX and East Asian marks, and accents and primes in their place. Marks
    next to each other become one.

    Examples
    --------
    >>> simplify_quotes("\u2018Don\u2019t say \u201cyes\u201d,\u2019 she said. \u00ab Oui \u00bb")
    '"Don\'t say "yes"," she said. "Oui"'
    """
    text = _remove_inner_spaces(text)
    text = replace_characters(text, _SIGNS).replace("`", "'")
    if ",," in text:
        text = _LOW_COMMAS.sub('""', text)
    if "'" not in text and '"' not in text:
        return text
    if _ALONE.search(text):
        text = _ALONE_AFTER.sub(_without_spaces, text)
        text = _ALONE_BEFORE.sub(_without_spaces, text)
    if may_have_east_asian(text):
        text = _NEXT_TO_EAST_ASIAN.sub('"', text)
    return read_marks(text)


def _remove_inner_spaces(text: str) -> str:
    if text.isascii() or not any(sign in text for sign in _SPACED_SIGNS):
        return text
    text = _OPENING.sub(lambda match: match[0][0], text)
    parts, position = [], 0
    for match in _CLOSING.finditer(text):
        parts.append(text[position : match.start()].rstrip(SPACES))
        position = match.start()
    return "".join([*parts, text[position:]])


def _without_spaces(match: re.Match[str]) -> str:
    return "".join(match[0].split())
