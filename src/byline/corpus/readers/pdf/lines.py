"""Read the lines on a page of a PDF, with their positions, in the order of the file."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import mean, median, median_low
from typing import Any

import regex

# PDFium writes this for a hyphen that ends a line, instead of the hyphen and the line break.
HYPHEN = "\ufffe"
_LINE = regex.compile(rf"[^\r\n{HYPHEN}]+(?:{HYPHEN}(?=[\r\n]|$)|{HYPHEN})?")
_HYPHEN_AT_END = regex.compile(r"(?<=\p{L})[-‐¬\u00ad]$")
_SPACE = regex.compile(r"(?<=\S)[ \t\u00a0]+(?=\S)")
_ENDS_WITH_SYMBOL = regex.compile(r"[\p{P}\p{S}]$")
_MARK = regex.compile(r"\d{1,3}|[ivx]{1,4}|[*†‡§]{1,2}")
_NOTE_MARK = regex.compile(rf"(?<=[\p{{L}}\p{{P}}])\s?({_MARK.pattern})(?=\s|$)")
_RIGHT_TO_LEFT = regex.compile(r"(?V1)[[\p{Arabic}\p{Hebrew}\p{Syriac}\p{M}]--\p{Nd}]{2,}")
# In heights of a line.
_MAX_MARK_SIZE = 0.85
_MIN_SPACE, _COLUMN_GAP = 0.12, 2.0
_MIN_RELATIVE_GAP = 2.5  # in usual gaps of the line
_MAX_NUMBER = 4  # characters
_MAX_PICTURE_DEPTH = 3

# Left, bottom, right and top, in points from the lower left corner of the page.
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PdfLine:
    """A line of text; positions are in points from the lower left corner of the page.

    The positions of text that runs from right to left are mirrored: it begins at its ``left``.

    Attributes
    ----------
    text : str
        Without the hyphen that ends the line.
    left, right, bottom, top : float
    is_hyphenated : bool
        Whether the line ends with a hyphen.
    marks : tuple of str
        The superscript note marks that were removed from the text.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    is_hyphenated: bool = False
    marks: tuple[str, ...] = ()

    @property
    def size(self) -> float:
        """The height of its letters, including descenders and ascenders."""
        return max(self.top - self.bottom, 0.1)


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page: its number from 0, its height, and its lines in the order of the file."""

    number: int
    height: float
    lines: tuple[PdfLine, ...]


class PageCharacters:
    """The text of a page, with the position of each character.

    Letters that are written from right to left are put into reading order, if the file has them
    in the order in which they are drawn.

    Parameters
    ----------
    text_page : pypdfium2.PdfTextPage
    """

    def __init__(self, text_page: Any) -> None:
        self._text_page = text_page
        text = text_page.get_text_range()
        # PDFium counts characters beyond U+FFFF twice.
        self._wide = [i for i, c in enumerate(text) if c > "\uffff"] if not text.isascii() else []
        self.text: str = _RIGHT_TO_LEFT.sub(self._in_reading_order, text)

    def box(self, index: int) -> Box:
        """Return the box of a character of the text, with the full height of its font.

        Raises
        ------
        pypdfium2.PdfiumError
            The page is damaged.
        """
        from pypdfium2 import raw

        index += bisect_left(self._wide, index)
        place = raw.FPDFText_GetCharIndexFromTextIndex(self._text_page, index)
        left, bottom, right, top = self._text_page.get_charbox(max(0, place), loose=True)
        return left, bottom, right, top

    def _in_reading_order(self, run: regex.Match[str]) -> str:
        """Return letters from right to left; those of a ligature are in the right order already."""
        middles = []
        for index in range(run.start(), run.end()):
            left, _, right, _ = self.box(index)
            middles.append(left + right)
        order = sorted(range(len(middles)), key=lambda i: -middles[i])
        return "".join(run[0][i] for i in order)


def read_page(document: Any, number: int, max_characters: int) -> tuple[PdfPage | None, bool]:
    """Read a page.

    Parameters
    ----------
    document : pypdfium2.PdfDocument
    number : int
        From 0.
    max_characters : int

    Returns
    -------
    PdfPage or None, bool
        The page, or None if it has more than ``max_characters``; and whether it is a picture
        without text.

    Raises
    ------
    pypdfium2.PdfiumError
        The page is damaged.
    """
    page = document[number]
    try:
        text_page = page.get_textpage()
        try:
            if text_page.count_chars() > max_characters:
                return None, False
            lines = tuple(_join_adjacent(_lines(PageCharacters(text_page))))
        finally:
            text_page.close()
        return PdfPage(number, page.get_height(), lines), not lines and _has_picture(page)
    finally:
        page.close()


def _lines(characters: PageCharacters) -> Iterator[PdfLine]:
    for match in _LINE.finditer(characters.text):
        for start, end in _parts(characters, match.start(), match.end()):
            text = characters.text[start:end].rstrip(HYPHEN)
            if stripped := text.strip():
                begin = start + len(text) - len(text.lstrip())
                has_lost_hyphen = characters.text[end - 1] == HYPHEN
                yield _line(characters, begin, stripped, has_lost_hyphen=has_lost_hyphen)


def _parts(characters: PageCharacters, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Divide a line at gaps as wide as those between columns, which PDFium does not do.

    There is such a gap after a number or a bullet too, and all gaps in a justified line are wide.
    """
    is_leftward = _RIGHT_TO_LEFT.search(characters.text, start, end)
    spaces = [] if is_leftward else list(_SPACE.finditer(characters.text, start, end))
    gaps = [_gap(characters, space) for space in spaces]
    usual = min(median_low(gaps), _COLUMN_GAP) if gaps else 0.0
    for space, gap in zip(spaces, gaps, strict=True):
        is_number = space.start() - start < _MAX_NUMBER
        if gap > _COLUMN_GAP and gap > _MIN_RELATIVE_GAP * usual and not is_number:
            yield start, space.start()
            start = space.end()
    yield start, end


def _gap(characters: PageCharacters, space: regex.Match[str]) -> float:
    """Return the width of a space, in heights of the adjacent letters."""
    before, after = characters.box(space.start() - 1), characters.box(space.end())
    return (after[0] - before[2]) / max(before[3] - before[1], after[3] - after[1], 0.1)


def _line(characters: PageCharacters, begin: int, text: str, *, has_lost_hyphen: bool) -> PdfLine:
    left, right, bottom, top = _position(
        [characters.box(begin + i) for i in _decisive_places(text) if not text[i].isspace()]
    )
    marks = [
        mark
        for mark in _NOTE_MARK.finditer(text)
        if _is_superscript(
            characters.box(begin + mark.start(1)), characters.box(begin + mark.start() - 1)
        )
    ]
    for mark in reversed(marks):
        text = text[: mark.start()] + text[mark.end() :]
    whole, is_hyphenated = _without_hyphen(text, has_lost_hyphen)
    return PdfLine(whole, left, right, bottom, top, is_hyphenated, tuple(mark[1] for mark in marks))


def _decisive_places(text: str) -> Iterable[int]:
    """Return the indices of the characters that determine the position of a line.

    They are the first and the last one, or all in a line that is written from right to left.
    """
    return range(len(text)) if _RIGHT_TO_LEFT.search(text) else (0, len(text) - 1)


def _without_hyphen(text: str, has_lost_hyphen: bool) -> tuple[str, bool]:
    """Return a line without the hyphen that ends it, and whether it had one; a dash is kept."""
    if has_lost_hyphen:
        return (f"{text}-", False) if _ENDS_WITH_SYMBOL.search(text) else (text, True)
    whole = _HYPHEN_AT_END.sub("", text)
    return whole, whole != text


def _is_superscript(mark: Box, before: Box) -> bool:
    """Return whether a character is smaller than the one before it, and not lower."""
    return mark[3] - mark[1] < _MAX_MARK_SIZE * (before[3] - before[1]) and mark[1] > before[1]


def _join_adjacent(lines: Iterable[PdfLine]) -> Iterator[PdfLine]:
    """Join lines side by side: PDFium ends a line at a superscript mark or a change of font."""
    before: PdfLine | None = None
    for line in lines:
        if before is None:
            before = line
        elif _is_adjacent(before, line):
            before = _joined(before, line)
        else:
            yield before
            before = line
    if before is not None:
        yield before


def _joined(before: PdfLine, line: PdfLine) -> PdfLine:
    """Return a line continued by another; a superscript mark alone becomes a mark of the line."""
    is_smaller = line.size < _MAX_MARK_SIZE * before.size and line.bottom > before.bottom
    if is_smaller and _MARK.fullmatch(line.text):
        return replace(before, right=line.right, marks=(*before.marks, line.text))
    gap = " " if line.left - before.right > _MIN_SPACE * before.size else ""
    return replace(
        before,
        text=f"{before.text}{gap}{line.text}",
        right=line.right,
        is_hyphenated=line.is_hyphenated,
        marks=before.marks + line.marks,
    )


def _is_adjacent(before: PdfLine, line: PdfLine) -> bool:
    size = max(before.size, line.size)
    overlap = min(before.top, line.top) - max(before.bottom, line.bottom)
    is_near = -_MIN_SPACE * size < line.left - before.right < _COLUMN_GAP * size
    return is_near and not before.is_hyphenated and overlap > min(before.size, line.size) / 2


def _position(boxes: Sequence[Box]) -> tuple[float, float, float, float]:
    """Return the left and right end, the bottom and the top of the line of these characters.

    Text from right to left is mirrored. Its letters may be in any order, and not all have the full
    height of the font.
    """
    first, last = boxes[0], boxes[-1]
    if first[0] <= last[0]:
        return first[0], last[2], first[1], first[3]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return -max(rights), -min(lefts), min(bottoms), max(tops)


def _has_picture(page: Any) -> bool:
    from pypdfium2 import raw

    pictures = page.get_objects([raw.FPDF_PAGEOBJ_IMAGE], max_depth=_MAX_PICTURE_DEPTH)
    return any(True for _ in pictures)


_MAX_SIZE_RATIO = 1.15
_DEFAULT_LINE_SPACING = 1.2
# Fewer or shorter lines side by side are a table, which is read row by row.
_MIN_PAIRS = 5
_MIN_CHARACTERS = 25


def is_below(before: PdfLine, line: PdfLine) -> bool:
    """Return whether a line is below another one in the same column, and near to it."""
    return (
        0 < before.bottom - line.bottom < 6 * max(before.size, line.size)
        and line.left < before.right
        and before.left < line.right
    )


def is_right_of(before: PdfLine, line: PdfLine) -> bool:
    """Return whether a line is to the right of another one, at the same height."""
    return line.left > before.right and abs(before.bottom - line.bottom) < line.size / 2


def same_size(a: float, b: float) -> bool:
    """Return whether two heights of letters belong to the same font size."""
    return max(a, b) / min(a, b) < _MAX_SIZE_RATIO


def usual_line_spacing(lines: Sequence[PdfLine]) -> float:
    """Return the usual distance from one line to the next, in heights of the line."""
    distances = [
        (a.bottom - b.bottom) / a.size
        for a, b in pairwise(lines)
        if is_below(a, b) and same_size(a.size, b.size)
    ]
    return median_low(distances) if distances else _DEFAULT_LINE_SPACING


def usual_size(lines: Sequence[PdfLine]) -> float:
    """Return the median height of the lines; 1 if there are none."""
    return median_low(line.size for line in lines) if lines else 1.0


def order_columns(page: PdfPage) -> PdfPage:
    """Put the right column after the left one, if the file draws both line by line."""
    pairs = [i for i, (a, b) in enumerate(pairwise(page.lines)) if is_right_of(a, b)]
    if len(pairs) < _MIN_PAIRS:
        return page
    lefts, rights = ([page.lines[i + side] for i in pairs] for side in (0, 1))
    gutter = max(line.right for line in lefts), min(line.left for line in rights)
    first, last = pairs[0], pairs[-1] + 2
    both = page.lines[first:last]
    if gutter[0] >= gutter[1] or _cross(both, mean(gutter)) or _are_short([*lefts, *rights]):
        return page
    left = [line for line in both if line.left < gutter[0]]
    right = [line for line in both if line.left >= gutter[0]]
    return replace(page, lines=(*page.lines[:first], *left, *right, *page.lines[last:]))


def _cross(lines: Sequence[PdfLine], gutter: float) -> bool:
    return any(line.left < gutter < line.right for line in lines)


def _are_short(lines: Sequence[PdfLine]) -> bool:
    return median(len(line.text) for line in lines) < _MIN_CHARACTERS
