"""Read the line of a heading, such as "CHAPTER IV. The River", "Book the First" or "XII.".

More lines are read than `byline.typography.headings` removes from texts: `find_chapters` keeps only
headings whose numbers follow each other, and changes no text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import regex

from byline.typography.part_names import CHAPTER, EAST_ASIAN_PART, PARTS, RANKS

LAST = 0  # the number of "Chapter the Last"
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
# The ordinal and cardinal numbers that occur in headings, by language, from one on.
_NUMBERS_IN_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty",
    "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième "
    "onzième douzième treizième quatorzième quinzième",
    "première seconde",
    "un deux trois quatre cinq six sept huit neuf dix onze douze",
    "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte dreizehnte "
    "vierzehnte fünfzehnte sechzehnte siebzehnte achtzehnte neunzehnte zwanzigste",
    "primo secondo terzo quarto quinto sesto settimo ottavo nono decimo undicesimo dodicesimo",
    "prima seconda terza quarta quinta sesta settima ottava nona decima",
    "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo",
    "primera segunda tercera cuarta quinta sexta séptima octava novena décima",
    "primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo",
    "eerste tweede derde vierde vijfde zesde zevende achtste negende tiende",
    "första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde",
    "первая вторая третья четвёртая пятая шестая седьмая восьмая девятая десятая",
)
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70}
_TENTHS = {"twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60}
_VALUES: Mapping[str, int] = {
    **_TENS,
    **_TENTHS,
    **{
        word: value
        for words in _NUMBERS_IN_WORDS
        for value, word in enumerate(words.split(), start=1)
    },
}
_CHINESE_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")}
_CHINESE_DIGITS |= {"零": 0, "兩": 2, "两": 2}

_NUMBER = r"(?:\d{1,3}\.)?(?:\d{1,3}|[ivxlc]{1,9})|(?:the )?\p{L}{2,13}(?:[- ]\p{L}{3,9})?"
# The separators are tried once each: the time is proportional to the length of the line.
_PART_THEN_NUMBER = regex.compile(
    rf"(?P<part>{PARTS})\b\.?+[ ]?+(?P<number>{_NUMBER})(?![\p{{L}}\d])(?P<title>.*+)",
    regex.IGNORECASE,
)
_NUMBER_THEN_PART = regex.compile(
    rf"(?:the )?(?P<number>\p{{L}}{{2,13}}(?:-\p{{L}}{{3,9}})?|\d{{1,3}}(?:st|nd|rd|th|e|\.)) "
    rf"(?P<part>{PARTS})(?![\p{{L}}\d])(?P<title>.*+)",
    regex.IGNORECASE,
)
_NUMBER_ALONE = regex.compile(r"(?P<number>\d{1,3}|[IVXLC]{1,9})(?![\p{L}\d])(?P<title>.*+)")
_EAST_ASIAN = regex.compile(EAST_ASIAN_PART)
_EAST_ASIAN_RANKS = {"卷": 0, "部": 1}
_SEPARATOR = regex.compile(r"\s*+(?:[.:\u2013\u2014-]++\s*+)*+")
_ENDS_OF_WORDS = ("s", "r", "n", "m")  # erstes, erster, ersten: "Erstes Kapitel", "Erster Akt"


@dataclass(frozen=True, slots=True)
class HeadingLine:
    """A line that may be the heading of a part of a book.

    Attributes
    ----------
    rank : int
        The rank of the part, as in `byline.typography.part_names`. A number alone has the rank of
        a chapter.
    number : int
        The number, from 1 on, or `LAST`.
    label : str
        The part and its number as printed; or only the number.
    title : str
        The text after the number; may be empty.
    part : str
        The name of the part in lower case: ``chapter``; empty for a number alone.
    """

    rank: int
    number: int
    label: str
    title: str
    part: str


def read_heading(line: str) -> HeadingLine | None:
    """Return the part and the number that a line begins with; None if it is not a heading.

    Parameters
    ----------
    line : str
        One line without white space around it.

    Examples
    --------
    >>> read_heading("CHAPTER IV. The River")
    HeadingLine(rank=3, number=4, label='CHAPTER IV', title='The River', part='chapter')
    >>> read_heading("Erstes Kapitel").number, read_heading("BOOK THE SECOND").number
    (1, 2)
    >>> read_heading("Part of the river froze.") is None
    True
    """
    for pattern in (_PART_THEN_NUMBER, _NUMBER_THEN_PART, _EAST_ASIAN, _NUMBER_ALONE):
        match = pattern.match(line)
        if match is None or (number := _value(match["number"])) is None:
            continue
        part = str(match.groupdict().get("part", "")).lower()
        label = line[: match.start("title")].strip()
        title = match["title"].strip() if pattern is _EAST_ASIAN else _title(match["title"])
        if title is None:
            continue
        return HeadingLine(_rank(part), number, label, title, part)
    return None


def _rank(part: str) -> int:
    return RANKS.get(part, _EAST_ASIAN_RANKS.get(part, CHAPTER))


def _title(rest: str) -> str | None:
    """Return the title after a number; None if a sentence continues there."""
    separator = _SEPARATOR.match(rest)
    end = separator.end() if separator else 0
    title = rest[end:].strip()
    if not title or rest[:end].strip() or title.isupper() or title[0] in "_\"“'‘([«":
        return title
    return title if rest[:1].isspace() and _is_title_case(title) else None


def _is_title_case(title: str) -> bool:
    words = [word for word in title.split() if len(word) > 3]
    return bool(words) and all(word[0].isupper() for word in words) and title[-1] not in ".,;"


def _value(text: str) -> int | None:
    """Return the value of a number in digits, Roman numerals or words; None for other text."""
    text = text.lower().removeprefix("the ").rpartition(".")[2] or text.rstrip(".").lower()
    if text == "last":
        return LAST
    digits = text.removesuffix("e").rstrip("stndrh")
    if digits.isdecimal():
        return int(digits) or None
    if all(letter in _ROMAN_VALUES for letter in text):
        return _roman(text)
    if text[0] in _CHINESE_DIGITS or text[0] in "十百千":
        return _chinese(text)
    return next(filter(None, map(_VALUES.get, _forms(text))), None) or _two_words(text)


def _forms(word: str) -> Iterator[str]:
    yield word
    if word.endswith(_ENDS_OF_WORDS):
        yield word[:-1]


def _two_words(text: str) -> int | None:
    """Return the value of "twenty-first" and "twenty one"."""
    first, _, second = text.replace(" ", "-").partition("-")
    unit = _VALUES.get(second, 0)
    return _TENS[first] + unit if first in _TENS and 0 < unit < 10 else None


def _roman(text: str) -> int | None:
    """Return the value of a Roman numeral; None if its form is unusual.

    The old forms with four equal letters, such as ``IIII``, are read too.
    """
    values = [_ROMAN_VALUES[letter] for letter in text]
    total = 0
    for value, following in zip(values, [*values[1:], 0], strict=True):
        total += -value if value < following else value
    return total if 0 < total < 400 and text in _written(total) else None


def _written(value: int) -> tuple[str, str]:
    """Return a number as a Roman numeral, in the usual and in the old form."""
    written, old = "", ""
    for letters, size in zip(_LETTERS, _SIZES, strict=True):
        count, value = divmod(value, size)
        written += letters * count
        old += _OLD.get(letters, letters) * count
    return written, old


_LETTERS = ("c", "xc", "l", "xl", "x", "ix", "v", "iv", "i")
_SIZES = (100, 90, 50, 40, 10, 9, 5, 4, 1)
_OLD = {"xl": "xxxx", "iv": "iiii", "ix": "viiii"}


def _chinese(text: str) -> int | None:
    """Return the value of a Chinese number below one thousand."""
    if text.isdecimal():
        return int(text)
    total, digit = 0, 0
    for character in text:
        if character in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[character]
        else:
            total += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[character]
            digit = 0
    return total + digit or None
