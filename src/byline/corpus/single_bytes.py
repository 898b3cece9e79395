"""Choose among encodings of one byte per character by the letters that result.

The encodings of ISO 8859 and their relatives by Microsoft differ in few letters: the Czech "š" of
one is the Polish "ą" of the other. Read in the wrong encoding, a text has letters that no language
has together, signs in the midst of words, or capitals after small letters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import regex

# In the order of preference; the encodings by Microsoft have more signs of punctuation.
_ENCODINGS = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"),
    *("koi8-r", "koi8-u", "iso8859-2", "iso8859-5", "iso8859-6", "iso8859-7", "iso8859-9"),
    *("iso8859-13", "iso8859-15"),
)
_RUSSIAN = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
# Letters beyond ASCII that occur in native words and common loan words.
_ALPHABETS = (
    "àâæçéèêëîïôœùûüÿ",  # French
    "äöüßéà",  # German
    "áéíñóúüªº",  # Spanish
    "ãáàâçéêíóôõúüªº",  # Portuguese
    "àèéìíîòóù",  # Italian
    "àçèéíïòóúü",  # Catalan
    "ëïéèêöüáóí",  # Dutch
    "åäöéüà",  # Swedish and Finnish
    "æøåéèêóòôü",  # Danish and Norwegian
    "áéíóúýþæöð",  # Icelandic
    "áéíóú",  # Irish
    "âêîôûŵŷïë",  # Welsh
    "áčďéěíňóřšťúůýž",  # Czech
    "áäčďéíĺľňóôŕšťúýž",  # Slovak
    "ąćęłńóśźż",  # Polish
    "čšžćđ",  # Slovene and Croatian
    "áéíóöőúüű",  # Hungarian
    "ăâîșțşţ",  # Romanian
    "çë",  # Albanian
    "äõöüšž",  # Estonian
    "āčēģīķļņšūž",  # Latvian
    "ąčęėįšųūž",  # Lithuanian
    "çğıöşüâîû",  # Turkish
    "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",  # Greek
    _RUSSIAN,
    "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",  # Ukrainian
    "абвгдеёжзіўйклмнопрстуфхцчшыьэюя",  # Belarusian
    "абвгдђѓежзѕијклљмнњопрстћќуфхцчџш",  # Serbian and Macedonian
    "אבגדהוזחטיךכלםמןנסעףפץצקרשת",  # Hebrew
    "ءآأؤإئابةتثجحخدذرزسشصضطظعغـفقكلمنهوىيپچژگک",  # Arabic and Persian
)
_CONTROL = regex.compile(r"[\x80-\x9f]")
# Signs that do not stand directly before a letter, and closing quotation marks that begin a word.
_MISPLACED_SIGN = regex.compile(
    r"[\p{S}\p{No}¶§·»](?=\p{L}\p{L})|(?<=\p{L})[^\p{L}\p{M}\p{Pd}\s\x00-\x7f’·\xad](?=\p{L})"
)
_MISPLACED_QUOTE = regex.compile(r"(?<![\p{L}\p{N}])[’”](?=\p{L}\p{L})")
_MIXED_CASE = regex.compile(r"\p{Ll}\p{Lu}")
_MIXED_SCRIPTS = regex.compile(
    r"[^\W\d_\p{Latin}](?=\p{Latin})|\p{Latin}(?=[\p{Greek}\p{Cyrillic}\p{Hebrew}\p{Arabic}])"
)
_WEIGHTS = (
    (_CONTROL, 3),
    (_MISPLACED_SIGN, 1),
    (_MISPLACED_QUOTE, 1),
    (_MIXED_CASE, 1),
    (_MIXED_SCRIPTS, 1),
)


def choose_encoding(data: bytes, sample: bytes, detected: str) -> str:
    """Return the encoding whose letters fit a language best.

    Parameters
    ----------
    data : bytes
        The whole text. An encoding in which it is invalid is not chosen.
    sample : bytes
        The part of it to judge by.
    detected : str
        An encoding of one byte per character, which is kept unless another one fits better.

    Examples
    --------
    >>> czech = "Příliš žluťoučký kůň úpěl ďábelské ódy.".encode("iso8859-2")
    >>> choose_encoding(czech, czech, "cp1250")
    'iso8859-2'
    """
    best, least = detected, _penalty(sample, detected)
    for encoding in _ENCODINGS:
        penalty = _penalty(sample, encoding)
        if penalty < least and _is_valid(data, encoding):
            best, least = encoding, penalty
    return best


def is_single_byte(encoding: str) -> bool:
    """Return whether an encoding has one byte per character.

    Examples
    --------
    >>> is_single_byte("iso8859-2"), is_single_byte("shift_jis")
    (True, False)
    """
    return encoding.startswith(("iso8859", "cp125", "koi8", "mac", "cp437", "cp85", "cp866"))


def _penalty(sample: bytes, encoding: str) -> float:
    """Return how many characters do not fit where they are."""
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError:
        return float("inf")
    return _foreign_letters(text) + sum(
        weight * len(pattern.findall(text)) for pattern, weight in _WEIGHTS
    )


def _foreign_letters(text: str) -> int:
    """Count the letters beyond ASCII that are not in the best-fitting alphabet."""
    letters = Counter(
        {c: n for c, n in Counter(text.lower()).items() if c > "\x7f" and c.isalpha()}
    )
    return letters.total() - max(_n_within(letters, alphabet) for alphabet in _ALPHABETS)


def _n_within(letters: Counter[str], alphabet: Iterable[str]) -> int:
    return sum(letters[letter] for letter in alphabet)


def _is_valid(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
