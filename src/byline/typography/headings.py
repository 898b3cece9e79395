"""Headings of chapters, and lines of ornaments between them, which are removed from texts.

Models see what is left, so whatever is recognised here changes all of them. `byline.corpus` finds
chapters by rules of its own (``chapter_numbers``): it needs the number of each heading, which must
follow that of the heading before, so that it can accept lines that look like sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from byline.typography.part_names import EAST_ASIAN_PART, PARTS
from byline.typography.scripts import count_words

_LONGEST = 120  # characters of a heading
_MIN_PROSE = 40  # words of a paragraph next to which a line in capitals is a heading
_PROSE_SAMPLE = 1_000  # characters

_ROMAN = r"(?=[ivxlc])m{0,3}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})"
_NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    "sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|first|second|third|fourth|"
    "fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|[a-z]{4,7}teenth|[a-z]{3,4}tieth|last"
)
_NUMBER = rf"(?:\d{{1,3}}|{_ROMAN}|(?:the )?(?:{_NUMBER_WORDS})(?:[- ](?:{_NUMBER_WORDS}))?)"
_NUMBERED_PART = re.compile(rf"({PARTS})\.? {_NUMBER}(?![^\W_])(.*)", re.IGNORECASE)
_EAST_ASIAN_PART = re.compile(EAST_ASIAN_PART)
_FIRST_LETTERS = frozenset(part[:3] for part in PARTS.split("|"))
_CHAPTERS = frozenset(
    ["chap", "chapitre", "chapter", "hoofdstuk", "kapitel", "kapittel", "rozdział", "глава"]
)
_NUMBER_ALONE = re.compile(rf"(?:\d{{1,3}}|{_ROMAN.upper()})\.?")
_ORNAMENTS = re.compile(r"(?:[*_~#=+•·◆○●■★✦✻∗\u2013\u2014-] ?){3,}|[⁂❦❧☙*#§]")
_LONGEST_TITLE = 12  # words after the number, if they are not in capitals


def remove_headings(text: str) -> str:
    r"""Remove headings of chapters, and lines of ornaments between paragraphs.

    These lines are removed:

    * a part of a book with its number, in capitals or as ``Chapter 4``;
    * a line in capitals or a number alone, if it is next to such a line, or if the paragraphs
      around it have at least forty words;
    * three or more asterisks, hyphens or similar signs.

    A shouted line between short lines, as in a chat, stays.

    Examples
    --------
    >>> remove_headings("CHAPTER IV\n\nTHE RIVER\n\nIt rose.\n\n* * *\n\nWHAT IS THIS\n\nNo idea.")
    'It rose.\n\nWHAT IS THIS\n\nNo idea.'
    """
    lines = text.split("\n")
    removed = set(find_headings(lines))
    if not removed:
        return text
    kept: list[str] = []
    for number, line in enumerate(lines):
        is_blank_after_heading = not line and number - 1 in removed
        if number not in removed and not is_blank_after_heading:
            kept.append(line)
    return "\n".join(kept).rstrip("\n")


def find_headings(lines: list[str]) -> Iterator[int]:
    """Yield the numbers of the lines that are headings or ornaments.

    Lines that look like headings form a block, which the paragraphs around it decide on.
    """
    block: list[int] = []
    has_part = False
    previous = None
    for number, line in enumerate(lines):
        if not line or line.isspace():
            continue
        kind = _kind(line.strip()) if len(line) <= _LONGEST else None
        if kind == "ornaments":
            yield number
        elif kind:
            block.append(number)
            has_part |= kind == "part"
        else:
            if block:
                if has_part or (_is_prose(line) and (previous is None or _is_prose(previous))):
                    yield from block
                block, has_part = [], False
            previous = line
    if has_part:
        yield from block


def _kind(line: str) -> str | None:
    """Return "part" for a numbered part, "title" for another possible heading, or "ornaments"."""
    is_upper = line.isupper()
    if not line[0].isalnum():
        return "ornaments" if _ORNAMENTS.fullmatch(line) else _title(line) if is_upper else None
    if line[:3].lower() in _FIRST_LETTERS and (found := _NUMBERED_PART.fullmatch(line)):
        part, title = found[1], found[2].strip()
        if is_upper or (part.istitle() and part.lower() in _CHAPTERS and _is_title(title)):
            return "part"
        return "title" if part.istitle() and title in (":", ".", "") else None
    if line[0] == "第" and _EAST_ASIAN_PART.match(line):
        return "part"
    if is_upper:
        return _title(line)
    return "title" if line[0].isdigit() and _NUMBER_ALONE.fullmatch(line) else None


def _title(line: str) -> str | None:
    return None if line[-1] in "?!" else "title"


def _is_title(title: str) -> bool:
    """Return whether what follows the number of a chapter is its title, not a sentence."""
    if title in ("", "."):
        return True
    is_separate = title[0] in ".:-\u2013\u2014"
    return is_separate and title[-1] not in ".?!" and len(title.split()) <= _LONGEST_TITLE


def _is_prose(line: str) -> bool:
    return count_words(line[:_PROSE_SAMPLE]) >= _MIN_PROSE and not line.isupper()
