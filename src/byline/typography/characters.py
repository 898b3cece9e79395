"""Characters that a file format or a typesetter chooses: encodings, invisible signs, spaces.

None of these functions changes a sign that is spelling somewhere: joiners of Arabic and Indic
scripts and of emoji, the Hebrew geresh, the Hawaiian okina, the Catalan middle dot, the letters æ
and œ, and East Asian punctuation in East Asian texts stay.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping

import regex

from byline.typography.line_ends import unify_line_ends

# The tab, every character of the general category Zs, the empty Braille cell and Hangul filler.
SPACES = "\t \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"
SPACES += "\u2800\u3164"

# Soft hyphen, grapheme joiner, zero-width space, direction marks and isolates, word joiner and
# invisible operators, variation selectors, byte-order mark, interlinear annotations, musical signs.
_INVISIBLE = dict.fromkeys(
    (
        *"\u00ad\u034f\u061c\u200b\u200e\u200f\ufeff\ufff9\ufffa\ufffb",
        *map(chr, (*range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFE00, 0xFE10))),
        *map(chr, (*range(0x1D173, 0x1D17B), *range(0xE0100, 0xE01F0))),
    ),
    "",
)
# Joiners, fillers and separators of Korean, Khmer and Mongolian, and the tags of flags. Between
# letters of the scripts below, and after punctuation and spaces, they have no function.
_JOINERS = "\u200c\u200d\u115f\u1160\u17b4\u17b5\u180b-\u180f\uffa0\U000e0000-\U000e007f"
_JOINER = re.compile(f"[{_JOINERS}]")
_IDLE_JOINER = regex.compile(rf"(?<=\A|[\0-\u058f\u1e00-\u206f])[{_JOINERS}]++")

# An entity or a character reference, possibly escaped once more, as in "&amp;nbsp;".
_REFERENCE = re.compile(
    r"&(?:(?:amp|#38|#x26);)*+(?:(#\d{2,7}|#[xX][\da-fA-F]{2,6}|[A-Za-z][A-Za-z\d]{1,24});)?"
)

_CONTROL = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_BREAKS = {"\x0b": "\n", "\x85": "\n", "\u2028": "\n", "\x0c": "\n\n", "\u2029": "\n\n"}

_RUN_OF_SPACES = re.compile("  +")
_RUN_OF_LINE_ENDS = re.compile("\n\n\n+")

# For use within a set: blocks that contain unspaced scripts and Korean letters.
EAST_ASIAN_BLOCKS = (
    "\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u19e0-\u19ff\u2e80-\ud7ff\uf900-\uffdc"
    "\U00016fe0-\U0003ffff"
)
_EAST_ASIAN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}]")

# Letters of Greek and Cyrillic that look like Latin ones, in the same order.
_LATIN = "ABCEHIKMOPTXYaceiopxyABEHIKMNOPTXYZov"
_LOOKALIKES = "АВСЕНІКМОРТХУасеіорхуΑΒΕΗΙΚΜΝΟΡΤΧΥΖον"
_TO_LATIN = str.maketrans(_LOOKALIKES, _LATIN)
_TO_CYRILLIC = str.maketrans(_LATIN[:21], _LOOKALIKES[:21])
_GREEK_OR_CYRILLIC = re.compile("[\u0370-\u052f\u1c80-\u1c8f\u1f00-\u1fff]")
_ONE_WORD = regex.compile(r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{M}]++")
_LATIN_LETTERS = regex.compile(r"\p{Latin}")
_OTHERS = regex.compile(r"[\p{Greek}\p{Cyrillic}]")
_LATIN_OR_GREEK = regex.compile(r"[\p{Latin}\p{Greek}]")


def _compatible(*ranges: range) -> dict[str, str]:
    """Return what the characters stand for, by Unicode; without those that contain a space."""
    forms = {
        chr(code): unicodedata.normalize("NFKC", chr(code)) for codes in ranges for code in codes
    }
    return {sign: form for sign, form in forms.items() if form != sign and " " not in form}


# Latin and Armenian ligatures, letter pairs of Dutch, Catalan, Afrikaans and Croatian that have a
# code of their own, and the Arabic forms that PDF files contain; not the phrases after U+FDF0.
_LIGATURES = _compatible(
    range(0xFB00, 0xFB18),
    *(range(0x132, 0x134), range(0x13F, 0x141), range(0x149, 0x14A), range(0x1C4, 0x1CD)),
    *(range(0x1F1, 0x1F4), range(0xFB50, 0xFDF0), range(0xFE70, 0xFEFD)),
)
# Bold, italic and other letters and digits of mathematics, and those in circles.
_LIGATURES |= {
    sign: form
    for sign, form in _compatible(
        range(0x210A, 0x213A), range(0x24B6, 0x24EA), range(0x1D400, 0x1D800)
    ).items()
    if len(form) == 1
}
_LIGATURE = re.compile(
    "[\u0132-\u0149\u01c4-\u01f3\u210a-\u2139\u24b6-\u24e9\ufb00-\ufb17\ufb50-\ufefc"
    "\U0001d400-\U0001d7ff]"
)
_LONG_S = {"\u017f": "s", "\u1e9b": "\u1e61"}
_WIDTH = _compatible(range(0xFF01, 0xFFEF))
# Everything half-width, but no full-width punctuation.
_EAST_ASIAN_WIDTH = {
    sign: form for sign, form in _WIDTH.items() if "\uff61" <= sign <= "\uffdc" or form.isalnum()
}
_WIDE = re.compile("[\uff01-\uffee]")
_LETTER_LIGATURES = {"æ": "ae", "œ": "oe", "Æ": "Ae", "Œ": "Oe", "ǽ": "aé", "ǣ": "aē", "Ǽ": "Aé"}


_FEW = 60  # characters that are sought one by one faster than in the set of all


def replace_characters(text: str, table: Mapping[str, str]) -> str:
    """Replace single non-ASCII characters by strings.

    Looking for each character takes a tenth of the time of `str.translate`.
    """
    if text.isascii():
        return text
    for sign in table if len(table) < _FEW else set(text) & table.keys():
        if sign in text:
            text = text.replace(sign, table[sign])
    return text


def replace_entities(text: str) -> str:
    r"""Replace the entities of HTML that a text contains as plain characters.

    Those of ASCII letters and digits stay, which nobody writes as entities.

    Examples
    --------
    >>> replace_entities("of&nbsp;the river&mdash;it&#8217;s AT&T&amp;nbsp;; R&D;")
    'of\xa0the river—it’s AT&T\xa0; R&D;'
    """
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    if match[1] is None:
        return "&"
    reference = f"&{match[1]};"
    character = html.unescape(reference)
    # A result that can be a part of a reference would be read again in the next pass.
    return reference if character.isascii() and re.match(r"[\w#;&]", character) else character


def remove_invisible(text: str) -> str:
    r"""Remove characters that nobody sees: soft hyphens, zero-width spaces, direction marks.

    Joiners stay where spelling or an emoji needs them, that is, after a character of another
    script than Latin, Greek, Cyrillic and Armenian that is no punctuation.

    Examples
    --------
    >>> remove_invisible("wel\u00adcome to\u200bday")
    'welcome today'
    """
    text = replace_characters(text, _INVISIBLE)
    if not text.isascii() and _JOINER.search(text):
        text = _IDLE_JOINER.sub("", text)
    return text


def replace_ligatures(text: str) -> str:
    """Replace typographic ligatures, presentation forms and letters of mathematics by letters.

    Examples
    --------
    >>> replace_ligatures("ﬁnd the ﬂour")
    'find the flour'
    """
    return (
        replace_characters(text, _LIGATURES)
        if not text.isascii() and _LIGATURE.search(text)
        else text
    )


def replace_full_width(text: str) -> str:
    """Replace full-width and half-width forms by the usual characters.

    Full-width punctuation is usual in a text with Chinese, Japanese or Korean characters, and
    stays there.

    Examples
    --------
    >>> replace_full_width("Ｂｙｌｉｎｅ！"), replace_full_width("第１章！")
    ('Byline!', '第1章！')
    """
    if text.isascii() or not _WIDE.search(text):
        return text
    return replace_characters(text, _EAST_ASIAN_WIDTH if _EAST_ASIAN.search(text) else _WIDTH)


def replace_long_s(text: str) -> str:
    """Replace the long s by the round one.

    Examples
    --------
    >>> replace_long_s("Paradiſe loſt")
    'Paradise lost'
    """
    return replace_characters(text, _LONG_S)


def replace_lookalikes(text: str) -> str:
    """Replace letters of another script than the rest of the word that look the same.

    Latin words may have Cyrillic and Greek letters, and Cyrillic words Latin ones. A word is
    changed only if all its letters are then of one script.

    Examples
    --------
    >>> replace_lookalikes("th\u0435 riv\u0435r, no\u0451l, \u0432\u043ep\u043e\u043da")
    'the river, noël, ворона'
    """
    if text.isascii() or not _GREEK_OR_CYRILLIC.search(text):
        return text
    return str(_ONE_WORD.sub(_in_one_script, text))


def _in_one_script(match: regex.Match[str]) -> str:
    word = str(match[0])
    if not (_LATIN_LETTERS.search(word) and _OTHERS.search(word)):
        return word
    apart = unicodedata.normalize("NFD", word)  # letters with accents look the same, too
    for table, other in ((_TO_LATIN, _OTHERS), (_TO_CYRILLIC, _LATIN_OR_GREEK)):
        changed = apart.translate(table)
        if not other.search(changed):
            return unicodedata.normalize("NFC", changed)
    return word


def replace_letter_ligatures(text: str) -> str:
    """Write the letters æ and œ as two letters.

    Examples
    --------
    >>> replace_letter_ligatures("Cæsar, manœuvre")
    'Caesar, manoeuvre'
    """
    replaced = replace_characters(text, _LETTER_LIGATURES)
    return text if replaced == text else unicodedata.normalize("NFC", replaced)


def compose(text: str) -> str:
    r"""Compose letters with their accents (NFC), and replace control characters.

    Lone surrogates become U+FFFD. Line separators become a line feed. Paragraph separators and
    form feeds become a blank line. Any other control character becomes a space.

    Examples
    --------
    >>> compose("cafe\u0301\r\nbar\x00")
    'café\nbar '
    """
    plain = _CONTROL.sub(_replaced_control, unify_line_ends(text))
    return unicodedata.normalize("NFC", plain)


def replace_surrogates(text: str) -> str:
    r"""Replace lone surrogates, which are not characters, by U+FFFD.

    Examples
    --------
    >>> replace_surrogates("caf\ud800") == "caf\ufffd"
    True
    """
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _replaced_control(match: re.Match[str]) -> str:
    control = match[0]
    return "\ufffd" if "\ud800" <= control <= "\udfff" else _LINE_BREAKS.get(control, " ")


def simplify_spaces(text: str) -> str:
    r"""Write every space as U+0020 and runs of spaces as one; remove spaces at the ends of lines.

    Several blank lines become one. Blank lines at the beginning and the end are removed.

    Examples
    --------
    >>> simplify_spaces("of\u00a0the  end \n\n\nA new paragraph")
    'of the end\n\nA new paragraph'
    """
    for space in SPACES if not text.isascii() else "\t":
        text = text.replace(space, " ")
    if "  " in text:
        text = _RUN_OF_SPACES.sub(" ", text)
    if " \n" in text or "\n " in text:
        text = "\n".join([line.strip(" ") for line in text.split("\n")])
    if "\n\n\n" in text:
        text = _RUN_OF_LINE_ENDS.sub("\n\n", text)
    return text.strip(" \n")
