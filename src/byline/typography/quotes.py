"""Write quotation marks of every kind and level as ``"``, and apostrophes as ``'``."""

from __future__ import annotations

import re
from itertools import product

import regex

from byline.typography.characters import EAST_ASIAN_BLOCKS, SPACES, replace_characters
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
_OPENING_SIGNS, _CLOSING_SIGNS = "\u00ab\u2039\u201c\u201e\u00bb\u203a", "\u00bb\u203a\u201d"
_MARKS = ("'", '"')
# A mark that is alone between spaces belongs to marks next to it, if these are at a word.
_ALONE = re.compile(r"[\"'](?<!\S.)[\"']*+(?!\S)")
# Wide blocks first; searching for scripts takes ten times as long.
_NEAR_EAST_ASIAN = re.compile(rf"'(?:(?<=[{EAST_ASIAN_BLOCKS}]')|(?=[{EAST_ASIAN_BLOCKS}]))")
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
    text = _join_marks_between_spaces(text)
    if not text.isascii() and _NEAR_EAST_ASIAN.search(text):
        text = _NEXT_TO_EAST_ASIAN.sub('"', text)
    return read_marks(text)


def _remove_inner_spaces(text: str) -> str:
    if text.isascii() or not any(sign in text for sign in _OPENING_SIGNS + _CLOSING_SIGNS):
        return text
    spaces = [space for space in SPACES if space in text]
    if any(f"{sign}{space}" in text for sign, space in product(_OPENING_SIGNS, spaces)):
        text = _OPENING.sub(lambda match: match[0][0], text)
    if not any(f"{space}{sign}" in text for sign, space in product(_CLOSING_SIGNS, spaces)):
        return text
    parts, position = [], 0
    for match in _CLOSING.finditer(text):
        parts.append(text[position : match.start()].rstrip(SPACES))
        position = match.start()
    return "".join([*parts, text[position:]])


def _join_marks_between_spaces(text: str) -> str:
    """Remove the space between marks that are alone and marks at a word, before or after them."""
    alone = [match.span() for match in _ALONE.finditer(text)]
    spaces = set()
    last_joined = -2  # where the last marks end that were joined to the marks before them
    last_alone = -2
    for start, end in alone:
        is_after_marks = start > 1 and text[start - 2] in _MARKS and start - 1 != last_alone
        if is_after_marks or start - 1 == last_joined:
            spaces.add(start - 1)
            last_joined = end
        last_alone = end
    first_joined = first_alone = -1  # the same from the end, for the marks after them
    for start, end in reversed(alone):
        is_before_marks = text[end + 1 : end + 2] in _MARKS and end + 1 != first_alone
        if (is_before_marks or end + 1 == first_joined) and start - 1 not in spaces:
            spaces.add(end)
            first_joined = start
        first_alone = start
    pieces, position = [], 0
    for space in sorted(spaces):
        if text[space] in SPACES:
            pieces.append(text[position:space])
            position = space + 1
    return "".join([*pieces, text[position:]])
